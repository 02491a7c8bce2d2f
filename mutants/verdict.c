#include "mutants/verdict.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

const char *const KIND_WORDS[] = {
#define KIND(name, word) word,
#include "mutants/kinds.def"
#undef KIND
    NULL};

static const char *const VERDICT_WORDS[VERDICT_COUNT] = {"green", "red",
                                                         "undecided", "error"};

const char *verdict_word(enum verdict v)
{
  return VERDICT_WORDS[v];
}

enum verdict verdict_from_word(const char *word)
{
  int i = 0;
  while (i < VERDICT_COUNT && strcmp(VERDICT_WORDS[i], word) != 0)
    i++;
  return (enum verdict)i;
}

const char *kind_word(enum kind k)
{
  return k == KIND_NONE ? "" : KIND_WORDS[k - 1];
}

enum kind kind_from_word(const char *word)
{
  int i = 0;
  if (*word == '\0')
    return KIND_NONE;
  while (KIND_WORDS[i] && strcmp(KIND_WORDS[i], word) != 0)
    i++;
  return (enum kind)(i + 1);
}

struct test *verdicts_add(struct verdicts *v, const char *name, const char *why)
{
  v->item = mem_realloc(v->item, (size_t)(v->n + 1) * sizeof *v->item);
  v->item[v->n] =
      (struct test){.name = mem_strdup(name), .why = mem_strdup(why)};
  return &v->item[v->n++];
}

const struct test *verdicts_find(const struct verdicts *v, const char *name)
{
  for (int i = 0; i < v->n; i++)
    if (strcmp(v->item[i].name, name) == 0)
      return &v->item[i];
  return NULL;
}

int verdicts_count(const struct verdicts *v, enum verdict wanted)
{
  int n = 0;
  for (int i = 0; i < v->n; i++)
    n += v->item[i].verdict == wanted;
  return n;
}

void verdicts_release(struct verdicts *v)
{
  for (int i = 0; i < v->n; i++) {
    free(v->item[i].name);
    free(v->item[i].why);
  }
  free(v->item);
  *v = (struct verdicts){0};
}
