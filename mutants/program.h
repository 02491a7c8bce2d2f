/*
 * program.h - runs one program with a time limit and takes its output.
 *
 * Each program gets a session of its own. When it ends, or its time is up,
 * its process group ends with it; on a time-out also the processes below it
 * that went into groups of their own. It dies as well when the gate dies
 * (PR_SET_PDEATHSIG). May be called from several threads.
 */
#ifndef MUTANTS_PROGRAM_H
#define MUTANTS_PROGRAM_H

#include "base/buf.h"
#include "base/diag.h"
#include "mutants/plan.h"

struct program {
  const char *const *argv;    /* NULL-terminated */
  const char *folder;         /* where it runs */
  const struct plan_env *env; /* added to the gate's own environment */
  int nenv;
  int64_t limit_ms;
};

struct program_end {
  bool timed_out;
  int code;       /* exit status; 128 + signal when ended by one */
  int64_t ms;     /* how long it ran */
  struct buf out; /* what it wrote; more than the ceiling is dropped */
  struct buf err;
};

/* Ceiling for what is kept of one stream: the largest report read. */
#define PROGRAM_OUTPUT_MAX_BYTES JSON_MAX_BYTES

/* -1 only when nothing could be started. The caller releases `ret`. */
int program_run(const struct program *c, struct program_end *ret,
                struct diag *diag);
void program_end_release(struct program_end *e);
/* The last 400 bytes or so of what it said, stderr first choice. */
struct bytes program_last_words(const struct program_end *e);

/*
 * From here on the gate adopts orphans, and children that it has already (a
 * shell that did `exec`) are left alone by the next call.
 */
void children_begin(void);
/* Ends every process below this one and waits for them. With `for_good` no
 * child is started any more, in any thread. */
void children_end_all(bool for_good);

#endif
