/*
 * force.h - a fault that the request itself asks for.
 *
 * Rule: docs/control.md, "A fault for one request". The header
 * x-faultwire-force holds a status, the name of a fault kind or of a
 * provider's error; the names other mock servers use for it are taken as
 * well, and the failures of instruction.h. Off unless the server allows it.
 */
#ifndef MOCKSERVER_FORCE_H
#define MOCKSERVER_FORCE_H

#include "mockserver/exchange_open.h"

struct force;
struct force *force_new(struct clock *clock);
void force_free(struct force *f);

enum force_result {
  FORCE_NONE,  /* the request asks for nothing */
  FORCE_FOUND, /* *ret_act: a scenario of one step */
  FORCE_WRONG  /* `diag` says what is wrong with the wish */
};
enum force_result force_find(struct force *f, const struct exchange *x,
                             struct act **ret_act, struct diag *diag);
/* The scenario of one step for that wish, kept for the life of `f`. */
int force_wish(struct force *f, const struct provider *p, struct bytes wish,
               struct act **ret_act, struct diag *diag);
/* 400 in the provider's form. */
void server_refuse_force(struct exchange *x, const struct diag *diag);

#endif
