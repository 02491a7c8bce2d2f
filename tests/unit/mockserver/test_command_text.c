/* Times as the clients print them, and the values of their texts. */
#include "tests/unit/unit.h"

#include "base/clock.h"
#include "mockserver/command/text.h"
#include "mockserver/command/zone.h"

#include <string.h>

/* 2025-12-01T00:00:00Z */
#define EPOCH_S INT64_C(1764547200)

static void times_read_as_the_clients_print_them(void **state)
{
  static const struct {
    const char *id, *text, *zone;
    int64_t in_s;
    const char *want;
  } rows[] = {
      {"minutes", "{{clock}}", "UTC", 15840, "4:24am"},
      {"full hour", "{{clock}}", "UTC", 7200, "2am"},
      {"midnight", "{{clock}}", "UTC", 86400, "12am"},
      {"noon", "{{clock}}", "UTC", 43200, "12pm"},
      {"afternoon", "{{clock}}", "UTC", 54060, "3:01pm"},
      {"zone", "{{clock}} ({{zone}})", "Asia/Seoul", 3600, "10am (Asia/Seoul)"},
      {"summer time", "{{clock}}", "Europe/Oslo", 203 * 86400, "2am"},
      {"winter time", "{{clock}}", "Europe/Oslo", 0, "1am"},
      {"day", "{{day_clock}}", "UTC", 2 * 86400 + 5940, "Dec 3, 1:39am"},
      {"day at", "{{day_at_clock}}", "UTC", 86400, "Dec 2 at 12am"},
      {"date", "{{date_clock}}", "UTC", 192120, "Dec 3rd, 2025 5:22 AM"},
      {"1st", "{{date_clock}}", "UTC", 0, "Dec 1st, 2025 12:00 AM"},
      {"12th", "{{date_clock}}", "UTC", 11 * 86400, "Dec 12th, 2025 12:00 AM"},
      {"22nd", "{{date_clock}}", "UTC", 21 * 86400 + 43200,
       "Dec 22nd, 2025 12:00 PM"},
      {"left", "{{left}}", "UTC", 10920, "3 hours 2 minutes"},
      {"days left", "{{left}}", "UTC", 511860, "5 days 22 hours 11 minutes"},
      {"one", "{{left}}", "UTC", 90060, "1 day 1 hour 1 minute"},
      {"soon", "{{left}}", "UTC", 5, "1 minute"},
      {"epoch", "|{{epoch:+reset}}", "UTC", 7200, "|1764554400"},
      {"unknown", "{{clocks}} {x}", "UTC", 0, "{{clocks}} {x}"},
      {"message", "{{message}}!", "UTC", 0, "say \"no\"!"},
      {"in JSON", "\"{{message_json}}\"", "UTC", 0, "\"say \\\"no\\\"\""}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct text_scope scope = {.value = {.now_ns = EPOCH_S * NS_PER_S,
                                         .reset_ms = rows[i].in_s * 1000},
                               .message = "say \"no\"",
                               .zone = rows[i].zone};
    struct buf b;
    buf_init(&b, 1000);
    text_expand(rows[i].text, &scope, &b);
    if (strcmp(buf_str(&b), rows[i].want) != 0)
      fail_msg("%s: '%s'", rows[i].id, buf_str(&b));
    buf_release(&b);
  }
}

static void the_zone_of_the_process_is_put_back(void **state)
{
  (void)state;
  setenv("TZ", "Asia/Tokyo", 1);
  assert_int_equal(zone_time("America/Recife", EPOCH_S).tm_hour, 21);
  assert_string_equal(getenv("TZ"), "Asia/Tokyo");
  unsetenv("TZ");
  zone_time("UTC", EPOCH_S);
  assert_null(getenv("TZ"));
}

static void a_zone_is_a_name_of_the_database(void **state)
{
  static const char *const wrong[] = {
      "", "Mars/Base", "../zoneinfo/UTC", "/etc/localtime", ".", "Europe"};
  (void)state;
  assert_true(zone_known("UTC") && zone_known("Europe/Madrid"));
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_false(zone_known(wrong[i]));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(times_read_as_the_clients_print_them),
      cmocka_unit_test(the_zone_of_the_process_is_put_back),
      cmocka_unit_test(a_zone_is_a_name_of_the_database)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
