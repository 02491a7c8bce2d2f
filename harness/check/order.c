#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

/* The place of the lane's first call among all calls; false: it made none. */
static bool first_of(const struct evidence *e, const char *lane, size_t *ret)
{
  for (size_t i = 0; i < e->nattempts; i++)
    if (strcmp(e->attempts[i]->lane, lane) == 0) {
      *ret = i;
      return true;
    }
  return false;
}

static void describe(const cJSON *lanes, char *ret, size_t size)
{
  const cJSON *item = NULL;
  struct buf b;
  buf_init(&b, 4096);
  cJSON_ArrayForEach(item, lanes) buf_addf(
      &b, "%s%s", item == lanes->child ? "" : ", then ", item->valuestring);
  snprintf(ret, size, "%.240s", buf_str(&b));
  buf_release(&b);
}

/* "low, normal, high": as their first calls came. */
static void add_seen(const struct evidence *e, const cJSON *lanes,
                     struct buf *out)
{
  for (size_t i = 0; i < e->nattempts; i++) {
    const char *lane = e->attempts[i]->lane;
    const cJSON *item = NULL;
    size_t first = 0;
    cJSON_ArrayForEach(item, lanes)
    {
      if (strcmp(item->valuestring, lane) == 0 && first_of(e, lane, &first) &&
          first == i)
        buf_addf(out, "%s%s", out->n ? ", then " : "", lane);
    }
  }
}

/* NULL: each of them called. */
static const char *silent_one(const struct evidence *e, const cJSON *lanes)
{
  const cJSON *item = NULL;
  size_t at = 0;
  cJSON_ArrayForEach(item, lanes)
  {
    if (!first_of(e, item->valuestring, &at))
      return item->valuestring;
  }
  return NULL;
}

static bool in_order(const struct evidence *e, const cJSON *lanes)
{
  const cJSON *item = NULL;
  size_t last = 0, at = 0;
  cJSON_ArrayForEach(item, lanes)
  {
    if (!first_of(e, item->valuestring, &at) ||
        (item != lanes->child && at < last))
      return false;
    last = at;
  }
  return true;
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  const cJSON *lanes = param_node(x->node, "lanes");
  struct buf seen;
  snprintf(ret->text, sizeof ret->text, "the lanes' first calls come in order");
  describe(lanes, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  const char *silent = silent_one(e, lanes);
  if (silent) {
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no call arrived in lane %s",
                   silent);
    return;
  }
  buf_init(&seen, 4096);
  add_seen(e, lanes, &seen);
  finding_actual(ret, in_order(e, lanes) ? VERDICT_PASS : VERDICT_FAIL, "%s",
                 buf_str(&seen));
  buf_release(&seen);
}

static int check(const struct jval *expect, struct diag *diag)
{
  struct jval lanes;
  if (param_has(expect->node, "lane"))
    return jval_error(expect, diag, "is about several lanes: no 'lane'");
  if (jval_member(expect, "lanes", &lanes) && jval_count(&lanes) < 2)
    return jval_error(&lanes, diag, "must hold two names or more");
  return 0;
}

static const struct param params[] = {
    {.name = "lanes",
     .type = PARAM_STRINGS,
     .required = true,
     .summary = "names of lanes, the one that calls first in front"},
    {.name = NULL}};

const struct check check_order = {
    .name = "order",
    .summary = "which lane makes its first call before which",
    .params = params,
    .check = check,
    .judge = judge};
