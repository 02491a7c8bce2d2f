#include "mutants/judge.h"

#include <assert.h>

bool judge_kills(const struct plan_mutant *m, const struct test *t)
{
  bool fell = t->verdict == VERDICT_RED || t->verdict == VERDICT_UNDECIDED;
  return fell && (m->kinds & KIND_BIT(t->kind)) != 0;
}

static void name_test(struct buf *why, int *n, const struct test *t)
{
  const char *kind = t->noisy               ? "flickers, does not count"
                     : t->kind == KIND_NONE ? verdict_word(t->verdict)
                                            : kind_word(t->kind);
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

static bool is_disputed(const struct plan_mutant *m, const struct texts *canary,
                        const struct test *t, enum outcome o)
{
  if (t->noisy)
    return false;
  switch (o) {
  case OUTCOME_OVERKILL:
    return t->verdict != VERDICT_GREEN && must_be_green(m, canary, t->name);
  case OUTCOME_STALE_EQUIVALENT:
    return t->verdict != VERDICT_GREEN;
  case OUTCOME_WEAK:
  case OUTCOME_MISSED:
    return !any_will_do(m) && !judge_kills(m, t) &&
           globs_match(&m->red, t->name);
  default:
    return o == OUTCOME_CAUGHT && any_will_do(m) && judge_kills(m, t);
  }
}

void judge_disputed(const struct plan_mutant *m, const struct texts *canary,
                    const struct verdicts *tests, enum outcome o,
                    struct texts *ret)
{
  /* A kill by whatever test is believed when more than these agree. */
  enum { FEW = 3 };
  if (o == OUTCOME_CAUGHT && kills(m, tests) > FEW)
    return;
  for (int i = 0; i < tests->n; i++)
    if (is_disputed(m, canary, &tests->item[i], o))
      texts_add(ret, tests->item[i].name);
}

int judge_differing(const struct plan_mutant *m, const struct texts *disputed,
                    const struct verdicts *first, const struct verdicts *again,
                    struct buf *why)
{
  int n = 0;
  for (int i = 0; i < disputed->n; i++) {
    const struct test *a = verdicts_find(first, disputed->item[i]);
    const struct test *b = verdicts_find(again, disputed->item[i]);
    if (a && b && judge_kills(m, a) == judge_kills(m, b) &&
        (a->verdict == VERDICT_GREEN) == (b->verdict == VERDICT_GREEN))
      continue;
    buf_addf(why, "%s%s: %s among the others, %s alone", n++ ? ", " : "",
             disputed->item[i], a ? verdict_word(a->verdict) : "not run",
             b ? verdict_word(b->verdict) : "not run");
  }
  return n;
}

enum outcome judge_observed(const struct plan_mutant *m,
                            const struct texts *canary,
                            const struct verdicts *tests, struct buf *why)
{
  if (m->equivalent)
    return judge_equivalent(m, tests, why);
  const struct plan_mutant bare = {.kinds = m->kinds};
  if (greens_that_fell(&bare, canary, tests, why))
    return OUTCOME_OVERKILL;
  if (kills(m, tests))
    return OUTCOME_CAUGHT;
  buf_adds(why, "nothing fell by a kind that counts");
  return OUTCOME_MISSED;
}
