/*
 * guard_bench.h - the three measurements of guard_bench; tests/bench/run_guard
 * runs them. Each prints its figures on stdout, ends with a line
 * "target: ..." per limit, and returns true when all were kept.
 *
 * Limits are those of docs/bench.md, and they are held against the calmest of
 * the rounds: a neighbour on the same core takes up to half of its speed, and
 * comes and goes within a second. The figures over all rounds stand beside
 * it, and so does a peer, measured in turn.
 */
#ifndef TESTS_BENCH_GUARD_BENCH_H
#define TESTS_BENCH_GUARD_BENCH_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

/* CPU time of this thread: what "per core" means on a shared machine. */
int64_t bench_cpu_ns(void);
bool bench_target(const char *what, bool reached);

/* Every row of retry_after.tsv, in the order of the file and by form. */
int bench_waits(const char *tsv, bool *ret_reached, struct diag *diag);
/* The longest answer of each provider in error_bodies.jsonl, grown to 4 kB. */
int bench_bodies(const char *jsonl, bool *ret_reached, struct diag *diag);
/* |guard| classify --jsonl < |jsonl|, from fork to the end of the process. */
int bench_program(const char *guard, const char *jsonl, bool *ret_reached,
                  struct diag *diag);

#endif
