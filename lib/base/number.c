#include "base/number.h"

enum number_result number_take_u64(struct bytes *s, uint64_t max, uint64_t *ret)
{
  uint64_t v = 0;
  size_t i = 0;
  bool over = false;
  for (; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++) {
    uint64_t digit = (uint64_t)(s->p[i] - '0');
    if (over || digit > max || v > (max - digit) / 10)
      over = true;
    else
      v = v * 10 + digit;
  }
  if (i == 0)
    return NUMBER_NONE;
  s->p += i;
  s->n -= i;
  if (over)
    return NUMBER_TOO_BIG;
  *ret = v;
  return NUMBER_OK;
}

enum number_result number_u64(struct bytes s, uint64_t max, uint64_t *ret)
{
  uint64_t v = 0;
  enum number_result r = number_take_u64(&s, max, &v);
  if (r == NUMBER_NONE || s.n)
    return NUMBER_NONE;
  if (r == NUMBER_OK)
    *ret = v;
  return r;
}

enum number_result number_i64(struct bytes s, int64_t min, int64_t max,
                              int64_t *ret)
{
  bool minus = s.n && s.p[0] == '-';
  uint64_t v = 0;
  if (minus) {
    s.p++;
    s.n--;
  }
  enum number_result r = number_u64(s, INT64_MAX, &v);
  if (r != NUMBER_OK)
    return r;
  int64_t signed_value = minus ? -(int64_t)v : (int64_t)v;
  if (signed_value < min || signed_value > max)
    return NUMBER_TOO_BIG;
  *ret = signed_value;
  return NUMBER_OK;
}

/* Digits behind the point as a fraction below 1; false without a digit. */
static bool fraction(struct bytes s, double *ret)
{
  double scale = 0.1, v = 0;
  if (s.n == 0)
    return false;
  for (size_t i = 0; i < s.n; i++, scale /= 10) {
    if (s.p[i] < '0' || s.p[i] > '9')
      return false;
    v += scale * (s.p[i] - '0');
  }
  *ret = v;
  return true;
}

enum number_result number_decimal(struct bytes s, double min, double max,
                                  double *ret)
{
  bool minus = s.n && s.p[0] == '-';
  uint64_t whole = 0;
  double part = 0;
  if (minus) {
    s.p++;
    s.n--;
  }
  enum number_result r = number_take_u64(&s, (uint64_t)1 << 53, &whole);
  if (r != NUMBER_OK)
    return r;
  if (s.n &&
      (s.p[0] != '.' || !fraction((struct bytes){s.p + 1, s.n - 1}, &part)))
    return NUMBER_NONE;
  double v = (double)whole + part;
  v = minus ? -v : v;
  if (v < min || v > max)
    return NUMBER_TOO_BIG;
  *ret = v;
  return NUMBER_OK;
}
