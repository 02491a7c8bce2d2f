#include "harness/check/all.h"
#include "harness/check/common.h"

/* Anything alive after the attempt ended could have broken the silence. */
static double observed_s(const struct lane_view *v, int64_t from_ns,
                         bool *ret_cut_off)
{
  int64_t last = from_ns;
  *ret_cut_off = false;
  for (size_t i = 0; i < v->ns; i++) {
    if (v->s[i]->exit_ns < last)
      continue;
    last = v->s[i]->exit_ns;
    *ret_cut_off = v->s[i]->timed_out;
  }
  return ns_to_s(last - from_ns);
}

static void judge_quiet(const struct lane_view *v, int64_t end_ns, double for_s,
                        struct finding *ret)
{
  bool cut_off = false;
  double seen = observed_s(v, end_ns, &cut_off);
  if (for_s > 0 && cut_off && seen < for_s) {
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "silent for %.2f s, then the limit ended the client", seen);
    return;
  }
  finding_actual(ret, VERDICT_PASS, "silent for %.2f s until the end", seen);
}

static void judge_after(const struct lane_view *v, size_t n, double for_s,
                        struct finding *ret)
{
  int64_t end_ns = attempt_end_ns(v->a[n - 1]);
  if (v->na == n) {
    judge_quiet(v, end_ns, for_s, ret);
    return;
  }
  double next = ns_to_s(v->a[n]->first_byte_ns - end_ns);
  bool good = for_s > 0 && next >= for_s;
  finding_actual(ret, good ? VERDICT_PASS : VERDICT_FAIL,
                 "attempt %zu came %.2f s after answer %zu ended", n + 1, next,
                 n);
}

static void describe(size_t n, double for_s, const char *notes,
                     struct finding *ret)
{
  snprintf(ret->text, sizeof ret->text, "no request after attempt %zu ended",
           n);
  if (for_s > 0)
    snprintf(ret->expected, sizeof ret->expected, "silence for %g s", for_s);
  else
    snprintf(ret->expected, sizeof ret->expected, "silence until the end");
  if (notes[0]) {
    size_t used = strlen(ret->expected);
    snprintf(ret->expected + used, sizeof ret->expected - used, "   (%.120s)",
             notes);
  }
}

static enum expr_result read_keys(const struct evidence *e,
                                  const struct expect *x, struct buf *notes,
                                  double ret[2], char ret_why[160])
{
  static const char *const keys[] = {"from_attempt", "for_s"};
  struct expr_vars vars = vars_plain(e);
  enum expr_result r = EXPR_OK;
  for (int i = 0; r == EXPR_OK && i < 2; i++) {
    const cJSON *node = param_node(x->node, keys[i]);
    if (node)
      r = expr_eval_node(node, &vars, notes, &ret[i], ret_why, 160);
  }
  return r;
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  double number[2] = {0, 0};
  char why[160];
  struct buf notes;
  buf_init(&notes, 512);
  enum expr_result r = read_keys(v->e, x, &notes, number, why);
  double from = number[0], for_s = number[1];
  size_t n = from >= 1 && from < 1e6 ? (size_t)from : 0;
  describe(n, for_s, buf_str(&notes), ret);
  buf_release(&notes);
  if (r != EXPR_OK)
    finding_no_value(ret, r, why);
  else if (n == 0)
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "from_attempt is %g, no number of an attempt", from);
  else if (v->na < n)
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "there was no attempt %zu, only %zu", n, v->na);
  else
    judge_after(v, n, for_s, ret);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "from_attempt",
     .type = PARAM_EXPR,
     .required = true,
     .summary = "the last attempt that is allowed"},
    {.name = "for_s",
     .type = PARAM_EXPR,
     .summary = "silence for so many seconds, default until the end"},
    {.name = NULL}};

const struct check check_silence = {
    .name = "silence",
    .summary = "after a given attempt no more requests come",
    .params = params,
    .per_lane = true,
    .judge = judge};
