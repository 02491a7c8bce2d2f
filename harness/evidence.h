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
#include "harness/vtime/vtime.h"
#include "mockserver/journal.h"
#include "mockserver/scenario.h"

/* What ended a start that was still there. */
enum start_end {
  START_LIMIT,      /* its own limit */
  START_REAL_LIMIT, /* virtual time: the run's real seconds were over */
  START_ATTEMPTS,   /* virtual time: so many calls, and no time passed */
  START_TOO_FAR     /* virtual time: it asked for a longer wait than may be */
};
/* "limit", "real limit", "attempts", "largest jump"; NULL-terminated. */
extern const char *const start_end_words[];

/* One start of the client. */
struct client_start {
  char lane[64];
  int number; /* from 0 within its lane */
  long pid;
  int64_t start_ns, exit_ns; /* exit_ns: the process was reaped */
  bool launched; /* false: it could not be started, see launch_error */
  char launch_error[256];
  bool timed_out; /* still running at the limit, ended by us */
  /* Valid when it timed out. Another than its own limit of a start that did
   * not: the run ended before the next one. */
  enum start_end ended_by;
  char ended_in[160];    /* by what exactly, in words; empty: its limit */
  int exit_code;         /* valid when signal is 0 and not timed_out */
  int signal;            /* it died of this one by itself, 0: it exited */
  int64_t signalled_ns;  /* client.signal was sent then, 0: it was not */
  struct bytes out, err; /* captured, up to the ceiling */
  bool out_cut, err_cut; /* more was written than is kept */
  uint64_t out_bytes, err_bytes; /* all that was written */
  bool left_children; /* processes of it were still there and were ended */
  /* Virtual time only: how long none of its threads had had a timer when the
   * limit came, with nothing scheduled that could wake one; 0: it is not so.
   * It waited for ever. */
  int64_t stalled_ns;
  char stalled_in[160]; /* "python3 in recvfrom on a socket"; may be empty */
};

/* A file below {SHARED} that an expectation names, at the end of the run. */
struct client_file {
  const char *name;
  struct bytes text;
  bool there, cut; /* cut: more was written than is kept */
};

struct evidence {
  const struct scenario *scenario;
  const struct spec *spec;               /* client and expect */
  const struct policy *policy;           /* never NULL */
  const struct attempt *const *attempts; /* ATTEMPT_CALL only, by arrival */
  size_t nattempts;
  size_t nside, nrefused;
  size_t nhandshakes; /* TLS handshakes with a fault */
  const struct client_start *starts;
  size_t nstarts;
  const uint64_t *step_uses;        /* per step of the scenario */
  int64_t start_ns, end_ns;         /* first exec; journal frozen */
  bool no_faults;                   /* control run */
  const struct attempt *const *all; /* every class, by arrival: transcript */
  size_t nall;
  int64_t wall_offset_ns;           /* wall clock minus monotonic clock */
  const struct vtime_report *vtime; /* NULL: the run was in real time */
  bool
      at_unused; /* in real time, although a begin of the clock was asked for */
  struct bytes side_effects; /* what was appended to the file of that name */
  const struct client_file *files;
  size_t nfiles;
};

/* Counts e->all by its classes and points e->attempts at the calls, for which
 * `calls` has room: as many as e->nall. */
void evidence_sort(struct evidence *e, const struct attempt **calls);

/* What belongs to one lane, in order. */
struct lane_view {
  const struct evidence *e;
  const char *lane;
  const struct attempt **a; /* its calls, na of them */
  size_t na;
  const struct client_start **s; /* its starts of the client, ns of them */
  size_t ns;
};
/* A client may choose lanes itself (header, key): such a lane has every
 * start. The caller releases. */
void lane_view_init(struct lane_view *v, const struct evidence *e,
                    const char *lane);
void lane_view_release(struct lane_view *v);
/* The lanes an expectation is about: its own, or all that were asked for or
 * seen. At most `max`; returns how many. */
size_t evidence_lanes(const struct evidence *e, const struct expect *x,
                      const char **ret, size_t max);

/* When the answer was over for the client: its last byte, or the moment the
 * client left before that, or the end of the request if nothing was sent. */
int64_t attempt_end_ns(const struct attempt *a);
/* A handshake without a fault that the client refused: it does not trust the
 * server's CA. NULL: none. */
const struct attempt *evidence_distrust(const struct evidence *e);
/* NULL: no expectation has named it. */
const struct client_file *evidence_file(const struct evidence *e,
                                        const char *name);
/* All that matters of its answer went out: of a stream its terminal event. A
 * client may leave then; what frames the end of the body (RFC 9112, 7.1) is
 * not waited for. */
bool attempt_whole(const struct attempt *a);
/* A fault that was meant and sent. */
bool attempt_faulty(const struct attempt *a);
/* The start during which the attempt began; -1 when none fits. */
int lane_start_of(const struct lane_view *v, const struct attempt *a);

/* The wait between a call and what followed it. */
struct gap {
  const struct attempt *before, *after;
  int number;   /* of `before` within the lane, from 1 */
  int64_t ns;   /* end of the answer -> first byte of the next request */
  bool by_call; /* calls overlapped: `after` is the repeat of this call */
};
/*
 * After the lane's call `i`. The next request of the lane counts; when
 * another call overlapped this one, it is the next with the same idempotency
 * key, else the same body, else the next. False when nothing followed.
 */
bool lane_gap(const struct lane_view *v, size_t i, struct gap *ret);

/*
 * Seconds the answer asked the client to wait: a number, an HTTP date
 * (against the wall clock at the end of the answer, never below 0) or the
 * step's retry_after_ms. False when it asked for nothing readable.
 */
bool attempt_retry_after_s(const struct evidence *e, const struct attempt *a,
                           double *ret);

#endif
