/*
 * scale.h - a scenario with its times divided, for machines and clients that
 * cannot have virtual time.
 *
 * The rule (docs/virtual-time.md, "Without virtual time"): what the server
 * and the harness do or tell so long is divided by k, and what is expected of
 * the client alike; the client's own times are not, since nobody can. What is
 * changed is the scenario's text, before it is loaded: it is checked, run,
 * kept and judged like any other, and everything that was divided or kept is
 * in the report. Pure.
 */
#ifndef HARNESS_SCALE_SCALE_H
#define HARNESS_SCALE_SCALE_H

#include "harness/scale/plan.h"

struct scaled {
  double k;
  char *text;  /* of the scenario to run; NULL: as it is */
  char *skip;  /* it is not to be run, and why; NULL: it is */
  cJSON *json; /* `time.scale` of the report; NULL: nothing to say */
};

/* A loaded scenario and its harness's half. The caller releases. */
void scale_scenario(struct scaled *ret, const struct scenario *scenario,
                    const struct spec *spec, const struct scale_options *o);
void scaled_release(struct scaled *s);
/* Adds `time` to a result; nothing when there is nothing to say. */
void scaled_add(const struct scaled *s, cJSON *result);

#endif
