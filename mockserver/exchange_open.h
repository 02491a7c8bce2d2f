/*
 * exchange_open.h - the inside of an exchange, for the server that opens it
 * and for the exchange's own files. No fault includes this.
 */
#ifndef MOCKSERVER_EXCHANGE_OPEN_H
#define MOCKSERVER_EXCHANGE_OPEN_H

#include "mockserver/exchange.h"

#include "mockserver/call.h"
#include "mockserver/journal.h"
#include "mockserver/plan.h"
#include "mockserver/scenario.h"
#include "mockserver/stream_out.h"

/* How fast the answer comes; see exchange_pace.c. */
struct pace {
  bool is_read; /* from the step's keys */
  int64_t gap_ns, first_ns;
  double tokens_per_s, jitter;
  struct ids noise;
  bool begun; /* the first delta is out */
};

struct act;
struct endpoint_store;

struct exchange {
  const struct provider *provider;
  const struct call *call;
  const struct request *request;
  const struct step *step;   /* NULL: no step, a plain reply */
  const struct fault *fault; /* what runs; never NULL */
  bool injecting;            /* the answer says so in x-faultwire */
  struct ids *ids;
  int64_t wall_ns; /* wall clock when the handler was called */
  struct plan *plan;
  struct attempt *attempt;

  struct act *act;              /* whose script answers */
  struct endpoint_store *store; /* files and batches */
  struct bytes limit_headers;   /* of a 200, from the limiter; may be empty */
  int64_t remaining_ms;         /* of the step's window when the plan begins */
  char request_id[64];
  struct buf head, body; /* scratch of one answer */
  struct reply reply;
  bool has_reply; /* reply is made when first needed */
  struct stream_out out;
  bool has_out;     /* out is made with the head of a stream */
  bool until_close; /* the stream has no chunks and ends with the connection */
  bool ended;       /* the stream's last event is out, whole */
  uint64_t seq;     /* events of the stream so far */
  const cJSON *hints; /* where hint_s stands; NULL: in the step */
  struct pace pace;
  bool is_stream; /* the head of a stream was sent */
  bool is_whole;  /* head and body are one fault's whole answer */
};

void exchange_init(struct exchange *x);
void exchange_release(struct exchange *x);

/* exchange.c, for the other files of the exchange and for side.c */
struct value_scope exchange_scope(struct exchange *x);
void exchange_send_error(struct exchange *x, const struct provider_error *e,
                         const char *injected_kind);
/* exchange_limit.c: a limiter's refusal; `headers`: "name: value\r\n" lines
 * that go out as they stand. Marks the fault as delivered. */
void exchange_refuse(struct exchange *x, const struct provider_error *e,
                     struct bytes headers);
/* The server's own JSON, as it stands: no {{...}}. */
void exchange_send_json(struct exchange *x, int status, struct bytes body);
/* "HTTP/1.1 200 OK", date and the rest up to, not with, the framing. */
void exchange_open_head(struct exchange *x, int status, const char *reason,
                        const char *type);
/* The blank line; `length` < 0: chunked, or closed by FIN in HTTP/1.0. */
void exchange_close_head(struct exchange *x, int64_t length);
/* The marks behind a whole answer, and exchange_keep(). */
void exchange_end_whole(struct exchange *x, bool fault);
/* Keep, or FIN when the client wants the connection closed. */
void exchange_keep(struct exchange *x);
/* exchange_wire.c: what the step's shape says. */
/* Its answers of 1xx. */
void exchange_interim(struct exchange *x);
/* FIN is the end of the body, nothing announces it. */
bool exchange_is_until_close(const struct exchange *x);
/* The length that is announced for a body of `n` bytes. */
int64_t exchange_length(const struct exchange *x, int64_t n);
/* Changes the plan from op `first` on, which is the answer. */
void exchange_shape(struct exchange *x, size_t first);
/* The answer to what is no generation call, in one piece. */
void exchange_send_side(struct exchange *x);
/* side.c: the answer to what is no generation call, its body in x->body.
 * Returns the status; *ret_type NULL: no body. */
int side_render(struct exchange *x, const char **ret_type);
/* exchange_stream.c */
const struct reply *exchange_make_reply(struct exchange *x);
bool exchange_is_chunked(const struct exchange *x);
/* One event of the stream's body, its marks behind it. */
void exchange_send_event_bytes(struct exchange *x, struct bytes event,
                               enum event_kind kind);
/* Bytes of the body as they stand, which are no event. */
void exchange_send_raw(struct exchange *x, struct bytes b);
/* A pause: what is still held back goes out before it. */
void exchange_wait(struct exchange *x, int64_t ns);
/* The terminal event is out: for the journal. */
void exchange_mark_terminal(struct exchange *x);
void exchange_error_event_bytes(struct exchange *x, const char *name);

/* exchange_tape.c */
void exchange_send_tape(struct exchange *x, const cJSON *events, uint64_t n);

/* exchange_body.c: the step's content_type in place of `type`, the header
 * of its coding, the body coded and cut, and the same for a stream */
void exchange_add_type(struct exchange *x, const char *type);
void exchange_tell_coding(struct exchange *x);
void exchange_code_body(struct exchange *x);
void exchange_open_out(struct exchange *x);

/* exchange_pace.c */
bool exchange_is_paced(struct exchange *x);
/* The pause in front of an event; `first`: nothing was sent in this run. */
int64_t exchange_pause_ns(struct exchange *x, const struct cue *c, bool first);
int64_t exchange_gap_ns(struct exchange *x);
/* How long a plain answer is being made. */
int64_t exchange_making_ns(struct exchange *x);

/* Reason phrase of a status, "" for an unknown one. */
const char *reason_phrase(int status);

#endif
