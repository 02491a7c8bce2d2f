/*
 * barrier.h - the rounds of steps with a `barrier`.
 *
 * Rule: docs/scenario.md, "Barriers". A call takes its use of the step when
 * it arrives, and a place in the round that is open. The last place opens
 * the gate; so does the time, counted from the round's first call. Places of
 * a round nobody took are used up with it.
 */
#ifndef MOCKSERVER_BARRIER_H
#define MOCKSERVER_BARRIER_H

#include "mockserver/gate.h"
#include "mockserver/script.h"

struct barriers;
struct barriers *barriers_new(void);
void barriers_free(struct barriers *b);
/* The call's round; the gate is open when the call is the last one. The
 * caller gets a reference of its own. */
struct gate *barriers_join(struct barriers *b, const struct step *step,
                           const char *lane, int64_t now_ns);
/* Ends the rounds whose time is up and takes their places from `script`.
 * Asked before a step is chosen. */
void barriers_settle(struct barriers *b, struct script *script, int64_t now_ns);
/* Opens all gates and forgets all rounds. */
void barriers_rewind(struct barriers *b, int64_t now_ns);

#endif
