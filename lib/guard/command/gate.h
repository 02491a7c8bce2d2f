/*
 * gate.h - the one gate of the program: guard/call.h with a clock, a shared
 * state and sleeping put to it.
 *
 * Rule: whatever the program sends or starts goes through gate_run(), and
 * every way out of a try ends in a report.
 */
#ifndef GUARD_COMMAND_GATE_H
#define GUARD_COMMAND_GATE_H

#include "settings.h"
#include "state.h"

#include "base/clock.h"
#include "guard/call_pace.h"

#include <pthread.h>

struct gate {
  struct guard_policy policy;
  struct guard_pacing pacing;
  enum guard_lane lane;
  int64_t owner; /* of its places (owner.h) */
  bool log_limits;
  const char *label;
  const char *prometheus; /* file of the totals, NULL: none */
  struct clock *clock;
  int64_t epoch_offset_ms; /* wall clock minus steady clock at the start */
  uint64_t seed;
  pthread_mutex_t mutex; /* over metrics and state */
  struct guard_metrics metrics;
  struct state state;
};

/* The end of one call. */
struct gate_end {
  enum guard_step step; /* GUARD_DONE, GUARD_GIVE_UP or GUARD_DEGRADE */
  const char *why;
  struct guard_verdict verdict; /* of the last try, if there was one */
  int tries;
  int64_t waited_ms;   /* the waits ordered before retries */
  int64_t retry_in_ms; /* GUARD_DEGRADE: 0 when not known */
  struct diag diag;    /* set when the try could not be made at all */
  bool not_recorded;   /* GUARD_DONE: --once could not write it down */
};

/*
 * One try within |limits|; fills |ret|. -1 with |diag|: it could not be made
 * at all, or was interrupted by a signal.
 */
typedef int gate_try_fn(void *arg, const struct guard_limits *limits,
                        struct guard_outcome *ret, struct diag *diag);

void gate_init(struct gate *g, const struct settings *s);
void gate_release(struct gate *g);
/* Milliseconds since 1970 by a clock that does not step. */
int64_t gate_now_ms(const struct gate *g);
/* One call, from its first try to its end. |cost| is its estimate. |number|
 * tells the calls of one program apart, for their random numbers. */
void gate_run(struct gate *g, int number, gate_try_fn *fn, void *arg,
              const struct guard_rate_cost *cost, struct gate_end *ret);
/* The head of an answer is there: what it says about the limits holds from
 * now on, for all processes. Not to be called with the state held. */
void gate_heard(struct gate *g, const struct guard_rate_cost *cost,
                const struct guard_header *headers, size_t nheaders);
/* --stagger: sleeps before the first call; short when a signal comes. */
void gate_stagger(struct gate *g, const struct pacing_settings *p);
/* 0 done, 1 given up or not written down, 75 degraded (EX_TEMPFAIL of
 * sysexits.h). */
int gate_exit_code(const struct gate_end *end);
/* "rate_limit (rule anthropic.429): why, 3 tries, ask again in 60.0 s" */
void gate_describe(const struct gate_end *end, struct buf *ret);
/* The metrics line on stderr, and the totals of all processes. */
void gate_print_metrics(struct gate *g);

#endif
