/*
 * apply.h - a scenario of a suite scaled, before anything runs.
 */
#ifndef HARNESS_SCALE_APPLY_H
#define HARNESS_SCALE_APPLY_H

#include "harness/judge.h"
#include "harness/scale/scale.h"
#include "harness/suite.h"

/* Fills in `scaled`, and loads the scenario again when its text changed. A
 * text that cannot be loaded is a scenario that cannot be scaled. */
void scale_item(struct suite_item *item, const struct scale_options *o);

/* The object of a scenario that is not run: `skip` with its reason. `names`
 * is what every result has; the caller deletes it. */
cJSON *scale_skipped(const struct scaled *s, const struct judge_names *names,
                     const char *why);

#endif
