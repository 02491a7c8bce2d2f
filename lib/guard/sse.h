/*
 * sse.h - server-sent events from bytes in any pieces, and how a provider's
 * stream ended.
 *
 * Rule: the WHATWG event stream format (CR, LF, CRLF, one leading BOM,
 * comments, several data lines joined by LF). An event has a ceiling; a
 * larger one is GUARD_SSE_TOO_BIG, never cut silently.
 */
#ifndef GUARD_SSE_H
#define GUARD_SSE_H

#include <stdbool.h>
#include <stddef.h>

struct guard_sse_event {
  const char *type; /* the event field, "" when there was none */
  size_t type_n;
  const char *data; /* valid until the callback returns */
  size_t data_n;
};

typedef void guard_sse_event_fn(void *arg, const struct guard_sse_event *e);

enum guard_sse_result { GUARD_SSE_OK, GUARD_SSE_TOO_BIG };

struct guard_sse; /* reader state */
/* `max_event_bytes`: ceiling of one event. The caller frees. */
struct guard_sse *guard_sse_new(size_t max_event_bytes, guard_sse_event_fn *fn,
                                void *arg);
void guard_sse_free(struct guard_sse *s);
enum guard_sse_result guard_sse_feed(struct guard_sse *s, const char *p,
                                     size_t n);
/* True when bytes of an unfinished event are held: the stream was cut. */
bool guard_sse_inside_event(const struct guard_sse *s);

/* What a stream has shown so far; fed with every event. */
enum guard_stream_state {
  GUARD_STREAM_OPEN,   /* no terminal event yet: an end now is a cut */
  GUARD_STREAM_DONE,   /* terminal event seen */
  GUARD_STREAM_ERROR,  /* the provider's error event */
  GUARD_STREAM_GARBLED /* an event that is not what the provider sends */
};

struct guard_stream; /* one provider's rules over the events */
/* provider: "anthropic", "openai", "openai-responses", "gemini". Strict:
 * only the vendor's terminal event counts; lenient: finish_reason or
 * stop_reason counts too. NULL for an unknown provider. */
struct guard_stream *guard_stream_new(const char *provider, bool strict);
void guard_stream_free(struct guard_stream *s);
enum guard_stream_state guard_stream_event(struct guard_stream *s,
                                           const struct guard_sse_event *e);
enum guard_stream_state guard_stream_state(const struct guard_stream *s);
/* The text deltas so far, NUL-terminated; belongs to the stream. A delta
 * that would make it longer than GUARD_STREAM_TEXT_MAX bytes is left out. */
#define GUARD_STREAM_TEXT_MAX ((size_t)64 << 20)
const char *guard_stream_text(const struct guard_stream *s);
/* JSON of the error event (for guard_classify with GUARD_SSE); NULL, 0
 * without one. Belongs to the stream. */
const char *guard_stream_error(const struct guard_stream *s, size_t *ret_n);
/* True when the event was content (not a ping or comment): resets the idle
 * clock. Tells about the last event fed. */
bool guard_stream_was_content(const struct guard_stream *s);

#endif
