/*
 * server_priv.h - what the files of the server share; nobody else includes
 * it. server.c answers requests, server_arm.c holds the scenarios.
 */
#ifndef MOCKSERVER_SERVER_PRIV_H
#define MOCKSERVER_SERVER_PRIV_H

#include "mockserver/server.h"

#include "mockserver/act.h"
#include "mockserver/exchange_open.h"
#include "mockserver/force.h"
#include "mockserver/metrics.h"

struct server {
  struct server_options o;
  struct server_settings settings;
  struct act *act;         /* what answers from now on */
  struct act *retired;     /* what calls under way still use */
  uint64_t armed;          /* how often, the first one included */
  struct metrics *metrics; /* NULL: nobody asks for them */
  struct force *force;
  uint64_t handshakes;   /* TLS connections since the script began */
  struct engine *engine; /* NULL: none was told */
  struct ids ids;
  const struct fault *none;
};

/* Frees retired acts that no call uses any more. Not while one is being
 * answered or ended: the plan may still look at it. */
void server_sweep(struct server *s);
/* The answer to an admin path. */
void server_answer_admin(struct server *s, struct exchange *x);

#endif
