/*
 * prometheus.h - the counters of all processes as a text file for
 * node_exporter's textfile collector: --prometheus FILE.
 *
 * Rule (Prometheus, "Exposition formats", text-based format): HELP and TYPE
 * once per metric and before its samples, all samples of one metric together,
 * label values escaped, counters that only grow, histogram buckets that are
 * cumulative and end in +Inf. The file is replaced as a whole, so that a
 * collector never reads half of it. Totals are kept beside it in FILE.totals,
 * under a lock of FILE.lock; names a collector of *.prom does not read.
 */
#ifndef GUARD_COMMAND_PROMETHEUS_H
#define GUARD_COMMAND_PROMETHEUS_H

#include "totals.h"

#include "base/diag.h"

void prometheus_encode(const struct totals *t, struct buf *ret);
/* Adds what this process did and writes both files. On an error they are as
 * they were. */
int prometheus_write(const char *path, const struct totals_row *add,
                     struct diag *diag);

#endif
