#include "harness/herd.h"

#include "harness/check/all.h"
#include "harness/check/common.h"

#define DEFAULT_WINDOW_MS 100.0

static const char *const steps[] = {"never", NULL};

/* First bytes of repeats: calls behind a fault of their lane and start. */
static size_t peak_of_repeats(const struct evidence *e, const struct expect *x,
                              double window_ms, size_t *ret_n)
{
  const char *lanes[256];
  int64_t *at = mem_zalloc((e->nattempts + 1) * sizeof *at);
  size_t n = evidence_lanes(e, x, lanes, sizeof lanes / sizeof *lanes), k = 0;
  for (size_t i = 0; i < n; i++) {
    struct lane_view v;
    lane_view_init(&v, e, lanes[i]);
    for (size_t j = 1; j < v.na; j++)
      if (attempt_faulty(v.a[j - 1]) &&
          lane_start_of(&v, v.a[j]) == lane_start_of(&v, v.a[j - 1]))
        at[k++] = v.a[j]->first_byte_ns;
    lane_view_release(&v);
  }
  size_t peak = herd_peak(at, k, (int64_t)(window_ms * (double)NS_PER_MS));
  free(at);
  *ret_n = k;
  return peak;
}

static void judge_peak(const struct evidence *e, const struct expect *x,
                       struct finding *ret)
{
  struct finding f = {0};
  struct expr_vars vars = vars_plain(e);
  struct bounds b;
  char why[160];
  double window_ms = DEFAULT_WINDOW_MS;
  size_t n = 0;
  param_number(x->node, "window_ms", &window_ms);
  snprintf(f.text, sizeof f.text, "repeats of all clients within any %g ms",
           window_ms);
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(&f, r, why);
  } else {
    bounds_format_count(&b, f.expected, sizeof f.expected);
    size_t peak = peak_of_repeats(e, x, window_ms, &n);
    if (n == 0)
      finding_actual(&f, VERDICT_INCONCLUSIVE, "there was no repeat");
    else
      finding_actual(
          &f, bounds_hold(&b, (double)peak) ? VERDICT_PASS : VERDICT_FAIL,
          "%zu, of %zu repeats", peak, n);
  }
  finding_merge(ret, &f);
}

static void judge_lockstep(const struct evidence *e, const struct expect *x,
                           struct finding *ret)
{
  struct finding f = {.text = "the clients do not wait in step"};
  struct herd h;
  herd_measure(&h, e, x->lane);
  const struct herd_lockstep *l = &h.lockstep;
  snprintf(f.expected, sizeof f.expected,
           "a chance of more than %g under waits drawn at random",
           HERD_THRESHOLD);
  if (l->step == HERD_UNKNOWN)
    finding_actual(&f, VERDICT_INCONCLUSIVE,
                   "%zu waits behind a first fault, %d are needed to tell",
                   l->n, HERD_MIN_WAITS);
  else
    finding_actual(&f, l->step == HERD_APART ? VERDICT_PASS : VERDICT_FAIL,
                   "%.2g: %zu of %zu waits within %g ms, of %g ms", l->p,
                   l->peak, l->n, l->bin_ms, l->baseline_ms);
  finding_merge(ret, &f);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  snprintf(ret->text, sizeof ret->text, "many clients at once");
  if (no_contact(e, ret))
    return;
  ret->text[0] = '\0';
  if (param_has(x->node, "at_most"))
    judge_peak(e, x, ret);
  if (param_has(x->node, "in_step"))
    judge_lockstep(e, x, ret);
}

static int check(const struct jval *expect, struct diag *diag)
{
  if (param_has(expect->node, "at_most") || param_has(expect->node, "in_step"))
    return 0;
  return jval_error(expect, diag, "needs 'at_most' or 'in_step'");
}

static const struct param params[] = {
    {.name = "at_most",
     .type = PARAM_EXPR,
     .summary = "repeats of all lanes together within any window"},
    {.name = "window_ms",
     .type = PARAM_NUMBER,
     .min = 1,
     .max = 60000,
     .summary = "the window, default 100"},
    {.name = "in_step",
     .type = PARAM_WORD,
     .words = steps,
     .summary = "never: the waits behind the first faults are not so much "
                "alike that chance explains it in 1 of 1000 runs only"},
    {.name = NULL}};

const struct check check_herd = {
    .name = "herd",
    .summary = "how many clients come back at one moment, and whether they do "
               "it in step",
    .params = params,
    .check = check,
    .judge = judge};
