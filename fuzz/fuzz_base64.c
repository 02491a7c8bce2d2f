/*
 * fuzz_base64.c - `body_base64` of a scenario; RFC 4648 section 4.
 */
#include "fuzz/fuzz.h"
#include "mockserver/base64.h"

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The way back, written anew. */
static void encode(struct bytes in, struct buf *ret)
{
  for (size_t i = 0; i < in.n; i += 3) {
    size_t left = in.n - i;
    uint32_t bits = (uint32_t)(unsigned char)in.p[i] << 16;

    if (left > 1)
      bits |= (uint32_t)(unsigned char)in.p[i + 1] << 8;
    if (left > 2)
      bits |= (unsigned char)in.p[i + 2];
    buf_addc(ret, alphabet[bits >> 18]);
    buf_addc(ret, alphabet[bits >> 12 & 63]);
    buf_addc(ret, left > 1 ? alphabet[bits >> 6 & 63] : '=');
    buf_addc(ret, left > 2 ? alphabet[bits & 63] : '=');
  }
}

static bool is_base64(struct bytes text)
{
  size_t digits = 0;

  while (digits < text.n && text.p[digits] != '\0' &&
         strchr(alphabet, text.p[digits]))
    digits++;
  for (size_t i = digits; i < text.n; i++)
    if (text.p[i] != '=' || text.n - digits > 2)
      return false;
  return text.n % 4 == 0;
}

static void check_decoded(struct bytes text)
{
  struct buf out, again;

  buf_init(&out, SIZE_MAX / 2);
  buf_init(&again, SIZE_MAX / 2);
  PROPERTY(base64_decode(text, &out) == is_base64(text),
           "base64 is read, and nothing else");
  if (is_base64(text)) {
    encode(buf_bytes(&out), &again);
    PROPERTY(again.n == text.n, "written again it has the same length");
    /* the last digit may have bits that are not used (RFC 4648 3.5) */
    if (text.n > 4)
      PROPERTY(memcmp(again.p, text.p, text.n - 4) == 0,
               "written again it is the same");
  }
  buf_release(&again);
  buf_release(&out);
}

/* Any bytes, written and read. */
static void check_encoded(struct bytes in)
{
  struct buf text, out;

  buf_init(&text, SIZE_MAX / 2);
  buf_init(&out, SIZE_MAX / 2);
  encode(in, &text);
  PROPERTY(base64_decode(buf_bytes(&text), &out), "what is base64 is read");
  PROPERTY(bytes_equal(buf_bytes(&out), in), "any bytes come back");
  buf_release(&out);
  buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *copy = fuzz_copy(data, size);

  check_decoded((struct bytes){copy, size});
  check_encoded((struct bytes){copy, size});
  free(copy);
  return 0;
}
