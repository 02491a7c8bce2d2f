#include "mockserver/ids.h"

void ids_init(struct ids *ids, uint64_t seed)
{
  ids->state = seed;
}

/* splitmix64 (Steele, Lea, Flood 2014), public domain. */
static uint64_t next(struct ids *ids)
{
  uint64_t z = (ids->state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static void add(struct ids *ids, const char *alphabet, uint64_t base, size_t n,
                struct buf *ret)
{
  uint64_t bits = 0;
  for (size_t i = 0; i < n; i++) {
    if (i % 8 == 0)
      bits = next(ids);
    buf_addc(ret, alphabet[bits % base]);
    bits /= base;
  }
}

void ids_base62(struct ids *ids, size_t n, struct buf *ret)
{
  add(ids, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 62,
      n, ret);
}

void ids_hex(struct ids *ids, size_t n, struct buf *ret)
{
  add(ids, "0123456789abcdef", 16, n, ret);
}

double ids_fraction(struct ids *ids)
{
  /* the 53 bits a double holds */
  return (double)(next(ids) >> 11) / 9007199254740992.0;
}
