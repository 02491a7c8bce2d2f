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
/* The provider's error in place of event i. */
void exchange_send_error_event(struct exchange *x, uint64_t i,
                               const char *name);
/* Signs of life without content, every `period_ns`, for `for_ns`
 * (-1: until the client leaves). */
void exchange_send_pings(struct exchange *x, int64_t period_ns, int64_t for_ns);

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
