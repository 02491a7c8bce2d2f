#include "harness/runs/change.h"

#include "harness/report/detail.h"
#include "harness/runs/join.h"

#include <string.h>

/* Two attempts more or fewer, and by half: one retry is noise. */
enum { ATTEMPTS_MOVED = 2 };
#define ATTEMPTS_FACTOR 1.5
/* A second, and twice as long: a loaded machine does that to no wait. */
#define SECONDS_MOVED 1.0
#define SECONDS_FACTOR 2.0

/* --- one scenario --------------------------------------------------------- */

static enum change_kind verdict_change(enum verdict a, enum verdict b)
{
  if (b == VERDICT_FAIL)
    return CHANGE_NEWLY_FAILING;
  if (b == VERDICT_PASS)
    return CHANGE_NEWLY_PASSING;
  return verdict_rank(b) > verdict_rank(a) ? CHANGE_WORSE : CHANGE_BETTER;
}

static bool moved(double a, double b, double least, double factor)
{
  double low = a < b ? a : b, high = a < b ? b : a;
  return high - low >= least && high >= low * factor;
}

static void add(struct changes *c, enum change_kind kind,
                const struct result *before, const struct result *after)
{
  c->list[c->n++] = (struct change){kind, before, after};
}

static void compare(struct changes *c, const struct result *a,
                    const struct result *b)
{
  if (a->verdict != b->verdict) {
    add(c, verdict_change(a->verdict, b->verdict), a, b);
    return;
  }
  c->nsame++;
  if (moved((double)detail_calls(a), (double)detail_calls(b), ATTEMPTS_MOVED,
            ATTEMPTS_FACTOR))
    add(c, CHANGE_ATTEMPTS, a, b);
  if (moved(a->seconds, b->seconds, SECONDS_MOVED, SECONDS_FACTOR))
    add(c, b->seconds > a->seconds ? CHANGE_SLOWER : CHANGE_FASTER, a, b);
}

static void add_new(struct changes *c, const struct result *b)
{
  bool bad = verdict_rank(b->verdict) >= verdict_rank(VERDICT_INCONCLUSIVE);
  add(c, bad ? CHANGE_NEW_BAD : CHANGE_NEW, NULL, b);
}

/* --- all of them ---------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
  const struct result *const *x = a, *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

static const struct result **sorted(const struct run_report *run)
{
  const struct result **list = mem_zalloc((run->n + 1) * sizeof *list);
  for (size_t i = 0; i < run->n; i++)
    list[i] = &run->results[i];
  qsort(list, run->n, sizeof *list, by_name);
  return list;
}

static const struct result *named(const struct change *c)
{
  return c->after ? c->after : c->before;
}

static int by_kind(const void *a, const void *b)
{
  const struct change *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return strcmp(named(x)->name, named(y)->name);
}

void changes_find(struct changes *ret, const struct run_report *before,
                  const struct run_report *after)
{
  const struct result **a = sorted(before), **b = sorted(after);
  size_t i = 0, k = 0;
  /* a scenario has two changes at most: its attempts and its time */
  *ret = (struct changes){
      .list = mem_zalloc((2 * (before->n + after->n) + 1) * sizeof *ret->list)};
  while (i < before->n || k < after->n) {
    int c = i == before->n  ? 1
            : k == after->n ? -1
                            : strcmp(a[i]->name, b[k]->name);
    if (c < 0)
      add(ret, CHANGE_REMOVED, a[i++], NULL);
    else if (c > 0)
      add_new(ret, b[k++]);
    else
      compare(ret, a[i++], b[k++]);
  }
  qsort(ret->list, ret->n, sizeof *ret->list, by_kind);
  free(a);
  free(b);
}

void changes_release(struct changes *c)
{
  free(c->list);
  *c = (struct changes){0};
}

bool change_counts(enum change_kind kind, const struct change_rule *rule)
{
  switch (kind) {
  case CHANGE_NEWLY_FAILING:
  case CHANGE_WORSE:
  case CHANGE_NEW_BAD:
    return true;
  case CHANGE_REMOVED:
    return !rule->subset;
  case CHANGE_ATTEMPTS:
  case CHANGE_SLOWER:
    return rule->figures;
  case CHANGE_NEWLY_PASSING:
  case CHANGE_BETTER:
  case CHANGE_NEW:
  case CHANGE_FASTER:
  case NCHANGES:
    break;
  }
  return false;
}
