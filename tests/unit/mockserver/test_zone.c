#include "tests/unit/unit.h"

#include "mockserver/value.h"
#include "mockserver/zone_rule.h"

#include <string.h>

static void put(struct buf *b, uint64_t v, int bytes)
{
  for (int i = bytes - 1; i >= 0; i--)
    buf_addc(b, (char)(v >> (8 * i) & 0xff));
}

static void put_header(struct buf *b, unsigned time, unsigned type,
                       unsigned chars)
{
  buf_adds(b, "TZif2");
  for (int i = 0; i < 15; i++)
    buf_addc(b, 0);
  put(b, 0, 4);
  put(b, 0, 4);
  put(b, 0, 4);
  put(b, time, 4);
  put(b, type, 4);
  put(b, chars, 4);
}

/* Two types, one transition at the epoch second 1000, a rule behind it. */
static void make_file(struct buf *b, const char *rule)
{
  buf_init(b, 4096);
  put_header(b, 0, 1, 4); /* the 32-bit block that is skipped */
  for (int i = 0; i < 6 + 4; i++)
    buf_addc(b, 0);
  put_header(b, 1, 2, 8);
  put(b, 1000, 8);
  buf_addc(b, 1);
  put(b, (uint64_t)-3600, 4);
  put(b, 0, 2); /* standard, name at 0 */
  put(b, 3600, 4);
  put(b, 4, 2);
  buf_add(b, "OLD\0NEW\0", 8);
  buf_addf(b, "\n%s\n", rule);
}

static void expect_offset(const struct zone *z, int64_t epoch_s, int64_t east_s,
                          const char *name)
{
  struct zone_offset o;
  zone_at(z, epoch_s, &o);
  if (o.east_s != east_s || strcmp(o.name, name) != 0)
    fail_msg("at %lld: %lld %s instead of %lld %s", (long long)epoch_s,
             (long long)o.east_s, o.name, (long long)east_s, name);
}

static void a_file_is_read_and_its_rule_holds_behind_it(void **state)
{
  struct buf file;
  (void)state;
  make_file(&file, "CET-1CEST,M3.5.0,M10.5.0/3");
  struct zone *z = zone_parse(buf_bytes(&file));
  assert_non_null(z);
  expect_offset(z, -5, -3600, "OLD");
  expect_offset(z, 999, -3600, "OLD");
  /* 2025: summer time from 30 March 01:00 UTC to 26 October 01:00 UTC */
  expect_offset(z, 1743296399, 3600, "CET");
  expect_offset(z, 1743296400, 7200, "CEST");
  expect_offset(z, 1761440399, 7200, "CEST");
  expect_offset(z, 1761440400, 3600, "CET");
  zone_free(z);
  buf_release(&file);
  make_file(&file, "");
  z = zone_parse(buf_bytes(&file));
  expect_offset(z, 999, -3600, "OLD");
  expect_offset(z, 1000, 3600, "NEW");
  expect_offset(z, 1761440400, 3600, "NEW");
  zone_free(z);
  buf_release(&file);
}

static void a_file_cut_anywhere_is_refused_or_whole(void **state)
{
  struct buf file;
  size_t taken = 0;
  (void)state;
  make_file(&file, "UTC0");
  for (size_t n = 0; n < file.n; n++) {
    char *copy = mem_alloc(n + 1);
    memcpy(copy, file.p, n);
    struct zone *z = zone_parse((struct bytes){copy, n});
    taken += z != NULL;
    zone_free(z);
    free(copy);
  }
  /* without its footer a zone is one all the same */
  assert_int_equal(taken, strlen("\nUTC0\n"));
  buf_release(&file);
}

static void rules_are_those_of_posix(void **state)
{
  static const struct {
    const char *rule;
    int64_t epoch_s, east_s;
    const char *name;
  } rows[] = {{"<+0530>-5:30", 0, 19800, "+0530"},
              {"EST5EDT,M3.2.0,M11.1.0", 1741503600, -14400, "EDT"},
              {"EST5EDT,M3.2.0,M11.1.0", 1741503599, -18000, "EST"},
              /* the south: summer goes over the new year */
              {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1767225600, 39600, "AEDT"},
              {"AEST-10AEDT,M10.1.0,M4.1.0/3", 1751328000, 36000, "AEST"},
              /* day 60 of Julian counting is 1 March, leap year or not */
              {"XXX0YYY,J60/0,J61/0", 1709251200, 3600, "YYY"},
              {"XXX0YYY,59/0,60/0", 1709164800, 3600, "YYY"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct zone_rule r;
    struct zone_offset o;
    if (!zone_rule_read(bytes_of(rows[i].rule), &r))
      fail_msg("%s: refused", rows[i].rule);
    zone_rule_at(&r, rows[i].epoch_s, &o);
    if (o.east_s != rows[i].east_s || strcmp(o.name, rows[i].name) != 0)
      fail_msg("%s: %lld %s", rows[i].rule, (long long)o.east_s, o.name);
  }
  static const char *const wrong[] = {"",
                                      "CET",
                                      "5",
                                      "CET-1CEST",
                                      "CET-1CEST,M13.1.0,M1.1.0",
                                      "CET-1CEST,M3.5.0,M10.5.0/3x",
                                      "CET-168"};
  struct zone_rule r;
  for (size_t i = 0; i < COUNT(wrong); i++)
    if (zone_rule_read(bytes_of(wrong[i]), &r))
      fail_msg("'%s' was taken", wrong[i]);
}

static void values_of_local_time(void **state)
{
  static const struct {
    const char *text, *want;
  } rows[] = {{"{{local:+0 UTC '%Y-%m-%d %H:%M:%S %Z %z'}}",
               "2025-12-01 13:05:09 UTC +0000"},
              {"{{local:+7200 UTC '%-I%P'}}", "3pm"},
              {"{{local:-46000 UTC '%I:%M %p, %a %A %b %B %e %-d %y %%'}}",
               "12:18 AM, Mon Monday Dec December  1 1 25 %"}};
  struct value_scope s = {.now_ns = INT64_C(1764594309) * 1000000000};
  char wrong[80];
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf got;
    buf_init(&got, 256);
    assert_null(value_check(bytes_of(rows[i].text), wrong, sizeof wrong));
    value_expand(bytes_of(rows[i].text), &s, &got);
    assert_string_equal(buf_str(&got), rows[i].want);
    buf_release(&got);
  }
}

static void wrong_local_values_say_why(void **state)
{
  static const struct {
    const char *text, *says;
  } rows[] = {{"{{local:+1}}", "needs +n, a zone and a format"},
              {"{{local}}", "needs a number of seconds"},
              {"{{local:+1 UTC '%Q'}}", "a letter the format does not know"},
              {"{{local:+1 UTC '%'}}", "a letter the format does not know"},
              {"{{local:+1 ../UTC '%H'}}", "needs the name of a zone"},
              {"{{local:+1 Nowhere/Atlantis '%H'}}", ""},
              {"{{hex:c}}", "pairs of hexadecimal digits"},
              {"{{hex:zz}}", "pairs of hexadecimal digits"},
              {"{{hex}}", "pairs of hexadecimal digits"},
              {"{{remaining:3}}", "takes no number"}};
  char wrong[80];
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const char *why = value_check(bytes_of(rows[i].text), wrong, sizeof wrong);
    if (!why || !strstr(why, rows[i].says))
      fail_msg("%s: %s", rows[i].text, why ? why : "taken");
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_is_read_and_its_rule_holds_behind_it),
      cmocka_unit_test(a_file_cut_anywhere_is_refused_or_whole),
      cmocka_unit_test(rules_are_those_of_posix),
      cmocka_unit_test(values_of_local_time),
      cmocka_unit_test(wrong_local_values_say_why)};
  return cmocka_run_group_tests_name("zone", tests, NULL, NULL);
}
