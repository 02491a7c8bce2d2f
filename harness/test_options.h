/*
 * test_options.h - the command line of `faultwire test`.
 */
#ifndef HARNESS_TEST_OPTIONS_H
#define HARNESS_TEST_OPTIONS_H

#include "harness/progress_live.h"
#include "harness/report_out.h"
#include "harness/run_limits.h"
#include "harness/shard.h"
#include "harness/timing.h"

struct test_options {
  const char *policy, *provider, *evidence;
  const char *channel; /* NULL: http in folders, any of files named */
  int64_t jobs;        /* 0: one per core */
  int64_t seed;        /* -1: not given */
  double limit_s;
  const char *time, *at;    /* as on the command line, NULL: not given */
  struct timing timing;     /* of the command line and the project */
  double scale;             /* at most so much, 0: not given */
  struct run_limits limits; /* of the command line */
  struct run_limits project_limits; /* of the project */
  struct option_list only, tags, not_tags;
  struct report_out out;
  enum progress_mode progress;
  const char *progress_word;
  const char *shard_word;
  struct shard shard;
  const char *project; /* --project, NULL: it was not given */
  bool no_faults, keep_home, strict, list, quiet;
  char **paths;
  int npaths;
  char **command; /* NULL-terminated */
  int ncommand;
  char **words; /* holds both lists; free */
};

/* Parses; the caller frees ret->words. What a project file has to say comes
 * next (harness/project.h), then the check. */
enum cmdline_result test_options_parse(struct test_options *ret, int argc,
                                       char **argv, struct diag *diag);
/* Known words, and something to run. */
int test_options_check(struct test_options *o, struct diag *diag);

#endif
