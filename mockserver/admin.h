/*
 * admin.h - /__admin/...: what a person or a script asks of the server
 * itself. Never faulted, never journaled. The words are WireMock's; the rule
 * is docs/control.md, the aliases are in admin_paths.h.
 */
#ifndef MOCKSERVER_ADMIN_H
#define MOCKSERVER_ADMIN_H

#include "mockserver/act.h"
#include "mockserver/engine.h"
#include "mockserver/error_queue.h"
#include "mockserver/exchange_open.h"
#include "mockserver/force.h"
#include "mockserver/metrics.h"
#include "mockserver/retry_test.h"
#include "mockserver/server.h"

struct admin {
  struct journal *journal;
  struct act *act; /* the current one */
  const struct server_settings *settings;
  /* Of `server`: takes all settings over; takes a scenario over. */
  void (*set)(void *server, const struct server_settings *wanted);
  void (*arm)(void *server, struct scenario *scenario);
  void *server;
  struct engine *engine; /* NULL: no stats */
  struct metrics *metrics;
  struct force *force;
  struct error_queue *errors;
  struct retry_tests *retry_tests;
  const char *token; /* NULL: nobody needs one */
  const char **type; /* of the answer; admin_answer() sets it */
  int64_t now_ns;
};

void admin_answer(struct exchange *x, const struct admin *a);

#endif
