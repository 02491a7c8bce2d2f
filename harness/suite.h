/*
 * suite.h - which scenarios a command line means.
 *
 * Files and folders; in a folder all *.json below it, sorted by path. The
 * address of a scenario is FOLDER/FILE without .json: it names results,
 * `--only` patterns and evidence folders. A file named twice runs once. A
 * scenario with a sweep becomes one item for each point.
 */
#ifndef HARNESS_SUITE_H
#define HARNESS_SUITE_H

#include "base/cmdline.h"
#include "harness/scale/scale.h"
#include "harness/spec.h"
#include "harness/sweep.h"

struct suite_item {
  char *path, *address;
  struct scenario scenario; /* loaded and checked */
  struct spec spec;
  bool loaded;
  bool named; /* by itself, not found in a folder */
  char *text; /* of a point of a sweep; NULL: the file's own */
  struct sweep_point point;
  struct scaled scaled; /* zeroed: the times are the true ones */
};

struct suite {
  struct suite_item *items;
  size_t n;
  size_t other_channel[NCHANNELS]; /* left out for their channel alone */
};

struct suite_filter {
  const struct option_list *only;     /* patterns on the address, any of them */
  const struct option_list *tags;     /* any of them */
  const struct option_list *not_tags; /* none of them, whatever `tags` says */
  const char *provider; /* scenarios of that one or of any; NULL: all */
  const char *channel;  /* one of channel_words; NULL: all */
  bool named_anyway;    /* the channel is not asked of files named by
                           themselves */
};

/* Finds, loads, checks and filters; every file must be right, even one that
 * the filter leaves out. The caller releases. */
int suite_load(struct suite *ret, char *const *paths, int npaths,
               const struct suite_filter *filter, struct diag *diag);
void suite_release(struct suite *s);
/* The item again from another text, which is copied. On an error it stays as
 * it was. */
int suite_reload(struct suite_item *item, const char *text, struct diag *diag);
/* All that were left out for their channel alone. */
size_t suite_others(const struct suite *s);

/* "rate-limit/429-then-recovers" for its path; the caller frees. */
char *suite_address(const char *path);
/* The provider a client should be told: the scenario's, else `asked`, else
 * the first of providers.def. */
const char *suite_provider(const struct suite_item *item, const char *asked);

#endif
