/*
 * options.h - the command line of `faultwire probe`.
 */
#ifndef HARNESS_PROBE_OPTIONS_H
#define HARNESS_PROBE_OPTIONS_H

#include "base/cmdline.h"
#include "base/json.h"
#include "harness/timing.h"

struct probe_options {
  const char *provider; /* NULL: that of the first call */
  const char *mode;     /* "stream" or "plain" */
  const char *channel;  /* "http" or "command" */
  const char *stand_in; /* name of the command, NULL with http */
  const char *policy_out, *json_out;
  bool policy_named; /* --policy-out was given */
  const char *time_word;
  enum time_word time; /* real, virtual or auto */
  int64_t jobs, seed;
  double limit_s;
  struct option_list only, env;
  bool force, list;
  cJSON *variables; /* of --env; delete */
  char **command;   /* NULL-terminated */
  int ncommand;
  char **words; /* free */
};

/* Parses and checks; the caller frees what is marked. */
enum cmdline_result probe_options_parse(struct probe_options *ret, int argc,
                                        char **argv, struct diag *diag);

#endif
