/*
 * run.h - one run: a server with an armed script and the client's copies, in
 * one engine loop, until all have ended; then the evidence.
 *
 * The rules (design section 3, facts about real clients): the limit counts
 * from the first request, or from exec while none has come; at the limit the
 * client's group gets SIGTERM, 2 s later SIGKILL; whatever a client leaves
 * behind is ended and noted; then open answers get a short time to end and
 * the journal is frozen. Must run in a process of its own: all its children
 * are taken for clients or their leavings.
 */
#ifndef HARNESS_RUN_H
#define HARNESS_RUN_H

#include "base/clock.h"
#include "harness/evidence.h"

struct run_options {
  const struct scenario *scenario;
  const struct spec *spec;
  const struct policy *policy;
  const char *const *command; /* ncommand words */
  size_t ncommand;
  const char *address;  /* {SCENARIO} */
  const char *provider; /* {PROVIDER} */
  uint64_t seed;
  bool no_faults;
  double limit_s;           /* 0: the scenario's */
  struct run_limits limits; /* of virtual time; no number is 0 */
  double start_limit_s;     /* from exec to the first request; 0: limit_s */
  const cJSON *env;         /* more variables of the client, NULL: none */
  const char *folder;       /* private and there; homes are made in it */
  const char *journal_path; /* NULL: memory only */
  struct clock *clock;
  struct vtime *vtime; /* whose clock it is; NULL: real time */
  bool at_unused;      /* in real time: the wall clock should begin elsewhere */
  int stop_fd;         /* readable: end all and come back; -1: none */
};

struct run;

/* 0 with evidence, or -1: the set-up failed. The caller frees. */
int run_scenario(const struct run_options *o, struct run **ret,
                 struct diag *diag);
const struct evidence *run_evidence(const struct run *r);
/* stop_fd ended it: the evidence is worth nothing. */
bool run_interrupted(const struct run *r);
void run_free(struct run *r);

#endif
