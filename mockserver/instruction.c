#include "mockserver/instruction.h"

#include "base/number.h"

#include <inttypes.h>
#include <string.h>

/* A reply must be longer than what is sent of it; REPLY_MAX_TEXT is 1 MiB. */
enum { MAX_KIB = 1000, FEW_BYTES = 12 };
/* A day, as of a step's own delay. */
enum { MAX_STALL_S = 86400 };

const char *const instruction_examples[] = {"return-503",
                                            "return-reset-connection",
                                            "return-broken-stream",
                                            "return-broken-stream-after-12K",
                                            "stall-for-10s-after-12K",
                                            NULL};

static bool take(struct bytes *s, const char *word)
{
  size_t n = strlen(word);
  if (!bytes_starts(*s, bytes_of(word)))
    return false;
  s->p += n;
  s->n -= n;
  return true;
}

static bool take_number(struct bytes *s, uint64_t max, uint64_t *ret)
{
  return number_take_u64(s, max, ret) == NUMBER_OK;
}

/* "-after-12K", all of the rest. */
static bool take_after(struct bytes *s, uint64_t *ret_bytes)
{
  uint64_t kib = 0;
  if (!take(s, "-after-") || !take_number(s, MAX_KIB, &kib) || !take(s, "K"))
    return false;
  *ret_bytes = kib * 1024;
  return s->n == 0;
}

/* A reply that is longer than `n` bytes. */
static void add_reply(struct buf *ret, uint64_t n)
{
  buf_adds(ret, "\"reply\":\"message\",\"text\":\"");
  for (uint64_t i = 0; i <= n / 8; i++)
    buf_adds(ret, "eight b ");
  buf_addf(ret, "\",\"chunks\":%" PRIu64, 2 + n / 1024);
}

static bool read_status(struct bytes s, int *ret_status)
{
  uint64_t status = 0;
  if (!take(&s, "return-") || !take_number(&s, 599, &status) || s.n ||
      status < 400)
    return false;
  *ret_status = (int)status;
  return true;
}

static bool read_stall(struct bytes s, struct buf *ret)
{
  uint64_t seconds = 0, bytes = 0;
  if (!take(&s, "stall-for-") || !take_number(&s, MAX_STALL_S, &seconds) ||
      !take(&s, "s") || !take_after(&s, &bytes))
    return false;
  add_reply(ret, bytes);
  buf_addf(ret, ",\"pauses\":[[\"body+%" PRIu64 "\",%" PRIu64 "]]", bytes,
           seconds * 1000);
  return true;
}

static bool read_broken(struct bytes s, struct buf *ret)
{
  uint64_t bytes = FEW_BYTES;
  if (!take(&s, "return-broken-stream") || (s.n && !take_after(&s, &bytes)))
    return false;
  add_reply(ret, bytes);
  buf_addf(ret, ",\"cut\":\"body+%" PRIu64 "\"", bytes);
  return true;
}

/* What needs an upload or gRPC. */
static const char *impossible(struct bytes s)
{
  uint64_t n = 0;
  if (bytes_starts(s, BYTES("redirect-")))
    return "is about gRPC";
  if (bytes_starts(s, BYTES("return-broken-stream-final-chunk-")))
    return "is about uploads, which no API here has";
  if (take(&s, "return-") && take_number(&s, 599, &n) &&
      bytes_starts(s, BYTES("-after-")))
    return "is about uploads, which no API here has";
  return NULL;
}

enum instruction_kind instruction_read(const char *text, struct buf *ret,
                                       int *ret_status, const char **ret_why)
{
  struct bytes s = bytes_of(text);
  *ret_status = 0;
  if (read_status(s, ret_status) || read_stall(s, ret) || read_broken(s, ret))
    return INSTRUCTION_STEP;
  if (bytes_equal(s, BYTES("return-reset-connection"))) {
    buf_adds(ret, "\"fault\":\"reset\"");
    return INSTRUCTION_STEP;
  }
  const char *why = impossible(s);
  if (!why)
    return INSTRUCTION_NONE;
  *ret_why = why;
  return INSTRUCTION_CANNOT;
}
