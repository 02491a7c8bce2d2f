#include "harness/check/all.h"
#include "harness/check/common.h"

static bool listed(const cJSON *list, int code)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list)
  {
    if (cJSON_IsNumber(item) && (int)item->valuedouble == code)
      return true;
  }
  return false;
}

static void add_list(const cJSON *list, struct buf *out)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list) buf_addf(
      out, "%s%d", item == list->child ? "" : ", ", (int)item->valuedouble);
}

static void describe(const struct expect *x, struct finding *f)
{
  const cJSON *in = param_node(x->node, "in");
  const cJSON *not_in = param_node(x->node, "not_in");
  struct buf b;
  buf_init(&b, 1024);
  if (in) {
    buf_adds(&b, "one of ");
    add_list(in, &b);
  }
  if (not_in) {
    buf_adds(&b, in ? ", none of " : "none of ");
    add_list(not_in, &b);
  }
  snprintf(f->expected, sizeof f->expected, "%s", buf_str(&b));
  buf_release(&b);
}

static void judge_start(const struct lane_view *v, size_t i,
                        const struct expect *x, struct finding *f)
{
  const struct client_start *s = v->s[i];
  char label[32], how[320];
  const cJSON *in = param_node(x->node, "in");
  snprintf(f->text, sizeof f->text, "%sexit code",
           start_label(v, i, label, sizeof label));
  describe(x, f);
  start_format(s, how, sizeof how);
  if (!s->launched) {
    f->kind = KIND_HARNESS;
    finding_actual(f, VERDICT_INCONCLUSIVE, "%s", how);
  } else if (s->signal && !s->timed_out) {
    f->kind = KIND_CRASH;
    finding_actual(f, VERDICT_FAIL, "%s", how);
  } else if (!no_contact(v->e, f)) {
    bool good = !s->timed_out && (!in || listed(in, s->exit_code)) &&
                !listed(param_node(x->node, "not_in"), s->exit_code);
    f->kind = s->timed_out ? start_hang_kind(s) : KIND_NONE;
    finding_actual(f, good ? VERDICT_PASS : VERDICT_FAIL, "%s", how);
  }
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  int64_t only = 0;
  param_int(x->node, "start", &only);
  for (size_t i = 0; i < v->ns; i++) {
    struct finding f = {0};
    if (only && (size_t)only != i + 1)
      continue;
    judge_start(v, i, x, &f);
    finding_merge(ret, &f);
  }
  if (ret->text[0])
    return;
  snprintf(ret->text, sizeof ret->text, "exit code");
  finding_actual(ret, VERDICT_INCONCLUSIVE, "there was no such start");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static int check(const struct jval *expect, struct diag *diag)
{
  if (param_has(expect->node, "in") || param_has(expect->node, "not_in"))
    return 0;
  return jval_error(expect, diag, "needs 'in' or 'not_in'");
}

static const struct param params[] = {
    {.name = "in",
     .type = PARAM_INTS,
     .max = 255,
     .summary = "the exit codes that are right"},
    {.name = "not_in",
     .type = PARAM_INTS,
     .max = 255,
     .summary = "the exit codes that are wrong"},
    {.name = "start",
     .type = PARAM_INT,
     .min = 1,
     .max = 100,
     .summary = "only this start of the client, default every one"},
    {.name = NULL}};

const struct check check_exit_code = {.name = "exit_code",
                                      .summary =
                                          "how each start of the client ended",
                                      .params = params,
                                      .per_lane = true,
                                      .check = check,
                                      .judge = judge};
