/*
 * preload.h - backend P: programs that load a shared object (shim/) write on
 * a board what they wait for; here the board is read, and waits are ended.
 *
 * The rule: a slot is believed only while /proc says that its thread sleeps
 * in the call the slot names. A process that has not loaded the object keeps
 * the real clock: while one of its threads sleeps, time goes at the real
 * rate, except in a wait for a child.
 */
#ifndef VTIME_PRELOAD_PRELOAD_H
#define VTIME_PRELOAD_PRELOAD_H

#include "harness/vtime/preload/board.h"
#include "harness/vtime/table.h"
#include "harness/vtime/way.h"

/* Of the coordinator alone, beside a slot. */
struct preload_seen {
  int64_t kicked_ns; /* real: when it was last woken */
  uint32_t stale;    /* that wait was left without a word; 0: none */
  int tid;           /* whose name this is, */
  uint32_t named;    /* read at that wait */
  char comm[17];
};

struct preload {
  struct way way;
  struct vtime_page *page; /* the caller's */
  int page_fd;
  struct board *board;
  char *object, *place;            /* the shared object; the page's path */
  const char *const *housekeeping; /* rule.h; the caller's */
  bool no_getfd;
  uint64_t kicks;
  uint32_t swept; /* the slot looked at last for a thread that has gone */
  struct preload_seen seen[BOARD_SLOTS];
  struct opaque_list opaque;
};

/* NULL, and why the object cannot be loaded. The caller frees it. */
char *preload_object(struct diag *diag);
/* The environment with the two variables; one block, free() it. */
char **preload_environment(const char *object, const char *place,
                           char *const *envp);

/* ---- slots (slots.c) ---- */

struct board_slot *preload_slot(const struct preload *p, int pid, int tid);
/* In that state, and not left behind. */
bool preload_slot_is(const struct preload *p, uint32_t i, uint32_t state);
/* Frees those of threads that have gone: one more at each call. */
void preload_sweep(struct preload *p);
/* All of them, when a thread has found no slot. */
void preload_make_room(struct preload *p);
bool preload_alive(int pid, int tid);
/* It has not run since that switch count. */
bool preload_same_sleep(int pid, const struct proc_thread *t);
/* The call a thread is blocked in; false: none, or it cannot be seen. */
bool preload_call(int pid, int tid, struct table_call *ret, bool *ret_seen);
struct way_next preload_next_slot(struct preload *p);
void preload_wake_due(struct preload *p);
/* Woken, and have not run. */
size_t preload_woken(struct preload *p);

/* ---- timers (timers.c) ---- */

void preload_offer_timers(struct preload *p, struct way_next *n);
void preload_fire_due(struct preload *p);

/* ---- what nobody emulates (opaque.c) ---- */

bool preload_opaque(void *arg, int pid, const struct proc_thread *t);
void preload_note_opaque(struct way *w, int pid, int tid);
/* The process has loaded the object; one that exec made has to begin anew. */
bool preload_has_object(int pid, int tid);
/* Pure: does a slot that says `nr` mean a thread blocked in call `now`? */
bool preload_means(int nr, int now);

#endif
