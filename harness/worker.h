/*
 * worker.h - one scenario in a process of its own: run, judge, hand over.
 */
#ifndef HARNESS_WORKER_H
#define HARNESS_WORKER_H

#include "harness/run.h"
#include "harness/suite.h"
#include "harness/vtime/way.h"

/* What all workers of a test share; set before the first fork. */
struct worker_context {
  const struct suite *suite;
  const struct policy *policy;
  const char *policy_path;    /* NULL: none */
  const char *const *command; /* ncommand words, NULL-terminated */
  size_t ncommand;
  const char *provider; /* asked for, NULL: none */
  uint64_t seed;
  bool seed_given; /* before the scenario's own */
  bool no_faults, keep_home;
  bool strict;    /* for the evidence alone: warnings fail the run */
  double limit_s; /* 0: the scenario's */
  struct timing timing;
  const char *time, *at; /* as on the command line, NULL: not there */
  double scale;          /* --scale, 0: not given */
  struct run_limits limits, project_limits; /* as they say, 0: not */
  const char *root;     /* temporary folder of the whole test */
  const char *evidence; /* folder for what is kept, NULL: nothing */
  const cJSON *env;     /* the project's variables of the client, or NULL */
  const char *project;  /* path of the project file, NULL: none */
  bool moved;           /* to the project's folder, from another one */
  /* `faultwire replay` runs it again, and not `test`: the folder, the
   * project as it was asked for and the other client, NULL: none */
  const char *replay, *replay_project;
  const char *const *replay_client;
  struct clock *clock;
};

/* jobs.h: work and limit_ns; `arg` is a worker_context. The limit is that of
 * a worker that is broken; time that goes at the real rate is in it. */
int worker_run(void *arg, size_t i, int fd, int stop_fd);
int64_t worker_limit_ns(void *arg, size_t i);

/* The command line that runs scenario i again; the caller frees. */
char *worker_again(const struct worker_context *c, size_t i);
/* The object of a scenario whose worker died; the caller deletes it. */
cJSON *worker_lost(const struct worker_context *c, size_t i, const char *why);

#endif
