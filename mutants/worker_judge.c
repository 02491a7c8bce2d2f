#include "mutants/worker.h"

#include "mutants/judge.h"
#include "mutants/suite.h"

#include <stdlib.h>
#include <string.h>

/* With --quick only what the plan names for this mutant is run. More names
 * than an option may be given (lib/base/cmdline.h) means all. */
enum { MAX_ONLY = 64 };

static void needed_tests(const struct gate *g, const struct plan_mutant *m,
                         struct texts *ret)
{
  for (int i = 0; i < g->tests.n; i++) {
    const char *name = g->tests.item[i];
    if (!g->options->quick || globs_match(&m->red, name) ||
        globs_match(&m->green, name) || globs_match(&g->plan.canary, name))
      texts_add(ret, name);
  }
  if (ret->n > MAX_ONLY || ret->n == 0) {
    ret->n = 0;
    texts_add_all(ret, &g->tests);
  }
}

/* The suite must speak about the same tests as at the baseline. */
static void check_names(const struct texts *needed, const struct verdicts *v,
                        struct buf *why)
{
  for (int i = 0; i < needed->n; i++)
    if (!verdicts_find(v, needed->item[i]))
      buf_addf(why, "%s%s",
               why->n ? ", " : "the suite lost tests: ", needed->item[i]);
  for (int i = 0; i < v->n && why->n == 0; i++)
    if (!texts_has(needed, v->item[i].name))
      buf_addf(why, "a test that the baseline did not have: %s",
               v->item[i].name);
}

static void check_errors(const struct verdicts *v, struct buf *why)
{
  for (int i = 0; i < v->n; i++)
    if (v->item[i].verdict == VERDICT_ERROR)
      buf_addf(why, "%s%s (%s)", why->n ? ", " : "the suite could not judge ",
               v->item[i].name,
               *v->item[i].why ? v->item[i].why : kind_word(v->item[i].kind));
}

/* A test that flickers without any mutant says nothing about one. */
static void mask_noise(const struct gate *g, struct verdicts *v)
{
  for (int i = 0; i < v->n; i++) {
    struct test *t = &v->item[i];
    if (!texts_has(&g->noisy, t->name))
      continue;
    t->noisy = true;
    t->verdict = VERDICT_GREEN;
    t->kind = KIND_NONE;
  }
}

static enum outcome judge_answer(const struct gate *g,
                                 const struct plan_mutant *m,
                                 const struct texts *needed,
                                 const struct suite_answer *a, struct buf *why)
{
  if (a->state != SUITE_JUDGED) {
    buf_adds(why, a->why);
    return a->state == SUITE_TIMEOUT ? OUTCOME_TIMEOUT : OUTCOME_HARNESS_ERROR;
  }
  check_errors(&a->tests, why);
  if (why->n == 0)
    check_names(needed, &a->tests, why);
  if (why->n)
    return OUTCOME_HARNESS_ERROR;
  return g->options->record ? judge_observed(m, &g->plan.canary, &a->tests, why)
                            : judge_mutant(m, &g->plan.canary, &a->tests, why);
}

static void set_outcome(struct record *r, enum outcome o, char *why)
{
  free(r->why);
  r->why = why;
  r->outcome = o;
  r->done = true;
}

/* For `record`: what is not the same each time is not declared. */
static void keep_steady(struct record *ret, const struct plan_mutant *m,
                        const struct gate *g, const struct verdicts *again)
{
  struct buf why;
  for (int i = 0; i < ret->tests.n; i++) {
    struct test *t = &ret->tests.item[i];
    const struct test *b = verdicts_find(again, t->name);
    if (b && judge_kills(m, t) == judge_kills(m, b) &&
        (t->verdict == VERDICT_GREEN) == (b->verdict == VERDICT_GREEN))
      continue;
    t->noisy = true;
    t->verdict = VERDICT_GREEN;
    t->kind = KIND_NONE;
  }
  buf_init(&why, 4096);
  enum outcome o = judge_observed(m, &g->plan.canary, &ret->tests, &why);
  set_outcome(ret, o, mem_strdup(buf_str(&why)));
  buf_release(&why);
}

/* The first answer is kept; a later one can only show that it is not
 * repeatable. */
static void merge(struct record *ret, const struct plan_mutant *m,
                  const struct gate *g, struct suite_answer *a, enum outcome o,
                  const struct buf *why)
{
  ret->suite_ms += a->ms;
  if (!ret->done) {
    ret->tests = a->tests;
    a->tests = (struct verdicts){0};
    set_outcome(ret, o, mem_strdup(buf_str(why)));
  } else if (outcome_class(o) == CLASS_UNDECIDED) {
    if (o != ret->outcome)
      set_outcome(ret, o, mem_strdup(buf_str(why)));
  } else if (g->options->record) {
    keep_steady(ret, m, g, &a->tests);
  } else if (o != ret->outcome) {
    set_outcome(ret, OUTCOME_FLAKY,
                mem_format("verdicts differ: %s, then %s",
                           outcome_word(ret->outcome), outcome_word(o)));
  }
}

static int run_suite(struct worker *w, const struct plan_mutant *m,
                     const struct texts *needed, bool alone,
                     struct suite_answer *ret, struct diag *diag)
{
  const struct gate *g = w->gate;
  bool all = needed->n == g->tests.n || !suite_can_pick(&g->plan.suite);
  struct suite_call call = {.gate = g,
                            .folder = w->folder,
                            .report = w->report,
                            .mutant = m,
                            .only = all ? NULL : needed,
                            .alone = alone,
                            .limit_ms = g->limit_ms};
  int rc = suite_run(&call, ret, diag);
  if (rc == 0) {
    mask_noise(g, &ret->tests);
    buf_adds(&w->log, ret->log);
  }
  return rc;
}

static int run_once(struct worker *w, const struct plan_mutant *m,
                    const struct texts *needed, struct record *ret,
                    struct diag *diag)
{
  struct suite_answer answer;
  struct buf why;
  buf_init(&why, 4096);
  int rc = run_suite(w, m, needed, false, &answer, diag);
  if (rc == 0) {
    enum outcome o = judge_answer(w->gate, m, needed, &answer, &why);
    merge(ret, m, w->gate, &answer, o, &why);
  }
  suite_answer_release(&answer);
  buf_release(&why);
  return rc;
}

/* A suite that answers the second time only with an error has not confirmed
 * anything either. */
static void compare_again(const struct plan_mutant *m, struct record *ret,
                          const struct texts *disputed,
                          const struct suite_answer *a)
{
  struct buf why;
  buf_init(&why, 4096);
  ret->suite_ms += a->ms;
  if (a->state != SUITE_JUDGED)
    buf_addf(&why, "run again alone: %s", a->why);
  else if (judge_differing(m, disputed, &ret->tests, &a->tests, &why) == 0) {
    buf_release(&why);
    return;
  }
  set_outcome(ret, OUTCOME_FLAKY, mem_strdup(buf_str(&why)));
  buf_release(&why);
}

/* Before a bad outcome is believed, the tests it hangs on run once more, one
 * at a time: noise of the others must neither kill nor save a mutant. */
static int run_disputed(struct worker *w, const struct plan_mutant *m,
                        struct record *ret, struct diag *diag)
{
  struct texts disputed = {0};
  struct suite_answer a;
  int rc = 0;
  judge_disputed(m, &w->gate->plan.canary, &ret->tests, ret->outcome,
                 &disputed);
  if (disputed.n && disputed.n <= MAX_ONLY) {
    buf_adds(&w->log, "--- again, alone\n");
    rc = run_suite(w, m, &disputed, true, &a, diag);
    if (rc == 0)
      compare_again(m, ret, &disputed, &a);
    suite_answer_release(&a);
  }
  texts_release(&disputed);
  return rc;
}

int worker_judge(struct worker *w, const struct plan_mutant *m,
                 struct record *ret, struct diag *diag)
{
  struct texts needed = {0};
  int rc = worker_make(w, m, ret, diag);
  if (rc < 0 || ret->done)
    return rc;
  needed_tests(w->gate, m, &needed);
  for (int64_t i = 0; rc == 0 && i < w->gate->options->repeat; i++) {
    rc = run_once(w, m, &needed, ret, diag);
    if (outcome_class(ret->outcome) == CLASS_UNDECIDED)
      break;
  }
  if (rc == 0 && !w->gate->options->record)
    rc = run_disputed(w, m, ret, diag);
  texts_release(&needed);
  return rc;
}
