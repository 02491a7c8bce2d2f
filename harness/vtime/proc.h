/*
 * proc.h - the tree of processes below us as /proc shows it: threads, states,
 * switch counts, children. Takes the tables rule.h decides over.
 *
 * Files stay open, because they are read at every look. A process is found
 * by the children lists of the others; orphans come to us, the subreaper.
 */
#ifndef VTIME_PROC_H
#define VTIME_PROC_H

#include "harness/vtime/rule.h"
#include "harness/vtime/seat.h"

struct proc_thread {
  int tid, stat_fd, sched_fd, children_fd;
  char comm[17];
  char state;
  int64_t switches;    /* when last read */
  int64_t slept_at;    /* its count when last seen asleep, -1: it was not */
  int64_t children_at; /* switch count when its children were read, -1 */
  int64_t call_at;     /* switch count when its call was looked at, -1 */
  bool opaque;         /* what that look said */
  bool seen;
};

struct proc {
  int pid, dir_fd;
  uint64_t nlink; /* of the task folder when it was read */
  struct proc_thread *thread;
  size_t n, cap;
  int64_t cpu_ns; /* used when last asked */
  bool own;       /* the process we are in */
};

/* Is a thread that fell asleep in a wait nobody emulates? Asked once a
 * sleep. */
typedef bool proc_opaque_fn(void *arg, int pid, const struct proc_thread *t);

/* Does the thread wait in a call for our answer? Once a signal has come the
 * kernel shows such a thread in state D, which else is a wait for a disk. */
typedef bool proc_held_fn(void *arg, int tid);

/* Called within a look, at the instant meant by the rule: all were seen asleep,
 * and are looked at once more afterwards. What it finds out is true of a
 * moment at which all slept, if the look is quiet. */
typedef void proc_instant_fn(void *arg);

struct proc_tree {
  struct proc *proc;
  size_t n, cap;
  int own_tid; /* the coordinator: never in a table */
  struct seat *const *seats;
  const size_t *nseats;
  proc_opaque_fn *opaque;      /* NULL: nobody is */
  proc_held_fn *held;          /* NULL: nobody is */
  void *arg;                   /* of both */
  proc_instant_fn *at_instant; /* NULL: nothing is asked */
  void *instant_arg;
  struct rule_thread *row; /* of the passes, `cap_rows` in each */
  size_t cap_rows;
  struct rule_pass first, last;
  int busy_pid, busy_tid; /* ran last: looked at first next time */
};

/* Below the calling process; its calling thread is left out. */
void proc_tree_init(struct proc_tree *t, struct seat *const *seats,
                    const size_t *nseats);
void proc_tree_release(struct proc_tree *t);

/* The whole question of rule.h, 1 to 3; `first` and `last` hold the passes. */
struct rule_answer proc_tree_look(struct proc_tree *t);
/* Reads all lists again: after the start, and for a dump. */
void proc_tree_read_all(struct proc_tree *t);

const struct proc *proc_tree_find(const struct proc_tree *t, int pid);
const struct proc_thread *proc_find_thread(const struct proc *p, int tid);
/* Exists, and is no zombie. */
bool proc_tree_alive(const struct proc_tree *t, int pid, int tid);
/* CPU time used below us since the last call, and by how many processes. */
int64_t proc_tree_cpu(struct proc_tree *t, int *ret_busy);

/* A small file of /proc into `room`; empty when it cannot be read. */
struct bytes proc_read(const char *path, char *room, size_t size);
/* The same of an open one, from its beginning. */
struct bytes proc_read_fd(int fd, char *room, size_t size);
/* The process a thread belongs to; 0: gone. */
int proc_tgid(int tid);
/* The name of a thread; "?" when it is gone. */
void proc_comm(int tid, char ret[17]);

#endif
