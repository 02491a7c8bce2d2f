#include "harness/check/slow.h"

#include <string.h>

/* What right clients need: runtimes wait in whole milliseconds, and a read of
 * the clock costs a microsecond of it (measured: 4 ms at the most). */
#define VIRTUAL_SLACK_S 0.005
/* What they may be early by. */
#define VIRTUAL_EARLY_S 0.001
/* Each read of the copies of a client beside it is a microsecond too, for
 * all: so much for a copy (measured: 10 ms until Node.js asks first). */
#define COPY_READS_NS (20 * NS_PER_MS)
/* Less is not worth a word. */
#define LEAST_NS NS_PER_MS

static double virtual_slack_s(const struct policy *p)
{
  double s = VIRTUAL_SLACK_S;
  if (!policy_number(p, "virtual_slack", &s) && policy_says(p, "slack"))
    policy_number(p, "slack", &s);
  return s;
}

/* What passed neither by a jump nor by slowness: reads of the clock. */
static int64_t read_ns(const struct evidence *e, int64_t from_ns, int64_t to_ns,
                       const struct jump_sum *sum)
{
  int64_t end = to_ns == INT64_MAX ? e->end_ns : to_ns;
  return end - from_ns - sum->slept_ns - sum->computing_ns - sum->real_rate_ns;
}

/* Of those the part that others may have made. */
static int64_t others_read_ns(const struct evidence *e, int64_t from_ns,
                              int64_t to_ns, const struct jump_sum *sum)
{
  int64_t most = (int64_t)(e->spec->nlanes - 1) * COPY_READS_NS;
  int64_t ns = read_ns(e, from_ns, to_ns, sum);
  ns = ns < most ? ns : most;
  return ns > 0 ? ns : 0;
}

void slow_slack(const struct evidence *e, int64_t from_ns, int64_t to_ns,
                struct expr_vars *vars)
{
  double real_s = 0;
  if (!e->vtime)
    return;
  policy_number(e->policy, "slack", &real_s);
  struct jump_sum sum = jump_log_between(e->vtime->log, from_ns, to_ns);
  double s =
      virtual_slack_s(e->policy) +
      ns_to_s(sum.computing_ns + others_read_ns(e, from_ns, to_ns, &sum));
  vars->virtual_time = true;
  vars->slack_s = sum.real_rate_ns > 0 && real_s > s ? real_s : s;
}

double slow_least_s(const struct evidence *e, double s)
{
  return e->vtime && s > VIRTUAL_EARLY_S ? s - VIRTUAL_EARLY_S : s;
}

double slow_margin_s(const struct evidence *e, int64_t from_ns, int64_t to_ns,
                     double real_s)
{
  if (!e->vtime)
    return real_s;
  struct jump_sum sum = jump_log_between(e->vtime->log, from_ns, to_ns);
  double s = VIRTUAL_SLACK_S + ns_to_s(sum.computing_ns +
                                       others_read_ns(e, from_ns, to_ns, &sum));
  return sum.real_rate_ns > 0 || s > real_s ? real_s : s;
}

static void add_part(struct buf *b, const char *what, int64_t ns)
{
  if (ns >= LEAST_NS)
    buf_addf(b, ", %s %s", what, span_text(ns_to_ms(ns)).s);
}

void slow_explain(const struct evidence *e, int64_t from_ns, int64_t to_ns,
                  struct finding *f)
{
  struct buf b;
  size_t n = strlen(f->actual);
  if (!e->vtime || f->verdict != VERDICT_FAIL || n >= sizeof f->actual)
    return;
  struct jump_sum sum = jump_log_between(e->vtime->log, from_ns, to_ns);
  if (!sum.whole)
    return;
  int64_t rest = read_ns(e, from_ns, to_ns, &sum);
  buf_init(&b, sizeof f->actual);
  buf_addf(&b, "   (slept %s", span_text(ns_to_ms(sum.slept_ns)).s);
  add_part(&b, "longest wait", sum.longest_ns);
  if (sum.computing_ns + sum.real_rate_ns + rest >= LEAST_NS) {
    buf_adds(&b, "; was slow");
    add_part(&b, "computing", sum.computing_ns);
    add_part(&b, "at the real rate", sum.real_rate_ns);
    add_part(&b, "reading the clock", rest);
  }
  buf_addc(&b, ')');
  snprintf(f->actual + n, sizeof f->actual - n, "%s", buf_str(&b));
  buf_release(&b);
}
