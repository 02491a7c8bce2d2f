#include "harness/check/all.h"
#include "harness/check/common.h"

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  int64_t after = 1;
  param_int(x->node, "after", &after);
  snprintf(ret->text, sizeof ret->text,
           "attempt %d comes on a connection of its own", (int)after + 1);
  snprintf(ret->expected, sizeof ret->expected,
           "another connection than that of attempt %d", (int)after);
  if (v->na < (size_t)after + 1) {
    finding_actual(ret, VERDICT_INCONCLUSIVE, "there was no attempt %d",
                   (int)after + 1);
    return;
  }
  const struct attempt *a = v->a[after - 1], *b = v->a[after];
  finding_actual(ret, a->conn_id == b->conn_id ? VERDICT_FAIL : VERDICT_PASS,
                 "connection %llu, then %llu", (unsigned long long)a->conn_id,
                 (unsigned long long)b->conn_id);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "after",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .summary = "the attempt whose successor is meant, default 1"},
    {.name = NULL}};

const struct check check_new_conn = {
    .name = "new_conn",
    .summary = "whether a repeat comes on a fresh connection",
    .params = params,
    .per_lane = true,
    .judge = judge};
