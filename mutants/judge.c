#include "mutants/judge.h"

#include <assert.h>

bool judge_kills(const struct plan_mutant *m, const struct test *t)
{
  bool fell = t->verdict == VERDICT_RED || t->verdict == VERDICT_UNDECIDED;
  return fell && (m->kinds & KIND_BIT(t->kind)) != 0;
}

static void name_test(struct buf *why, int *n, const struct test *t)
{
  const char *kind =
      t->kind == KIND_NONE ? verdict_word(t->verdict) : kind_word(t->kind);
  buf_addf(why, "%s%s (%s)", (*n)++ ? ", " : "", t->name, kind);
}

static bool must_be_green(const struct plan_mutant *m,
                          const struct texts *canary, const char *name)
{
  return globs_match(&m->green, name) || globs_match(canary, name);
}

static int greens_that_fell(const struct plan_mutant *m,
                            const struct texts *canary,
                            const struct verdicts *tests, struct buf *why)
{
  int n = 0;
  for (int i = 0; i < tests->n; i++) {
    const struct test *t = &tests->item[i];
    if (t->verdict == VERDICT_GREEN || !must_be_green(m, canary, t->name))
      continue;
    if (n == 0)
      buf_adds(why, "must stay green: ");
    name_test(why, &n, t);
  }
  return n;
}

/* ["*"] stands for "any test", a list of names for "each of these". */
static bool any_will_do(const struct plan_mutant *m)
{
  return m->red.n == 1 && m->red.item[0][0] == '*' && m->red.item[0][1] == '\0';
}

static int reds_that_stayed(const struct plan_mutant *m,
                            const struct verdicts *tests, struct buf *why)
{
  int n = 0;
  for (int i = 0; i < tests->n; i++) {
    const struct test *t = &tests->item[i];
    if (judge_kills(m, t) || !globs_match(&m->red, t->name))
      continue;
    if (n == 0)
      buf_adds(why, "must go red: ");
    name_test(why, &n, t);
  }
  return n;
}

static int kills(const struct plan_mutant *m, const struct verdicts *tests)
{
  int n = 0;
  for (int i = 0; i < tests->n; i++)
    n += judge_kills(m, &tests->item[i]);
  return n;
}

static enum outcome judge_equivalent(const struct plan_mutant *m,
                                     const struct verdicts *tests,
                                     struct buf *why)
{
  int n = 0;
  for (int i = 0; i < tests->n; i++) {
    if (tests->item[i].verdict == VERDICT_GREEN)
      continue;
    if (n == 0)
      buf_adds(why, "declared equivalent, but these fell: ");
    name_test(why, &n, &tests->item[i]);
  }
  if (n == 0)
    buf_adds(why, m->equivalent);
  return n ? OUTCOME_STALE_EQUIVALENT : OUTCOME_EQUIVALENT;
}

static enum outcome judge_kill(const struct plan_mutant *m,
                               const struct verdicts *tests, struct buf *why)
{
  int n = kills(m, tests);
  if (any_will_do(m)) {
    if (n == 0)
      buf_adds(why, "nothing fell by a kind that counts");
  } else if (reds_that_stayed(m, tests, why)) {
    return OUTCOME_WEAK;
  }
  if (why->n == 0 && n < m->red_at_least)
    buf_addf(why, "killed by %d tests, declared are %lld or more", n,
             (long long)m->red_at_least);
  return why->n ? OUTCOME_WEAK : OUTCOME_CAUGHT;
}

enum outcome judge_mutant(const struct plan_mutant *m,
                          const struct texts *canary,
                          const struct verdicts *tests, struct buf *why)
{
  assert(verdicts_count(tests, VERDICT_ERROR) == 0);
  if (m->equivalent)
    return judge_equivalent(m, tests, why);
  if (greens_that_fell(m, canary, tests, why))
    return OUTCOME_OVERKILL;
  if (verdicts_count(tests, VERDICT_GREEN) == tests->n) {
    buf_adds(why, "every test stayed green");
    return OUTCOME_MISSED;
  }
  return judge_kill(m, tests, why);
}
