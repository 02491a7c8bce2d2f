/* Every row of tests/fixtures/vectors/retry_after.tsv, and what has no row. */
#include "base/file.h"
#include "guard/retry_after.h"
#include "tests/unit/unit.h"

#include <inttypes.h>

enum { COLUMNS = 11, MAX_FIELDS = 4, NO_ROW = -1 };
#define TSV SOURCE_DIR "/tests/fixtures/vectors/retry_after.tsv"

enum column { ID, HEADER, RAW, NOW, EXPECTED, VERDICT };

static int hex(char c)
{
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Undoes the escapes of the vectors in place; the length is returned. */
static size_t unescape(char *s)
{
  char *to = s;

  for (const char *p = s; *p; p++) {
    if (*p != '\\') {
      *to++ = *p;
      continue;
    }
    p++;
    if (*p == 'x') {
      *to++ = (char)(hex(p[1]) * 16 + hex(p[2]));
      p += 2;
    } else {
      *to++ = *p == 't' ? '\t' : *p == 'r' ? '\r' : *p == 'n' ? '\n' : *p;
    }
  }
  return (size_t)(to - s);
}

static int64_t number(const char *s)
{
  int64_t v = 0;

  for (; *s; s++)
    v = v * 10 + (*s - '0');
  return v;
}

static enum guard_hint read_combo(char *raw, int64_t now_ms, int64_t *ret_ms)
{
  struct guard_header headers[MAX_FIELDS];
  size_t n = 0;
  char *left;

  for (char *p = strtok_r(raw, ";", &left); p; p = strtok_r(NULL, ";", &left)) {
    char *value = strchr(p, '=');

    assert_true(value && n < MAX_FIELDS);
    *value = '\0';
    headers[n++] = (struct guard_header){p, value + 1, 0};
  }
  return guard_retry_after(headers, n, now_ms, ret_ms);
}

static enum guard_hint read_row(char *cells[COLUMNS], int64_t *ret_ms)
{
  int64_t now_ms = number(cells[NOW]) * 1000;
  size_t n;

  if (strcmp(cells[RAW], "\\N") == 0)
    return guard_retry_after(NULL, 0, now_ms, ret_ms);
  n = unescape(cells[RAW]);
  if (strcmp(cells[HEADER], "combo") == 0) {
    cells[RAW][n] = '\0';
    return read_combo(cells[RAW], now_ms, ret_ms);
  }
  return guard_retry_after_field(cells[HEADER], cells[RAW], n, now_ms, ret_ms);
}

static bool row_holds(char *cells[COLUMNS])
{
  int64_t wait_ms = NO_ROW;
  enum guard_hint hint = read_row(cells, &wait_ms);
  const char *expected = cells[EXPECTED];
  bool none = hint == GUARD_HINT_ABSENT || hint == GUARD_HINT_INVALID;
  bool right;

  if (strcmp(expected, "none") == 0)
    right = none && wait_ms == NO_ROW;
  else if (strcmp(expected, "stop") == 0)
    right = hint == GUARD_HINT_STOP && wait_ms == NO_ROW;
  else
    right = hint == GUARD_HINT_WAIT && wait_ms == number(expected);
  if (!right)
    print_error("%s %s (%s): expected %s, got hint %d wait %" PRId64 "\n",
                cells[ID], cells[HEADER], cells[VERDICT], expected, (int)hint,
                wait_ms);
  return right;
}

static void every_row_of_the_vectors_gives_its_value(void **state)
{
  struct buf text;
  struct diag diag;
  char *left, *line;
  int rows = 0, wrong = 0;

  (void)state;
  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(TSV, &text, &diag), 0);
  line = strtok_r(text.p, "\n", &left);
  for (line = strtok_r(NULL, "\n", &left); line;
       line = strtok_r(NULL, "\n", &left)) {
    char *cells[COLUMNS] = {0};

    for (int i = 0; i < COLUMNS; i++)
      cells[i] = strsep(&line, "\t");
    assert_non_null(cells[COLUMNS - 1]);
    rows++;
    wrong += !row_holds(cells);
  }
  buf_release(&text);
  assert_int_equal(rows, 262);
  assert_int_equal(wrong, 0);
}

static void fields_are_chosen_by_rank_then_by_length(void **state)
{
  static const struct {
    const char *id, *why;
    struct guard_header headers[MAX_FIELDS];
    enum guard_hint hint;
    int64_t wait_ms;
  } rows[] = {
      {"none", "nothing there", {{"date", "x", 0}}, GUARD_HINT_ABSENT, NO_ROW},
      {"ms",
       "ms is the finer one",
       {{"Retry-After", "1", 0}, {"Retry-After-Ms", "644", 0}},
       GUARD_HINT_WAIT,
       644},
      {"twice",
       "two lines of one field: the longer wait is obeyed",
       {{"retry-after", "5", 0}, {"retry-after", "9", 0}},
       GUARD_HINT_WAIT,
       9000},
      {"bad",
       "a field that says nothing is not a wait",
       {{"retry-after", "soon", 0}},
       GUARD_HINT_INVALID,
       NO_ROW},
      {"left",
       "a family with something left did not refuse",
       {{"x-ratelimit-reset-requests", "2m", 0},
        {"x-ratelimit-remaining-requests", "7", 0},
        {"x-ratelimit-reset-tokens", "6s", 0},
        {"x-ratelimit-remaining-tokens", "0", 0}},
       GUARD_HINT_WAIT,
       6000},
      {"stop",
       "a server that forbids it beats a wait",
       {{"retry-after", "5", 0}, {"grpc-retry-pushback-ms", "-1", 0}},
       GUARD_HINT_STOP,
       NO_ROW},
      {"unified",
       "the window that is rejected, not the one allowed",
       {{"anthropic-ratelimit-unified-5h-reset", "60", 0},
        {"anthropic-ratelimit-unified-5h-status", "rejected", 0},
        {"anthropic-ratelimit-unified-7d-reset", "600", 0},
        {"anthropic-ratelimit-unified-7d-status", "allowed", 0}},
       GUARD_HINT_WAIT,
       60000},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t wait_ms = NO_ROW;
    enum guard_hint hint =
        guard_retry_after(rows[i].headers, MAX_FIELDS, 0, &wait_ms);

    if (hint != rows[i].hint || wait_ms != rows[i].wait_ms)
      fail_msg("%s (%s): hint %d, wait %" PRId64, rows[i].id, rows[i].why,
               (int)hint, wait_ms);
  }
}

static void a_value_with_a_length_needs_no_end(void **state)
{
  const struct guard_header h = {"retry-after", "30 and more", 2};
  int64_t wait_ms = NO_ROW;

  (void)state;
  assert_int_equal(guard_retry_after(&h, 1, 0, &wait_ms), GUARD_HINT_WAIT);
  assert_int_equal(wait_ms, 30000);
}

static void times_of_the_clock_are_read_in_their_zone(void **state)
{
  static const struct {
    const char *id, *text;
    int64_t now_s, wait_s;
  } rows[] = {
      {"new-york-winter", "resets 1am (America/New_York)", 1764547200, 21600},
      {"new-york-summer", "resets 1am (America/New_York)", 1783123200, 18000},
      {"rome-summer", "resets 4:50am (Europe/Rome)", 1783123200, 10200},
      {"sydney-summer", "resets noon (Australia/Sydney)", 1764547200, NO_ROW},
      {"sydney", "resets 12pm (Australia/Sydney)", 1764547200, 3600},
      {"tomorrow", "resets 11pm (UTC)", 1764547200 + 23 * 3600 + 61, 86339},
      {"this-minute", "resets 11pm (UTC)", 1764547200 + 23 * 3600 + 59, 0},
      {"next-year", "resets Jan 2 at 12am (UTC)", 1764547200, 2764800},
      {"unknown-zone", "resets 4pm (Mars/Olympus)", 1764547200, NO_ROW},
      {"no-such-day", "resets Feb 30 at 4pm (UTC)", 1764547200, NO_ROW},
      {"open-zone", "resets 4pm (Europe/Rome", 1764547200, 57600},
      {"iso", "regain access on 2025-12-02 at 00:00 UTC.", 1764547200, 86400},
      {"comma", "resets Dec 3, 1:39am (UTC)", 1764547200, 178740},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t wait_ms = NO_ROW;
    int64_t expected = rows[i].wait_s < 0 ? NO_ROW : rows[i].wait_s * 1000;

    guard_retry_after_text(rows[i].text, strlen(rows[i].text),
                           rows[i].now_s * 1000, &wait_ms);
    if (wait_ms != expected)
      fail_msg("%s: wait %" PRId64 ", expected %" PRId64, rows[i].id, wait_ms,
               expected);
  }
}

static void the_servers_hint_beats_the_clients_own_plan(void **state)
{
  static const char text[] = "Retrying in 209ms. Try again in 4 seconds.";
  int64_t wait_ms = NO_ROW;

  (void)state;
  assert_int_equal(guard_retry_after_text(text, sizeof(text) - 1, 0, &wait_ms),
                   GUARD_HINT_WAIT);
  assert_int_equal(wait_ms, 4000);
}

static void a_value_stands_near_its_phrase(void **state)
{
  static const struct {
    const char *id, *why, *text;
    int64_t wait_ms;
  } rows[] = {
      {"near", "24 bytes of gap", "retry in                        9 s", 9000},
      {"far", "one byte more", "retry in                         9 s", NO_ROW},
      {"other number", "a number between two hints is none of theirs",
       "12345678 tokens, retry in 7 s, then 99999999", 7000},
      {"first", "of one phrase the first value counts",
       "try again in 20s ... try again in 30s", 20000},
      {"better", "of two phrases the better one, wherever it stands",
       "retrying in 5s; 17 tokens over, please try again in 30s", 30000},
      {"bar", "words may stand before a bar",
       "usage limit reached, and people write here whatever comes to their "
       "minds as long as there is a bar at the end of it|1764547260",
       60000},
      {"end", "a digit is the last byte", "retry-after: 7", 7000},
      {"none", "a phrase without any number", "please try again in a while",
       NO_ROW},
      {"split", "eight bytes at a time, a digit in each place",
       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa retry in 9s, with words behind "
       "it that fill more than the next thirty-two bytes",
       9000},
  };

  (void)state;
  for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
    int64_t wait_ms = NO_ROW;
    size_t n = strlen(rows[i].text);

    for (size_t from = 0; from < 8 && rows[i].text[from] == 'a'; from++) {
      guard_retry_after_text(rows[i].text + from, n - from, 0, &wait_ms);
      assert_int_equal(wait_ms, rows[i].wait_ms);
    }
    wait_ms = NO_ROW;
    guard_retry_after_text(rows[i].text, n, INT64_C(1764547200000), &wait_ms);
    if (wait_ms != rows[i].wait_ms)
      print_error("%s: %s\n", rows[i].id, rows[i].why);
    assert_int_equal(wait_ms, rows[i].wait_ms);
  }
}

static void far_ends_of_time_do_not_wrap(void **state)
{
  static const char date[] = "Fri, 31 Dec 9999 23:59:59 GMT";
  static const int64_t nows[] = {INT64_MIN, INT64_MIN + 1, -1, 0, INT64_MAX};

  (void)state;
  for (size_t i = 0; i < COUNT(nows); i++) {
    int64_t wait_ms = NO_ROW;

    assert_int_equal(guard_retry_after_field("retry-after", date,
                                             sizeof(date) - 1, nows[i],
                                             &wait_ms),
                     GUARD_HINT_WAIT);
    assert_true(wait_ms >= 0);
    if (nows[i] == INT64_MAX)
      assert_int_equal(wait_ms, 0);
    if (nows[i] == INT64_MIN)
      assert_true(wait_ms == INT64_MAX);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_of_the_vectors_gives_its_value),
      cmocka_unit_test(fields_are_chosen_by_rank_then_by_length),
      cmocka_unit_test(a_value_with_a_length_needs_no_end),
      cmocka_unit_test(times_of_the_clock_are_read_in_their_zone),
      cmocka_unit_test(the_servers_hint_beats_the_clients_own_plan),
      cmocka_unit_test(a_value_stands_near_its_phrase),
      cmocka_unit_test(far_ends_of_time_do_not_wrap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
