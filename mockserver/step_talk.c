#include "mockserver/step_talk.h"

#include <fnmatch.h>
#include <string.h>

/* More answers of the model than any request holds. */
#define MAX_TURNS 1000000

const struct param talk_params[] = {
    {.name = "contains",
     .type = PARAM_STRING,
     .summary = "text the user's last message must hold"},
    {.name = "matches",
     .type = PARAM_STRING,
     .summary = "pattern (* ? []) on the user's last message"},
    {.name = "turns",
     .type = PARAM_RANGE,
     .min = 0,
     .max = MAX_TURNS,
     .summary = "how many answers of the model the request holds"},
    {.name = "tool_result",
     .type = PARAM_STRING,
     .summary = "pattern on the id of a tool result the request must hold "
                "(Gemini: id or name)"},
    {.name = "tool_result_contains",
     .type = PARAM_STRING,
     .summary = "text the last tool result must hold"},
    {.name = "after_tool_result",
     .type = PARAM_BOOL,
     .summary = "the last message brings the result of a tool, or does not"},
    {.name = NULL}};

int step_talk_read(const cJSON **ret, const struct jval *match,
                   struct diag *diag)
{
  static const struct param *const tables[] = {talk_params};
  struct jval v;
  *ret = NULL;
  if (!jval_member(match, "messages", &v))
    return 0;
  if (param_check(&v, tables, 1, NULL, diag) < 0)
    return -1;
  *ret = v.node;
  return 0;
}

static bool holds(const cJSON *rule, const char *key, const struct buf *text)
{
  const char *wanted = NULL;
  return !param_string(rule, key, &wanted) ||
         bytes_find(buf_bytes(text), bytes_of(wanted)) >= 0;
}

static bool result_fits(const cJSON *rule, const struct talk *t)
{
  const char *pattern = NULL;
  if (!param_string(rule, "tool_result", &pattern))
    return true;
  for (size_t i = 0; i < t->nresults; i++)
    if (fnmatch(pattern, t->results[i], 0) == 0)
      return true;
  return false;
}

static bool turns_fit(const cJSON *rule, const struct talk *t)
{
  int64_t first = 0, last = 0;
  return !param_range(rule, "turns", &first, &last) ||
         (t->turns >= first && t->turns <= last);
}

bool step_talk_fits(const cJSON *rule, const struct talk *t)
{
  const char *pattern = NULL;
  bool after = false;
  if (!rule)
    return true;
  if (!t || !holds(rule, "contains", &t->user) ||
      !holds(rule, "tool_result_contains", &t->result))
    return false;
  if (param_string(rule, "matches", &pattern) &&
      fnmatch(pattern, buf_str(&t->user), 0) != 0)
    return false;
  if (param_bool(rule, "after_tool_result", &after) &&
      after != t->ends_with_result)
    return false;
  return turns_fit(rule, t) && result_fits(rule, t);
}
