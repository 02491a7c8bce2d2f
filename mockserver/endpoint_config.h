/*
 * endpoint_config.h - what `endpoints` of a scenario says: how batches get
 * on and how they end.
 */
#ifndef MOCKSERVER_ENDPOINT_CONFIG_H
#define MOCKSERVER_ENDPOINT_CONFIG_H

#include "base/param.h"

/* How one request of a batch ends. */
enum batch_result {
  BATCH_SUCCEEDED,
  BATCH_ERRORED,
  BATCH_CANCELED,
  BATCH_EXPIRED
};
enum { BATCH_MAX_RESULTS = 64 };

struct endpoint_config {
  int64_t batch_polls; /* looks at a batch that find it still running */
  int64_t batch_ns;    /* and it runs at least so long */
  enum batch_result results[BATCH_MAX_RESULTS]; /* one after the other, then
                                                   again from the first */
  size_t nresults;
};

extern const struct param endpoint_params[];

/* The member `endpoints` of the scenario; none there: the defaults. */
int endpoint_config_read(struct endpoint_config *ret, const struct jval *root,
                         struct diag *diag);

#endif
