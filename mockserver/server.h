/*
 * server.h - a scenario answered: recognises a request, picks its step, and
 * lets the fault write the plan.
 */
#ifndef MOCKSERVER_SERVER_H
#define MOCKSERVER_SERVER_H

#include "mockserver/engine.h"
#include "mockserver/scenario.h"

struct server;
struct script;

/* What an admin may change while it runs. */
struct server_settings {
  bool no_faults;   /* every fault is replaced by a reply */
  bool allow_force; /* a request may ask for a fault by itself */
  int64_t delay_ms; /* before every answer, besides the step's own */
  uint64_t seed;    /* of everything random */
};
struct barriers;

struct act;
struct provider;

struct upstream;

struct server_options {
  const struct scenario *scenario; /* NULL: every call gets a plain reply */
  struct clock *clock;
  struct journal *journal;
  bool no_faults; /* control run: every fault is replaced by a reply */
  bool admin;     /* serve /__admin/...; off in the harness */
  bool allow_force;
  uint64_t seed;
  bool keeps_seed;                 /* ... also when another scenario is armed */
  const struct provider *provider; /* whatever a scenario that is armed says;
                                      NULL: what it says */
  struct upstream *upstream;       /* where calls go that are passed on, NULL:
                                      nowhere */
  const char *admin_token;         /* NULL: nobody needs one */
  /* NULL: nobody is told. A scenario is the current one from now on. */
  void (*armed)(void *arg, const struct scenario *scenario);
  void *armed_arg;
};

struct server *server_new(const struct server_options *o);
void server_free(struct server *s);
/* Takes the scenario over, which has been read and checked; `scenario` is
 * empty after. Calls under way keep what they began with; every lane starts
 * at the first step. */
void server_arm(struct server *s, struct scenario *scenario);
/* A scenario was read from outside, well or with an error: for the metrics. */
void server_count_load(struct server *s, bool well);
/* The current one; NULL: none. */
const struct scenario *server_scenario(const struct server *s);
/* For who walks the script by himself: what is armed now is kept until it is
 * let go. */
struct act *server_hold(struct server *s);
void server_let_go(struct server *s, struct act *a);
/* Whose counts /__admin/stats shows and /__admin/reset clears. */
void server_set_engine(struct server *s, struct engine *e);
/* An engine_handler_fn; arg is the server. */
void server_handle(void *arg, const struct request *r, struct plan *plan,
                   struct attempt *a, bool *ret_unlogged);
/* An engine_early_fn: true when the call's step acts before its body is in.
 * Model and body are not known then, so such a step cannot match on them. */
bool server_early(void *arg, const struct request *r);
/* An engine_tls_fn: the script's fault for the next TLS connection. */
const struct tls_fault *server_tls_fault(void *arg);
/* An engine_options.ended: the limiter counts what was produced. */
void server_ended(void *arg, const struct attempt *a);
/* The start of a command is over: for the metrics. */
void server_count_start(struct server *s, const struct attempt *a);
/* How often step i was answered, over all lanes. */
uint64_t server_step_uses(const struct server *s, size_t i);
/* For the host of the stand-in commands, which walks the same script. */
struct script *server_script(struct server *s);
struct barriers *server_barriers(struct server *s);
/* Faults are replaced by plain answers; an admin may change it. */
bool server_no_faults(const struct server *s);
/* Back to the start of the script in every lane. */
void server_rewind(struct server *s);

#endif
