/*
 * step_talk.h - `match.messages`: a step for one moment of a conversation,
 * so that the loop of an agent can be scripted.
 *
 * Rule: docs/scenario.md, "Conversations".
 */
#ifndef MOCKSERVER_STEP_TALK_H
#define MOCKSERVER_STEP_TALK_H

#include "base/param.h"
#include "mockserver/talk.h"

extern const struct param talk_params[];

/* Checks `messages`, when `match` has it; `ret` is then its object, else
 * NULL. */
int step_talk_read(const cJSON **ret, const struct jval *match,
                   struct diag *diag);
/* `rule` NULL fits everything, anything else nothing when `t` is NULL. */
bool step_talk_fits(const cJSON *rule, const struct talk *t);

#endif
