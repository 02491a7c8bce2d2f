#include "tests/unit/unit.h"

#include "mockserver/encode.h"

#include <brotli/decode.h>
#include <string.h>
#include <zlib.h>

/* windowBits a reader takes for each coding (zlib.h). */
static const int window_bits[] = {[ENCODING_GZIP] = 15 + 16,
                                  [ENCODING_DEFLATE] = 15,
                                  [ENCODING_DEFLATE_RAW] = -15};

enum { MAX_PLAIN = 1 << 20 };

/* What a reader makes of it; true when it has seen the end of the format. */
static bool inflate_all(enum encoding kind, struct bytes b, struct buf *ret)
{
  static unsigned char out[MAX_PLAIN];
  z_stream z = {0};
  assert_int_equal(inflateInit2(&z, window_bits[kind]), Z_OK);
  memcpy(&z.next_in, &b.p, sizeof b.p);
  z.avail_in = (uInt)b.n;
  z.next_out = out;
  z.avail_out = sizeof out;
  int rc = inflate(&z, Z_SYNC_FLUSH);
  buf_add(ret, out, sizeof out - z.avail_out);
  inflateEnd(&z);
  return rc == Z_STREAM_END;
}

static bool brotli_all(struct bytes b, struct buf *ret)
{
  static uint8_t out[MAX_PLAIN];
  BrotliDecoderState *d = BrotliDecoderCreateInstance(NULL, NULL, NULL);
  const uint8_t *in = (const uint8_t *)b.p;
  size_t in_n = b.n, room = sizeof out;
  uint8_t *at = out;
  BrotliDecoderResult rc =
      BrotliDecoderDecompressStream(d, &in_n, &in, &room, &at, NULL);
  buf_add(ret, out, sizeof out - room);
  BrotliDecoderDestroyInstance(d);
  return rc == BROTLI_DECODER_RESULT_SUCCESS;
}

static bool decode(enum encoding kind, struct bytes b, struct buf *ret)
{
  return kind == ENCODING_BR ? brotli_all(b, ret) : inflate_all(kind, b, ret);
}

static void each_piece_can_be_read_at_once_and_the_end_is_told(void **state)
{
  static const char *const pieces[] = {"data: one\n\n", "data: two\n\n", "x"};
  (void)state;
  for (int kind = ENCODING_GZIP; kind <= ENCODING_BR; kind++) {
    struct encoder *e = encoder_new((enum encoding)kind);
    struct buf coded, plain, want;
    buf_init(&coded, MAX_PLAIN);
    buf_init(&want, MAX_PLAIN);
    for (size_t i = 0; i < COUNT(pieces); i++) {
      buf_init(&plain, MAX_PLAIN);
      buf_adds(&want, pieces[i]);
      encoder_add(e, bytes_of(pieces[i]), &coded);
      assert_false(decode((enum encoding)kind, buf_bytes(&coded), &plain));
      assert_string_equal(buf_str(&plain), buf_str(&want));
      buf_release(&plain);
    }
    encoder_finish(e, &coded);
    buf_init(&plain, MAX_PLAIN);
    assert_true(decode((enum encoding)kind, buf_bytes(&coded), &plain));
    assert_string_equal(buf_str(&plain), buf_str(&want));
    encoder_free(e);
    buf_release(&coded);
    buf_release(&plain);
    buf_release(&want);
  }
}

static void a_large_body_comes_back_the_same(void **state)
{
  (void)state;
  struct buf text;
  buf_init(&text, MAX_PLAIN);
  for (int i = 0; text.n < 300000; i++)
    buf_addf(&text, "%d %x;", i, i * 7919);
  for (int kind = ENCODING_GZIP; kind <= ENCODING_BR; kind++) {
    struct encoder *e = encoder_new((enum encoding)kind);
    struct buf coded, plain;
    buf_init(&coded, MAX_PLAIN);
    buf_init(&plain, MAX_PLAIN);
    encoder_add(e, buf_bytes(&text), &coded);
    encoder_finish(e, &coded);
    assert_true(coded.n < text.n / 2);
    assert_true(decode((enum encoding)kind, buf_bytes(&coded), &plain));
    assert_true(bytes_equal(buf_bytes(&plain), buf_bytes(&text)));
    encoder_free(e);
    buf_release(&coded);
    buf_release(&plain);
  }
  buf_release(&text);
}

static void the_forms_begin_as_their_rfcs_say(void **state)
{
  (void)state;
  /* RFC 1952: 1f 8b 08; RFC 1950: CMF 78; RFC 1951 has no header */
  static const struct {
    enum encoding kind;
    const char *name, *first;
  } rows[] = {{ENCODING_GZIP, "gzip", "\x1f\x8b\x08"},
              {ENCODING_DEFLATE, "deflate", "\x78"},
              {ENCODING_DEFLATE_RAW, "deflate", ""},
              {ENCODING_BR, "br", ""}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct encoder *e = encoder_new(rows[i].kind);
    struct buf coded;
    buf_init(&coded, MAX_PLAIN);
    encoder_add(e, BYTES("{}"), &coded);
    assert_true(bytes_starts(buf_bytes(&coded), bytes_of(rows[i].first)));
    assert_string_equal(encoding_name(rows[i].kind), rows[i].name);
    assert_true(rows[i].kind != ENCODING_DEFLATE_RAW || coded.p[0] != 0x78);
    encoder_free(e);
    buf_release(&coded);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_piece_can_be_read_at_once_and_the_end_is_told),
      cmocka_unit_test(a_large_body_comes_back_the_same),
      cmocka_unit_test(the_forms_begin_as_their_rfcs_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
