/*
 * answer_cache.h - a step's whole answer, kept for the second it is made in.
 *
 * Dates and resets are whole seconds, so within one second the answers of a
 * step to the same kind of call differ in the request id alone. Keeping the
 * bytes and writing a fresh id into them makes a plain 429 cheap enough to
 * be served at the rate of a static file. Answers that show milliseconds
 * are not kept.
 */
#ifndef MOCKSERVER_ANSWER_CACHE_H
#define MOCKSERVER_ANSWER_CACHE_H

#include "mockserver/exchange_open.h"

struct answer_cache {
  const struct provider *provider; /* NULL: nothing is kept */
  int64_t epoch_s;                 /* of the moment of sending */
  bool close, http_1_0;
  char model[96];
  struct buf bytes;
  size_t id_bytes;
  size_t id_at[8], nids; /* where the id stands in bytes */
  int status;
  char what[96], retry_after[96];
  bool has_retry_after;
};

void answer_cache_init(struct answer_cache *c);
void answer_cache_release(struct answer_cache *c);
/* Writes the kept answer into the plan; false when it does not fit. */
bool answer_cache_use(const struct answer_cache *c, struct exchange *x);
/* Keeps the whole answer that the exchange has just sent. */
void answer_cache_keep(struct answer_cache *c, struct exchange *x);
/* False when the step shows more than the second. */
bool answer_cache_fits(const struct step *step);

#endif
