/*
 * limit_gate.h - the limiter between a request and its answer: asks it,
 * writes the refusal, tells it what was answered.
 */
#ifndef MOCKSERVER_LIMIT_GATE_H
#define MOCKSERVER_LIMIT_GATE_H

#include "mockserver/exchange_open.h"
#include "mockserver/limits.h"

struct limit_gate;

/* NULL when the scenario has no limits; every function takes that for a
 * limiter that lets all through. */
struct limit_gate *limit_gate_new(const struct limits_config *config,
                                  struct clock *clock);
void limit_gate_free(struct limit_gate *g);
void limit_gate_rewind(struct limit_gate *g);

/* True when some bucket is of that pool. */
bool limit_gate_has(const struct limit_gate *g, enum limit_pool pool);

/* True: the request was refused and its refusal is in the plan. False: the
 * answer may be written; its head gets the limiter's headers. `no_faults`:
 * nothing is refused, the attempt only says that it would have been. */
bool limit_gate_refuses(struct limit_gate *g, struct exchange *x,
                        enum limit_pool pool, int64_t requests, bool no_faults);
/* The answer has been written into the plan. */
void limit_gate_answered(struct limit_gate *g, struct exchange *x);
/* The attempt is over. */
void limit_gate_ended(struct limit_gate *g, const struct attempt *a);
/* The buckets as a JSON array. */
void limit_gate_json(struct limit_gate *g, struct buf *ret);

#endif
