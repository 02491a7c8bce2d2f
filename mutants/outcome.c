#include "mutants/outcome.h"

#include <string.h>

static const struct {
  const char *word;
  enum outcome_class class;
  const char *meaning;
} OUTCOMES[OUTCOME_COUNT] = {
#define OUTCOME(name, word, class, meaning) {word, CLASS_##class, meaning},
#include "mutants/outcomes.def"
#undef OUTCOME
};

const char *outcome_word(enum outcome o)
{
  return OUTCOMES[o].word;
}

const char *outcome_meaning(enum outcome o)
{
  return OUTCOMES[o].meaning;
}

enum outcome outcome_from_word(const char *word)
{
  int i = 0;
  while (i < OUTCOME_COUNT && strcmp(OUTCOMES[i].word, word) != 0)
    i++;
  return (enum outcome)i;
}

enum outcome_class outcome_class(enum outcome o)
{
  return OUTCOMES[o].class;
}

enum gate_exit class_exit(enum outcome_class c)
{
  static const enum gate_exit EXITS[] = {
      [CLASS_BASELINE] = GATE_BASELINE,
      [CLASS_INAPPLICABLE] = GATE_INAPPLICABLE,
      [CLASS_UNDECIDED] = GATE_UNDECIDED,
      [CLASS_MISSED] = GATE_MISSED,
      [CLASS_OVERKILL] = GATE_OVERKILL,
      [CLASS_USELESS_TEST] = GATE_USELESS_TEST,
      [CLASS_OK] = GATE_OK};
  return EXITS[c];
}
