/*
 * fuzz_number.c - the one reader of decimal numbers, against the plainest
 * code there is.
 */
#include "base/number.h"
#include "fuzz/fuzz.h"

#include <inttypes.h>

#define UNTOUCHED 4242
/* 1*DIGIT at the front; false when it does not fit into 64 bits. */
static bool digits_of(struct bytes s, size_t *ret_n, uint64_t *ret)
{
  bool fits = true;

  *ret = 0;
  for (*ret_n = 0; *ret_n < s.n && s.p[*ret_n] >= '0' && s.p[*ret_n] <= '9';
       ++*ret_n)
    fits = fits && !__builtin_mul_overflow(*ret, 10, ret) &&
           !__builtin_add_overflow(*ret, (uint64_t)(s.p[*ret_n] - '0'), ret);
  return fits;
}

static void check_unsigned(struct bytes s, uint64_t max)
{
  size_t n;
  uint64_t value;
  bool fits = digits_of(s, &n, &value);
  uint64_t got = UNTOUCHED, taken = UNTOUCHED;
  struct bytes rest = s;
  enum number_result want = n == 0                 ? NUMBER_NONE
                            : !fits || value > max ? NUMBER_TOO_BIG
                                                   : NUMBER_OK;

  PROPERTY(number_take_u64(&rest, max, &taken) == want,
           "digits are a number up to the maximum");
  PROPERTY(rest.n == s.n - n, "all digits are taken, and nothing else");
  PROPERTY(taken == (want == NUMBER_OK ? value : UNTOUCHED),
           "the number is the number");
  PROPERTY(number_u64(s, max, &got) == (n == s.n ? want : NUMBER_NONE),
           "the whole must be digits");
}

static void check_signed(struct bytes s, int64_t min, int64_t max)
{
  int64_t got = UNTOUCHED, again = 0;
  char text[24];

  if (number_i64(s, min, max, &got) != NUMBER_OK) {
    PROPERTY(got == UNTOUCHED, "without a number nothing is set");
    return;
  }
  PROPERTY(got >= min && got <= max, "a number is within its range");
  snprintf(text, sizeof text, "%" PRId64, got);
  PROPERTY(number_i64(bytes_of(text), min, max, &again) == NUMBER_OK &&
               again == got,
           "printed and read again it is the same");
}

static void check_decimal(struct bytes s, double max)
{
  double got = UNTOUCHED;
  int64_t whole = 0;

  if (number_decimal(s, -max, max, &got) == NUMBER_OK)
    PROPERTY(got >= -max && got <= max, "a decimal is within its range");
  else
    PROPERTY(got == UNTOUCHED, "without a decimal nothing is set");
  if (number_i64(s, -1000, 1000, &whole) == NUMBER_OK && max >= 1000)
    PROPERTY(got == (double)whole, "a whole number is a decimal");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const uint64_t maxima[] = {0, 9, 10, 99, INT64_MAX, UINT64_MAX};
  char *copy = fuzz_copy(data, size);
  struct bytes s = {copy, size};

  for (size_t i = 0; i < sizeof maxima / sizeof *maxima; i++)
    check_unsigned(s, maxima[i]);
  check_signed(s, INT64_MIN, INT64_MAX);
  check_signed(s, -128, 255);
  check_decimal(s, 86400);
  check_decimal(s, 1);
  free(copy);
  return 0;
}
