/*
 * plan.h - the plan file: what is tried, with which suite, and which mutants
 * must be caught by which tests.
 *
 * A plan is JSON with comments (docs/plan.schema.json). Whatever is wrong in
 * it is an error with file, line, column and JSON path; an unknown key is
 * never ignored. Rules that keep a plan from proving nothing:
 *  - a mutant names a red test or says why it cannot have one (equivalent);
 *  - an id stands once; `expect` holds the numbers of mutants and tests, so
 *    that none vanishes silently;
 *  - a mutant that changes no file is never equivalent: the bytes cannot
 *    show that it acted at all.
 */
#ifndef MUTANTS_PLAN_H
#define MUTANTS_PLAN_H

#include "base/json.h"
#include "mutants/texts.h"
#include "mutants/verdict.h"

struct suite_format; /* suite_format.h */
struct udiff;        /* udiff.h */

struct plan_edit {
  const char *file; /* inside the tree */
  const char *find, *with;
  int64_t count; /* how often `find` must be there, exactly */
};

struct plan_env {
  const char *name, *value;
};

struct plan_mutant {
  const char *id, *why, *operator_; /* texts never NULL */
  struct plan_edit *edits;
  int nedits;
  struct plan_env *env;
  int nenv;
  const char *flags;        /* for the build as $MUTANT_FLAGS, or NULL */
  const char *patch;        /* a unified diff; relative to the plan's folder */
  char *patch_path;         /* absolute, filled by gate_init, or NULL */
  struct udiff *patch_diff; /* what is in it, filled by gate_init */
  const char *cmd;          /* shell command that changes the copy, or NULL */
  struct texts touches;     /* the files cmd may change */
  struct texts client;      /* used instead of the suite's client */
  const char *artifact;     /* put over the built artifact, or NULL */
  struct texts red;         /* globs of tests */
  struct texts green;       /* globs of tests */
  unsigned kinds;           /* the kinds of red that count, KIND_BIT */
  int64_t red_at_least;     /* 0: no such demand */
  const char *equivalent;   /* the reason, or NULL */
};

enum suite_kind {
  SUITE_FAULTWIRE, /* faultwire test WORDS --report json=F -- CLIENT */
  SUITE_COMMAND    /* WORDS CLIENT, prints {"tests": {...}} */
};

struct plan_suite {
  enum suite_kind kind;
  const struct suite_format *format; /* of a command's output */
  const char *report;                /* a file it writes, or NULL: stdout */
  struct texts only; /* words that pick one test, with {TEST} in them */
  struct texts words;
  struct texts client;
  struct texts no_faults; /* words added under the control "no faults" */
  const char *program;    /* NULL: the faultwire that runs */
};

struct plan {
  struct json_doc doc; /* owns all texts */
  const char *tree;    /* as written; relative to the plan's folder */
  struct texts skip;   /* names or relative paths that are not copied */
  const char *build, *artifact; /* NULL: none */
  struct plan_suite suite;
  struct texts canary; /* globs: must stay green under every mutant */
  struct texts no_faults_green, dead_client_green;
  int64_t expect_mutants, expect_tests; /* -1: not said */
  struct plan_mutant *mutants;
  int nmutants;
  bool undeclared; /* a mutant may lack its reds */
};

/* The caller releases `ret` on success. With `undeclared`, a mutant may lack
 * its reds: `record` is about to find them. */
int gate_plan_load(struct plan *ret, const char *path, bool undeclared,
                   struct diag *diag);
/* The same for a text in memory; `name` stands for the file's name. */
int gate_plan_parse(struct plan *ret, const char *name, struct bytes text,
                    bool undeclared, struct diag *diag);
void gate_plan_release(struct plan *p);

/* Every glob of the plan must match one of the tests, and `expect.tests`
 * must be their number: known only after the baseline ran. */
int gate_plan_check_tests(const struct plan *p, const struct texts *tests,
                          struct diag *diag);

/* For the readers of the parts (plan_mutant.c, plan_suite.c). */
int gate_plan_read_texts(const struct jval *v, const char *key,
                         struct texts *ret, struct diag *diag);
/* An absent key leaves *ret alone. An empty text is refused. */
int gate_plan_read_text(const struct jval *v, const char *key, const char **ret,
                        struct diag *diag);
int gate_plan_read_suite(const struct jval *v, struct plan_suite *ret,
                         struct diag *diag);
int gate_plan_read_mutant(const struct jval *v, const struct plan *p,
                          struct plan_mutant *ret, struct diag *diag);
void gate_plan_mutant_release(struct plan_mutant *m);
/* A path that stays inside the tree: relative, without "..". */
int gate_plan_inside_tree(const struct jval *v, const char *path,
                          struct diag *diag);

#endif
