/*
 * slow.h - what virtual time knows and real time does not: how much of a
 * stretch was slept and how much was slowness, and so how little slack an
 * upper bound needs.
 *
 * The rule (docs/virtual-time.md, "Upper bounds"): the clock stands while a
 * client computes, so that the load of the machine makes nobody late.
 * policy.slack is then policy.virtual_slack, and the CPU time that went on
 * the clock after all, and what copies of the client beside it read of the
 * clock. A policy that says `slack` alone keeps it: a client
 * that adds a random wait needs it, whatever the clock. Where nobody said
 * anything it is 5 ms instead of 4 s. Where time went at the real rate load
 * counts, and the larger one holds. What a scenario adds by itself
 * (`"retry_after + 1"`) stays as it is.
 */
#ifndef HARNESS_CHECK_SLOW_H
#define HARNESS_CHECK_SLOW_H

#include "harness/check/common.h"

/* Of the whole run, or of one stretch of it: sets `virtual_time` and
 * `slack_s`; nothing in real time. */
void slow_slack(const struct evidence *e, int64_t from_ns, int64_t to_ns,
                struct expr_vars *vars);
/* A lower bound in seconds as it holds in virtual time: nothing there makes a
 * client late, and one whose runtime counts whole milliseconds may be early by
 * one, which in real time its own slowness hides. */
double slow_least_s(const struct evidence *e, double s);
/* A check's own margin for a busy machine, in seconds: what it is in real
 * time, and never more. */
double slow_margin_s(const struct evidence *e, int64_t from_ns, int64_t to_ns,
                     double real_s);
/* Adds to a finding that failed what of the stretch was slept and what was
 * slow; nothing to others, and nothing in real time. */
void slow_explain(const struct evidence *e, int64_t from_ns, int64_t to_ns,
                  struct finding *f);

#endif
