/*
 * command_options.h - what the commands that take a plan have in common.
 */
#ifndef MUTANTS_COMMAND_OPTIONS_H
#define MUTANTS_COMMAND_OPTIONS_H

#include "mutants/gate.h"

/* More copies than processors of the largest machines. */
enum { MAX_JOBS = 512, MAX_REPEAT = 1000, MAX_SECONDS = 86400 };

typedef int gate_act_fn(struct gate *g, enum gate_exit *ret_exit,
                        struct diag *diag);

struct gate_options command_defaults(void);
/* The options and the one plan; o->plan points into argv. */
enum cmdline_result command_parse(const struct cmdline *c, int argc,
                                  char **argv, struct gate_options *o,
                                  struct diag *diag);
/* Returns the exit code. */
int command_with_gate(const struct gate_options *o, gate_act_fn *act,
                      struct diag *diag);

/* Which mutants. */
#define CHOICE_OPTIONS(o)                                                      \
  {"only",                                                                     \
   0,                                                                          \
   OPTION_STRINGS,                                                             \
   &(o).only,                                                                  \
   0,                                                                          \
   0,                                                                          \
   "GLOB",                                                                     \
   "only mutants with these ids; may be given again"},                         \
      {"in-diff",                                                              \
       0,                                                                      \
       OPTION_STRING,                                                          \
       &(o).in_diff,                                                           \
       0,                                                                      \
       0,                                                                      \
       "FILE",                                                                 \
       "only mutants in lines that this unified diff changes; - is stdin"},    \
  {                                                                            \
    "shard", 0, OPTION_STRING, &(o).shard, 0, 0, "K/N",                        \
        "part K (from 0) of N of these"                                        \
  }

/* Where, and how much at once. */
#define SHARED_OPTIONS(o)                                                      \
  CHOICE_OPTIONS(o),                                                           \
      {"jobs", 0,        OPTION_INT, &(o).jobs,                                \
       1,      MAX_JOBS, "N",        "copies worked on at once (2)"},          \
      {"out", 0, OPTION_STRING, &(o).out,                                      \
       0,     0, "DIR",         "results (mutants.out); copies in DIR.work"},  \
      {"tree", 0, OPTION_STRING, &(o).tree,                                    \
       0,      0, "DIR",         "the tree, instead of the plan's"},           \
      {"keep", 0, OPTION_FLAG, &(o).keep, 0, 0, NULL, "keep DIR.work"},        \
      {"build-timeout",                                                        \
       0,                                                                      \
       OPTION_NUMBER,                                                          \
       &(o).build_timeout_s,                                                   \
       0.001,                                                                  \
       MAX_SECONDS,                                                            \
       "S",                                                                    \
       "seconds for one build (120)"},                                         \
  {                                                                            \
    "verbose", 'v', OPTION_FLAG, &(o).verbose, 0, 0, NULL,                     \
        "a line for good mutants too"                                          \
  }

/* How the suite is run. */
#define SUITE_OPTIONS(o)                                                       \
  {"repeat",   0,                                                              \
   OPTION_INT, &(o).repeat,                                                    \
   1,          MAX_REPEAT,                                                     \
   "N",        "runs of the suite per mutant (1); a difference is flaky"},     \
      {"baseline-runs",                                                        \
       0,                                                                      \
       OPTION_INT,                                                             \
       &(o).baseline_runs,                                                     \
       1,                                                                      \
       MAX_REPEAT,                                                             \
       "N",                                                                    \
       "runs of the unmutated tree (2); what flickers in them cannot kill"},   \
      {"no-controls",                                                          \
       0,                                                                      \
       OPTION_FLAG,                                                            \
       &(o).no_controls,                                                       \
       0,                                                                      \
       0,                                                                      \
       NULL,                                                                   \
       "leave out \"no faults\" and \"dead client\""},                         \
      {"timeout-multiplier",                                                   \
       0,                                                                      \
       OPTION_NUMBER,                                                          \
       &(o).timeout_multiplier,                                                \
       1,                                                                      \
       1000,                                                                   \
       "X",                                                                    \
       "a suite may take X times the baseline (5)"},                           \
  {                                                                            \
    "minimum-timeout", 0, OPTION_NUMBER, &(o).minimum_timeout_s, 0.001,        \
        MAX_SECONDS, "S", "and at least so many seconds (20)"                  \
  }

#endif
