/*
 * call.h - one scripted call on a raw socket: a scenario of one step, a
 * request in one piece or in many, what came and how it ended.
 */
#ifndef TESTS_WIRE_CALL_H
#define TESTS_WIRE_CALL_H

#include "tests/wire/wire.h"

struct wire_call {
  struct wire w;
  struct buf got;
  char *request;
  int fd;
};

extern const char *const wire_providers[]; /* NULL ends it */

/* `rest` goes behind the steps: ",\"port\":[...]" or "". */
void call_open(struct wire_call *c, const char *provider, const char *steps,
               bool stream, const char *rest);
void call_close(struct wire_call *c);
/* The request in one piece. */
void call_send(struct wire_call *c);
/* The request in pieces of 1 to 40 bytes that the seed chooses, the loop in
 * between. */
void call_send_pieces(struct wire_call *c, unsigned seed);
/* Everything until the end, or until nothing more comes for two minutes of
 * the server's clock. */
enum wire_end call_collect(struct wire_call *c);
/* All of it at once: what the step answers. */
enum wire_end call_whole(const char *provider, const char *step, bool stream,
                         struct buf *ret);
void call_reconnect(struct wire_call *c);

#endif
