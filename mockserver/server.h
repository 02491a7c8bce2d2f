/*
 * server.h - a scenario answered: recognises a request, picks its step, and
 * lets the fault write the plan.
 */
#ifndef MOCKSERVER_SERVER_H
#define MOCKSERVER_SERVER_H

#include "mockserver/engine.h"
#include "mockserver/scenario.h"

struct server;

struct server_options {
  const struct scenario *scenario; /* NULL: every call gets a plain reply */
  struct clock *clock;
  struct journal *journal;
  bool no_faults; /* control run: every fault is replaced by a reply */
  bool admin;     /* serve /__admin/...; off in the harness */
  uint64_t seed;
};

struct server *server_new(const struct server_options *o);
void server_free(struct server *s);
/* Whose counts /__admin/stats shows and /__admin/reset clears. */
void server_set_engine(struct server *s, struct engine *e);
/* An engine_handler_fn; arg is the server. */
void server_handle(void *arg, const struct request *r, struct plan *plan,
                   struct attempt *a, bool *ret_unlogged);
/* An engine_early_fn: true when the call's step acts before its body is in.
 * Model and body are not known then, so such a step cannot match on them. */
bool server_early(void *arg, const struct request *r);
/* How often step i was answered, over all lanes. */
uint64_t server_step_uses(const struct server *s, size_t i);
/* Back to the start of the script in every lane. */
void server_rewind(struct server *s);

#endif
