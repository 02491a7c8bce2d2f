#include "tests/unit/unit.h"

#include "mockserver/endpoint.h"
#include "mockserver/limits.h"
#include "mockserver/scenario.h"

#include <string.h>

static int parse(struct scenario *ret, const char *member, char *text,
                 size_t size)
{
  struct diag diag = {0};
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\n%s}", member);
  int rc = scenario_parse(ret, "t.json", bytes_of(json), &diag);
  text[0] = '\0';
  if (rc < 0)
    diag_format(&diag, text, size);
  free(json);
  return rc;
}

#define ONE(keys) "\"limits\":{\"buckets\":[{\"of\":\"requests\"," keys "}]}"

static void wrong_limits_are_refused_with_their_place(void **state)
{
  static const struct {
    const char *id, *member, *says;
  } rows[] = {
      {"no buckets", "\"limits\":{}",
       "t.json:2:10: $.limits: the key 'buckets'"},
      {"none", "\"limits\":{\"buckets\":[]}", "at least one bucket"},
      {"no limit", "\"limits\":{\"buckets\":[{\"of\":\"requests\"}]}",
       "$.limits.buckets[0]"},
      {"unknown word", ONE("\"limit\":5,\"windw\":\"fixed\""),
       "did you mean 'window'?"},
      {"unknown unit",
       "\"limits\":{\"buckets\":[{\"of\":\"request\","
       "\"limit\":1}]}",
       "$.limits.buckets[0].of"},
      {"unknown switch", "\"limits\":{\"count_refuse\":true,\"buckets\":[]}",
       "did you mean 'count_refused'?"},
      {"negative", ONE("\"limit\":-1"), "$.limits.buckets[0].limit"},
      {"both periods", ONE("\"limit\":1,\"per\":\"hour\",\"per_s\":9"),
       "takes 'per' or 'per_s', not both"},
      {"a day's period",
       ONE("\"limit\":1,\"window\":\"calendar_day\","
           "\"per_s\":9"),
       "a calendar_day is a day"},
      {"burst of a window",
       ONE("\"limit\":1,\"window\":\"fixed\","
           "\"burst\":2"),
       "t.json:2:66: $.limits.buckets[0].burst: is only for \"window\": "
       "\"continuous\""},
      {"zone of a bucket", ONE("\"limit\":1,\"resets\":\"utc\""),
       "is only for \"window\": \"calendar_day\""},
      {"burst and smooth", ONE("\"limit\":1,\"smooth\":true,\"burst\":2"),
       "takes 'burst' or 'smooth', not both"},
      {"too much", ONE("\"limit\":10000000000,\"per\":\"day\""),
       "too large together"},
      {"a name with a line break", ONE("\"limit\":1,\"name\":\"a\\nb\""),
       "$.limits.buckets[0].name"},
      {"endpoint nobody has",
       "\"steps\":[{\"fault\":\"hang\",\"match\":{\"endpoint\":"
       "\"batches.creat\"}}]",
       "no endpoint is called 'batches.creat'; did you mean "
       "'batches.create'?"},
      {"unknown result",
       "\"endpoints\":{\"batch_results\":[\"suceeded\"]},\"steps\":[]",
       "did you mean 'succeeded'?"}};
  int wrong = 0;
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[2048];
    struct scenario s;
    if (parse(&s, rows[i].member, text, sizeof text) == 0)
      scenario_release(&s);
    if (!strstr(text, rows[i].says)) {
      fprintf(stderr, "%s: '%s', wanted '%s'\n", rows[i].id, text,
              rows[i].says);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
}

static void limits_need_no_steps_and_end_in_replies(void **state)
{
  char text[2048];
  struct scenario s;
  (void)state;
  if (parse(&s, ONE("\"limit\":60,\"smooth\":true"), text, sizeof text) < 0)
    fail_msg("%s", text);
  assert_int_equal(s.nsteps, 0);
  assert_int_equal(s.after, AFTER_REPLY);
  const struct limit_rule *r = &s.limits->rules[0];
  assert_string_equal(r->name, "requests per minute");
  assert_true(r->rule.burst == 1 && r->rule.period_us == 60000000);
  assert_int_equal(r->rule.window, LIMITER_CONTINUOUS);
  scenario_release(&s);
}

static void geminis_days_end_in_the_pacific_unless_told(void **state)
{
  char text[2048];
  struct scenario s;
  (void)state;
  if (parse(&s,
            "\"provider\":\"gemini\",\"limits\":{\"buckets\":["
            "{\"of\":\"requests\",\"limit\":1,\"window\":\"calendar_day\"},"
            "{\"of\":\"requests\",\"limit\":1,\"window\":\"calendar_day\","
            "\"resets\":\"utc\"}]}",
            text, sizeof text) < 0)
    fail_msg("%s", text);
  assert_int_equal(s.limits->rules[0].rule.zone, MIDNIGHT_PACIFIC);
  assert_int_equal(s.limits->rules[1].rule.zone, MIDNIGHT_UTC);
  assert_int_equal(s.limits->rules[0].per, LIMIT_DAY);
  scenario_release(&s);
}

/* Two families may have a name in common, but no two routes a request. */
static void every_route_has_a_provider_and_a_request_of_its_own(void **state)
{
  (void)state;
  for (size_t i = 0; endpoint_families[i]; i++)
    for (const struct endpoint_route *r = endpoint_families[i]->routes; r->name;
         r++) {
      struct bytes star;
      const struct endpoint_route *other = NULL;
      assert_non_null(provider_find(r->provider));
      assert_true(endpoint_find(bytes_of(r->method), bytes_of(r->path), &star,
                                &other) == r);
      assert_true(endpoint_pattern_known(r->name));
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_limits_are_refused_with_their_place),
      cmocka_unit_test(limits_need_no_steps_and_end_in_replies),
      cmocka_unit_test(geminis_days_end_in_the_pacific_unless_told),
      cmocka_unit_test(every_route_has_a_provider_and_a_request_of_its_own)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
