#include "harness/progress.h"
#include "tests/unit/unit.h"

#include "base/clock.h"

#include <string.h>

#define S(n) ((int64_t)(n)*NS_PER_S)

static const struct progress_view busy = {.total = 86,
                                          .done = 12,
                                          .running = 4,
                                          .red = 2,
                                          .at_once = 4,
                                          .sum_ns = S(60),
                                          .slowest =
                                              "overload/529-storm-of-calls",
                                          .slowest_ns = S(12),
                                          .running_ns = S(20)};

static const struct {
  const char *id;
  size_t columns;
  const char *line;
} widths[] = {
    {"wide", 200,
     "12/86, 2 red, 1 min 28 s left, 4 running, slowest "
     "overload/529-storm-of-calls 12 s"},
    {"eighty", 80,
     "12/86, 2 red, 1 min 28 s left, 4 running, slowest "
     "overload/529-storm.. 12 s"},
    {"sixty", 60, "12/86, 2 red, 1 min 28 s left, 4 running, overlo.. 12 s"},
    {"fifty", 50, "12/86, 2 red, 1 min 28 s left, 4 running"},
    {"forty", 40, "12/86, 2 red, 1 min 28 s left"},
    {"thirty", 30, "12/86, 2 red, 4 running"},
    {"ten", 10, "12/86"},
    {"six", 6, ""},
    {"none", 0, ""},
};

static void a_line_fits_the_terminal_the_best_part_first(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(widths); i++) {
    struct buf b;
    buf_init(&b, 1000);
    progress_line(&busy, widths[i].columns, &b);
    if (strcmp(buf_str(&b), widths[i].line) != 0)
      fail_msg("%s: '%s'", widths[i].id, buf_str(&b));
    buf_release(&b);
  }
}

static void no_width_makes_a_line_too_long(void **state)
{
  (void)state;
  for (size_t columns = 0; columns < 220; columns++) {
    struct buf b;
    buf_init(&b, 1000);
    progress_line(&busy, columns, &b);
    if (b.n + PROGRESS_MARGIN > columns && b.n > 0)
      fail_msg("%zu columns: '%s'", columns, buf_str(&b));
    buf_release(&b);
  }
}

static void a_name_cannot_drive_the_terminal(void **state)
{
  struct progress_view v = busy;
  struct buf b;
  (void)state;
  v.slowest = "a\033[2J\r\n\xc3\xa9 b";
  buf_init(&b, 1000);
  progress_line(&v, 200, &b);
  for (size_t i = 0; i < b.n; i++)
    assert_true(b.p[i] >= ' ' && b.p[i] < 0x7f);
  assert_non_null(strstr(buf_str(&b), "a?[2J?"
                                      "?"
                                      "?"
                                      "?"
                                      "?b"));
  buf_release(&b);
}

static const struct {
  const char *id;
  struct progress_view v;
  int64_t left_ns;
} rests[] = {
    {"nothing done", {.total = 9, .running = 2, .at_once = 2}, -1},
    {"all done", {.total = 3, .done = 3, .at_once = 2, .sum_ns = S(9)}, 0},
    {"six to go, two at a time, three seconds each",
     {.total = 9, .done = 3, .at_once = 2, .sum_ns = S(9)},
     S(9)},
    {"one of them has run for a second",
     {.total = 4,
      .done = 3,
      .running = 1,
      .at_once = 1,
      .sum_ns = S(9),
      .running_ns = S(1)},
     S(2)},
    {"longer than the others: no time is promised",
     {.total = 4,
      .done = 3,
      .running = 1,
      .at_once = 1,
      .sum_ns = S(9),
      .running_ns = S(50)},
     0},
};

static void the_rest_is_taken_to_be_like_what_is_done(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rests); i++)
    if (progress_left_ns(&rests[i].v) != rests[i].left_ns)
      fail_msg("%s: %lld", rests[i].id,
               (long long)progress_left_ns(&rests[i].v));
}

static const struct {
  const char *id;
  size_t width, columns;
  const char *bytes;
} erased[] = {
    {"one row", 70, 80, "\r\033[K"},
    {"a full row", 40, 40, "\r\033[K"},
    {"two rows since it got narrower", 70, 40, "\r\033[1A\033[J"},
    {"four rows", 70, 20, "\r\033[3A\033[J"},
    {"nothing drawn", 0, 80, "\r\033[K"},
    {"no columns", 70, 0, "\r\033[K"},
};

static void a_line_is_taken_away_whole(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(erased); i++) {
    struct buf b;
    buf_init(&b, 100);
    progress_erase(erased[i].width, erased[i].columns, &b);
    if (strcmp(buf_str(&b), erased[i].bytes) != 0)
      fail_msg("%s", erased[i].id);
    buf_release(&b);
  }
}

static void times_are_told_in_units_people_use(void **state)
{
  static const struct {
    int64_t ns;
    const char *says;
  } rows[] = {{S(0), "0 s left"},
              {S(59), "59 s left"},
              {S(60), "1 min 00 s left"},
              {S(3599), "59 min 59 s left"},
              {S(3660), "1 h 01 min left"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct progress_view v = {
        .total = 2, .done = 1, .at_once = 1, .sum_ns = rows[i].ns};
    struct buf b;
    buf_init(&b, 1000);
    progress_line(&v, 80, &b);
    if (!strstr(buf_str(&b), rows[i].says))
      fail_msg("%s: %s", rows[i].says, buf_str(&b));
    buf_release(&b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_fits_the_terminal_the_best_part_first),
      cmocka_unit_test(no_width_makes_a_line_too_long),
      cmocka_unit_test(a_name_cannot_drive_the_terminal),
      cmocka_unit_test(the_rest_is_taken_to_be_like_what_is_done),
      cmocka_unit_test(a_line_is_taken_away_whole),
      cmocka_unit_test(times_are_told_in_units_people_use)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
