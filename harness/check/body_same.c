#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

/* A repeat follows a fault within one start; two keys that differ say it is
 * another call. */
static bool is_repeat(const struct lane_view *v, const struct gap *g)
{
  const char *a = g->before->idempotency_key, *b = g->after->idempotency_key;
  if (!attempt_faulty(g->before) || (a[0] && b[0] && strcmp(a, b) != 0))
    return false;
  return lane_start_of(v, g->before) == lane_start_of(v, g->after);
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  size_t pairs = 0;
  struct gap g;
  (void)x;
  snprintf(ret->text, sizeof ret->text,
           "attempts of one call send the same body");
  snprintf(ret->expected, sizeof ret->expected, "the same bytes");
  for (size_t i = 0; i < v->na; i++) {
    if (!lane_gap(v, i, &g) || !is_repeat(v, &g))
      continue;
    pairs++;
    if (g.before->body_hash == g.after->body_hash)
      continue;
    finding_actual(ret, VERDICT_FAIL,
                   "attempt %d sent %llu bytes, its repeat %llu other bytes",
                   g.number, (unsigned long long)g.before->body_bytes,
                   (unsigned long long)g.after->body_bytes);
    return;
  }
  if (pairs)
    finding_actual(ret, VERDICT_PASS, "%zu repeats with the same bytes", pairs);
  else
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no call was repeated");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {{.name = NULL}};

const struct check check_body_same = {
    .name = "body_same",
    .summary = "every attempt of one call sends the same body",
    .params = params,
    .per_lane = true,
    .judge = judge};
