/*
 * shard.h - a part of a suite, for several machines that each run one.
 *
 * The rule (docs/reports.md, "Shards"): the files are put in order of their
 * paths and dealt out in turn, so that every machine with the same files and
 * the same filters finds the same parts, of nearly equal size. The points of
 * a sweep stay together. K counts from 1 to N, as GitLab's CI_NODE_INDEX does.
 */
#ifndef HARNESS_SHARD_H
#define HARNESS_SHARD_H

#include "harness/suite.h"

struct shard {
  uint64_t k, n; /* k from 1; n 0: all of the suite */
};

/* "K/N" with K from 1 to N; NULL is all of the suite. */
int shard_parse(struct shard *ret, const char *text, struct diag *diag);
/* Leaves in the suite what belongs to the shard, in its order. */
void shard_keep(struct suite *s, const struct shard *shard);

#endif
