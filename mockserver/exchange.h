/*
 * exchange.h - one request and its answer, as a fault sees it.
 *
 * A fault reads its step's keys and says what goes on the wire; the bytes of
 * heads, bodies, events and chunk framing are written here, and the marks
 * for the journal with them. A fault uses this header, fault.h and
 * base/param.h, nothing else of the server.
 */
#ifndef MOCKSERVER_EXCHANGE_H
#define MOCKSERVER_EXCHANGE_H

#include "mockserver/fault.h"

#include <stdint.h>

struct exchange;

/* The step's object; its keys are checked. */
const cJSON *exchange_step(const struct exchange *x);
/* The request asks for a stream. */
bool exchange_wants_stream(const struct exchange *x);

/* --- whole answers; each keeps the connection --- */

/* The provider's error of that name, which the loader has checked, with its
 * header family and the step's retry_after, retry_after_ms and headers.
 * Marks the fault as delivered. */
void exchange_error(struct exchange *x, const char *name);

/* An answer of the scenario's own making. */
struct exchange_answer {
  int status;
  const char *reason;   /* NULL: the usual phrase */
  const char *text;     /* body with {{...}}, or NULL */
  struct bytes raw;     /* body as it stands, when text is NULL */
  bool default_headers; /* date, content-type, content-length, request id,
                           x-faultwire; else only the step's own */
};
void exchange_answer(struct exchange *x, const struct exchange_answer *a);

/* {{...}} of `text` for the moment of sending. */
void exchange_expand(struct exchange *x, struct bytes text, struct buf *ret);
/* The bytes of the file the step names. */
struct bytes exchange_file(const struct exchange *x);
/* Bytes as they stand instead of head and body, then FIN. Marks the fault as
 * delivered. */
void exchange_raw(struct exchange *x, struct bytes b);

/* The body of the provider's plain answer; the usual reason phrase. */
void exchange_plain_text(struct exchange *x, struct buf *ret);
const char *exchange_reason(int status);

/* The provider's plain answer, streamed or not as the call asks. */
void exchange_reply(struct exchange *x);

/* --- answers in pieces --- */

/* Events of the whole stream, its terminal event included, and those before
 * the text ends. */
uint64_t exchange_events(const struct exchange *x);
uint64_t exchange_text_events(const struct exchange *x);
/* The head of a 200: of the stream, or of the plain answer whose body of
 * `exchange_plain_body` bytes is to follow. */
void exchange_stream_head(struct exchange *x);
void exchange_plain_head(struct exchange *x);
void exchange_plain_body(struct exchange *x);
/* Events from..to (to not included), the step's gap between them. */
void exchange_send_events(struct exchange *x, uint64_t from, uint64_t to);
/* The first half of event i. `whole_chunk` true: framed as a chunk of its
 * own; false: the chunk is announced in full and left short. */
void exchange_send_half(struct exchange *x, uint64_t i, bool whole_chunk);
/* The same, for `n` bytes of the stream's body from its first byte; a body
 * that is not longer loses its last byte. */
void exchange_send_first_bytes(struct exchange *x, uint64_t n,
                               bool whole_chunk);
/* --- streams as the step's keys shape them --- */

struct exchange_shape {
  bool until_close; /* no chunks: the body ends with the connection */
  bool leave_short; /* a chunk that at_byte cuts is announced in full */
};
/* The head of a stream whose line ends, pieces and length follow the step's
 * eol, pieces, piece_gap_ms, bom and at_byte. */
void exchange_shaped_head(struct exchange *x, const struct exchange_shape *s);
/* The first `n` of the step's `events`, or of the reply's events when the
 * step has none; UINT64_MAX: all. */
void exchange_send_shaped(struct exchange *x, uint64_t n);
/* The terminal event is out, whole. */
bool exchange_is_ended(const struct exchange *x);
/* The end of the content coding, for a body that is whole without chunks. */
void exchange_end_coding(struct exchange *x);
/* The line of the last chunk, the one behind it left out. */
void exchange_send_last_chunk_line(struct exchange *x);

/* The provider's error in place of event i. */
void exchange_send_error_event(struct exchange *x, uint64_t i,
                               const char *name);
/* Signs of life without content, every `period_ns`, for `for_ns`
 * (-1: until the client leaves). */
void exchange_send_pings(struct exchange *x, int64_t period_ns, int64_t for_ns);
void exchange_send_ping(struct exchange *x);

/* --- what happens on the connection --- */

void exchange_delay(struct exchange *x, int64_t ns);
/* The scripted fault is out when the plan gets here. */
void exchange_mark_fault(struct exchange *x);
/* The last chunk; the connection waits for the next request. `complete`:
 * the client got all it should. */
void exchange_end_stream(struct exchange *x, bool complete);
void exchange_fin(struct exchange *x);
void exchange_rst(struct exchange *x);
void exchange_stall(struct exchange *x);
/* What the transcript shows, for answers that no function above names. */
void exchange_what(struct exchange *x, const char *text);

#endif
