#include "mutants/tally.h"

#include <stdlib.h>
#include <string.h>

static bool counts(const struct record *r)
{
  return r->outcome == OUTCOME_CAUGHT || r->outcome == OUTCOME_WEAK;
}

bool *tally_kills(const struct records *r)
{
  size_t n = (size_t)r->n * (size_t)r->tests.n;
  bool *killed = mem_zalloc((n + 1) * sizeof *killed);
  for (int m = 0; m < r->n; m++)
    for (int t = 0; counts(&r->item[m]) && t < r->tests.n; t++)
      killed[m * r->tests.n + t] =
          record_killed_by(&r->item[m], r->tests.item[t].name);
  return killed;
}

static int gain(const struct records *r, const bool *killed,
                const bool *covered, int test)
{
  int n = 0;
  for (int m = 0; m < r->n; m++)
    n += killed[m * r->tests.n + test] && !covered[m];
  return n;
}

void tally_idle_tests(const struct records *r, struct texts *ret)
{
  bool *killed = tally_kills(r);
  bool *none = mem_zalloc((size_t)(r->n + 1) * sizeof *none);
  for (int t = 0; t < r->tests.n; t++) {
    const char *name = r->tests.item[t].name;
    if (gain(r, killed, none, t) == 0 && !texts_has(&r->canary, name))
      texts_add(ret, name);
  }
  free(none);
  free(killed);
}

static int best_test(const struct records *r, const bool *killed,
                     const bool *covered)
{
  int best = -1, best_gain = 0;
  for (int t = 0; t < r->tests.n; t++) {
    int n = gain(r, killed, covered, t);
    if (n > best_gain) {
      best = t;
      best_gain = n;
    }
  }
  return best;
}

void tally_minimal_set(const struct records *r, struct texts *ret)
{
  bool *killed = tally_kills(r);
  bool *covered = mem_zalloc((size_t)(r->n + 1) * sizeof *covered);
  int t;
  while ((t = best_test(r, killed, covered)) >= 0) {
    texts_add(ret, r->tests.item[t].name);
    for (int m = 0; m < r->n; m++)
      covered[m] |= killed[m * r->tests.n + t];
  }
  free(covered);
  free(killed);
}

void tally_same_signature(const struct records *r,
                          void (*each)(void *ctx, const struct texts *ids),
                          void *ctx)
{
  bool *killed = tally_kills(r);
  bool *told = mem_zalloc((size_t)(r->n + 1) * sizeof *told);
  size_t row = (size_t)r->tests.n * sizeof *killed;
  for (int a = 0; a < r->n; a++) {
    struct texts group = {0};
    for (int b = a; b < r->n; b++)
      if (r->item[b].outcome == OUTCOME_CAUGHT && !told[b] &&
          r->item[a].outcome == OUTCOME_CAUGHT &&
          memcmp(&killed[a * r->tests.n], &killed[b * r->tests.n], row) == 0) {
        told[b] = true;
        texts_add(&group, r->item[b].id);
      }
    if (group.n > 1)
      each(ctx, &group);
    texts_release(&group);
  }
  free(told);
  free(killed);
}

int tally_count(const struct records *r, enum outcome o)
{
  int n = 0;
  for (int i = 0; i < r->n; i++)
    n += r->item[i].outcome == o;
  return n;
}

enum gate_exit tally_exit(const struct records *r, bool strict_tests)
{
  enum outcome_class worst = r->n ? CLASS_OK : CLASS_INAPPLICABLE;
  for (int i = 0; i < r->n; i++) {
    enum outcome_class c = outcome_class(r->item[i].outcome);
    if (c < worst)
      worst = c;
  }
  if (*r->problem && CLASS_UNDECIDED < worst)
    worst = CLASS_UNDECIDED;
  if (strict_tests && CLASS_USELESS_TEST < worst) {
    struct texts idle = {0};
    tally_idle_tests(r, &idle);
    if (idle.n)
      worst = CLASS_USELESS_TEST;
    texts_release(&idle);
  }
  return class_exit(worst);
}
