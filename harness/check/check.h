/*
 * check.h - a check: one pure function of the evidence, one file in check/,
 * one line in checks.def.
 */
#ifndef HARNESS_CHECK_H
#define HARNESS_CHECK_H

#include "base/param.h"
#include "harness/evidence.h"
#include "harness/verdict.h"

/* What a check found. Texts are cut when longer. */
struct finding {
  enum verdict verdict;
  enum kind kind;     /* KIND_ASSERT for an ordinary failure */
  char text[256];     /* what must hold, one sentence */
  char expected[256]; /* with where it comes from */
  char actual[512];
};

struct check {
  const char *name;
  const char *summary;        /* one sentence for `list checks` */
  const struct param *params; /* its own keys */
  bool per_lane; /* judges each lane on its own: a copy has a verdict by it */
  /* What the table cannot say (expressions, patterns); NULL: nothing. */
  int (*check)(const struct jval *expect, struct diag *diag);
  /* Judges. `ret` is zeroed before; verdict must be set. */
  void (*judge)(const struct evidence *e, const struct expect *x,
                struct finding *ret);
};

/* All checks in the order of checks.def, NULL-terminated. */
extern const struct check *const checks[];
const struct check *check_find(const char *name);

/* The case log's word for an expectation (case_names.def). */
struct case_name {
  const char *name, *check, *keys; /* keys may be "" */
};
/* All of them, ended by a NULL name. */
extern const struct case_name case_names[];
const struct case_name *case_name_find(const char *name);

#endif
