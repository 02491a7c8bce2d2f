/*
 * totals.h - the counters of all processes that wrote the same Prometheus
 * file, by label.
 *
 * Rule: a counter never goes down and no process's part is lost. So the
 * totals are kept by themselves and not read back from what a collector
 * reads: text, a number a line, with a check sum.
 */
#ifndef GUARD_COMMAND_TOTALS_H
#define GUARD_COMMAND_TOTALS_H

#include "base/buf.h"
#include "guard/metrics.h"

/* A label has 1 to 100 letters (settings.c). */
enum { TOTALS_LABEL = 101, TOTALS_ROWS = 256 };

struct totals_row {
  char label[TOTALS_LABEL];
  int64_t state;    /* enum guard_breaker_state at the last end */
  int64_t ended_ms; /* the last end of a process, since 1970 */
  struct guard_metrics metrics;
};

struct totals {
  struct totals_row *row;
  int n;
};

enum totals_read {
  TOTALS_OK,     /* no bytes: none yet */
  TOTALS_DAMAGED /* not ours, changed, or of a newer version */
};

/* |ret| is set for TOTALS_OK only; the caller releases. */
enum totals_read totals_decode(struct bytes text, struct totals *ret);
void totals_encode(const struct totals *t, struct buf *ret);
void totals_release(struct totals *t);
/* Adds to the row of |add->label|, which is made when there is none; state
 * and time are replaced. False: there are TOTALS_ROWS labels already. */
bool totals_add(struct totals *t, const struct totals_row *add);

#endif
