/*
 * rig.h - an engine in a thread of the test, on a clock moved by hand, and
 * raw sockets against it.
 *
 * Nothing here waits for time to pass: rig_sync() returns when the loop has
 * seen all that happened before, rig_advance() moves the clock in the loop's
 * own thread. Loopback delivers at once, so what has not arrived after a
 * sync was not sent.
 */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include "mockserver/engine.h"

#include <pthread.h>

/* Writes the plan for a path. */
struct rig_route {
  const char *path;
  void (*build)(struct plan *p);
};

struct rig {
  struct clock_fake clock;
  struct journal *journal;
  struct engine *engine;
  const struct rig_route *routes; /* NULL path ends them */
  pthread_t thread;
  int commands[2], answers[2]; /* pipes to and from the loop */
  struct buf seen_body;        /* of the newest request */
  size_t max_body_bytes;
};

void rig_start(struct rig *r, const struct rig_route *routes,
               size_t max_body_bytes);
/* The same with limits of the engine's own. */
void rig_start_limited(struct rig *r, const struct rig_route *routes,
                       size_t max_body_bytes,
                       const struct engine_limits *limits);
/* Ends the loop and its thread; the journal stays. */
void rig_stop(struct rig *r);
void rig_release(struct rig *r);
void rig_sync(struct rig *r);
void rig_advance(struct rig *r, int64_t ms);
/* The loop stands still from here to there: what the client does meanwhile
 * reaches it at once. */
void rig_hold(struct rig *r);
void rig_go_on(struct rig *r);

/* A client: a blocking socket that gives up after some seconds. */
int rig_connect(struct rig *r);
void client_send(int fd, const char *text);
void client_send_bytes(int fd, const char *p, size_t n);
/* A GET without a body. */
void client_get(int fd, const char *path);
/* Exactly `n` bytes, or what came before the end. */
void client_take(int fd, size_t n, struct buf *ret);

enum client_end { CLIENT_OPEN, CLIENT_FIN, CLIENT_RST };
/* All that is there now; CLIENT_OPEN when more may come. */
enum client_end client_now(int fd, struct buf *ret);
/* All up to the end. */
enum client_end client_rest(int fd, struct buf *ret);

/* A rig, one client and a buffer: what nearly every test needs. */
struct scene {
  struct rig rig;
  int fd;
  struct buf got;
};

/* `max_body_bytes` 0: the engine's own ceiling. */
void scene_open(struct scene *s, const struct rig_route *routes,
                size_t max_body_bytes);
void scene_close(struct scene *s);
/* Ends the rig if it still runs; attempt i of the journal. */
const struct attempt *scene_attempt(struct scene *s, size_t i);
/* The same for a scene that must have had exactly one. */
const struct attempt *scene_only_attempt(struct scene *s);
/* What the client has received by now, and how its connection is. */
void scene_assert_now(struct scene *s, const char *text, enum client_end end);

#endif
