#include "mockserver/step_head.h"

#include "base/clock.h"
#include "base/words.h"
#include "mockserver/step_check.h"

#include <string.h>

/* Ten years, either way. */
#define MAX_SKEW_S 315360000
/* 2^53, exact in JSON's doubles. */
#define MAX_COUNT 9007199254740992.0

const struct param head_params[] = {
    {.name = "date", .type = PARAM_BOOL, .summary = "false: no Date header"},
    {.name = "date_skew_s",
     .type = PARAM_NUMBER,
     .min = -MAX_SKEW_S,
     .max = MAX_SKEW_S,
     .summary = "seconds the server's clock is wrong by: Date and "
                "{{http_date_server}} follow it"},
    {.name = "quota_headers",
     .type = PARAM_OBJECT,
     .summary = "the provider's headers of a quota: requests, tokens ... "
                "each with limit, remaining, reset_s"},
    {.name = NULL}};

const struct param quota_params[] = {
    {.name = "limit",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_COUNT,
     .summary = "what the window holds"},
    {.name = "remaining",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_COUNT,
     .summary = "what is left of it"},
    {.name = "reset_s",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = MAX_SKEW_S,
     .summary = "seconds until it is full again"},
    {.name = NULL}};

/* ---- the provider's names ---- */

enum quota_form { FORM_NONE, FORM_ANTHROPIC, FORM_OPENAI };

static enum quota_form form_of(const struct provider *p)
{
  return strcmp(p->name, "anthropic") == 0    ? FORM_ANTHROPIC
         : strncmp(p->name, "openai", 6) == 0 ? FORM_OPENAI
                                              : FORM_NONE;
}

static const char *const anthropic_words[] = {
    "requests", "tokens", "input_tokens", "output_tokens", NULL};
static const char *const openai_words[] = {"requests", "tokens",
                                           "project_tokens", NULL};
static const char *const no_words[] = {NULL};

static const char *const *words_of(const struct provider *p)
{
  enum quota_form form = form_of(p);
  return form == FORM_ANTHROPIC ? anthropic_words
         : form == FORM_OPENAI  ? openai_words
                                : no_words;
}

static void add_name(const struct provider *p, const char *word,
                     const char *part, struct buf *ret)
{
  bool first = form_of(p) == FORM_ANTHROPIC;
  buf_adds(ret, first ? "anthropic-ratelimit-" : "x-ratelimit-");
  if (!first)
    buf_addf(ret, "%s-", part);
  for (; *word; word++)
    buf_addc(ret, *word == '_' ? '-' : *word);
  if (first)
    buf_addf(ret, "-%s", part);
}

/* A reset never lies before the moment it tells of: up to the second. */
static void add_reset(const struct provider *p, double reset_s,
                      const struct value_scope *s, struct buf *ret)
{
  char text[32];
  int64_t ms = (int64_t)(reset_s * 1000);
  if (form_of(p) == FORM_OPENAI) {
    value_duration(ms, ret);
    return;
  }
  int64_t at_ns = s->now_ns + ms * NS_PER_MS;
  clock_rfc3339((at_ns + NS_PER_S - 1) / NS_PER_S, text);
  buf_adds(ret, text);
}

/* ---- the lines ---- */

static void add_member(const cJSON *member, const struct provider *p,
                       const struct value_scope *s, struct buf *ret)
{
  int64_t n = 0;
  double reset_s = 0;
  static const char *const parts[] = {"limit", "remaining", NULL};
  for (const char *const *part = parts; *part; part++) {
    if (!param_int(member, *part, &n))
      continue;
    add_name(p, member->string, *part, ret);
    buf_addf(ret, ": %lld\r\n", (long long)n);
  }
  if (!param_number(member, "reset_s", &reset_s))
    return;
  add_name(p, member->string, "reset", ret);
  buf_adds(ret, ": ");
  add_reset(p, reset_s, s, ret);
  buf_adds(ret, "\r\n");
}

static void quota_lines(const cJSON *step, const struct provider *p,
                        const struct value_scope *s, struct buf *ret)
{
  const cJSON *member;
  cJSON_ArrayForEach(member, param_node(step, "quota_headers"))
  {
    if (words_has(words_of(p), member->string))
      add_member(member, p, s, ret);
  }
}

/* One of the lines begins with the name of this one. */
static bool names_again(struct bytes lines, struct bytes line)
{
  ptrdiff_t colon = bytes_find(line, BYTES(": "));
  if (colon < 0)
    return false;
  struct bytes name = {line.p, (size_t)colon + 2};
  while (lines.n) {
    if (bytes_starts(lines, name))
      return true;
    ptrdiff_t end = bytes_find(lines, BYTES("\r\n"));
    size_t used = end < 0 ? lines.n : (size_t)end + 2;
    lines = (struct bytes){lines.p + used, lines.n - used};
  }
  return false;
}

/* Ceiling of all quota lines: three dozen short ones. */
enum { MAX_LINES = 16 << 10 };

void step_head_family(const cJSON *step, const struct provider *p,
                      const char *lines, const struct value_scope *s,
                      struct buf *ret)
{
  struct buf quota;
  buf_init(&quota, MAX_LINES);
  quota_lines(step, p, s, &quota);
  while (lines && *lines) {
    const char *end = strstr(lines, "\r\n");
    size_t n = end ? (size_t)(end - lines) + 2 : strlen(lines);
    if (!names_again(buf_bytes(&quota), (struct bytes){lines, n}))
      value_expand((struct bytes){lines, n}, s, ret);
    lines += n;
  }
  buf_addb(ret, buf_bytes(&quota));
  buf_release(&quota);
}

/* ---- reading ---- */

static int unknown_quota(const struct jval *v, const struct jval *step,
                         struct diag *diag)
{
  const char *known[16];
  char hint[256];
  size_t n = 0;
  for (const struct provider *const *p = providers; *p; p++)
    for (const char *const *w = words_of(*p); *w && n < 15; w++) {
      known[n] = NULL;
      if (step_check_applies(step, *p) && !words_has(known, *w))
        known[n++] = *w;
    }
  known[n] = NULL;
  if (n == 0)
    return jval_key_error(v, diag, "this provider has no quota headers");
  words_hint(v->key, known, hint, sizeof hint);
  return jval_key_error(v, diag,
                        "no provider of this scenario has the quota "
                        "'%s'%s",
                        v->key, hint);
}

static int check_member(const struct jval *v, const struct jval *step,
                        struct diag *diag)
{
  static const struct param *const tables[] = {quota_params};
  for (const struct provider *const *p = providers; *p; p++)
    if (step_check_applies(step, *p) && words_has(words_of(*p), v->key))
      return param_check(v, tables, 1, NULL, diag);
  return unknown_quota(v, step, diag);
}

int step_head_check(const struct jval *step, struct diag *diag)
{
  struct jval v;
  if (!jval_member(step, "quota_headers", &v))
    return 0;
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval member = jval_item(&v, i);
    if (check_member(&member, step, diag) < 0)
      return -1;
  }
  return 0;
}

int64_t step_head_skew_ms(const cJSON *step)
{
  double s = 0;
  param_number(step, "date_skew_s", &s);
  return (int64_t)(s * 1000);
}

bool step_head_date(const cJSON *step)
{
  bool date = true;
  param_bool(step, "date", &date);
  return date;
}
