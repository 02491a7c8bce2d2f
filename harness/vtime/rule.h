/*
 * rule.h - when the clock may jump. Pure functions over tables of threads;
 * proc.c takes the tables, coordinator.c acts.
 *
 * The rule: "all threads of the tree were asleep at one instant" is decided
 * without trust in any single source.
 *  1. First pass: every thread is asleep (S, T, t or Z; Z and X do nothing
 *     any more); its switch count is noted. With the count of a sleep seen
 *     before it is that sleep.
 *  2. The epoch (waits entered by our own threads) is read: the instant
 *     meant. No thread, process or child is new.
 *  3. Last pass: the same threads are asleep still, with the same counts: a
 *     thread that was just made runnable still has its old count, so state
 *     and count are both looked at. The epoch has not moved.
 *  4. No notification is unread, no watched descriptor is ready.
 *  5. Before a jump of 1 s or more the kernel itself holds nothing back:
 *     asked between the two passes, at the instant meant.
 * A thread asleep in a wait with a time-out of the kernel's that nobody
 * emulates makes the tree opaque: real rate, no jump.
 */
#ifndef VTIME_RULE_H
#define VTIME_RULE_H

#include "base/buf.h"
#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rule_word {
  RULE_QUIET,
  RULE_BUSY,    /* something runs, or will as soon as it gets a CPU */
  RULE_CHANGED, /* it ran while we looked, or the tree is not as known */
  RULE_OPAQUE   /* asleep, but in a wait nobody emulates */
};

/* One thread as a pass saw it. */
struct rule_thread {
  int pid, tid;
  char state;
  int64_t switches; /* -1: it was gone */
  bool seat;        /* a thread of ours that waits by its seat */
  bool runs;        /* its seat says that it runs or was woken */
  bool opaque;
};

struct rule_pass {
  const struct rule_thread *thread;
  size_t n;
  uint64_t epoch;
};

struct rule_answer {
  enum rule_word word;
  int pid, tid;    /* whose fault, 0: nobody's */
  const char *why; /* a few words */
};

/* Asleep in the sense of the rule. */
bool rule_asleep(char state);
/* The first thread that forbids a jump by itself ends the pass: BUSY, else
 * QUIET. */
struct rule_answer rule_first(const struct rule_pass *first);
/* Both passes; `whole`: the tree was complete at the epoch of `first`. */
struct rule_answer rule_quiet(const struct rule_pass *first, bool whole,
                              const struct rule_pass *last);
/* The same in all passes between which nobody ran. */
uint64_t rule_fingerprint(const struct rule_pass *p);

/* From this length on the kernel's own buffers are looked at: shorter than
 * every time-out that could come out wrong by a delayed acknowledgement of
 * 40 ms or a repeated SYN of 1 s. */
#define RULE_LONG_NS NS_PER_S

enum rule_jump_word {
  RULE_GO,
  RULE_NOT_YET, /* the deadline is not ahead, or the kernel holds something */
  RULE_NONE,    /* nothing will ever happen by itself */
  RULE_TOO_FAR  /* beyond the largest jump */
};

struct rule_jump {
  int64_t now_ns, deadline_ns; /* NO_DEADLINE: none */
  int64_t largest_ns;
};
enum rule_jump_word rule_jump(const struct rule_jump *j);

/* ---- busy stretches ---- */

/* CPU seconds after which time goes on with the CPU time used: a clock that
 * stands still would never let Python's 5 ms wait for its lock end while
 * another thread computes. Starting three runtimes at once takes less. */
#define RULE_CREEP_AFTER_NS (2 * NS_PER_S)
/* The same while nothing ends within RULE_CREEP_NEAR_NS that anybody could
 * wait for. A Java virtual machine that compiles its program computes for
 * seconds, and the wait of the call it then makes came out too long by what
 * crept. */
#define RULE_CREEP_FAR_AFTER_NS (10 * NS_PER_S)
#define RULE_CREEP_NEAR_NS (200 * NS_PER_MS)

struct rule_creep {
  int64_t used_ns; /* since the last quiet moment, per busy process */
};
/* The tree used `cpu_ns` more by `busy` processes; how far time goes on: not
 * beyond the end of the first wait, housekeeping left out, which is `left_ns`
 * from now (0: may be any; NO_DEADLINE: there is none). A monitor of a Java
 * virtual machine that is taken is looked at again after 1 ms: what a look is
 * late by is nobody's wait. */
int64_t rule_creep(struct rule_creep *c, int64_t cpu_ns, int busy,
                   int64_t left_ns);

/* A busy wait on the clock: each read is to count for more until the next
 * quiet moment, up to this. */
#define RULE_TICK_MAX_NS NS_PER_MS
/* More reads than this in one look, and more than one a microsecond of CPU
 * time, are a busy wait: a program that works reads the clock less often
 * (Node.js, when it starts: 30 a millisecond). CPU time and not real time: on
 * a loaded machine a look may come late, and many programs be within it. */
#define RULE_TICK_READS 20000
#define RULE_TICK_CPU_NS 1000
/* The tick from now on; `advanced_ns` by ticks of `tick_ns`, in `cpu_ns` of
 * the tree's CPU time. */
int64_t rule_tick(int64_t tick_ns, int64_t advanced_ns, int64_t cpu_ns);

/* ---- threads that may be late ---- */

/* Housekeeping threads of runtimes wake up many times a second; each is a
 * jump. They may be woken late by this, when they asked for RULE_SLACK_FROM
 * or more: shorter waits of the same threads are handshakes. */
#define RULE_SLACK_NS (10 * NS_PER_S)
#define RULE_SLACK_FROM_NS (40 * NS_PER_MS)
/* `more`: further names, ended by NULL; NULL: none. The kernel cuts names at
 * 15 bytes, and so are these. */
bool rule_is_housekeeping(const char *const *more, const char *comm);
/* How late a wait of that length by a thread of that name may end. */
int64_t rule_slack(const char *const *more, const char *comm, int64_t asked_ns);

/* Jumps per virtual second above which a report names the thread. */
#define RULE_MANY_JUMPS 50

#endif
