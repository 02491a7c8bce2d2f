#include "mockserver/encode.h"

#include <assert.h>
#include <brotli/encode.h>
#include <string.h>
#include <zlib.h>

const char *const encoding_words[] = {"gzip", "deflate", "deflate_raw", "br",
                                      NULL};

struct encoder {
  enum encoding kind;
  z_stream z;
  BrotliEncoderState *br; /* for br alone */
};

/* Bytes made at a time. */
enum { BLOCK = 16384 };

/* Brotli levels go to 11, which is for files; 5 is what servers take for
 * answers made on the fly. */
enum { BROTLI_LEVEL = 5 };

const char *encoding_name(enum encoding e)
{
  return e == ENCODING_DEFLATE_RAW ? "deflate" : encoding_words[e];
}

/* windowBits of deflateInit2(): 15 is the window, +16 asks for gzip, a
 * negative number for no wrapper (zlib.h). */
static int window_bits(enum encoding e)
{
  return e == ENCODING_GZIP ? 15 + 16 : e == ENCODING_DEFLATE ? 15 : -15;
}

struct encoder *encoder_new(enum encoding kind)
{
  struct encoder *e = mem_zalloc(sizeof *e);
  e->kind = kind;
  if (kind == ENCODING_BR) {
    e->br = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    assert(e->br);
    BrotliEncoderSetParameter(e->br, BROTLI_PARAM_QUALITY, BROTLI_LEVEL);
    return e;
  }
  /* memLevel 8: zlib's own default */
  int rc = deflateInit2(&e->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                        window_bits(kind), 8, Z_DEFAULT_STRATEGY);
  assert(rc == Z_OK);
  (void)rc;
  return e;
}

void encoder_free(struct encoder *e)
{
  if (!e)
    return;
  if (e->br)
    BrotliEncoderDestroyInstance(e->br);
  else
    deflateEnd(&e->z);
  free(e);
}

static void run_deflate(struct encoder *e, struct bytes b, int flush,
                        struct buf *ret)
{
  unsigned char block[BLOCK];
  /* next_in is not const in zlib's API; it is never written through */
  memcpy(&e->z.next_in, &b.p, sizeof b.p);
  e->z.avail_in = (uInt)b.n;
  do {
    e->z.next_out = block;
    e->z.avail_out = sizeof block;
    deflate(&e->z, flush);
    buf_add(ret, block, sizeof block - e->z.avail_out);
  } while (e->z.avail_out == 0);
}

static void run_brotli(struct encoder *e, struct bytes b,
                       BrotliEncoderOperation op, struct buf *ret)
{
  const uint8_t *in = (const uint8_t *)b.p;
  size_t in_n = b.n;
  do {
    uint8_t block[BLOCK], *out = block;
    size_t room = sizeof block;
    if (!BrotliEncoderCompressStream(e->br, op, &in_n, &in, &room, &out, NULL))
      return;
    buf_add(ret, block, sizeof block - room);
  } while (in_n > 0 || BrotliEncoderHasMoreOutput(e->br));
}

void encoder_add(struct encoder *e, struct bytes b, struct buf *ret)
{
  if (b.n == 0)
    return;
  if (e->br)
    run_brotli(e, b, BROTLI_OPERATION_FLUSH, ret);
  else
    run_deflate(e, b, Z_SYNC_FLUSH, ret);
}

void encoder_finish(struct encoder *e, struct buf *ret)
{
  struct bytes nothing = {"", 0};
  if (e->br)
    run_brotli(e, nothing, BROTLI_OPERATION_FINISH, ret);
  else
    run_deflate(e, nothing, Z_FINISH, ret);
}
