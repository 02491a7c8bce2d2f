/*
 * pass.h - which calls go on to the upstream.
 *
 * Rule: docs/import.md, "In front of a real API". With --upstream the script
 * answers what its steps take, but for those that say "pass"; everything
 * else goes on: calls beyond the script unless `after_script` says something,
 * calls a stream fault cannot answer, other endpoints, other providers.
 */
#ifndef MOCKSERVER_UPSTREAM_PASS_H
#define MOCKSERVER_UPSTREAM_PASS_H

#include "base/param.h"

struct choice;
struct exchange;
struct scenario;
struct server;

/* Keys of a step that passes a call on, besides `when`, `match` and
 * `times`. */
extern const struct param pass_params[];

/* The scenario says somewhere that calls go on. */
bool pass_is_wanted(const struct scenario *s);
/* With an upstream: beyond the script calls go on unless it says otherwise. */
void pass_adopt(struct scenario *s);

/* True when the choice is to pass, and it has been done. */
bool pass_chosen(struct server *s, struct exchange *x,
                 const struct choice *choice);
/* What the script has no word about, with an upstream. */
bool pass_rest(struct server *s, struct exchange *x);

#endif
