/*
 * test_options.h - the command line of `faultwire test`.
 */
#ifndef HARNESS_TEST_OPTIONS_H
#define HARNESS_TEST_OPTIONS_H

#include "base/cmdline.h"

struct test_options {
  const char *policy, *provider, *format, *evidence;
  const char *channel; /* NULL: http in folders, any of files named */
  int64_t jobs;        /* 0: one per core */
  int64_t seed;        /* -1: not given */
  double limit_s;
  struct option_list only, tags, not_tags, reports;
  bool no_faults, keep_home, strict, list;
  char **paths;
  int npaths;
  char **command; /* NULL-terminated */
  int ncommand;
  char **words; /* holds both lists; free */
};

/* Parses and checks; the caller frees ret->words. */
enum cmdline_result test_options_parse(struct test_options *ret, int argc,
                                       char **argv, struct diag *diag);

#endif
