/*
 * text.h - the pieces of the text report, for a run that prints each
 * scenario as soon as it is judged.
 */
#ifndef HARNESS_REPORT_TEXT_H
#define HARNESS_REPORT_TEXT_H

#include "harness/report/report.h"

/* The scenario's line, and what did not pass about it; `number` from 1. */
void text_result(const struct result *r, size_t number, bool colour,
                 struct buf *out);
/* "N passed, N failed, ... in S s" */
void text_summary(const struct run_report *run, struct buf *out);

#endif
