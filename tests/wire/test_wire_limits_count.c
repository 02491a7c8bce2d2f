/*
 * What the limiter counts, on a real socket: tokens as they are produced,
 * reads from the cache, pools, days, growth.
 */
#include "tests/unit/unit.h"

#include "tests/wire/limits_rig.h"

#include <string.h>
#include <unistd.h>

/* What is left of output tokens, by a question to the limiter that counts
 * nothing: a bucket of requests of another size is not there. */
static int64_t openai_left(struct limited *l)
{
  assert_int_equal(
      call_as(l, "openai", false, "x-faultwire-tokens: input=0 output=0\r\n"),
      200);
  return number_behind(l, "x-ratelimit-remaining-tokens: ", false);
}

static void max_tokens_counts_at_the_start_and_is_put_right(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "openai",
              "{\"buckets\":[{\"of\":\"tokens\",\"limit\":10000}]}");
  assert_int_equal(ask(&l, "/v1/chat/completions",
                       "x-faultwire-tokens: input=100 output=30\r\n",
                       "{\"max_tokens\":4000}"),
                   200);
  assert_int_equal(number_behind(&l, "remaining-tokens: ", false), 5900);
  assert_int_equal(openai_left(&l), 9870);
  close_limits(&l);
}

static void output_counts_as_it_is_produced(void **state)
{
  struct limited l;
  (void)state;
  char *json = mem_format(
      "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"openai\","
      "\"limits\":{\"output\":\"produced\",\"buckets\":[{\"of\":\"tokens\","
      "\"limit\":1000,\"per\":\"day\"}]},"
      "\"steps\":[{\"reply\":\"message\",\"chunks\":97,\"gap_ms\":100,"
      "\"stream\":true}]}");
  wire_open(&l.w, json);
  buf_init(&l.got, (size_t)16 << 20);
  free(json);
  int fd = wire_connect(&l.w);
  char *text = request_text("/v1/chat/completions",
                            "x-faultwire-tokens: input=0 output=500\r\n",
                            "{\"stream\":true}");
  wire_send(fd, text);
  wire_sync(&l.w);
  /* 100 events: the role, 97 deltas, the finish, [DONE] */
  assert_int_equal(openai_left(&l), 995);
  wire_advance(&l.w, 4900);
  assert_int_equal(openai_left(&l), 750);
  close(fd); /* the client leaves half way: nothing more is produced */
  wire_sync(&l.w);
  wire_advance(&l.w, 9000);
  assert_int_equal(openai_left(&l), 750);
  free(text);
  close_limits(&l);
}

static void steep_growth_is_refused_as_such(void **state)
{
  static const struct {
    const char *provider, *says;
  } rows[] = {{"anthropic", "\"error_code\":\"ramp_limit_exceeded\""},
              {"openai", "\"code\":\"slow_down\""},
              {"gemini", "RESOURCE_EXHAUSTED"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct limited l;
    open_limits(&l, rows[i].provider,
                "{\"buckets\":[{\"of\":\"requests\",\"limit\":4,"
                "\"window\":\"growth\",\"growth_percent\":150}]}");
    for (int k = 0; k < 4; k++)
      assert_int_equal(call_as(&l, rows[i].provider, false, ""), 200);
    assert_int_equal(call_as(&l, rows[i].provider, false, ""), 429);
    must_say(&l, rows[i].says);
    assert_int_equal(told_wait_ms(&l, rows[i].provider), 60000);
    /* the next minute may have half as many again */
    wire_advance(&l.w, 60000);
    for (int k = 0; k < 6; k++)
      assert_int_equal(call_as(&l, rows[i].provider, false, ""), 200);
    assert_int_equal(call_as(&l, rows[i].provider, false, ""), 429);
    close_limits(&l);
  }
}

static void geminis_day_ends_at_midnight_in_the_pacific(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "gemini",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":2,"
              "\"window\":\"calendar_day\",\"scope\":\"project\"}]}");
  assert_int_equal(call_as(&l, "gemini", false, ""), 200);
  assert_int_equal(call_as(&l, "gemini", true, ""), 200);
  assert_int_equal(call_as(&l, "gemini", false, ""), 429);
  must_say(&l, "GenerateRequestsPerDayPerProjectPerModel-FreeTier");
  assert_int_equal(told_wait_ms(&l, "gemini"), 8 * 3600 * 1000);
  wire_advance(&l.w, 8 * 3600 * 1000 - 1);
  assert_int_equal(call_as(&l, "gemini", false, ""), 429);
  wire_advance(&l.w, 1);
  assert_int_equal(call_as(&l, "gemini", false, ""), 200);
  close_limits(&l);
}

static void sixty_a_minute_may_be_one_a_second(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "anthropic",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":60,"
              "\"smooth\":true}]}");
  for (int i = 0; i < 3; i++) {
    assert_int_equal(call_as(&l, "anthropic", false, ""), 200);
    assert_int_equal(call_as(&l, "anthropic", false, ""), 429);
    assert_int_equal(told_wait_ms(&l, "anthropic"), 1000);
    wire_advance(&l.w, 1000);
  }
  close_limits(&l);
}

static void reads_from_the_cache_do_not_count_where_they_do_not(void **state)
{
  static const char *const buckets =
      "\"buckets\":[{\"of\":\"input_tokens\",\"limit\":1000}]}";
  static const char *const body =
      "{\"model\":\"m\",\"system\":[{\"type\":\"text\",\"text\":\""
      "0123456789012345678901234567890123456789012345678901234567890123"
      "0123456789012345678901234567890123456789012345678901234567890123"
      "\",\"cache_control\":{\"type\":\"ephemeral\"}}]}";
  struct limited l;
  char *limits = mem_format("{%s", buckets);
  (void)state;
  open_limits(&l, "anthropic", limits);
  /* by the header: 900 of 1000 are read from the cache */
  for (int i = 0; i < 3; i++)
    assert_int_equal(call_as(&l, "anthropic", false,
                             "x-faultwire-tokens: input=1000, cached=900\r\n"),
                     200);
  close_limits(&l);
  free(limits);
  /* by cache_control: the same prefix again is read from it */
  open_limits(&l, "anthropic",
              "{\"buckets\":[{\"of\":\"input_tokens\",\"limit\":100,"
              "\"per\":\"day\"}]}");
  assert_int_equal(ask(&l, "/v1/messages", "", body), 200);
  assert_int_equal(ask(&l, "/v1/messages", "", body), 200);
  assert_int_equal(ask(&l, "/v1/messages", "", body), 200);
  wire_advance(&l.w, 301000); /* five minutes later it is gone */
  assert_int_equal(ask(&l, "/v1/messages", "", body), 429);
  close_limits(&l);
  open_limits(&l, "openai",
              "{\"buckets\":[{\"of\":\"input_tokens\",\"limit\":1000}]}");
  assert_int_equal(call_as(&l, "openai", false,
                           "x-faultwire-tokens: input=1000 cached=900\r\n"),
                   200);
  assert_int_equal(call_as(&l, "openai", false, ""), 429);
  close_limits(&l);
}

static void each_pool_is_apart(void **state)
{
  struct limited l;
  (void)state;
  open_limits(&l, "anthropic",
              "{\"buckets\":[{\"of\":\"requests\",\"limit\":3,"
              "\"pool\":\"batch\"},{\"of\":\"requests\",\"limit\":1,"
              "\"pool\":\"count_tokens\"}]}");
  static const char *const batch =
      "{\"requests\":[{\"custom_id\":\"a\",\"params\":{}},"
      "{\"custom_id\":\"b\",\"params\":{}}]}";
  assert_int_equal(ask(&l, "/v1/messages/batches", "", batch), 200);
  must_say(&l, "anthropic-ratelimit-requests-remaining: 1\r\n");
  assert_int_equal(ask(&l, "/v1/messages/batches", "", batch), 429);
  assert_int_equal(ask(&l, "/v1/messages/count_tokens", "", "{}"), 200);
  assert_int_equal(ask(&l, "/v1/messages/count_tokens", "", "{}"), 429);
  must_say(&l, "\r\nretry-after: 60\r\n");
  for (int i = 0; i < 9; i++)
    assert_int_equal(call_as(&l, "anthropic", false, ""), 200);
  assert_false(says(&l, "ratelimit"));
  close_limits(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(max_tokens_counts_at_the_start_and_is_put_right),
      cmocka_unit_test(output_counts_as_it_is_produced),
      cmocka_unit_test(steep_growth_is_refused_as_such),
      cmocka_unit_test(geminis_day_ends_at_midnight_in_the_pacific),
      cmocka_unit_test(sixty_a_minute_may_be_one_a_second),
      cmocka_unit_test(reads_from_the_cache_do_not_count_where_they_do_not),
      cmocka_unit_test(each_pool_is_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
