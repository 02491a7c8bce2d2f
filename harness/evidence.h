/*
 * evidence.h - all that is known about one run, read-only for the checks.
 *
 * Attempts come from the journal, starts from the launcher. Times are
 * monotonic nanoseconds of the run's clock. A check may use nothing else,
 * so a unit test can judge evidence written down by hand.
 */
#ifndef HARNESS_EVIDENCE_H
#define HARNESS_EVIDENCE_H

#include "harness/policy.h"
#include "harness/spec.h"
#include "mockserver/journal.h"
#include "mockserver/scenario.h"

/* One start of the client. */
struct client_start {
  char lane[64];
  int number;      /* from 0 within its lane */
  long pid;
  int64_t start_ns, exit_ns; /* exit_ns: the process was reaped */
  bool launched;   /* false: it could not be started, see launch_error */
  char launch_error[256];
  bool timed_out;  /* still running at the limit, ended by us */
  int exit_code;   /* valid when signal is 0 and not timed_out */
  int signal;      /* it died of this one by itself, 0: it exited */
  struct bytes out, err; /* captured, up to the ceiling */
  bool out_cut, err_cut; /* more was written than is kept */
  uint64_t out_bytes, err_bytes; /* all that was written */
  bool left_children;    /* processes of it were still there and were ended */
};

struct evidence {
  const struct scenario *scenario;
  const struct spec *spec;     /* client and expect */
  const struct policy *policy; /* never NULL */
  const struct attempt *const *attempts; /* ATTEMPT_CALL only, by arrival */
  size_t nattempts;
  size_t nside, nrefused;
  const struct client_start *starts;
  size_t nstarts;
  const uint64_t *step_uses;   /* per step of the scenario */
  int64_t start_ns, end_ns;    /* first exec; journal frozen */
  bool no_faults;              /* control run */
};

#endif
