/*
 * scenario.h - a scenario file: what the server does, step by step.
 *
 * The server's half (name, why, provider, steps, after_script, seed) is
 * checked here; `client`, `expect`, `tags` belong to the harness, which
 * checks them on its own (harness/spec.h). A key nobody owns is an error
 * with its place. docs/scenario.md is the language's page.
 */
#ifndef MOCKSERVER_SCENARIO_H
#define MOCKSERVER_SCENARIO_H

#include "base/json.h"

struct fault;
struct provider;

enum after_script { AFTER_REPEAT_LAST, AFTER_REPLY, AFTER_ERROR };

struct match {
  const char *path;  /* fnmatch pattern on the path, NULL: any */
  const char *model; /* fnmatch pattern, NULL: any */
  int stream;        /* 1 or 0 wanted, -1: any */
  const char *header_name, *header_value; /* value is a pattern */
  const char *body;                       /* text the body must hold */
};

struct step {
  int index;                 /* place in steps[], from 0 */
  const cJSON *node;         /* checked; the fault's keys are read from it */
  const struct fault *fault; /* what; `none` for a plain reply */
  int64_t times;             /* how many requests it answers; INT64_MAX: all */
  const char *lane;          /* NULL: every lane */
  struct match match;
};

struct scenario {
  struct json_doc doc;
  const char *name, *why;
  const struct provider *provider; /* NULL: whatever the request asks */
  struct step *steps;
  size_t nsteps;
  enum after_script after;
  uint64_t seed;
};

/* Loads and checks the server's half; the caller releases. */
int scenario_load(struct scenario *ret, const char *path, struct diag *diag);
int scenario_parse(struct scenario *ret, const char *name, struct bytes text,
                   struct diag *diag);
void scenario_release(struct scenario *s);

#endif
