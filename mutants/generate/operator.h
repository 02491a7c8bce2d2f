/*
 * operator.h - the operators: each one a way in which resilience code is
 * broken in real life, as a rule that finds its places in a source.
 *
 * A new one is a function and one line in operators.def. It sees tokens, so
 * words in comments are not there for it, and a text is one token whose
 * inner part it has to ask for.
 */
#ifndef MUTANTS_GENERATE_OPERATOR_H
#define MUTANTS_GENERATE_OPERATOR_H

#include "mutants/generate/suggest.h"

struct operator
{
  const char *id;
  void (*find)(const struct source *s, struct suggestions *ret);
  unsigned languages; /* LANG bits */
  bool in_logs;       /* also in statements that only log */
  const char *why;    /* what the broken program does, one sentence */
};

enum operator_id {
#define OPERATOR(id, name, languages, why) OPERATOR_##id,
#define OPERATOR_LOG(id, name, languages, why) OPERATOR_##id,
#include "mutants/generate/operators.def"
#undef OPERATOR_LOG
#undef OPERATOR
  OPERATOR_COUNT
};

extern const struct operator OPERATORS[OPERATOR_COUNT];
/* NULL with the nearest in `diag`. */
const struct operator* operator_named(const char *name, struct diag *diag);

/* Everything the wanted operators find in `s`, sorted, as edits; bit i of
 * `wanted`: OPERATORS[i]. */
void operators_run(const struct source *s, uint64_t wanted, int per_line,
                   struct suggestions *ret);

#define OPERATOR(id, name, languages, why)                                     \
  void operator_##id(const struct source *s, struct suggestions *ret);
#define OPERATOR_LOG OPERATOR
#include "mutants/generate/operators.def"
#undef OPERATOR_LOG
#undef OPERATOR

#endif
