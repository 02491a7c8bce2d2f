/* test_rate_headers.c - what the limits of an answer are, and what they ask
 * of the next call. */
#include "guard/rate_headers.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define NOW_MS (INT64_C(1764547200) * 1000) /* 2025-12-01 00:00:00 UTC */
#define UNTOUCHED INT64_C(-4242)
enum { MOST_HEADERS = 8 };

static const struct guard_rate_cost one = {0, 0};

static struct guard_rates read_one(const char *name, const char *value)
{
  struct guard_header h = {name, value, 0};
  struct guard_rates rates;

  guard_rates_read(&h, 1, NOW_MS, &rates);
  return rates;
}

/* The headers as "name: value" lines. */
static struct guard_rates read_lines(const char *lines)
{
  char *copy = strdup(lines), *left = NULL;
  struct guard_header h[MOST_HEADERS];
  struct guard_rates rates;
  size_t n = 0;

  for (char *line = strtok_r(copy, "\n", &left); line;
       line = strtok_r(NULL, "\n", &left)) {
    char *colon = strchr(line, ':');

    assert_true(colon && n < MOST_HEADERS);
    *colon = '\0';
    h[n++] = (struct guard_header){line, colon + 1, 0};
  }
  guard_rates_read(h, n, NOW_MS, &rates);
  free(copy);
  return rates;
}

static const struct {
  const char *name, *value;
  enum guard_rate_family family;
  enum guard_rate_field field;
  enum guard_rate_read read;
  int64_t expected;
  const char *why;
} fields[] = {
#define V(family, field, n)                                                    \
  GUARD_RATE_##family, GUARD_RATE_##field, GUARD_RATE_VALUE, n
#define BAD(family, field)                                                     \
  GUARD_RATE_##family, GUARD_RATE_##field, GUARD_RATE_INVALID, UNTOUCHED
    {"anthropic-ratelimit-requests-limit", "50", V(REQUESTS, QUOTA, 50), ""},
    {"Anthropic-RateLimit-Requests-Remaining", " 49 ",
     V(REQUESTS, REMAINING, 49), "any case, blanks around"},
    {"anthropic-ratelimit-requests-reset", "2025-12-01T00:00:05Z",
     V(REQUESTS, RESET, 5000), "RFC 3339"},
    {"anthropic-ratelimit-requests-reset", "2025-11-30T00:00:00Z",
     V(REQUESTS, RESET, 0), "a past reset is now"},
    {"anthropic-ratelimit-requests-limit", "50 a minute", BAD(REQUESTS, QUOTA),
     "nothing behind a count"},
    {"anthropic-ratelimit-requests-reset", "5s", BAD(REQUESTS, RESET),
     "another provider's form"},
    {"anthropic-ratelimit-tokens-remaining", "79000",
     V(TOKENS, REMAINING, 79000), ""},
    {"anthropic-ratelimit-input-tokens-limit", "0", V(INPUT_TOKENS, QUOTA, 0),
     "zero is a value"},
    {"anthropic-ratelimit-output-tokens-remaining", "-1",
     BAD(OUTPUT_TOKENS, REMAINING), "no sign in a count"},
    {"anthropic-ratelimit-output-tokens-limit", "99999999999999999999",
     V(OUTPUT_TOKENS, QUOTA, INT64_MAX), "saturates"},
    {"anthropic-priority-input-tokens-remaining", "9618",
     V(PRIORITY_INPUT, REMAINING, 9618), "Priority Tier"},
    {"anthropic-priority-output-tokens-reset", "2025-12-01T00:01:00Z",
     V(PRIORITY_OUTPUT, RESET, 60000), ""},
    {"anthropic-ratelimit-unified-status", "rejected",
     V(UNIFIED, STATUS, GUARD_RATE_REJECTED), ""},
    {"anthropic-ratelimit-unified-status", "rate_limited",
     V(UNIFIED, STATUS, GUARD_RATE_REJECTED), "one set had it"},
    {"anthropic-ratelimit-unified-status", "allowed_later",
     BAD(UNIFIED, STATUS), "a word nobody knows is no leave"},
    {"anthropic-ratelimit-unified-reset", "1764547230",
     V(UNIFIED, RESET, 30000), "epoch seconds"},
    {"anthropic-ratelimit-unified-5h-status", "allowed_warning",
     V(WINDOW_5H, STATUS, GUARD_RATE_WARNING), ""},
    {"anthropic-ratelimit-unified-5h-utilization", "0.4127",
     V(WINDOW_5H, UTILIZATION, 412700), ""},
    {"anthropic-ratelimit-unified-5h-utilization", "1.02",
     V(WINDOW_5H, UTILIZATION, 1020000), "above one was seen"},
    {"anthropic-ratelimit-unified-5h-utilization", "0.0000001",
     V(WINDOW_5H, UTILIZATION, 1), "rounded up"},
    {"anthropic-ratelimit-unified-5h-utilization", "NaN",
     BAD(WINDOW_5H, UTILIZATION), ""},
    {"anthropic-ratelimit-unified-7d-reset", "1764547201",
     V(WINDOW_7D, RESET, 1000), ""},
    {"anthropic-ratelimit-unified-7d_oi-utilization", "1",
     V(WINDOW_MODEL, UTILIZATION, 1000000), "a window of some models"},
    {"anthropic-ratelimit-unified-7d_sonnet-status", "rejected",
     V(WINDOW_MODEL, STATUS, GUARD_RATE_REJECTED), "one nobody listed"},
    {"anthropic-ratelimit-unified-overage-status", "rejected",
     V(OVERAGE, STATUS, GUARD_RATE_REJECTED), ""},
    {"anthropic-ratelimit-unified-overage-reset", "1764547260",
     V(OVERAGE, RESET, 60000), ""},
    {"x-ratelimit-limit-requests", "60", V(REQUESTS, QUOTA, 60), "OpenAI"},
    {"x-ratelimit-reset-requests", "6m0s", V(REQUESTS, RESET, 360000),
     "Go duration"},
    {"x-ratelimit-reset-requests", "2m59.56s", V(REQUESTS, RESET, 179560),
     "Groq"},
    {"x-ratelimit-reset-tokens", "6ms", V(TOKENS, RESET, 6), ""},
    {"x-ratelimit-reset-tokens", "1h2m3.5s", V(TOKENS, RESET, 3723500), ""},
    {"x-ratelimit-reset-tokens", "12", V(TOKENS, RESET, 12000),
     "Azure: seconds"},
    {"x-ratelimit-remaining-tokens", "-1", BAD(TOKENS, REMAINING),
     "Azure: not known"},
    {"x-ratelimit-reset-tokens", "soon", BAD(TOKENS, RESET), ""},
    {"x-ratelimit-remaining-project-tokens", "9",
     V(PROJECT_TOKENS, REMAINING, 9), ""},
    {"x-codex-primary-used-percent", "42.5", V(WINDOW_5H, UTILIZATION, 425000),
     "per cent"},
    {"x-codex-secondary-reset-at", "1764547210", V(WINDOW_7D, RESET, 10000),
     ""},
    {"x-ratelimit-remaining", "4999", V(REQUESTS, REMAINING, 4999), "GitHub"},
    {"x-ratelimit-reset", "1764550800", V(REQUESTS, RESET, 3600000),
     "epoch seconds"},
    {"x-ratelimit-reset", "1764547201500", V(REQUESTS, RESET, 1500),
     "OpenRouter: epoch ms"},
    {"x-ratelimit-timeremaining", "46", V(REQUESTS, RESET, 46000),
     "GitHub Models"},
    {"ratelimit-limit", "100, 100;w=60", V(POLICY, QUOTA, 100),
     "drafts up to -06"},
    {"ratelimit-reset", "50", V(POLICY, RESET, 50000), ""},
    {"ratelimit", "\"a\";r=50;t=30", V(POLICY, REMAINING, 50), "list form"},
    {"ratelimit", "\"a\";r=50;t=30", V(POLICY, RESET, 30000), ""},
    {"ratelimit", "\"a\";r=50;t=30, \"b\";r=2;pk=:YQ==:;t=9",
     V(POLICY, REMAINING, 2), "the policy with the least left"},
    {"ratelimit", "a;r=50;t=30", BAD(POLICY, REMAINING), "no String"},
    {"ratelimit", "\"a\";t=30", BAD(POLICY, REMAINING), "r must be there"},
    {"ratelimit", "\"a\";r=1;t=-3", BAD(POLICY, RESET), ""},
    {"ratelimit", "\"a\";r=1.5", BAD(POLICY, REMAINING), ""},
    {"ratelimit", "\"a\";r=1,", BAD(POLICY, REMAINING), "a comma too many"},
    {"ratelimit-policy", "\"a\";w=3", BAD(POLICY, QUOTA), "q must be there"},
#undef V
#undef BAD
};

static void every_field_is_absent_invalid_or_a_value(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(fields); i++) {
    struct guard_rates rates = read_one(fields[i].name, fields[i].value);
    int64_t value = UNTOUCHED;
    enum guard_rate_read read = guard_rate_get(&rates.family[fields[i].family],
                                               fields[i].field, &value);

    if (read != fields[i].read || value != fields[i].expected)
      fail_msg("%s: %s (%s): %d, %lld", fields[i].name, fields[i].value,
               fields[i].why, read, (long long)value);
  }
}

static void what_is_not_there_is_absent(void **state)
{
  (void)state;
  struct guard_rates rates = read_one("retry-after", "5");
  for (int f = 0; f < GUARD_RATE_NFAMILIES; f++)
    for (int i = 0; i < GUARD_RATE_NFIELDS; i++) {
      int64_t value = UNTOUCHED;
      assert_int_equal(
          guard_rate_get(&rates.family[f], (enum guard_rate_field)i, &value),
          GUARD_RATE_ABSENT);
      assert_true(value == UNTOUCHED);
    }
  assert_int_equal(guard_rates_advise(&rates, &one).family,
                   GUARD_RATE_NFAMILIES);
}

static void of_two_values_the_tighter_one_counts(void **state)
{
  (void)state;
  struct guard_rates rates = read_lines("x-ratelimit-remaining-tokens: 900\n"
                                        "x-ratelimit-remaining-tokens: 30\n"
                                        "x-ratelimit-remaining-tokens: many\n"
                                        "x-ratelimit-reset-tokens: 1s\n"
                                        "x-ratelimit-reset-tokens: 9s");
  int64_t value;
  assert_int_equal(guard_rate_get(&rates.family[GUARD_RATE_TOKENS],
                                  GUARD_RATE_REMAINING, &value),
                   GUARD_RATE_VALUE);
  assert_true(value == 30);
  guard_rate_get(&rates.family[GUARD_RATE_TOKENS], GUARD_RATE_RESET, &value);
  assert_true(value == 9000);
}

static void policies_are_joined_by_name(void **state)
{
  (void)state;
  /* 20 of 1000 is tighter than 10 of 40 */
  struct guard_rates rates =
      read_lines("RateLimit: \"burst\";r=10;t=1, \"day\";r=20;t=4000\n"
                 "RateLimit-Policy: \"day\";q=1000;w=86400;qu=\"requests\"\n"
                 "RateLimit-Policy: \"burst\";q=40;w=10");
  const struct guard_rate *r = &rates.family[GUARD_RATE_POLICY];
  assert_int_equal(r->value[GUARD_RATE_REMAINING], 20);
  assert_int_equal(r->value[GUARD_RATE_QUOTA], 1000);
  assert_int_equal(r->value[GUARD_RATE_RESET], 4000000);
  assert_int_equal(guard_rates_advise(&rates, &one).left_ppm, 20000);
}

static void a_full_quota_slows_nobody_down(void **state)
{
  (void)state;
  struct guard_rates rates =
      read_lines("anthropic-ratelimit-requests-limit: 50\n"
                 "anthropic-ratelimit-requests-remaining: 10\n"
                 "anthropic-ratelimit-requests-reset: 2025-12-01T00:00:48Z");
  struct guard_rate_advice a = guard_rates_advise(&rates, &one);
  assert_int_equal(a.family, GUARD_RATE_REQUESTS);
  assert_int_equal(a.left_ppm, 200000);
  assert_int_equal(a.slow_ms, 0);
  assert_false(a.empty);
}

static void a_refilling_limit_is_used_no_faster_than_it_fills(void **state)
{
  (void)state;
  /* 45 missing are back in 54 s: one in 1.2 s */
  struct guard_rates rates =
      read_lines("anthropic-ratelimit-requests-limit: 50\n"
                 "anthropic-ratelimit-requests-remaining: 5\n"
                 "anthropic-ratelimit-requests-reset: 2025-12-01T00:00:54Z");
  assert_int_equal(guard_rates_advise(&rates, &one).slow_ms, 1200);
}

static void an_empty_one_waits_until_it_can_take_the_call(void **state)
{
  (void)state;
  /* Groq's own numbers: 30 missing of a day's 14400 come back in 180 s */
  struct guard_rates rates = read_lines("x-ratelimit-limit-tokens: 6000\n"
                                        "x-ratelimit-remaining-tokens: 1000\n"
                                        "x-ratelimit-reset-tokens: 50s");
  struct guard_rate_cost cost = {2000, 1000};
  struct guard_rate_advice a = guard_rates_advise(&rates, &cost);
  assert_true(a.empty);
  assert_int_equal(a.slow_ms, 20000); /* 2000 more, 100 a second */
  cost.output_tokens = 500000;
  assert_int_equal(guard_rates_advise(&rates, &cost).slow_ms, 50000);
}

static void a_window_has_to_last_until_its_reset(void **state)
{
  (void)state;
  struct guard_rates rates = read_lines("x-ratelimit-limit: 5000\n"
                                        "x-ratelimit-remaining: 100\n"
                                        "x-ratelimit-reset: 1764548200");
  assert_int_equal(guard_rates_advise(&rates, &one).slow_ms, 10000);
  rates.family[GUARD_RATE_REQUESTS].value[GUARD_RATE_REMAINING] = 0;
  assert_int_equal(guard_rates_advise(&rates, &one).slow_ms, 1000000);
}

static void the_tightest_asks_for_the_longest_wait(void **state)
{
  (void)state;
  struct guard_rates rates = read_lines("x-ratelimit-limit-requests: 60\n"
                                        "x-ratelimit-remaining-requests: 6\n"
                                        "x-ratelimit-reset-requests: 54s\n"
                                        "x-ratelimit-limit-tokens: 1000\n"
                                        "x-ratelimit-remaining-tokens: 100\n"
                                        "x-ratelimit-reset-tokens: 54s");
  struct guard_rate_cost cost = {40, 10};
  struct guard_rate_advice a = guard_rates_advise(&rates, &cost);
  assert_int_equal(a.family, GUARD_RATE_TOKENS);
  assert_int_equal(a.slow_ms, 3000);
  assert_int_equal(guard_rates_advise(&rates, &one).family,
                   GUARD_RATE_REQUESTS);
}

static void a_rejected_window_waits_for_its_reset(void **state)
{
  (void)state;
  struct guard_rates rates =
      read_lines("anthropic-ratelimit-unified-status: rejected\n"
                 "anthropic-ratelimit-unified-5h-status: rejected\n"
                 "anthropic-ratelimit-unified-5h-reset: 1764550800\n"
                 "anthropic-ratelimit-unified-overage-status: rejected");
  struct guard_rate_advice a = guard_rates_advise(&rates, &one);
  assert_int_equal(a.family, GUARD_RATE_WINDOW_5H);
  assert_true(a.empty);
  assert_int_equal(a.slow_ms, 3600000);
}

static void overage_carries_a_used_up_window(void **state)
{
  (void)state;
  struct guard_rates rates =
      read_lines("anthropic-ratelimit-unified-status: allowed\n"
                 "anthropic-ratelimit-unified-5h-utilization: 1.02\n"
                 "anthropic-ratelimit-unified-5h-reset: 1764550800\n"
                 "anthropic-ratelimit-unified-7d-utilization: 0.5");
  struct guard_rate_advice a = guard_rates_advise(&rates, &one);
  assert_false(a.empty);
  assert_int_equal(a.slow_ms, 0);
  assert_int_equal(a.family, GUARD_RATE_WINDOW_7D);
  /* and a rejected overage stops nobody whose windows have room */
  rates = read_lines("anthropic-ratelimit-unified-7d-utilization: 0.5\n"
                     "anthropic-ratelimit-unified-overage-status: rejected");
  assert_false(guard_rates_advise(&rates, &one).empty);
}

static int64_t any(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)(*seed >> (1 + *seed % 60));
}

static void advice_on_any_numbers_is_a_wait_within_the_reset(void **state)
{
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < 200000; i++) {
    struct guard_rates rates = {0};
    int64_t longest = 0;
    for (int f = 0; f < GUARD_RATE_NFAMILIES; f++) {
      struct guard_rate *r = &rates.family[f];
      r->seen = (uint32_t)any(&seed) & 31u;
      r->refills = any(&seed) & 1;
      for (int n = 0; n < GUARD_RATE_NFIELDS; n++)
        r->value[n] = any(&seed);
      r->value[GUARD_RATE_STATUS] %= 3;
      if (r->seen & (1u << GUARD_RATE_RESET) &&
          r->value[GUARD_RATE_RESET] > longest)
        longest = r->value[GUARD_RATE_RESET];
    }
    struct guard_rate_cost cost = {any(&seed), any(&seed)};
    struct guard_rate_advice a = guard_rates_advise(&rates, &cost);
    assert_true(a.slow_ms >= 0 && a.slow_ms <= longest);
    assert_true(a.left_ppm >= -1 && a.left_ppm <= GUARD_RATE_WHOLE_PPM);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_is_absent_invalid_or_a_value),
      cmocka_unit_test(what_is_not_there_is_absent),
      cmocka_unit_test(of_two_values_the_tighter_one_counts),
      cmocka_unit_test(policies_are_joined_by_name),
      cmocka_unit_test(a_full_quota_slows_nobody_down),
      cmocka_unit_test(a_refilling_limit_is_used_no_faster_than_it_fills),
      cmocka_unit_test(an_empty_one_waits_until_it_can_take_the_call),
      cmocka_unit_test(a_window_has_to_last_until_its_reset),
      cmocka_unit_test(the_tightest_asks_for_the_longest_wait),
      cmocka_unit_test(a_rejected_window_waits_for_its_reset),
      cmocka_unit_test(overage_carries_a_used_up_window),
      cmocka_unit_test(advice_on_any_numbers_is_a_wait_within_the_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
