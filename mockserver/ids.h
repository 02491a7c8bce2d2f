/*
 * ids.h - ids in each provider's form, from the run's seed.
 *
 * The same seed gives the same ids in the same order; the jitter of pauses
 * is drawn from a copy, so that it changes no id. Nothing else in the server
 * is random. Forms: docs/providers.md, "Request ids".
 */
#ifndef MOCKSERVER_IDS_H
#define MOCKSERVER_IDS_H

#include "base/buf.h"

struct ids {
  uint64_t state;
};

void ids_init(struct ids *ids, uint64_t seed);
/* Appends `n` characters of 0-9A-Za-z / of 0-9a-f. */
void ids_base62(struct ids *ids, size_t n, struct buf *ret);
void ids_hex(struct ids *ids, size_t n, struct buf *ret);
/* 0 to 1, 1 not included. */
double ids_fraction(struct ids *ids);

#endif
