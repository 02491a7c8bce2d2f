/*
 * walk.h - every key of a scenario with what keys.def says about it.
 */
#ifndef HARNESS_SCALE_WALK_H
#define HARNESS_SCALE_WALK_H

#include "harness/scale/keys.h"

#include "base/json.h"

struct scale_visit {
  const struct jval *v;
  enum scale_kind kind; /* lists of pairs come value by value */
  const char *note;     /* of OWN and BLOCKS: why */
  const char *place;
  int step; /* place in steps[], -1: in none */
};

typedef void scale_visit_fn(void *arg, const struct scale_visit *x);

/* In file order. An object in a list of such is visited before its keys, with
 * kind ENTER: what it leaves out may be a time as well. */
void scale_walk(const struct json_doc *doc, scale_visit_fn *fn, void *arg);
/* "steps[0].retry_after"; the caller frees. */
char *scale_path(const struct jval *v);

#endif
