/*
 * run_lane.h - one copy of the client in a run: its starts one after the
 * other, its outputs, its limit.
 */
#ifndef HARNESS_RUN_LANE_H
#define HARNESS_RUN_LANE_H

#include "harness/capture.h"
#include "harness/launch.h"
#include "harness/run.h"
#include "mockserver/engine.h"

/* One start with the bytes it wrote. */
struct lane_start {
  struct client_start facts;
  struct capture out, err;
};

enum lane_phase {
  LANE_BUSY,  /* its client runs or will be started */
  LANE_READY, /* waits for the others' end before its next start */
  LANE_OVER   /* its last start has ended */
};

struct lane {
  enum lane_phase phase;
  const struct run_options *o;
  struct engine *engine;
  const char *name;
  char *home, *tmp, *shared;
  char *ca;   /* file of the certificate to trust; NULL: no HTTPS */
  char *shim; /* folder of the stand-in commands; NULL: none are asked for */
  char run_word[32];
  struct lane_start *starts; /* room for spec->starts */
  size_t nstarts;
  bool running;
  struct client client;
  bool limit_from_request;
  bool cut_short; /* by the run: it is not started again */
  uint64_t limit_timer, kill_timer, start_timer, signal_timer; /* 0: none */
  struct lane *siblings; /* all lanes of the run */
  size_t nsiblings;
  void (*done)(void *arg); /* after its last start */
  /* Nothing but this lane's own limit is scheduled: by the server, by its
   * script, by another lane. */
  bool (*alone)(void *arg);
  void *done_arg; /* of both */
};

/* Makes HOME and the files. */
int lane_init(struct lane *l, struct diag *diag);
void lane_release(struct lane *l);
/* The first start; later ones follow by themselves. */
void lane_begin(struct lane *l);
/* A request of this lane arrived at `ns`: the limit starts. */
void lane_request(struct lane *l, int64_t ns);
/* The run has come to one of its own limits, `in` says which: what runs is
 * ended as at its own limit, without a term of grace, and nothing is started
 * any more: nothing would end it. */
void lane_end(struct lane *l, enum start_end why, const char *in);
/* SIGKILL to what runs; nothing is started any more. */
void lane_abort(struct lane *l);

#endif
