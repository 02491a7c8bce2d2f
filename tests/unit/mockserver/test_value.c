#include "tests/unit/unit.h"

#include "mockserver/value.h"

#include "base/clock.h"

#include <string.h>

/* 2025-12-01T00:00:00.250Z */
static const struct value_scope scope = {.now_ns =
                                             INT64_C(1764547200250) * NS_PER_MS,
                                         .request_id = {"req_1", 5},
                                         .model = {"claude-x", 8},
                                         .wait_ms = 644,
                                         .reset_ms = 273600000};

static const struct {
  const char *id, *text, *want, *why;
} values[] = {
    {"plain", "no value", "no value", "most texts have none"},
    {"date", "{{http_date}}", "Mon, 01 Dec 2025 00:00:00 GMT", "now"},
    {"date+", "{{http_date:+3}}", "Mon, 01 Dec 2025 00:00:03 GMT", "later"},
    {"date-", "{{http_date:-1}}", "Sun, 30 Nov 2025 23:59:59 GMT", "past"},
    {"epoch", "{{epoch:+60}}", "1764547260", "seconds"},
    {"epoch_ms", "{{epoch_ms:+1.5}}", "1764547201750", "n is in seconds"},
    {"rfc3339", "{{rfc3339:+23}}", "2025-12-01T00:00:23Z", "reset headers"},
    {"day", "{{date:+86400}}", "2025-12-02", "spend limits name a day"},
    {"go-0", "{{duration:0}}", "0s", "Go prints 0s"},
    {"go-ms", "{{duration:0.02}}", "20ms", "below a second"},
    {"go-s", "{{duration:1}}", "1s", "whole"},
    {"go-frac", "{{duration:9.816}}", "9.816s", "fraction kept"},
    {"go-zero-frac", "{{duration:1.500}}", "1.5s", "no closing zeros"},
    {"go-m", "{{duration:360}}", "6m0s", "seconds always printed"},
    {"go-h", "{{duration:3723.5}}", "1h2m3.5s", "all parts"},
    {"go-neg", "{{duration:-1}}", "-1s", "sign in front"},
    {"seconds", "{{seconds:34.07}}", "34.07", "protobuf durations"},
    {"pad", "{{pad:4}}", "xxxx", "n letters"},
    {"pad-0", "a{{pad:0}}b", "ab", "none"},
    {"id", "<{{request_id}}>", "<req_1>", "in the provider's form"},
    {"model", "{{model}}", "claude-x", "as the request says"},
    {"wait", "{{duration:wait}}", "644ms", "for the providers' tables"},
    {"wait up", "{{rfc3339:+wait}}", "2025-12-01T00:00:01Z",
     "a reset is never before the wait is over"},
    {"reset", "{{epoch:+reset}}", "1764820800", "for the tables"},
    {"two", "{{pad:1}}-{{pad:2}}", "x-xx", "several in one text"},
    {"open", "a {{epoch", "a {{epoch", "no end: no value"},
    {"unknown", "{{nope}} {{pad:1}}", "{{nope}} {{pad:1}}",
     "kept from there on; the loader refuses it"}};

static void values_are_what_the_table_says(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(values); i++) {
    struct buf out;
    buf_init(&out, 4096);
    value_expand(bytes_of(values[i].text), &scope, &out);
    if (strcmp(buf_str(&out), values[i].want) != 0)
      fail_msg("%s (%s): '%s' became '%s'", values[i].id, values[i].why,
               values[i].text, buf_str(&out));
    buf_release(&out);
  }
}

static const struct {
  const char *text, *wrong, *why;
} wrongs[] = {{"a {{http_dat}}", "{{http_dat}}", "unknown word"},
              {"{{epoch:+2s}}", "{{epoch:+2s}}", "a unit is no number"},
              {"{{epoch:}}", "{{epoch:}}", "no number behind the colon"},
              {"{{duration}}", "{{duration}}", "needs a number"},
              {"{{request_id:1}}", "{{request_id:1}}", "takes none"},
              {"{{pad:-1}}", "{{pad:-1}}", "below the range"},
              {"{{pad:1048577}}", "{{pad:1048577}}", "above the range"},
              {"{{epoch:+99999999999999999999}}",
               "{{epoch:+99999999999999999999}}", "beyond the calendar"},
              {"{{epoch:wait}}", "{{epoch:wait}}",
               "only the server's own tables may say wait"},
              {"{{}}", "{{}}", "empty"}};

static void wrong_values_are_named(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(wrongs); i++) {
    char wrong[80] = "";
    const char *what =
        value_check(bytes_of(wrongs[i].text), wrong, sizeof wrong);
    if (!what || strcmp(wrong, wrongs[i].wrong) != 0)
      fail_msg("%s: '%s' gave '%s'", wrongs[i].why, wrongs[i].text, wrong);
  }
}

static void right_values_pass(void **state)
{
  char wrong[80];
  (void)state;
  assert_null(value_check(BYTES("{{epoch:+2}} {{pad:1048576}} {{ {x}"), wrong,
                          sizeof wrong));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_what_the_table_says),
      cmocka_unit_test(wrong_values_are_named),
      cmocka_unit_test(right_values_pass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
