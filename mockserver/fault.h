/*
 * fault.h - a fault kind: one file in fault/, one line in faults.def.
 */
#ifndef MOCKSERVER_FAULT_H
#define MOCKSERVER_FAULT_H

#include "base/param.h"

struct exchange;

struct fault {
  const char *name;
  const char *summary;        /* one sentence for `list faults` */
  const struct param *params; /* its own keys of a step */
  bool needs_stream; /* only a streamed answer can carry it: a request that
                        asks for none gets `non_stream` instead */
  bool has_reply;    /* its step may hold the keys of a reply as well: text,
                        chunks, gap_ms */
  /* Whether this step answers before the request's body is read; NULL: no. */
  bool (*step_is_early)(const cJSON *step);
  /* Whether this step needs a stream; NULL: needs_stream says it. */
  bool (*step_needs_stream)(const cJSON *step);
  /* What the table cannot say; NULL: nothing more to check. */
  int (*check)(const struct jval *step, struct diag *diag);
  /* Writes the answer. May use exchange.h and nothing else. */
  void (*run)(struct exchange *x);
};

/* All kinds in the order of faults.def, NULL-terminated. */
extern const struct fault *const faults[];
const struct fault *fault_find(const char *name);
/* True when a call that asks for no stream is answered by `non_stream`. */
bool fault_needs_stream(const struct fault *f, const cJSON *step);

#endif
