#include "tests/unit/unit.h"

#include "mockserver/import/moment.h"

#include <string.h>

/* Mon, 01 Dec 2025 00:00:00 GMT */
#define NOW INT64_C(1764547200)
static const struct moment now = {true, NOW};

static const struct {
  const char *id, *name, *value, *want;
} headers[] = {
    {"its own date", "Date", "Mon, 01 Dec 2025 00:00:00 GMT", "{{http_date}}"},
    {"a date ahead", "retry-after", "Mon, 01 Dec 2025 01:00:00 GMT",
     "{{http_date:+3600}}"},
    {"a date before", "x", "Sun, 30 Nov 2025 23:59:59 GMT", "{{http_date:-1}}"},
    {"too far", "expires", "Thu, 01 Jan 2026 00:00:01 GMT",
     "{{http_date:+2678401}}"},
    {"much too far", "expires", "Mon, 01 Dec 1997 00:00:00 GMT",
     "Mon, 01 Dec 1997 00:00:00 GMT"},
    {"epoch of a reset", "x-ratelimit-reset", "1764547260", "{{epoch:+60}}"},
    {"a number of no time", "x-account", "1764547260", "1764547260"},
    {"epoch in ms", "x-reset-ms", "1764547199750", "{{epoch_ms:-0.250}}"},
    {"whole ms", "x-reset-ms", "1764547201000", "{{epoch_ms:+1}}"},
    {"rfc 3339", "reset", "2025-12-01T03:00:00Z", "{{rfc3339:+10800}}"},
    {"a fraction is no time we can say", "reset", "2025-12-01T03:00:00.5Z",
     "2025-12-01T03:00:00.5Z"},
    {"seconds", "retry-after", "17", "17"},
    {"a value is no value", "x", "a {{b}} c", "a {{hex:7b7b}}b}} c"},
    {"four braces", "x", "{{{{", "{{hex:7b7b}}{{hex:7b7b}}"},
    {"bytes that are no text", "x", "\xb2\xff", "{{hex:b2}}{{hex:ff}}"},
    {"a brace in front of a value", "x", "{\xff{{{\xff",
     "{{hex:7b}}{{hex:ff}}{{hex:7b7b}}{{hex:7b}}{{hex:ff}}"},
    {"empty", "x", "", ""}};

static void a_header_says_times_relative_to_its_moment(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(headers); i++) {
    struct buf b;
    buf_init(&b, 4096);
    moment_header(&now, headers[i].name, bytes_of(headers[i].value), &b);
    if (strcmp(buf_str(&b), headers[i].want) != 0)
      fail_msg("%s: %s", headers[i].id, buf_str(&b));
    buf_release(&b);
  }
}

static const struct {
  const char *id, *text, *want;
} bodies[] = {{"behind a pipe", "usage limit reached|1764547260",
               "usage limit reached|{{epoch:+60}}"},
              {"in JSON", "{\"resets_at\":1764550800,\"n\":17645}",
               "{\"resets_at\":{{epoch:+3600}},\"n\":17645}"},
              {"inside an id", "req_1764547260 v1764547260 1764547260x",
               "req_1764547260 v1764547260 1764547260x"},
              {"a fraction goes on", "1764547260.5", "1764547260.5"},
              {"the end of a sentence", "at 1764547260.", "at {{epoch:+60}}."},
              {"lines", "a\r\n2025-12-01T00:00:01Z\n", "a\r\n{{rfc3339:+1}}\n"},
              {"a date", "until Mon, 01 Dec 2025 00:00:05 GMT!",
               "until {{http_date:+5}}!"},
              {"a brace in front", "{1764547260}", "{{hex:7b}}{{epoch:+60}}}"},
              {"more digits", "17645472601", "17645472601"}};

static void a_body_says_times_wherever_they_stand(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bodies); i++) {
    struct buf b;
    buf_init(&b, 4096);
    moment_body(&now, bytes_of(bodies[i].text), &b);
    if (strcmp(buf_str(&b), bodies[i].want) != 0)
      fail_msg("%s: %s", bodies[i].id, buf_str(&b));
    buf_release(&b);
  }
}

static void without_a_moment_nothing_is_computed(void **state)
{
  const struct moment none = {false, 0};
  struct buf b;
  (void)state;
  buf_init(&b, 4096);
  moment_header(&none, "date", BYTES("Thu, 01 Jan 1970 00:00:00 GMT"), &b);
  moment_body(&none, BYTES(" 1764547260 {{"), &b);
  assert_string_equal(buf_str(&b), "Thu, 01 Jan 1970 00:00:00 GMT 1764547260 "
                                   "{{hex:7b7b}}");
  buf_release(&b);
}

static const struct {
  const char *id;
  int64_t log_ms, date_ms;
  bool known;
  int64_t want_s;
} moments[] = {{"neither", -1, -1, false, 0},
               {"the log alone", 5000, -1, true, 5},
               {"the date alone", -1, 7000, true, 7},
               {"the date is the server's", 5000, 7000, true, 7},
               {"a wrong clock stays wrong", 5000, 66000, true, 5},
               {"just not wrong", 5000, 65000, true, 65}};

static void the_moment_is_the_date_unless_that_is_wrong(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(moments); i++) {
    struct moment m = moment_of(moments[i].log_ms, moments[i].date_ms);
    if (m.known != moments[i].known || m.epoch_s != moments[i].want_s)
      fail_msg("%s: %lld", moments[i].id, (long long)m.epoch_s);
  }
}

static const struct {
  const char *text;
  int64_t want_ms; /* -1: none */
} times[] = {{"2025-12-01T00:00:00Z", NOW * 1000},
             {"2025-12-01T00:00:00.250Z", NOW * 1000 + 250},
             {"2025-12-01T01:00:00.1239+01:00", NOW * 1000 + 123},
             {"2025-11-30 23:30:00-0030", NOW * 1000},
             {"1970-01-01T00:00:00Z", 0},
             {"2024-02-29T00:00:00Z", INT64_C(1709164800000)},
             {"2025-13-01T00:00:00Z", -1},
             {"2025-12-01T24:00:00Z", -1},
             {"2025-12-01T00:00:00", -1},
             {"2025-12-01", -1},
             {"", -1}};

static void rfc3339_is_read_to_the_millisecond(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(times); i++) {
    int64_t ms = -1;
    moment_rfc3339(bytes_of(times[i].text), &ms);
    if (ms != times[i].want_ms)
      fail_msg("%s: %lld", times[i].text, (long long)ms);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_header_says_times_relative_to_its_moment),
      cmocka_unit_test(a_body_says_times_wherever_they_stand),
      cmocka_unit_test(without_a_moment_nothing_is_computed),
      cmocka_unit_test(the_moment_is_the_date_unless_that_is_wrong),
      cmocka_unit_test(rfc3339_is_read_to_the_millisecond)};
  return cmocka_run_group_tests_name("moment", tests, NULL, NULL);
}
