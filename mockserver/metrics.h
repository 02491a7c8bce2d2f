/*
 * metrics.h - counters in Prometheus' text format, version 0.0.4.
 *
 * Rule: docs/control.md, "Metrics". Series that are known beforehand are
 * there at 0 from the start: requests of every native path, faults of every
 * step, times of every provider. Paths are the patterns of endpoint.h and
 * provider.h, with a name in braces for what varies.
 */
#ifndef MOCKSERVER_METRICS_H
#define MOCKSERVER_METRICS_H

#include "mockserver/engine.h"
#include "mockserver/scenario.h"

struct metrics;
struct metrics *metrics_new(void);
void metrics_free(struct metrics *m);
/* All counters to 0; the series stay. */
void metrics_clear(struct metrics *m);
/* The faults of the scenario's steps have series from now on. NULL: none. */
void metrics_arm(struct metrics *m, const struct scenario *scenario);
/* An attempt is over: a request, a handshake, the start of a command. */
void metrics_ended(struct metrics *m, const struct attempt *a, int64_t now_ns);
/* A scenario was read, by whatever way. */
void metrics_loaded(struct metrics *m, bool well);

/* What is not counted here but looked at; `engine` may be NULL. */
struct metrics_now {
  const struct engine *engine;
  uint64_t journal_dropped, armed, faulty_steps;
};
void metrics_write(const struct metrics *m, const struct metrics_now *now,
                   struct buf *ret);

#endif
