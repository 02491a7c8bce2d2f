/*
 * rounds.h - runs the trials a book has noted, all at the same time.
 */
#ifndef HARNESS_PROBE_ROUNDS_H
#define HARNESS_PROBE_ROUNDS_H

#include "harness/probe/book.h"
#include "harness/timing.h"

struct round_context {
  const char *const *command; /* ncommand words, NULL-terminated */
  size_t ncommand;
  const cJSON *env; /* more variables for the client, NULL: none */
  uint64_t seed;    /* each trial has one of its own from it */
  int at_once;
  double start_limit_s;        /* from exec to the first request */
  const char *root;            /* temporary folder of the whole probe */
  const struct timing *timing; /* virtual where it is `possible` */
  struct clock *clock;
};

/* Runs all pending trials; each has a sight then. Returns the signal that
 * interrupted it, or 0, or -1 with `diag` set. */
int rounds_run(struct book *b, const struct round_context *c,
               struct diag *diag);

#endif
