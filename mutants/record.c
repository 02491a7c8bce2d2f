#include "mutants/record.h"

#include <stdlib.h>

void record_declare(struct record *r, const struct texts *red,
                    const struct texts *green)
{
  for (int i = 0; i < red->n; i++)
    texts_add(&r->red, mem_strdup(red->item[i]));
  for (int i = 0; i < green->n; i++)
    texts_add(&r->green, mem_strdup(green->item[i]));
}

void record_release(struct record *r)
{
  free(r->id);
  free(r->operator_);
  free(r->motive);
  free(r->place);
  free(r->why);
  free(r->diff);
  free(r->log);
  texts_release_owned(&r->red);
  texts_release_owned(&r->green);
  verdicts_release(&r->tests);
}

void records_release(struct records *r)
{
  for (int i = 0; i < r->n; i++)
    record_release(&r->item[i]);
  free(r->item);
  free(r->problem);
  free(r->plan);
  for (int i = 0; i < r->nsources; i++) {
    free(r->source[i].path);
    free(r->source[i].text);
  }
  free(r->source);
  texts_release(&r->canary);
  verdicts_release(&r->tests);
  *r = (struct records){0};
}

static bool kills(const struct record *r, const struct test *t)
{
  bool fell = t->verdict == VERDICT_RED || t->verdict == VERDICT_UNDECIDED;
  return fell && ((unsigned)r->kinds & KIND_BIT(t->kind)) != 0;
}

bool record_killed_by(const struct record *r, const char *name)
{
  const struct test *t = verdicts_find(&r->tests, name);
  return t && kills(r, t);
}

int record_kills(const struct record *r)
{
  int n = 0;
  for (int i = 0; i < r->tests.n; i++)
    n += kills(r, &r->tests.item[i]);
  return n;
}
