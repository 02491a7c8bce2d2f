/*
 * policy.h - what the user says their client should do where right answers
 * differ (design: reports from the field contradict each other).
 */
#ifndef HARNESS_POLICY_H
#define HARNESS_POLICY_H

#include "base/json.h"
#include "base/param.h"

struct policy {
  struct json_doc doc; /* root NULL: no policy file was given */
  const char *file;    /* for messages, NULL without one */
};

/* The parameters of policy files, for checking, `list` and `explain`. */
extern const struct param policy_params[];
extern const struct param policy_breaker_params[];

/* Loads and checks; unknown keys are placed errors. */
int policy_load(struct policy *ret, const char *path, struct diag *diag);
/* No file: only `slack` (4 s) is known. */
void policy_none(struct policy *ret);
void policy_release(struct policy *p);
/* A number by dotted name ("slack", "breaker.opens_after"); false when the
 * policy has no such thing. */
bool policy_number(const struct policy *p, const char *name, double *ret);
/* A word or text; false when absent. */
bool policy_text(const struct policy *p, const char *name, const char **ret);
bool policy_has(const struct policy *p, const char *name);
/* The file itself has the number: it is no default. */
bool policy_says(const struct policy *p, const char *name);
/* True when policy files may hold that dotted name at all. */
bool policy_knows(const char *name);

#endif
