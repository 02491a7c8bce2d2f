/*
 * error_queue.h - errors for the next calls, one each, first come first
 * served: what aimock's POST /__aimock/error queues.
 *
 * Rule: docs/control.md, "Tests of other servers".
 */
#ifndef MOCKSERVER_ERROR_QUEUE_H
#define MOCKSERVER_ERROR_QUEUE_H

#include "mockserver/exchange_open.h"

struct jval;

struct queued_error {
  struct queued_error *next;
  int status;
  char *message, *type, *code; /* NULL: the provider's own */
};

struct error_queue {
  struct queued_error *first, **end;
  size_t n;
};

void error_queue_init(struct error_queue *q);
void error_queue_release(struct error_queue *q);
/* {"status":429,"body":{"message":..,"type":..,"code":..}}, all of it
 * optional; an error is placed. */
int error_queue_add(struct error_queue *q, const struct jval *body,
                    struct diag *diag);
/* Answers the call with the first one; false: there is none. */
bool error_queue_answer(struct error_queue *q, struct exchange *x);

#endif
