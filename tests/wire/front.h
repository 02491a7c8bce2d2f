/*
 * front.h - a server in front of another one (wire.h), on the system's
 * clock: nothing in it waits, so no test waits for time to pass. A reader
 * blocks until the bytes are there.
 */
#ifndef TESTS_FRONT_H
#define TESTS_FRONT_H

#include "tests/wire/wire.h"

struct upstream;

struct front {
  struct scenario scenario;
  struct journal *journal;
  struct server *server;
  struct engine *engine;
  struct upstream *upstream;
  pthread_t thread;
  bool runs;
};

/* Calls go on to `url`; NULL: to port `port` of this machine. */
void front_open(struct front *f, const char *scenario_json, const char *url,
                uint16_t port);
/* Ends the loop; the journal stays until front_close. */
void front_stop(struct front *f);
void front_close(struct front *f);
/* A connection that gives up after some seconds. */
int front_connect(const struct front *f);
/* Appends until `ret` has `n` bytes or the connection ends. */
enum wire_end front_take(int fd, size_t n, struct buf *ret);

#endif
