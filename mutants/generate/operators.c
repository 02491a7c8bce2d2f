#include "mutants/generate/operator.h"

#include "base/words.h"

#include <string.h>

const struct operator OPERATORS[OPERATOR_COUNT] = {
#define OPERATOR(id, name, languages, why)                                     \
  {name, operator_##id, languages, false, why},
#define OPERATOR_LOG(id, name, languages, why)                                 \
  {name, operator_##id, languages, true, why},
#include "mutants/generate/operators.def"
#undef OPERATOR_LOG
#undef OPERATOR
};

static const char *const NAMES[] = {
#define OPERATOR(id, name, languages, why) name,
#define OPERATOR_LOG OPERATOR
#include "mutants/generate/operators.def"
#undef OPERATOR_LOG
#undef OPERATOR
    NULL};

_Static_assert(OPERATOR_COUNT <= 64, "a set of operators is 64 bits");

const struct operator* operator_named(const char *name, struct diag *diag)
{
  char hint[256];
  for (int i = 0; i < OPERATOR_COUNT; i++)
    if (strcmp(OPERATORS[i].id, name) == 0)
      return &OPERATORS[i];
  words_hint(name, NAMES, hint, sizeof hint);
  diag_set(diag, "unknown operator '%s'%s", name, hint);
  return NULL;
}

void operators_run(const struct source *s, uint64_t wanted, int per_line,
                   struct suggestions *ret)
{
  *ret = (struct suggestions){.source = s};
  for (int i = 0; i < OPERATOR_COUNT; i++) {
    ret->operator_ = &OPERATORS[i];
    if ((wanted >> i & 1) && (OPERATORS[i].languages >> s->lang->id & 1))
      OPERATORS[i].find(s, ret);
  }
  suggestions_finish(ret, per_line);
}
