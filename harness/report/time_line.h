/*
 * time_line.h - what virtual time did, in a line for people: of a scenario,
 * and of the whole run.
 *
 * Plain text without an end of line; thread and program names in it come from
 * outside, so that each report escapes it as it escapes everything. Empty in
 * real time, unless the clock should have begun elsewhere.
 */
#ifndef HARNESS_REPORT_TIME_LINE_H
#define HARNESS_REPORT_TIME_LINE_H

#include "harness/report/report.h"

/* "3600 s virtual in 0.04 s real, 12 jumps, longest wait 3600 s" */
void time_line(const struct result *r, struct buf *ret);
/* "12 of 14 scenarios in virtual time: 1.2 h in 0.9 s real, 300 jumps" */
void time_total(const struct run_report *run, struct buf *ret);

#endif
