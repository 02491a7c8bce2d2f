/*
 * side.h - answers to what no script is about: probes, model lists, token
 * counts, upgrades, unknown paths. None of them eats a step.
 */
#ifndef MOCKSERVER_SIDE_H
#define MOCKSERVER_SIDE_H

#include "mockserver/exchange_open.h"

/* Answers by the call's endpoint, which is no ENDPOINT_GENERATE. */
void side_answer(struct exchange *x);
/* A generation call of another provider than the scenario's. */
void side_other_provider(struct exchange *x);
/* A call beyond a script whose after_script is "error". */
void side_script_ended(struct exchange *x);
/* A call is to be passed on, and there is nowhere to. */
void side_no_upstream(struct exchange *x);

#endif
