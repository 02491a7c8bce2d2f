/*
 * record.h - what came of each mutant, and of the whole run: the content of
 * OUT/outcomes.json, from which every report is made.
 */
#ifndef MUTANTS_RECORD_H
#define MUTANTS_RECORD_H

#include "base/json.h"
#include "mutants/outcome.h"
#include "mutants/texts.h"
#include "mutants/verdict.h"

struct record {
  char *id, *operator_, *motive; /* as the plan has them */
  char *place;                   /* "file:line" of the first edit, or "" */
  enum outcome outcome;
  char *why;
  struct verdicts tests;
  int kinds;               /* bits of the reds that count for this mutant */
  struct texts red, green; /* the globs declared; the texts are its own */
  int64_t build_ms, suite_ms;
  char *diff; /* may be "" ; not kept in outcomes.json */
  char *log;  /* what build and suite said; not kept in outcomes.json */
  bool done;
};

/* A file of the tree as it was before any mutant. */
struct source_text {
  char *path, *text;
};

struct records {
  struct record *item;
  int n;
  struct verdicts tests; /* the baseline: names in order, and times */
  struct texts canary;   /* names, owned by `tests` */
  char *problem;         /* why the run as a whole is no proof, or "" */
  char *plan;            /* fingerprint of the plan, or "" */
  int64_t plan_mutants;  /* how many mutants the plan holds; 0: not known */
  int64_t ms;
  struct source_text *source; /* what `report` read; not kept in
                                 outcomes.json */
  int nsources;
};

/* Copies the globs of red and green. */
void record_declare(struct record *r, const struct texts *red,
                    const struct texts *green);
void record_release(struct record *r);
void records_release(struct records *r);

/* True when test `name` killed this mutant. */
bool record_killed_by(const struct record *r, const char *name);
/* How many tests killed it. */
int record_kills(const struct record *r);

/* OUT/outcomes.json, and back. The caller releases `ret`. */
void records_to_json(const struct records *r, struct buf *ret);
int records_load(struct records *ret, const char *path, struct diag *diag);
/* One mutant alone: OUT/log/ID.json. */
void record_to_json(const struct record *r, struct buf *ret);

#endif
