/*
 * port.h - what becomes of the listening port while a script runs.
 *
 * Rule: docs/scenario.md, "The port". The port is that of all lanes, so its
 * changes are no steps: they begin with the n-th call, or so long after the
 * first, and are carried out by the engine (OP_PORT).
 */
#ifndef MOCKSERVER_PORT_H
#define MOCKSERVER_PORT_H

#include "base/param.h"
#include "mockserver/plan.h"

struct port_change {
  enum port_state state;
  int64_t after_calls; /* begins with this call, 0: by time */
  int64_t from_ns;     /* since the first call */
  int64_t for_ns;      /* INT64_MAX: to the end */
};

extern const struct param port_params[];

/* The scenario's `port` into fresh memory that the caller frees; NULL and 0
 * when there is none. */
int port_read(const struct jval *root, struct port_change **ret, size_t *ret_n,
              struct diag *diag);
/* Call number `call` (from 1, over all lanes) has arrived: what it sets off
 * goes into its plan. */
void port_on_call(const struct port_change *list, size_t n, uint64_t call,
                  struct plan *plan);

#endif
