/*
 * results.h - runs for the tests of the reports: a result from a scenario's
 * JSON object, and the texts that try to break a format.
 */
#ifndef TESTS_UNIT_HARNESS_RESULTS_H
#define TESTS_UNIT_HARNESS_RESULTS_H

#include "harness/report/report.h"
#include "tests/unit/unit.h"

#include <string.h>

#define OUT_MAX ((size_t)8 << 20)

/* The failure of the design's page, word for word. */
static const char failed_json[] =
    "{\"name\":\"anthropic/rate-limit/429-then-recovers\","
    "\"file\":\"harness/scenarios/rate-limit/429-then-recovers.json\","
    "\"why\":\"a client that ignores retry-after spends its quota\","
    "\"verdict\":\"fail\",\"kind\":\"assert\","
    "\"reason\":\"attempt 2 must start 2000 ms or more after answer 1 ended\","
    "\"seconds\":0.51,\"checks\":["
    "{\"check\":\"attempts\",\"verdict\":\"pass\",\"text\":\"two attempts\"},"
    "{\"check\":\"gap\",\"verdict\":\"fail\","
    "\"text\":\"attempt 2 must start 2000 ms or more after answer 1 ended\","
    "\"expected\":\"2000..6000 ms   (steps[0].retry_after = \\\"2\\\", "
    "policy.slack = 4 s)\",\"actual\":\"412 ms\"}],"
    "\"transcript\":["
    "\"#1  0.012 s  POST /v1/messages  -> 429 rate_limit_error, "
    "retry-after: 2\","
    "\"#2  0.424 s  POST /v1/messages  -> 200 message, stream, message_stop "
    "sent\","
    "\"exit 0 after 0.51 s\"],"
    "\"again\":\"faultwire test "
    "harness/scenarios/rate-limit/429-then-recovers.json -- ./my-client\"}";

static const char passed_json[] =
    "{\"name\":\"baseline/plain\",\"verdict\":\"pass\",\"kind\":\"none\","
    "\"seconds\":1}";
static const char skipped_json[] =
    "{\"name\":\"breaker/opens\",\"verdict\":\"skip\",\"kind\":\"none\","
    "\"reason\":\"the policy has no breaker\"}";
static const char warned_json[] =
    "{\"name\":\"stream/cut\",\"verdict\":\"warn\",\"kind\":\"none\","
    "\"reason\":\"bodies differ\",\"checks\":[{\"check\":\"body_same\","
    "\"verdict\":\"warn\",\"text\":\"bodies differ\",\"actual\":\"2\"}]}";
static const char unwired_json[] =
    "{\"name\":\"auth/401\",\"verdict\":\"inconclusive\","
    "\"kind\":\"no-contact\",\"reason\":\"not wired: no request arrived\","
    "\"checks\":[{\"check\":\"attempts\",\"verdict\":\"inconclusive\","
    "\"text\":\"number of calls\",\"actual\":\"no request arrived\"}],"
    "\"transcript\":[\"exit 7 after 0.02 s\"]}";

/* Texts that end a quotation, a section, a line or a character too early. */
static const struct {
  const char *id;
  const char *text;
} hostile[] = {
    {"quotes", "he said \"no\" and 'no'"},
    {"backslash", "C:\\x \\\" \\u0041 \\"},
    {"cdata end", "]]> <![CDATA[ ]]>"},
    {"markup", "<failure/> &amp; &#0; & </testsuite>"},
    {"comment", "--> <!-- -->"},
    {"tap", "ok 1 # SKIP \\# skip\n1..0\nBail out!"},
    {"yaml end", "\n  ...\n  ---\nkey: value # no"},
    {"line ends", "a\r\nb\rc\n\td\n"},
    {"terminal", "\033[31mred\033]0;title\007\b\b\177"},
    {"controls", "\001\002\003\004\005\006\016\017\020\037"},
    {"c1", "\xc2\x80 \xc2\x9b"
           "31m \xc2\x85"},
    {"separators", "\xe2\x80\xa8 \xe2\x80\xa9 \xef\xbb\xbf"},
    {"no character", "\xef\xbf\xbe \xef\xbf\xbf"},
    {"cut utf-8", "\xe2\x82"},
    {"latin-1", "caf\xe9 \xff\xfe"},
    {"surrogate", "\xed\xa0\x80"},
    {"overlong", "\xc0\xaf \xe0\x80\xaf"},
    {"too high", "\xf4\x90\x80\x80 \xf8\x88\x80\x80\x80"},
    {"good utf-8", "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"format", "%s%n%100000d"},
    {"nothing", ""},
};

static inline struct result result_of(const char *json)
{
  struct diag diag = {0};
  struct result r;
  if (result_from_json(&r, cJSON_Parse(json), &diag) < 0)
    fail_msg("%s", diag.text);
  return r;
}

/* A result with `text` in every place a text can stand. */
static inline struct result result_with(const char *verdict, const char *text)
{
  static const char *const keys[] = {"name",   "file",  "why",
                                     "reason", "again", "evidence"};
  static const char *const check_keys[] = {"check", "text", "expected",
                                           "actual", "lane"};
  cJSON *o = cJSON_CreateObject(), *check = cJSON_CreateObject();
  for (size_t i = 0; i < COUNT(keys); i++)
    cJSON_AddStringToObject(o, keys[i], text);
  for (size_t i = 0; i < COUNT(check_keys); i++)
    cJSON_AddStringToObject(check, check_keys[i], text);
  cJSON_AddStringToObject(check, "verdict", verdict);
  cJSON_AddStringToObject(o, "verdict", verdict);
  cJSON_AddStringToObject(o, "kind", "assert");
  cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "checks"), check);
  cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "transcript"),
                       cJSON_CreateString(text));
  struct diag diag = {0};
  struct result r;
  if (result_from_json(&r, o, &diag) < 0)
    fail_msg("%s", diag.text);
  return r;
}

/* What report `name` prints for the results; the caller releases `ret`. */
static inline void print_results(const char *name, struct result *results,
                                 size_t n, const char *const *client,
                                 struct buf *ret)
{
  struct run_report run = {.results = results,
                           .n = n,
                           .client = client,
                           .seed = UINT64_MAX,
                           .seconds = 1.5};
  run.exit_code = run_exit_code(&run);
  buf_init(ret, OUT_MAX);
  report_find(name)->print(&run, ret);
  assert_false(ret->full);
}

/* The same for one result, which is released. */
static inline void print_one(const char *name, struct result r, struct buf *ret)
{
  static const char *const client[] = {"./my-client", "-v", NULL};
  print_results(name, &r, 1, client, ret);
  result_release(&r);
}

static inline char *long_text(size_t n)
{
  char *s = mem_alloc(n + 1);
  for (size_t i = 0; i < n; i++)
    s[i] = "\xc3\xa9<&\"]"[i % 6];
  s[n] = '\0';
  return s;
}

static inline void assert_contains(const struct buf *out, const char *part)
{
  if (!strstr(buf_str(out), part))
    fail_msg("'%s' is not in:\n%s", part, buf_str(out));
}

#endif
