#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/check/slow.h"

#include <string.h>

/* Growth below this is the clock and the scheduler, not the client. */
#define GROWTH_TOLERANCE_MS 50.0

/* All the gaps an expectation is about share these. */
struct gap_judge {
  const struct lane_view *v;
  const struct expect *x;
  struct finding *ret;
  double grows;   /* 0: not asked for */
  double last_ms; /* the gap before, below 0: none */
  size_t judged;
  bool waited_on_nothing; /* a gap could not be judged: no retry-after */
};

static void set_bounds_text(struct finding *f, const struct gap *g,
                            const struct bounds *b, double ms)
{
  const char *how = g->by_call ? ", paired by call" : "";
  if (b->has_low && ms < b->low * 1000)
    snprintf(f->text, sizeof f->text,
             "attempt %d must start %s or more after answer %d ended%s",
             g->number + 1, span_text(b->low * 1000).s, g->number, how);
  else if (b->has_high && ms > b->high * 1000)
    snprintf(f->text, sizeof f->text,
             "attempt %d must start %s or less after answer %d ended%s",
             g->number + 1, span_text(b->high * 1000).s, g->number, how);
  else
    snprintf(f->text, sizeof f->text,
             "the wait between answer %d and the next attempt%s", g->number,
             how);
}

static struct expr_vars vars_of(const struct lane_view *v, const struct gap *g)
{
  struct expr_vars vars = vars_plain(v->e);
  vars.has_retry_after =
      attempt_retry_after_s(v->e, g->before, &vars.retry_after_s);
  vars.retry_after_text = g->before->retry_after;
  vars.step = g->before->step;
  vars.attempt = g->number;
  slow_slack(v->e, attempt_end_ns(g->before), g->after->first_byte_ns, &vars);
  return vars;
}

static void judge_bounds(struct gap_judge *j, const struct gap *g, double ms)
{
  struct finding f = {0};
  struct bounds b;
  char why[160];
  struct expr_vars vars = vars_of(j->v, g);
  enum expr_result r = bounds_read(j->x, &vars, &b, why, sizeof why);
  if (r == EXPR_NO_VALUE) {
    j->waited_on_nothing = true;
    return;
  }
  snprintf(f.text, sizeof f.text, "the wait after answer %d", g->number);
  if (r != EXPR_OK) {
    finding_no_value(&f, r, why);
  } else {
    j->judged++;
    b.low = slow_least_s(j->v->e, b.low);
    set_bounds_text(&f, g, &b, ms);
    bounds_format_ms(&b, f.expected, sizeof f.expected);
    bool good = bounds_hold(&b, ms / 1000);
    finding_actual(&f, good ? VERDICT_PASS : VERDICT_FAIL, "%s",
                   span_text(ms).s);
    slow_explain(j->v->e, attempt_end_ns(g->before), g->after->first_byte_ns,
                 &f);
  }
  finding_merge(j->ret, &f);
}

static void judge_growth(struct gap_judge *j, const struct gap *g, double ms)
{
  struct finding f = {0};
  int64_t from = attempt_end_ns(g->before), to = g->after->first_byte_ns;
  double tolerance =
      1000 * slow_margin_s(j->v->e, from, to, GROWTH_TOLERANCE_MS / 1000);
  double least = j->last_ms * j->grows - tolerance;
  if (j->last_ms >= 0) {
    j->judged++;
    snprintf(f.text, sizeof f.text,
             "the wait after answer %d must be %g times the one before",
             g->number, j->grows);
    snprintf(f.expected, sizeof f.expected, "%s or more   (%g * %s - %s)",
             span_text(least).s, j->grows, span_text(j->last_ms).s,
             span_text(tolerance).s);
    finding_actual(&f, ms >= least ? VERDICT_PASS : VERDICT_FAIL, "%s",
                   span_text(ms).s);
    slow_explain(j->v->e, from, to, &f);
    finding_merge(j->ret, &f);
  }
  j->last_ms = ms;
}

/* Every wait after a fault counts, but only inside one start: when the
 * harness starts the client again, it was not the client that waited. */
static bool concerned(const struct gap_judge *j, const struct gap *g,
                      int64_t after)
{
  if (after > 0)
    return g->number == after;
  return attempt_faulty(g->before) &&
         lane_start_of(j->v, g->before) == lane_start_of(j->v, g->after);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  struct gap_judge j = {.v = v, .x = x, .ret = ret, .last_ms = -1};
  struct gap g;
  int64_t after = 0;
  bool bounds = param_has(x->node, "at_least") || param_has(x->node, "at_most");
  param_number(x->node, "grows", &j.grows);
  param_int(x->node, "after", &after);
  for (size_t i = 0; i < v->na; i++) {
    if (!lane_gap(v, i, &g) || !concerned(&j, &g, after))
      continue;
    if (bounds)
      judge_bounds(&j, &g, ns_to_ms(g.ns));
    if (j.grows > 0)
      judge_growth(&j, &g, ns_to_ms(g.ns));
  }
  if (j.judged || ret->verdict == VERDICT_SKIP)
    return;
  snprintf(ret->text, sizeof ret->text, "the wait after a fault");
  finding_actual(ret, VERDICT_INCONCLUSIVE, "%s",
                 j.waited_on_nothing
                     ? "no answer before a wait carried a retry-after"
                     : "there was no such wait");
}

static int check(const struct jval *expect, struct diag *diag)
{
  if (param_has(expect->node, "grows") && !param_has(expect->node, "after") &&
      !param_has(expect->node, "at_least") &&
      !param_has(expect->node, "at_most"))
    return 0;
  return bounds_check(expect, diag);
}

static const struct param params[] = {
    {.name = "after",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .summary = "only the wait after this attempt of the lane, default every "
                "wait after an injected fault"},
    {.name = "at_least",
     .type = PARAM_EXPR,
     .summary = "the shortest wait, in seconds: a hard bound"},
    {.name = "at_most",
     .type = PARAM_EXPR,
     .summary = "the longest wait, in seconds: add policy.slack"},
    {.name = "grows",
     .type = PARAM_NUMBER,
     .max = 1000,
     .summary = "each wait is at least this many times the one before"},
    {.name = NULL}};

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

const struct check check_gap = {
    .name = "gap",
    .summary = "how long the client waited between an answer and its next "
               "attempt",
    .params = params,
    .per_lane = true,
    .check = check,
    .judge = judge};
