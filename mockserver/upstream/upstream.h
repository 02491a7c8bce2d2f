/*
 * upstream.h - calls passed on to a real API, and its answers as they come.
 *
 * libcurl's multi interface runs on the engine's own loop: its sockets are
 * watched there, its timer is one of the loop's, so nothing blocks. The
 * answer's head goes on line by line as it stands, its body piece by piece,
 * cut where the upstream cut it. Chunks are framed anew, one a piece; 1xx
 * answers are left out. https is verified with the system's CA.
 */
#ifndef MOCKSERVER_UPSTREAM_UPSTREAM_H
#define MOCKSERVER_UPSTREAM_UPSTREAM_H

#include "base/clock.h"
#include "base/diag.h"

struct attempt;
struct call;
struct engine;
struct plan;
struct request;
struct taken;
struct upstream;

struct upstream_options {
  const char *url; /* "https://api.anthropic.com", a path may follow */
  struct clock *clock;
  /* NULL: nobody records. The exchange is over, or the client has left; who
   * takes it over leaves an empty one (taken_init). With it answers are asked
   * for without a content coding. */
  void (*taken)(void *arg, struct taken *t);
  void *taken_arg;
};

/* NULL: the address is none of http or https. */
struct upstream *upstream_new(const struct upstream_options *o,
                              struct diag *diag);
/* Before the first call. */
void upstream_set_engine(struct upstream *u, struct engine *e);
/* Ends what is under way; before engine_free. */
void upstream_stop(struct upstream *u);
/* After engine_free; NULL is fine. */
void upstream_free(struct upstream *u);

/* Sends the request on and writes the plan that hands over the answer; what
 * stands before the API's path in the target (the lane) stays behind. */
void upstream_pass(struct upstream *u, const struct call *call,
                   const struct request *r, struct plan *plan,
                   struct attempt *a);

#endif
