#include "harness/check/all.h"
#include "harness/check/common.h"
#include "harness/pattern.h"

#include <string.h>

/* The classes a client can name (design, section 5); "quota" is short for
 * quota_exhausted, "truncated" for stream_interrupted. */
static const char *const classes[] = {
    "rate_limit",   "overloaded",      "usage_limit",        "quota",
    "auth",         "timeout",         "truncated",          "invalid_request",
    "server_error", "quota_exhausted", "stream_interrupted", NULL};

static bool same_class(struct bytes got, const char *want)
{
  static const char *const shorts[][2] = {{"quota", "quota_exhausted"},
                                          {"truncated", "stream_interrupted"}};
  if (bytes_equal(got, bytes_of(want)))
    return true;
  for (size_t i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++)
      if (strcmp(want, shorts[i][k]) == 0 &&
          bytes_equal(got, bytes_of(shorts[i][!k])))
        return true;
  return false;
}

/* The last class a start reported, on stderr or stdout. */
static bool reported(const struct lane_view *v, struct pattern *p,
                     struct bytes *ret)
{
  bool found = false;
  for (size_t i = 0; i < v->ns; i++)
    if ((pattern_last(p, v->s[i]->err) && pattern_group(p, "class", ret)) ||
        (pattern_last(p, v->s[i]->out) && pattern_group(p, "class", ret)))
      found = true;
  return found;
}

static void judge_lane(const struct lane_view *v, const struct expect *x,
                       struct finding *ret)
{
  const char *text = NULL, *want = NULL;
  struct bytes got = {0};
  char why[224];
  param_string(x->node, "is", &want);
  snprintf(ret->text, sizeof ret->text, "the class the client reports");
  snprintf(ret->expected, sizeof ret->expected, "%s", want);
  if (!policy_text(v->e->policy, "class_line", &text)) {
    finding_actual(ret, VERDICT_SKIP, "the policy has no class_line");
    return;
  }
  if (no_contact(v->e, ret))
    return;
  struct pattern *p = pattern_new(text, why, sizeof why);
  if (!p)
    finding_actual(ret, VERDICT_INCONCLUSIVE, "policy.class_line: %s", why);
  else if (!reported(v, p, &got))
    finding_actual(ret, VERDICT_FAIL, "it reported none");
  else
    finding_actual(ret, same_class(got, want) ? VERDICT_PASS : VERDICT_FAIL,
                   "%.*s", (int)(got.n < 64 ? got.n : 64), got.p);
  pattern_free(p);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  judge_lanes(e, x, judge_lane, ret);
}

static const struct param params[] = {
    {.name = "is",
     .type = PARAM_WORD,
     .words = classes,
     .required = true,
     .summary = "the class that is right, as the last one reported"},
    {.name = NULL}};

const struct check check_class = {
    .name = "class",
    .summary = "what kind of error the client says it met",
    .params = params,
    .per_lane = true,
    .judge = judge};
