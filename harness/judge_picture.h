/*
 * judge_picture.h - the part of a scenario's JSON object that lets a report
 * draw the run and quote the client: times on one clock, the windows that a
 * retry-after asked to stay away, the ends of the client's outputs.
 *
 * The rule (docs/reports.md): every report is made from the JSON object
 * alone, so `faultwire merge` can draw what another machine ran.
 */
#ifndef HARNESS_JUDGE_PICTURE_H
#define HARNESS_JUDGE_PICTURE_H

#include "harness/evidence.h"

/* Kept of each output, at its front and again at its end: what a person
 * reads. The whole is in the folder of --evidence. */
#define PICTURE_OUTPUT_BYTES ((size_t)8 << 10)

/* Adds start_ns, end_ns and `windows` to the scenario's object. */
void picture_add_run(cJSON *scenario, const struct evidence *e);
/* Adds start_ns, exit_ns, signalled_ns, the outputs and, with the policy's
 * metrics_line, `metrics` to the object of one start. */
void picture_add_start(cJSON *start, const struct evidence *e,
                       const struct client_start *s);
/* Adds `line`, where the expectation stands in the scenario's file, if that
 * is known. */
void picture_add_line(cJSON *check, const struct evidence *e,
                      const struct expect *x);

#endif
