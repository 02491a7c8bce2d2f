#include "mockserver/base64.h"

static int digit(char c)
{
  if (c >= 'A' && c <= 'Z')
    return c - 'A';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 26;
  if (c >= '0' && c <= '9')
    return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* One group of four; `last` allows padding. Returns false when wrong. */
static bool group(const char *p, bool last, struct buf *ret)
{
  int pad = !last ? 0 : p[3] != '=' ? 0 : p[2] != '=' ? 1 : 2;
  uint32_t bits = 0;
  for (int i = 0; i < 4 - pad; i++) {
    if (digit(p[i]) < 0)
      return false;
    bits |= (uint32_t)digit(p[i]) << (18 - 6 * i);
  }
  for (int i = 0; i < 3 - pad; i++)
    buf_addc(ret, (char)(bits >> (16 - 8 * i) & 0xff));
  return true;
}

bool base64_decode(struct bytes text, struct buf *ret)
{
  if (text.n % 4 != 0)
    return false;
  for (size_t i = 0; i < text.n; i += 4)
    if (!group(text.p + i, i + 4 == text.n, ret))
      return false;
  return true;
}

void base64_encode(struct bytes raw, struct buf *ret)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < raw.n; i += 3) {
    uint32_t bits = 0;
    size_t n = raw.n - i < 3 ? raw.n - i : 3;
    for (size_t k = 0; k < n; k++)
      bits |= (uint32_t)(unsigned char)raw.p[i + k] << (16 - 8 * k);
    for (size_t k = 0; k < 4; k++)
      buf_addc(ret, k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
  }
}
