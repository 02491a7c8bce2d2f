/*
 * What must hold of every retry hint, whatever the bytes: the rows of
 * retry_after.tsv with each byte turned, left out and doubled, and bytes by a
 * seed. The values lie at the end of memory (tight.h).
 */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "guard/retry_after.h"
#include "tests/unit/guard/tight.h"

#include <ctype.h>
#include <inttypes.h>

#define TSV SOURCE_DIR "/tests/fixtures/vectors/retry_after.tsv"
#define NOW_MS INT64_C(1764547200000)
#define UNTOUCHED INT64_C(-4242)
#define SEED UINT64_C(20251201)
enum { MAX_VALUE = 1024, FEWEST_ROWS = 240, RANDOM_VALUES = 150000 };

static struct tight memory;

struct outcome {
  enum guard_hint hint;
  int64_t wait_ms;
};

static struct outcome read_at(const char *name, const char *value, size_t n,
                              int64_t now_ms)
{
  struct outcome o = {GUARD_HINT_ABSENT, UNTOUCHED};

  o.hint = guard_retry_after_field(name, tight_copy(&memory, value, n), n,
                                   now_ms, &o.wait_ms);
  return o;
}

static bool in_range(struct outcome o)
{
  return o.hint == GUARD_HINT_WAIT
             ? o.wait_ms >= 0
             : o.hint <= GUARD_HINT_STOP && o.wait_ms == UNTOUCHED;
}

static bool equal(struct outcome a, struct outcome b)
{
  return a.hint == b.hint && a.wait_ms == b.wait_ms;
}

static void upper(const char *name, char *ret, size_t size)
{
  size_t i = 0;

  for (; name[i] && i < size - 1; i++)
    ret[i] = (char)toupper((unsigned char)name[i]);
  ret[i] = '\0';
}

static void check_value(const char *name, const char *value, size_t n)
{
  struct outcome o = read_at(name, value, n, NOW_MS), again;
  struct guard_header header = {name, NULL, n};
  char other[128];

  if (!in_range(o))
    fail_msg("%s: '%.*s': hint %d, wait %" PRId64, name, (int)n, value,
             (int)o.hint, o.wait_ms);
  upper(name, other, sizeof other);
  again = read_at(other, value, n, NOW_MS);
  if (!equal(o, again))
    fail_msg("%s in capitals: '%.*s' is another wait", name, (int)n, value);
  /* as one header of an answer it says the same; length 0 means a text */
  header.value = tight_copy(&memory, value, n);
  again.wait_ms = UNTOUCHED;
  again.hint = guard_retry_after(&header, n > 0, NOW_MS, &again.wait_ms);
  if (n > 0 && !equal(o, again))
    fail_msg("%s alone in an answer: '%.*s' is another wait", name, (int)n,
             value);
}

/* A later look at the same date never waits longer. Two-digit years are out:
 * they mean the nearest year (RFC 9110 5.6.7); so are clock times. */
static void check_later(const char *name, const char *value, size_t n)
{
  static const int64_t nows_ms[] = {0,
                                    INT64_C(1000000000000),
                                    NOW_MS - 86400000,
                                    NOW_MS - 1,
                                    NOW_MS,
                                    NOW_MS + 1,
                                    NOW_MS + 999,
                                    NOW_MS + 27000,
                                    NOW_MS + 86400000,
                                    INT64_C(4102444800000),
                                    INT64_C(253402300799000)};
  struct outcome before = read_at(name, value, n, nows_ms[0]);

  if (strcmp(name, "text") == 0 || memmem(value, n, "day,", 4))
    return;
  for (size_t i = 1; i < COUNT(nows_ms); i++) {
    struct outcome o = read_at(name, value, n, nows_ms[i]);

    if (o.hint != before.hint || o.wait_ms > before.wait_ms)
      fail_msg("%s: '%.*s': %" PRId64 " ms at %" PRId64 ", more than before",
               name, (int)n, value, o.wait_ms, nows_ms[i]);
    before = o;
  }
}

static size_t unescape(char *s)
{
  static const char letters[] = "\\trn", bytes[] = "\\\t\r\n";
  char *to = s;

  for (const char *p = s; *p; p++) {
    const char *letter = p[0] == '\\' ? strchr(letters, p[1]) : NULL;

    if (p[0] != '\\') {
      *to++ = *p;
    } else if (letter) {
      *to++ = bytes[letter - letters];
      p++;
    } else {
      unsigned byte = 0;

      assert_true(p[1] == 'x');
      for (int i = 2; i < 4; i++)
        byte = byte * 16 + (unsigned)(isdigit((unsigned char)p[i])
                                          ? p[i] - '0'
                                          : p[i] - 'a' + 10);
      *to++ = (char)byte;
      p += 3;
    }
  }
  return (size_t)(to - s);
}

static void check_row(const char *name, char *raw)
{
  char changed[MAX_VALUE + 1];
  size_t n = unescape(raw);

  assert_true(n < MAX_VALUE);
  check_value(name, raw, n);
  check_later(name, raw, n);
  for (size_t at = 0; at < n; at++)
    for (int change = 0; change < TIGHT_CHANGES; change++) {
      size_t k = tight_change(raw, n, at, change, changed);

      check_value(name, changed, k);
      if (change >= TIGHT_DELETE)
        check_later(name, changed, k);
    }
}

static void every_row_holds_with_each_byte_changed(void **state)
{
  struct diag diag = {0};
  struct buf text;
  char *left, *line;
  int rows = 0;

  (void)state;
  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(TSV, &text, &diag), 0);
  line = strtok_r(text.p, "\n", &left);
  while ((line = strtok_r(NULL, "\n", &left))) {
    char *name, *raw;

    strsep(&line, "\t");
    name = strsep(&line, "\t");
    raw = strsep(&line, "\t");
    if (!raw || strcmp(name, "combo") == 0 || strcmp(raw, "\\N") == 0)
      continue;
    check_row(name, raw);
    rows++;
  }
  buf_release(&text);
  assert_true(rows >= FEWEST_ROWS);
}

static const char *const names[] = {"retry-after",
                                    "retry-after-ms",
                                    "x-ms-retry-after-ms",
                                    "x-amz-retry-after",
                                    "grpc-retry-pushback-ms",
                                    "ratelimit",
                                    "ratelimit-reset",
                                    "anthropic-ratelimit-unified-5h-reset",
                                    "anthropic-ratelimit-requests-reset",
                                    "x-ratelimit-reset-tokens",
                                    "x-ratelimit-reset",
                                    "x-codex-primary-reset-at",
                                    "google.rpc.RetryInfo.retryDelay",
                                    "text"};

static const char *const pieces[] = {"0",
                                     "9",
                                     "27",
                                     ".",
                                     "5",
                                     "-",
                                     "+",
                                     "e3",
                                     " ",
                                     "\t",
                                     ",",
                                     ";",
                                     ":",
                                     "s",
                                     "ms",
                                     "m",
                                     "h",
                                     "GMT",
                                     "Z",
                                     "T",
                                     "Mon, ",
                                     "Monday, ",
                                     "01",
                                     "Dec",
                                     " 2025",
                                     "00:00",
                                     "\"a\"",
                                     "r=0",
                                     "t=30",
                                     "try again in ",
                                     "resets ",
                                     "pm",
                                     "(UTC)",
                                     "|",
                                     "\xe2\x88\x99",
                                     "\xff",
                                     "9223372036854775807",
                                     "1764547227",
                                     "2025-12-01",
                                     "usage limit reached"};

static void values_by_a_seed_stay_in_range(void **state)
{
  uint64_t seed = SEED;
  char value[MAX_VALUE];

  (void)state;
  print_message("seed %" PRIu64 "\n", seed);
  for (int i = 0; i < RANDOM_VALUES; i++) {
    const char *name = names[seeded_below(&seed, COUNT(names))];
    size_t n = 0, parts = seeded_below(&seed, 9);

    for (size_t k = 0; k < parts; k++) {
      const char *piece = pieces[seeded_below(&seed, COUNT(pieces))];

      memcpy(value + n, piece, strlen(piece));
      n += strlen(piece);
    }
    check_value(name, value, n);
    check_later(name, value, n);
  }
}

/* More digits never ask for less; the end of the numbers is a wait. */
static void waits_saturate(void **state)
{
  static const struct {
    const char *name, *before, *behind;
  } forms[] = {
      {"retry-after", "", ""},
      {"retry-after", "", ".999999999999"},
      {"retry-after-ms", "", ""},
      {"x-amz-retry-after", "", ""},
      {"ratelimit", "\"a\";r=0;t=", ""},
      {"ratelimit-reset", "", ""},
      {"x-ratelimit-reset-tokens", "", "h"},
      {"x-ratelimit-reset-tokens", "", "ns"},
      {"google.rpc.RetryInfo.retryDelay", "", "s"},
      {"text", "try again in ", " days"},
  };
  char value[MAX_VALUE];

  (void)state;
  for (size_t i = 0; i < COUNT(forms); i++) {
    int64_t before_ms = 0;

    for (size_t digits = 1; digits <= 400; digits++) {
      size_t n = strlen(forms[i].before), behind = strlen(forms[i].behind);
      struct outcome o;

      memcpy(value, forms[i].before, n);
      memset(value + n, '9', digits);
      memcpy(value + n + digits, forms[i].behind, behind);
      o = read_at(forms[i].name, value, n + digits + behind, NOW_MS);
      if (o.hint != GUARD_HINT_WAIT || o.wait_ms < before_ms)
        fail_msg("%s with %zu digits: %" PRId64 " ms", forms[i].name, digits,
                 o.wait_ms);
      before_ms = o.wait_ms;
    }
    assert_true(before_ms > INT64_MAX / 10000000); /* "ns" has the smallest */
  }
}

static int set_up(void **state)
{
  (void)state;
  tight_init(&memory, MAX_VALUE + 1);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  tight_release(&memory);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_holds_with_each_byte_changed),
      cmocka_unit_test(values_by_a_seed_stay_in_range),
      cmocka_unit_test(waits_saturate),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
