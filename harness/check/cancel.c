#include "harness/check/all.h"
#include "harness/check/common.h"

/* Calls that began after the signal. */
static size_t calls_after(const struct lane_view *v, int64_t ns)
{
  size_t n = 0;
  for (size_t i = 0; i < v->na; i++)
    n += v->a[i]->first_byte_ns > ns;
  return n;
}

static const struct client_start *signalled(const struct lane_view *v)
{
  for (size_t i = 0; i < v->ns; i++)
    if (v->s[i]->signalled_ns)
      return v->s[i];
  return NULL;
}

static void judge_start(const struct lane_view *v, const struct client_start *s,
                        const struct bounds *b, struct finding *ret)
{
  size_t n = calls_after(v, s->signalled_ns);
  double took = ns_to_s(s->exit_ns - s->signalled_ns);
  bool good = n == 0 && !s->timed_out && bounds_hold(b, took);
  ret->kind = s->timed_out ? start_hang_kind(s) : KIND_NONE;
  finding_actual(ret, good ? VERDICT_PASS : VERDICT_FAIL,
                 "%zu calls, %s after %.0f ms", n,
                 s->timed_out ? "still there" : "ended", took * 1000);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  struct expr_vars vars = vars_plain(v->e);
  const struct client_start *s = signalled(v);
  struct bounds b;
  char why[160];
  snprintf(ret->text, sizeof ret->text,
           "after the signal the client makes no call and ends");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_ms(&b, ret->expected, sizeof ret->expected);
  if (s)
    judge_start(v, s, &b, ret);
  else
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "no signal was sent: the client had ended before");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "at_most",
     .type = PARAM_EXPR,
     .required = true,
     .summary = "seconds from the signal to the end"},
    {.name = NULL}};

const struct check check_cancel = {
    .name = "cancel",
    .summary = "how soon a client ends that gets client.signal, without "
               "another call",
    .params = params,
    .per_lane = true,
    .judge = judge};
