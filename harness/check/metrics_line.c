#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/pattern.h"

#include "base/number.h"

/* The last line of a start holds its final counts. */
static bool find_line(struct pattern *p, const struct client_start *s)
{
  return pattern_last(p, s->err) || pattern_last(p, s->out);
}

/* Each start counts for itself, so a lane's number is their sum. False when a
 * start has no line or the group no number. */
static bool sum_group(const struct lane_view *v, struct pattern *p,
                      const char *name, double *ret, struct finding *f)
{
  double total = 0, one = 0;
  for (size_t i = 0; i < v->ns; i++) {
    struct bytes text = {0};
    if (!find_line(p, v->s[i])) {
      finding_actual(f, VERDICT_FAIL, "start %zu wrote no such line", i + 1);
      return false;
    }
    if (!pattern_group(p, name, &text) ||
        number_decimal(text, 0, 1e15, &one) != NUMBER_OK) {
      finding_actual(f, VERDICT_FAIL, "the line of start %zu has no number %s",
                     i + 1, name);
      return false;
    }
    total += one;
  }
  *ret = total;
  return true;
}

static bool any_cut(const struct lane_view *v)
{
  for (size_t i = 0; i < v->ns; i++)
    if (v->s[i]->out_cut || v->s[i]->err_cut)
      return true;
  return false;
}

static void judge_count(const struct lane_view *v, struct pattern *p,
                        const cJSON *count, struct finding *ret)
{
  struct finding f = {0};
  struct expr_vars vars = vars_plain(v->e);
  double wanted = 0, sum = 0;
  char why[160];
  vars.calls = (double)v->na;
  snprintf(f.text, sizeof f.text, "the metrics line counts %s", count->string);
  enum expr_result r =
      expr_eval_node(count, &vars, NULL, &wanted, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(&f, r, why);
  } else {
    snprintf(f.expected, sizeof f.expected, "%g", wanted);
    if (!pattern_has_group(p, count->string))
      finding_actual(&f, VERDICT_SKIP, "policy.metrics_line has no group %s",
                     count->string);
    else if (sum_group(v, p, count->string, &sum, &f))
      finding_actual(&f,
                     sum < wanted || sum > wanted ? VERDICT_FAIL : VERDICT_PASS,
                     "%g", sum);
  }
  if (f.verdict == VERDICT_FAIL && any_cut(v)) {
    f.kind = KIND_NONE;
    finding_actual(&f, VERDICT_INCONCLUSIVE,
                   "more was written than is kept: the line may be missing");
  }
  finding_merge(ret, &f);
}

static void judge_present(const struct lane_view *v, struct pattern *p,
                          struct finding *ret)
{
  struct finding f = {.text = "every start writes the metrics line",
                      .expected = "a line"};
  size_t with = 0;
  for (size_t i = 0; i < v->ns; i++)
    with += find_line(p, v->s[i]);
  finding_actual(&f,
                 with == v->ns ? VERDICT_PASS
                 : any_cut(v)  ? VERDICT_INCONCLUSIVE
                               : VERDICT_FAIL,
                 "%zu of %zu starts wrote it", with, v->ns);
  finding_merge(ret, &f);
}

/* The group of the last start's line holds this text. */
static void judge_text(const struct lane_view *v, struct pattern *p,
                       const cJSON *text, struct finding *ret)
{
  struct finding f = {0};
  struct bytes got = {0};
  snprintf(f.text, sizeof f.text, "the metrics line says %s", text->string);
  snprintf(f.expected, sizeof f.expected, "%s", text->valuestring);
  if (!pattern_has_group(p, text->string))
    finding_actual(&f, VERDICT_SKIP, "policy.metrics_line has no group %s",
                   text->string);
  else if (v->ns == 0 || !find_line(p, v->s[v->ns - 1]) ||
           !pattern_group(p, text->string, &got))
    finding_actual(&f, any_cut(v) ? VERDICT_INCONCLUSIVE : VERDICT_FAIL,
                   "the last start wrote no such line");
  else
    finding_actual(&f,
                   bytes_equal(got, bytes_of(text->valuestring)) ? VERDICT_PASS
                                                                 : VERDICT_FAIL,
                   "%.*s", (int)(got.n < 64 ? got.n : 64), got.p);
  finding_merge(ret, &f);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  const char *text = NULL;
  const cJSON *count = NULL;
  char why[224];
  snprintf(ret->text, sizeof ret->text, "the metrics line");
  if (!policy_text(v->e->policy, "metrics_line", &text)) {
    finding_actual(ret, VERDICT_SKIP, "the policy has no metrics_line");
    return;
  }
  if (no_contact(v->e, ret))
    return;
  ret->text[0] = '\0';
  struct pattern *p = pattern_new(text, why, sizeof why);
  if (!p) {
    finding_actual(ret, VERDICT_INCONCLUSIVE, "policy.metrics_line: %s", why);
    return;
  }
  judge_present(v, p, ret);
  cJSON_ArrayForEach(count, param_node(x->node, "counts"))
      judge_count(v, p, count, ret);
  cJSON_ArrayForEach(count, param_node(x->node, "texts"))
      judge_text(v, p, count, ret);
  pattern_free(p);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static int check_texts(const struct jval *expect, struct diag *diag)
{
  struct jval texts;
  const char *text = NULL;
  if (!jval_member(expect, "texts", &texts))
    return 0;
  for (int i = 0; i < jval_count(&texts); i++) {
    struct jval v = jval_item(&texts, i);
    if (jval_string(&v, &text, diag) < 0)
      return -1;
  }
  return 0;
}

static int check(const struct jval *expect, struct diag *diag)
{
  struct jval counts;
  if (check_texts(expect, diag) < 0)
    return -1;
  if (!jval_member(expect, "counts", &counts))
    return 0;
  for (int i = 0; i < jval_count(&counts); i++) {
    struct jval v = jval_item(&counts, i);
    if (expr_check(&v, diag) < 0)
      return -1;
  }
  return 0;
}

static const struct param params[] = {
    {.name = "counts",
     .type = PARAM_OBJECT,
     .summary = "named groups of policy.metrics_line and the number each must "
                "have, summed over the starts; calls is the server's count"},
    {.name = "texts",
     .type = PARAM_OBJECT,
     .summary = "named groups and the text each must have in the line of the "
                "last start"},
    {.name = NULL}};

const struct check check_metrics_line = {
    .name = "metrics_line",
    .summary = "the line of counters the client writes, at zero too",
    .params = params,
    .per_lane = true,
    .check = check,
    .judge = judge};
