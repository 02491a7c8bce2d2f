/*
 * fuzz_sse.c - input: one byte that chooses provider, strictness and piece
 * size, then a stream's bytes.
 */
#include "base/buf.h"
#include "fuzz/fuzz.h"
#include "guard/sse.h"

/* Small, so that the ceiling is met. */
#define MAX_EVENT_BYTES 4096

struct reading {
  struct buf log; /* every event with its lengths: equal logs, equal events */
  struct guard_stream *stream;
  enum guard_sse_result result;
  enum guard_stream_state state;
  bool inside_event;
};

static void on_event(void *arg, const struct guard_sse_event *e)
{
  struct reading *r = arg;

  PROPERTY(e->type_n + e->data_n <= MAX_EVENT_BYTES,
           "an event stays below its ceiling");
  PROPERTY(!e->type_n || !memchr(e->type, '\n', e->type_n),
           "an event's type is one line");
  buf_addf(&r->log, "%zu %zu ", e->type_n, e->data_n);
  buf_add(&r->log, e->type, e->type_n);
  buf_add(&r->log, e->data, e->data_n);
  if (r->stream)
    r->state = guard_stream_event(r->stream, e);
}

static void read_stream(struct reading *r, uint8_t choice, const char *p,
                        size_t n, size_t piece)
{
  static const char *const providers[] = {"anthropic", "openai",
                                          "openai-responses", "gemini"};
  struct guard_sse *sse = guard_sse_new(MAX_EVENT_BYTES, on_event, r);

  buf_init(&r->log, SIZE_MAX / 2);
  r->stream = guard_stream_new(providers[choice & 3], choice & 4);
  PROPERTY(r->stream != NULL, "the four providers are known");
  r->state = GUARD_STREAM_OPEN;
  r->result = GUARD_SSE_OK;
  for (size_t at = 0; at < n && r->result == GUARD_SSE_OK; at += piece) {
    size_t left = n - at;
    char *tight = fuzz_copy(p + at, left < piece ? left : piece);

    r->result = guard_sse_feed(sse, tight, left < piece ? left : piece);
    free(tight);
  }
  r->inside_event = guard_sse_inside_event(sse);
  guard_sse_free(sse);
}

static void check_stream(const struct reading *r, size_t n)
{
  size_t error_n = 0;
  const char *error = guard_stream_error(r->stream, &error_n);
  enum guard_stream_state state = guard_stream_state(r->stream);

  PROPERTY(state == r->state, "the last event's state is the stream's");
  PROPERTY(state >= GUARD_STREAM_OPEN && state <= GUARD_STREAM_GARBLED,
           "the state is one of the four");
  if (state == GUARD_STREAM_ERROR)
    PROPERTY(error && error_n > 0, "an error state has the error's JSON");
  if (!error)
    PROPERTY(error_n == 0, "no error, no length");
  PROPERTY(strlen(guard_stream_text(r->stream)) <= n,
           "the text is not longer than the stream it was in");
}

static void compare(const struct reading *a, const struct reading *b)
{
  PROPERTY(a->result == b->result, "pieces do not change the result");
  PROPERTY(bytes_equal(buf_bytes(&a->log), buf_bytes(&b->log)),
           "pieces do not change the events");
  PROPERTY(a->state == b->state, "pieces do not change the stream's state");
  if (a->result == GUARD_SSE_OK)
    PROPERTY(a->inside_event == b->inside_event,
             "pieces do not change whether an event is open");
}

static void release(struct reading *r)
{
  buf_release(&r->log);
  guard_stream_free(r->stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct reading whole, bytewise, pieces;
  uint8_t choice = size > 0 ? data[0] : 0;
  const char *p = size > 0 ? (const char *)data + 1 : "";
  size_t n = size > 0 ? size - 1 : 0;

  read_stream(&whole, choice, p, n, n > 0 ? n : 1);
  check_stream(&whole, n);
  read_stream(&bytewise, choice, p, n, 1);
  compare(&whole, &bytewise);
  read_stream(&pieces, choice, p, n, (size_t)(choice >> 3) + 1);
  compare(&whole, &pieces);
  release(&whole);
  release(&bytewise);
  release(&pieces);
  return 0;
}
