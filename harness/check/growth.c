#include "harness/check/all.h"
#include "harness/check/common.h"

/* Means of fewer waits than this are no means: a wait of doubling ranges with
 * equal jitter has a deviation of a fifth, the mean of eight one of a
 * fifteenth. */
enum { MIN_WAITS = 8, MAX_NUMBER = 64 };

/* Waits behind the answers of one number, over all lanes and starts. */
struct waits {
  double sum_ms;
  size_t n;
};

/* A wait that the client did itself, after an injected fault; 0: none. */
static size_t number_of(const struct lane_view *v, const struct gap *g)
{
  if (!attempt_faulty(g->before) ||
      lane_start_of(v, g->before) != lane_start_of(v, g->after))
    return 0;
  return g->number < MAX_NUMBER ? (size_t)g->number : 0;
}

static void add_lane(const struct evidence *e, const char *lane,
                     struct waits *list)
{
  struct lane_view v;
  struct gap g;
  lane_view_init(&v, e, lane);
  for (size_t i = 0; i < v.na; i++) {
    size_t n = lane_gap(&v, i, &g) ? number_of(&v, &g) : 0;
    if (n == 0)
      continue;
    list[n].sum_ms += ns_to_ms(g.ns);
    list[n].n++;
  }
  lane_view_release(&v);
}

/* The worst of the ratios between neighbours. */
static void judge_means(const struct waits *list, const struct bounds *b,
                        struct finding *ret)
{
  size_t judged = 0;
  for (size_t i = 2; i < MAX_NUMBER; i++) {
    const struct waits *a = &list[i - 1], *c = &list[i];
    struct finding f = {0};
    if (a->n < MIN_WAITS || c->n < MIN_WAITS || a->sum_ms <= 0)
      continue;
    double before = a->sum_ms / (double)a->n, mean = c->sum_ms / (double)c->n;
    judged++;
    snprintf(f.text, sizeof f.text,
             "the mean of %zu waits after answer %zu, divided by the one "
             "before",
             c->n, i);
    bounds_format_count(b, f.expected, sizeof f.expected);
    finding_actual(&f,
                   bounds_hold(b, mean / before) ? VERDICT_PASS : VERDICT_FAIL,
                   "%.2f, %.0f ms after %.0f ms", mean / before, mean, before);
    finding_merge(ret, &f);
  }
  if (judged)
    return;
  snprintf(ret->text, sizeof ret->text, "how the waits of many clients grow");
  finding_actual(ret, VERDICT_INCONCLUSIVE,
                 "%zu first and %zu second waits, %d of each are needed to "
                 "tell",
                 list[1].n, list[2].n, MIN_WAITS);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  const char *lanes[64];
  struct waits list[MAX_NUMBER] = {{0}};
  struct expr_vars vars = vars_plain(e);
  struct bounds b;
  char why[160];
  enum expr_result found = bounds_read(x, &vars, &b, why, sizeof why);
  if (found != EXPR_OK) {
    snprintf(ret->text, sizeof ret->text, "how the waits of many clients grow");
    finding_no_value(ret, found, why);
    return;
  }
  if (no_contact(e, ret))
    return;
  size_t n = evidence_lanes(e, x, lanes, sizeof lanes / sizeof lanes[0]);
  for (size_t i = 0; i < n; i++)
    add_lane(e, lanes[i], list);
  judge_means(list, &b, ret);
}

static const struct param params[] = {
    {.name = "at_least",
     .type = PARAM_EXPR,
     .required = true,
     .summary = "how many times as long as the wait before"},
    {.name = NULL}};

const struct check check_growth = {
    .name = "growth",
    .summary = "how the waits of many clients grow from one to the next, on "
               "the average",
    .params = params,
    .check = bounds_check,
    .judge = judge};
