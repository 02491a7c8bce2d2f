/*
 * probe_sights.h - sights written down by hand, for the tests of `probe`.
 */
#ifndef TESTS_HARNESS_PROBE_SIGHTS_H
#define TESTS_HARNESS_PROBE_SIGHTS_H

#include "harness/probe/sight.h"

#include <string.h>

enum { MAX_SEEN = 16 };

/* One call; ends the list when `end_s` is 0. */
struct seen_call {
  double at_s, end_s;
  int start;
  bool left;
  uint64_t body;
};

/* One start; ends the list when `exit_s` is 0. */
struct seen_start {
  double start_s, exit_s;
  int code, sig;
  bool timed_out;
  const char *out;
};

#define SEEN(at, end) .at_s = (at), .end_s = (end)
#define LIVED(start, exit) .start_s = (start), .exit_s = (exit)

/* The caller releases. */
static inline void sight_literal(struct sight *ret,
                                 const struct seen_call *calls,
                                 const struct seen_start *starts)
{
  memset(ret, 0, sizeof *ret);
  ret->calls = mem_zalloc((MAX_SEEN + 1) * sizeof *ret->calls);
  ret->starts = mem_zalloc((MAX_SEEN + 1) * sizeof *ret->starts);
  for (size_t i = 0; i < MAX_SEEN && calls[i].end_s > 0; i++)
    ret->calls[ret->ncalls++] = (struct sight_call){.at_s = calls[i].at_s,
                                                    .end_s = calls[i].end_s,
                                                    .start = calls[i].start,
                                                    .left = calls[i].left,
                                                    .body = calls[i].body};
  ret->total = ret->ncalls;
  for (size_t i = 0; i < MAX_SEEN && starts[i].exit_s > 0; i++)
    ret->starts[ret->nstarts++] = (struct sight_start){
        .start_s = starts[i].start_s,
        .exit_s = starts[i].exit_s,
        .code = starts[i].code,
        .sig = starts[i].sig,
        .timed_out = starts[i].timed_out,
        .out = mem_strdup(starts[i].out ? starts[i].out : ""),
        .err = mem_strdup("")};
}

#endif
