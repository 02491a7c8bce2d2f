/* A scenario's text in, the text that runs out. */
#include "tests/unit/unit.h"

#include "harness/policy.h"
#include "harness/scale/bound.h"
#include "harness/scale/scale.h"
#include "harness/scale/value.h"

#include <string.h>

/* --- one value ------------------------------------------------------------ */

static void a_value_is_divided_by_its_kind(void **state)
{
  static const struct {
    const char *id;
    enum scale_kind kind;
    double k;
    const char *in, *out, *why;
  } rows[] = {
      {"seconds", SCALE_WAIT_S, 30, "60", "2", NULL},
      {"a part of one", SCALE_WAIT_S, 2, "3", "1.5", NULL},
      {"below a second", SCALE_WAIT_S, 30, "0.5", "0.5", NULL},
      {"milliseconds", SCALE_WAIT_MS, 4, "6000", "1500", NULL},
      {"whole ones", SCALE_WAIT_MS, 3, "5000", "1667", NULL},
      {"few of them", SCALE_WAIT_MS, 30, "300", "300", NULL},
      {"so many a second", SCALE_RATE, 4, "2.5", "10", NULL},
      {"literal", SCALE_SAYS, 1800, "\"3600\"", "\"2\"", NULL},
      {"number", SCALE_SAYS, 1800, "3600", "2", NULL},
      {"literal of ms", SCALE_SAYS_MS, 10, "\"20000\"", "\"2000\"", NULL},
      {"fraction", SCALE_SAYS, 10, "\"12.5\"", "\"1.25\"", NULL},
      {"none", SCALE_SAYS, 10, "null", "null", NULL},
      {"zero", SCALE_SAYS, 10, "\"0\"", "\"0\"", NULL},
      {"negative", SCALE_SAYS, 10, "\"-30\"", "\"-30\"", NULL},
      {"an epoch", SCALE_SAYS, 10, "\"1893456000\"", "\"1893456000\"", NULL},
      {"nonsense", SCALE_SAYS, 10, "\"soon\"", "\"soon\"", NULL},
      {"a date that is over", SCALE_SAYS, 10,
       "\"Wed, 21 Oct 2015 07:28:00 GMT\"", "\"Wed, 21 Oct 2015 07:28:00 GMT\"",
       NULL},
      {"values", SCALE_SAYS, 30, "\"{{http_date:+60}}\"",
       "\"{{http_date:+2}}\"", NULL},
      {"in the past", SCALE_SAYS, 30, "\"{{epoch:-60}}\"", "\"{{epoch:-60}}\"",
       NULL},
      {"many of them", SCALE_TEXT, 60, "\"a {{duration:120}} b {{pad:60}}\"",
       "\"a {{duration:2}} b {{pad:60}}\"", NULL},
      {"ms since 1970", SCALE_TEXT, 60, "\"{{epoch_ms:+120.0}}\"",
       "\"{{epoch_ms:+2}}\"", NULL},
      {"of the step", SCALE_TEXT, 60,
       "\"{{remaining}} {{duration:remaining}}\"",
       "\"{{remaining}} {{duration:remaining}}\"", NULL},
      {"by the hour", SCALE_TEXT, 60, "\"{{local:+7200 UTC '%-I%P'}}\"",
       "\"{{local:+7200 UTC '%-I%P'}}\"", "by the hour or the day"},
      {"in words", SCALE_TEXT, 2, "\"try again in 4 seconds.\"",
       "\"try again in 4 seconds.\"", "in words ('4 seconds')"},
      {"short words", SCALE_TEXT, 2, "\"resets 3pm\"", "\"resets 3pm\"",
       "in words ('3pm')"},
      {"a model's name", SCALE_TEXT, 2, "\"gpt-4o s3 429 Too Many\"",
       "\"gpt-4o s3 429 Too Many\"", NULL},
      {"a header in bytes", SCALE_TEXT, 2, "\"\\r\\nRetry-After: 30\\r\\n\"",
       "\"\\r\\nRetry-After: 30\\r\\n\"", "in words ('Retry-After: 30')"},
      {"hours in words", SCALE_SAYS_WORDS, 2, "10800", "5400", "in words"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    struct scale_work w = {.k = rows[i].k};
    buf_init(&out, 4096);
    bool done = scale_value(&w, rows[i].kind, bytes_of(rows[i].in), &out);
    if (strcmp(buf_str(&out), rows[i].out) != 0 || done != !rows[i].why ||
        (rows[i].why && !strstr(w.why, rows[i].why)))
      fail_msg("%s: %s (%s)", rows[i].id, buf_str(&out), w.why);
    buf_release(&out);
  }
}

/* --- expectations --------------------------------------------------------- */

static void an_expression_is_divided_where_it_is_a_time(void **state)
{
  static const struct {
    const char *id, *in;
    enum scale_bound bound;
    const char *out, *why;
  } rows[] = {
      {"literal", "60", SCALE_BOUND_LOW, "2", NULL},
      {"a margin", "60 - 0.05", SCALE_BOUND_LOW, "2 - 0.05", NULL},
      {"upper", "90", SCALE_BOUND_HIGH, "3 + policy.slack", NULL},
      {"with slack", "60 + policy.slack", SCALE_BOUND_HIGH, "2 + policy.slack",
       NULL},
      {"follows", "retry_after + policy.slack", SCALE_BOUND_HIGH,
       "retry_after + policy.slack", NULL},
      {"a factor", "retry_after * 0.9", SCALE_BOUND_LOW, "retry_after * 0.9",
       NULL},
      {"a factor in front", "2 * retry_after + 30", SCALE_BOUND_LOW,
       "2 * retry_after + 1", NULL},
      {"the larger of two", "2 * 30", SCALE_BOUND_LOW, "2 * 1", NULL},
      {"the larger in front", "60 * 3", SCALE_BOUND_LOW, "2 * 3", NULL},
      {"a share", "90 / 3", SCALE_BOUND_LOW, "3 / 3", NULL},
      {"compared", "max(30, retry_after) - min(60, 90)", SCALE_BOUND_LOW,
       "max(1, retry_after) - min(2, 3)", NULL},
      {"brackets", "(60 + 30) * 2", SCALE_BOUND_LOW, "(2 + 1) * 2", NULL},
      {"a sign", "-60 + retry_after", SCALE_BOUND_LOW, "-2 + retry_after",
       NULL},
      {"so many times", "attempt * 60", SCALE_BOUND_LOW, "attempt * 2", NULL},
      {"a number", "policy.attempts + 60", SCALE_BOUND_NUMBER,
       "policy.attempts + 60", NULL},
      {"the client's own", "policy.base_s * 2", SCALE_BOUND_LOW, NULL,
       "policy.base_s"},
      {"inside of a number", "1 + max(0, 6 - policy.timeout_s)",
       SCALE_BOUND_NUMBER, NULL, "policy.timeout_s"},
      {"the breaker's", "policy.breaker.cooldown_s", SCALE_BOUND_LOW, NULL,
       "policy.breaker.cooldown_s"},
      {"no time at all", "attempt + 1", SCALE_BOUND_LOW, NULL, "attempt"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    char why[200];
    buf_init(&out, 4096);
    bool done = scale_bound_divide(rows[i].in, rows[i].bound, 30, &out, why,
                                   sizeof why);
    if (done != !rows[i].why ||
        (rows[i].out && strcmp(buf_str(&out), rows[i].out) != 0) ||
        (rows[i].why && !strstr(why, rows[i].why)))
      fail_msg("%s: %s (%s)", rows[i].id, buf_str(&out), why);
    buf_release(&out);
  }
}

/* --- whole scenarios ------------------------------------------------------ */

#define HEAD "{\"name\":\"n\",\"why\":\"w\","

static void scale_text_of(const char *text, const struct scale_options *o,
                          struct scaled *ret)
{
  struct diag diag = {0};
  struct scenario s;
  struct spec spec;
  if (scenario_parse(&s, "s.json", bytes_of(text), &diag) < 0 ||
      spec_load(&spec, &s, &diag) < 0)
    fail_msg("%s: %s", text, diag.text);
  scale_scenario(ret, &s, &spec, o);
  spec_release(&spec);
  scenario_release(&s);
}

#define GAP "{\"check\":\"gap\",\"at_least\":\"retry_after\"}"
#define OK "{\"reply\":\"message\"}"

static const struct {
  const char *id;
  double asked;
  const char *in, *out;
} divided[] = {
    {"an hour", 0,
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\"}," OK
          "],\n \"client\":{\"limit_s\":9000},\"expect\":[{\"check\":\"gap\","
          "\"at_least\":3600,\"at_most\":\"3600 + policy.slack\"}]}",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"2\"}," OK
          "],\n \"client\":{\"limit_s\":30},\"expect\":[{\"check\":\"gap\","
          "\"at_least\":2,\"at_most\":\"2 + policy.slack\"}]}"},
    {"no fraction of a whole number: 60 and 90 are 2 and 3", 0,
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"60\"},"
          "{\"fault\":\"rate_limit\",\"retry_after\":\"90\"}," OK
          "],\"expect\":[" GAP "]}",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"2\"},"
          "{\"fault\":\"rate_limit\",\"retry_after\":\"3\"}," OK
          "],\"expect\":[" GAP "]}"},
    {"as asked for, and not more", 7,
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"60\"}," OK
          "],\"expect\":[" GAP "]}",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"9\"}," OK
          "],\"expect\":[" GAP "]}"},
    {"dates are cut: two seconds more, and a bound a second lower", 0,
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":"
          "\"{{http_date:+40}}\"}," OK
          "],\"expect\":[{\"check\":\"gap\",\"at_least\":39}]}",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":"
          "\"{{http_date:+4}}\"}," OK
          "],\"expect\":[{\"check\":\"gap\",\"at_least\":\"3.9 - 1\"}]}"},
    {"windows follow the wait", 0,
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"until_s\":24,"
          "\"retry_after\":\"{{remaining}}\"},{\"reply\":\"message\","
          "\"from_s\":24}],\"expect\":[" GAP "]}",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"until_s\":2,"
          "\"retry_after\":\"{{remaining}}\"},{\"reply\":\"message\","
          "\"from_s\":2}],\"expect\":[" GAP "]}"},
    {"a limiter's minute, told or not", 0,
     HEAD "\"limits\":{\"buckets\":[{\"of\":\"requests\",\"limit\":2},"
          "{\"of\":\"tokens\", \"per\" : \"hour\",\"limit\":9}]},"
          "\"client\":{\"limit_s\":4000}}",
     HEAD "\"limits\":{\"buckets\":[{\"per_s\": 2, \"of\":\"requests\","
          "\"limit\":2},{\"of\":\"tokens\", \"per_s\": 120,\"limit\":9}]},"
          "\"client\":{\"limit_s\":133.3333333}}"},
    {"what a limiter tells is what is left of its period", 0,
     HEAD "\"limits\":{\"buckets\":[{\"of\":\"requests\",\"limit\":1,"
          "\"per_s\":40}]},\"client\":{\"limit_s\":60},\"expect\":["
          "{\"check\":\"gap\",\"at_least\":30}]}",
     HEAD "\"limits\":{\"buckets\":[{\"of\":\"requests\",\"limit\":1,"
          "\"per_s\":4}]},\"client\":{\"limit_s\":30},\"expect\":["
          "{\"check\":\"gap\",\"at_least\":\"3 - 1\"}]}"},
    {"silence and its signs of life", 0,
     HEAD "\"steps\":[{\"fault\":\"stall\",\"where\":\"after_headers\","
          "\"for_s\":20,\"pings\":10}],\"expect\":[{\"check\":\"total_time\","
          "\"at_least\":20}]}",
     HEAD "\"steps\":[{\"fault\":\"stall\",\"where\":\"after_headers\","
          "\"for_s\":2,\"pings\":1}],\"expect\":[{\"check\":\"total_time\","
          "\"at_least\":2}]}"},
    {"a limit for hours that nobody may wait for keeps its length", 0,
     HEAD "\"steps\":[{\"fault\":\"usage_limit\",\"times\":\"always\"}],"
          "\"expect\":[{\"check\":\"attempts\",\"exactly\":1}]}",
     "{\"client\": {\"limit_s\": 15}, \"name\":\"n\",\"why\":\"w\","
     "\"steps\":[{\"fault\":\"usage_limit\",\"times\":\"always\"}],"
     "\"expect\":[{\"check\":\"attempts\",\"exactly\":1}]}"},
    {"the default of a limit for hours", 0,
     HEAD "\"steps\":[{\"fault\":\"usage_limit\"}," OK
          "],\"client\":{\"limit_s\":20000},\"expect\":[" GAP "]}",
     HEAD "\"steps\":[{\"resets_in_s\": 4, \"fault\":\"usage_limit\"}," OK
          "],\"client\":{\"limit_s\":30},\"expect\":[" GAP "]}"},
    {"short waits stay", 0,
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"10\"}," OK
          "],\"expect\":[" GAP "]}",
     NULL},
    {"a step for never stays", 0,
     HEAD "\"steps\":[{\"fault\":\"overloaded\",\"from_s\":86400},"
          "{\"reply\":\"message\",\"times\":\"always\"}]}",
     NULL}};

static void a_document_is_divided_and_nothing_else_changes(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(divided); i++) {
    struct scaled s;
    struct scale_options o = {.k = divided[i].asked, .real_limit_s = 600};
    scale_text_of(divided[i].in, &o, &s);
    if (s.skip ||
        (divided[i].out ? !s.text || strcmp(s.text, divided[i].out) != 0
                        : s.text != NULL))
      fail_msg("%s: %s%s", divided[i].id, s.skip ? s.skip : "",
               s.text ? s.text : " unchanged");
    scaled_release(&s);
  }
}

static const struct {
  const char *id, *in, *why;
} refused[] = {
    {"in words",
     HEAD "\"steps\":[{\"fault\":\"status\",\"status\":429,\"retry_after\":"
          "\"3600\",\"body\":\"in 1 hour\"}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[" GAP "]}",
     "in words ('1 hour')"},
    {"the client's own time",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\"}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[{\"check\":\"gap\","
          "\"at_least\":\"min(retry_after, policy.max_wait_s)\"}]}",
     "policy.max_wait_s"},
    {"what it is about",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\"}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[{\"check\":\"gap\","
          "\"at_least\":\"retry_after\",\"needs\":[\"breaker\"]}]}",
     "'breaker'"},
    {"midnight",
     HEAD "\"limits\":{\"buckets\":[{\"of\":\"requests\",\"limit\":2,"
          "\"window\":\"calendar_day\"}]},\"client\":{\"limit_s\":86400}}",
     "midnight"},
    {"below a second",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\","
          "\"delay_ms\":1500}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[" GAP "]}",
     "1.5 s would fall below a second"},
    {"whole seconds",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\"},"
          "{\"fault\":\"rate_limit\",\"retry_after\":\"7\"}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[" GAP "]}",
     "would not stay whole"},
    {"nobody says whether it is waited for",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\"}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[{\"check\":"
          "\"no_crash\"}]}",
     "no expectation says"},
    {"over the cap that is known",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"7200\"}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[" GAP "]}",
     "policy.max_wait_s = 5000 s"},
    {"a text with the number in it",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\"}," OK
          "],\"client\":{\"limit_s\":9000},\"expect\":[" GAP
          ",{\"check\":\"output\",\"contains\":\"wait 3600 s\"}]}",
     "expect[1].contains names the 3600"},
    {"the hour of a command's text",
     HEAD "\"steps\":[{\"command\":\"claude\",\"says\":\"usage_limit\"},"
          "{\"command\":\"claude\",\"reply\":\"message\"}],\"client\":"
          "{\"limit_s\":20000},\"expect\":[{\"check\":\"gap\","
          "\"at_least\":10800}]}",
     "by the hour or the day"},
    {"too long even so",
     HEAD "\"steps\":[{\"fault\":\"rate_limit\",\"retry_after\":\"3600\","
          "\"delay_ms\":36000},{\"fault\":\"rate_limit\",\"retry_after\":"
          "\"36\"}," OK "],\"client\":{\"limit_s\":9000},\"expect\":[" GAP "]}",
     "would still wait"}};

static void what_cannot_be_divided_says_why(void **state)
{
  struct policy policy = {0};
  struct diag diag = {0};
  (void)state;
  assert_int_equal(
      json_parse(&policy.doc, "p.json", BYTES("{\"max_wait_s\": 5000}"), &diag),
      0);
  for (size_t i = 0; i < COUNT(refused); i++) {
    struct scaled s;
    struct scale_options o = {.real_limit_s = 60, .policy = &policy};
    scale_text_of(refused[i].in, &o, &s);
    if (!s.skip || s.text || !strstr(s.skip, refused[i].why))
      fail_msg("%s: %s%s", refused[i].id, s.skip ? s.skip : "not skipped ",
               s.text ? s.text : "");
    scaled_release(&s);
    /* with the time it takes it runs, as it is or as little as it may be */
    o.real_limit_s = 100000;
    scale_text_of(refused[i].in, &o, &s);
    if (s.skip || !s.json)
      fail_msg("%s: %s", refused[i].id, s.skip ? s.skip : "no reason");
    scaled_release(&s);
  }
  policy_release(&policy);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_value_is_divided_by_its_kind),
      cmocka_unit_test(an_expression_is_divided_where_it_is_a_time),
      cmocka_unit_test(a_document_is_divided_and_nothing_else_changes),
      cmocka_unit_test(what_cannot_be_divided_says_why),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
