/*
 * wire.h - a scenario behind a real socket: the server in a thread, on a
 * clock moved by hand.
 *
 * Nothing waits for time to pass. wire_sync() returns when the loop has seen
 * all that happened before; loopback delivers at once, so what has not
 * arrived after a sync was not sent.
 */
#ifndef TESTS_WIRE_H
#define TESTS_WIRE_H

#include "mockserver/server.h"

#include <pthread.h>

struct wire {
  struct scenario scenario;
  struct clock_fake clock;
  struct journal *journal;
  struct server *server;
  struct engine *engine;
  struct tls_ca *ca; /* of a scenario with tls; NULL: none */
  pthread_t thread;
  int commands[2], answers[2]; /* pipes to and from the loop */
};

void wire_open(struct wire *w, const char *scenario_json);
/* Ends the loop and its thread; the journal stays until wire_close. */
void wire_stop(struct wire *w);
void wire_close(struct wire *w);
void wire_sync(struct wire *w);
void wire_advance(struct wire *w, int64_t ms);

int wire_connect(const struct wire *w);
void wire_send(int fd, const char *text);

enum wire_end { WIRE_OPEN, WIRE_FIN, WIRE_RST };
/* Appends all that is there now. */
enum wire_end wire_take(int fd, struct buf *ret);

#endif
