/*
 * outcome.h - the words for what a mutant came to, and the exit codes.
 *
 * Rule: "could not judge" wins over "missed", so when several classes are
 * there at once the first of baseline, inapplicable, undecided, missed,
 * overkill, useless test gives the exit code. The numbers 0 to 4 and 70 mean
 * the same as in cargo-mutants.
 */
#ifndef MUTANTS_OUTCOME_H
#define MUTANTS_OUTCOME_H

#include <stdbool.h>

enum outcome {
#define OUTCOME(name, word, class, meaning) OUTCOME_##name,
#include "mutants/outcomes.def"
#undef OUTCOME
  OUTCOME_COUNT
};

/* In the order in which they win. */
enum outcome_class {
  CLASS_BASELINE,
  CLASS_INAPPLICABLE,
  CLASS_UNDECIDED,
  CLASS_MISSED,
  CLASS_OVERKILL,
  CLASS_USELESS_TEST,
  CLASS_OK
};

enum gate_exit {
  GATE_OK = 0,
  GATE_USAGE = 1,
  GATE_MISSED = 2,
  GATE_UNDECIDED = 3,
  GATE_BASELINE = 4,
  GATE_OVERKILL = 5,
  GATE_INAPPLICABLE = 6,
  GATE_USELESS_TEST = 7,
  GATE_INTERNAL = 70,
  GATE_INTERRUPTED = 130
};

const char *outcome_word(enum outcome o);
const char *outcome_meaning(enum outcome o);
/* OUTCOME_COUNT when it is none. */
enum outcome outcome_from_word(const char *word);
enum outcome_class outcome_class(enum outcome o);
enum gate_exit class_exit(enum outcome_class c);

#endif
