#include "base/json_exact.h"

#include "base/number.h"

#include <inttypes.h>
#include <string.h>

/* Digits that always fit a double: 10^15 is below 2^53. */
enum { SAFE_DIGITS = 15 };

/* 2^53: every whole number up to it is exact in a double. */
#define EXACT 9007199254740992.0

/* The string at the front, its quotes included; all of `s` when it has no
 * end. */
static size_t add_string(struct bytes s, struct buf *ret)
{
  size_t i = 1;
  buf_addc(ret, '"');
  while (i < s.n && s.p[i] != '"') {
    size_t k = s.p[i] == '\\' && i + 1 < s.n ? 2 : 1;
    if (bytes_starts((struct bytes){s.p + i, s.n - i}, BYTES("\\u0000"))) {
      buf_adds(ret, "\\ufffd");
      i += 6;
      continue;
    }
    buf_add(ret, s.p + i, k);
    i += k;
  }
  if (i == s.n)
    return i;
  buf_addc(ret, '"');
  return i + 1;
}

static bool is_number_byte(char c)
{
  return (c >= '0' && c <= '9') || (c && strchr("+-.eE", c));
}

/* A whole number too long for a double goes between quotes. */
static size_t add_number(struct bytes s, struct buf *ret)
{
  size_t n = 0, digits = 0;
  while (n < s.n && is_number_byte(s.p[n]))
    n++;
  size_t sign = s.p[0] == '-';
  while (sign + digits < n && s.p[sign + digits] >= '0' &&
         s.p[sign + digits] <= '9')
    digits++;
  bool quote = digits > SAFE_DIGITS && sign + digits == n;
  if (quote)
    buf_addc(ret, '"');
  buf_add(ret, s.p, n);
  if (quote)
    buf_addc(ret, '"');
  return n;
}

void json_exact(struct bytes text, struct buf *ret)
{
  for (size_t i = 0; i < text.n;) {
    struct bytes rest = {text.p + i, text.n - i};
    if (rest.p[0] == '"') {
      i += add_string(rest, ret);
    } else if (is_number_byte(rest.p[0])) {
      i += add_number(rest, ret);
    } else {
      buf_addc(ret, rest.p[0]);
      i++;
    }
  }
}

static bool is_exact(const cJSON *node)
{
  double d = cJSON_IsNumber(node) ? node->valuedouble : EXACT;
  return d > -EXACT && d < EXACT && !(d < (double)(int64_t)d) &&
         !(d > (double)(int64_t)d);
}

int jval_i64(const struct jval *v, int64_t min, int64_t max, int64_t *ret,
             struct diag *diag)
{
  int64_t n = is_exact(v->node) ? (int64_t)v->node->valuedouble : 0;
  bool good = is_exact(v->node) && n >= min && n <= max;
  if (cJSON_IsString(v->node))
    good =
        number_i64(bytes_of(v->node->valuestring), min, max, &n) == NUMBER_OK;
  if (!good)
    return jval_error(v, diag,
                      "must be a whole number from %" PRId64 " to %" PRId64,
                      min, max);
  *ret = n;
  return 0;
}

int jval_u64(const struct jval *v, uint64_t max, uint64_t *ret,
             struct diag *diag)
{
  double d = is_exact(v->node) ? v->node->valuedouble : -1;
  uint64_t n = d >= 0 ? (uint64_t)d : 0;
  bool good = d >= 0 && n <= max;
  if (cJSON_IsString(v->node))
    good = number_u64(bytes_of(v->node->valuestring), max, &n) == NUMBER_OK;
  if (!good)
    return jval_error(v, diag, "must be a whole number from 0 to %" PRIu64,
                      max);
  *ret = n;
  return 0;
}
