/*
 * act.h - one armed scenario, with all that is counted for it.
 *
 * Rule: docs/control.md, "Arming". A server has one current act. When
 * another scenario is armed the old act retires: calls under way keep it
 * (they hold pointers into its steps), and it goes with the last of them.
 */
#ifndef MOCKSERVER_ACT_H
#define MOCKSERVER_ACT_H

#include "base/clock.h"
#include "mockserver/answer_cache.h"
#include "mockserver/barrier.h"
#include "mockserver/endpoint_store.h"
#include "mockserver/limit_gate.h"
#include "mockserver/scenario.h"
#include "mockserver/script.h"

struct act {
  struct act *next;                /* of the retired ones */
  uint64_t number;                 /* from 1, in the order of arming */
  uint64_t open;                   /* calls under way that it answers */
  const struct scenario *scenario; /* NULL: every call gets a plain reply */
  struct scenario owned;           /* released with it, when `owns` */
  bool owns;
  struct script *script;
  struct barriers *barriers;
  struct limit_gate *limits; /* NULL: none */
  struct endpoint_store *store;
  const struct provider *fallback; /* for paths that name none */
  struct answer_cache *caches;     /* one a step */
  size_t ncaches;
  uint64_t calls; /* over all lanes */
  bool any_talk;  /* some step matches on the conversation */
  bool any_early; /* some step acts before the request's body is in */
};

/* `scenario` must outlive it. */
struct act *act_new(const struct scenario *scenario, struct clock *clock,
                    uint64_t seed);
/* Takes the scenario over; `scenario` is empty after. */
struct act *act_new_owning(struct scenario *scenario, struct clock *clock,
                           uint64_t seed);
void act_free(struct act *a);
/* Back to the start of the script in every lane. */
void act_rewind(struct act *a, int64_t now_ns);
/* The step acts before the request's body is in. */
bool act_step_is_early(const struct step *step);

#endif
