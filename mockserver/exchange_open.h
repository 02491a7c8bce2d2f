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

  char request_id[64];
  struct buf head, body; /* scratch of one answer */
  struct reply reply;
  bool has_reply; /* reply is made when first needed */
  bool is_stream; /* the head of a stream was sent */
  bool is_whole;  /* head and body are one fault's whole answer */
};

void exchange_init(struct exchange *x);
void exchange_release(struct exchange *x);

/* exchange.c, for the other files of the exchange and for side.c */
struct value_scope exchange_scope(struct exchange *x);
void exchange_send_error(struct exchange *x, const struct provider_error *e,
                         const char *injected_kind);
/* A 200, 204 ... that no script is about; `type` NULL: no body. */
void exchange_send_side(struct exchange *x, int status, const char *type,
                        struct bytes body);
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
/* exchange_stream.c */
const struct reply *exchange_make_reply(struct exchange *x);

/* Reason phrase of a status, "" for an unknown one. */
const char *reason_phrase(int status);

#endif
