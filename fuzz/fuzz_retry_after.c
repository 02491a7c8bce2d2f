/*
 * fuzz_retry_after.c - input: "field name LF value"; without LF the whole is
 * the value of retry-after.
 */
#include "fuzz/fuzz.h"
#include "guard/retry_after.h"

#define UNTOUCHED INT64_C(-4242)

struct outcome {
  enum guard_hint hint;
  int64_t wait_ms;
};

static void check_outcome(struct outcome o)
{
  PROPERTY(o.hint >= GUARD_HINT_ABSENT && o.hint <= GUARD_HINT_STOP,
           "the hint is one of the four");
  if (o.hint == GUARD_HINT_WAIT)
    PROPERTY(o.wait_ms >= 0, "a wait is never negative");
  else
    PROPERTY(o.wait_ms == UNTOUCHED, "without a wait the result is untouched");
}

static struct outcome read_field(const char *name, const char *value, size_t n)
{
  struct outcome o = {GUARD_HINT_ABSENT, UNTOUCHED};

  o.hint = guard_retry_after_field(name, value, n, FUZZ_NOW_EPOCH_S * 1000,
                                   &o.wait_ms);
  check_outcome(o);
  return o;
}

/* The plainest form, read a second time by the simplest code there is. */
static void check_delay_seconds(const char *value, size_t n, struct outcome o)
{
  int64_t seconds = 0;

  if (n == 0 || n > 9)
    return;
  for (size_t i = 0; i < n; i++) {
    if (value[i] < '0' || value[i] > '9')
      return;
    seconds = seconds * 10 + (value[i] - '0');
  }
  PROPERTY(o.hint == GUARD_HINT_WAIT, "digits are a wait (RFC 9110 10.2.3)");
  PROPERTY(o.wait_ms == seconds * 1000, "digits are seconds");
}

static void check_all_headers(const char *name, const char *value, size_t n)
{
  struct guard_header header = {name, value, n};
  struct outcome o = {GUARD_HINT_ABSENT, UNTOUCHED};

  o.hint = guard_retry_after(&header, 1, FUZZ_NOW_EPOCH_S * 1000, &o.wait_ms);
  check_outcome(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const uint8_t *lf = size ? memchr(data, '\n', size) : NULL;
  size_t name_n = lf ? (size_t)(lf - data) : 0;
  size_t value_n = lf ? size - name_n - 1 : size;
  char *name = lf ? fuzz_text(data, name_n) : fuzz_text("retry-after", 11);
  char *value = fuzz_text(lf ? lf + 1 : data, value_n);
  char *tight = fuzz_copy(value, value_n);
  struct outcome o = read_field(name, tight, value_n);
  struct outcome again = read_field(name, value, value_n);
  struct outcome text = {GUARD_HINT_ABSENT, UNTOUCHED};

  PROPERTY(o.hint == again.hint && o.wait_ms == again.wait_ms,
           "same bytes, same answer, whatever lies behind them");
  check_delay_seconds(value, value_n,
                      read_field("Retry-After", value, value_n));
  check_all_headers(name, value, value_n);
  text.hint = guard_retry_after_text(tight, value_n, FUZZ_NOW_EPOCH_S * 1000,
                                     &text.wait_ms);
  check_outcome(text);
  free(tight);
  free(value);
  free(name);
  return 0;
}
