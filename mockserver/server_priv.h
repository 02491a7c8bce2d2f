/*
 * server_priv.h - what the files of the server share; nobody else includes
 * it. server.c answers requests, server_arm.c holds the scenarios.
 */
#ifndef MOCKSERVER_SERVER_PRIV_H
#define MOCKSERVER_SERVER_PRIV_H

#include "mockserver/server.h"

#include "mockserver/act.h"
#include "mockserver/error_queue.h"
#include "mockserver/exchange_open.h"
#include "mockserver/force.h"
#include "mockserver/metrics.h"
#include "mockserver/retry_test.h"

struct server {
  struct server_options o;
  struct server_settings settings;
  struct act *act;         /* what answers from now on */
  struct act *retired;     /* what calls under way still use */
  uint64_t armed;          /* how often, the first one included */
  struct metrics *metrics; /* NULL: nobody asks for them */
  struct force *force;
  struct error_queue errors; /* for the next calls */
  struct retry_tests *retry_tests;
  uint64_t handshakes;   /* TLS connections since the script began */
  struct engine *engine; /* NULL: none was told */
  struct ids ids;
  const struct fault *none;
};

/* Frees retired acts that no call uses any more. Not while one is being
 * answered or ended: the plan may still look at it. */
void server_sweep(struct server *s);
/* x->act has one step, which answers: no script chooses. */
void server_answer_alone(struct server *s, struct exchange *x);
/* server_queued.c: what an admin has queued for the call, instead of the
 * script. True when that was all. */
bool server_answer_queued(struct server *s, struct exchange *x);
/* Something may be queued for it. */
bool server_has_queued(const struct server *s, const struct request *r);
/* The answer to an admin path. */
void server_answer_admin(struct server *s, struct exchange *x);

#endif
