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
  return why->n ? OUTCOME_HARNESS_ERROR
                : judge_mutant(m, &g->plan.canary, &a->tests, why);
}

/* The first answer is kept; a later one can only show that it is not
 * repeatable. */
static void merge(struct record *ret, struct suite_answer *a, enum outcome o,
                  const struct buf *why)
{
  ret->suite_ms += a->ms;
  if (!ret->done) {
    ret->outcome = o;
    free(ret->why);
    ret->why = mem_strdup(buf_str(why));
    ret->tests = a->tests;
    a->tests = (struct verdicts){0};
    ret->done = true;
  } else if (o != ret->outcome && outcome_class(o) != CLASS_UNDECIDED) {
    char *text = mem_format("verdicts differ: %s, then %s",
                            outcome_word(ret->outcome), outcome_word(o));
    free(ret->why);
    ret->why = text;
    ret->outcome = OUTCOME_FLAKY;
  } else if (o != ret->outcome) {
    free(ret->why);
    ret->why = mem_strdup(buf_str(why));
    ret->outcome = o;
  }
}

static int run_once(struct worker *w, const struct plan_mutant *m,
                    const struct texts *needed, struct record *ret,
                    struct diag *diag)
{
  const struct gate *g = w->gate;
  struct suite_call call = {.gate = g,
                            .folder = w->folder,
                            .report = w->report,
                            .mutant = m,
                            .only = needed->n < g->tests.n ? needed : NULL,
                            .limit_ms = g->limit_ms};
  struct suite_answer answer;
  struct buf why;
  buf_init(&why, 4096);
  int rc = suite_run(&call, &answer, diag);
  if (rc == 0) {
    enum outcome o = judge_answer(g, m, needed, &answer, &why);
    merge(ret, &answer, o, &why);
  }
  suite_answer_release(&answer);
  buf_release(&why);
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
  texts_release(&needed);
  return rc;
}
