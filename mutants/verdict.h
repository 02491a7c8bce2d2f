/*
 * verdict.h - what a suite says about each of its tests.
 *
 * Four answers, not two. ERROR means the suite could not judge and spoils the
 * whole run. UNDECIDED means this one test saw no request, or its fault never
 * reached the client: neither red nor green, so it can neither kill a mutant
 * nor clear it.
 */
#ifndef MUTANTS_VERDICT_H
#define MUTANTS_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

enum verdict {
  VERDICT_GREEN,
  VERDICT_RED,
  VERDICT_UNDECIDED,
  VERDICT_ERROR,
  VERDICT_COUNT
};

enum kind {
  KIND_NONE, /* green */
#define KIND(name, word) KIND_##name,
#include "mutants/kinds.def"
#undef KIND
  KIND_COUNT
};

/* A set of kinds: bit `1 << kind`. */
#define KIND_BIT(kind) (1u << (unsigned)(kind))

struct test {
  char *name;
  enum verdict verdict;
  enum kind kind;
  bool skipped; /* green only because the policy has no such thing */
  bool noisy;   /* not the same each time: neither kills nor falls */
  char *why;    /* never NULL */
  int64_t ms;
};

struct verdicts {
  struct test *item;
  int n;
};

/* "green", "red", "undecided", "error" */
const char *verdict_word(enum verdict v);
/* VERDICT_COUNT when it is none. */
enum verdict verdict_from_word(const char *word);
/* "" for KIND_NONE */
const char *kind_word(enum kind k);
/* KIND_COUNT when it is none; "" is KIND_NONE. */
enum kind kind_from_word(const char *word);
/* The words, NULL-terminated, for "did you mean". */
extern const char *const KIND_WORDS[];

/* Copies name and why. The result stays valid until the next add. */
struct test *verdicts_add(struct verdicts *v, const char *name,
                          const char *why);
/* NULL when there is no such test. */
const struct test *verdicts_find(const struct verdicts *v, const char *name);
int verdicts_count(const struct verdicts *v, enum verdict wanted);
void verdicts_release(struct verdicts *v);

#endif
