/*
 * sight.h - what one trial showed, small enough to be handed from a worker
 * to the caller, and all that the deciding functions of `probe` may use.
 *
 * Times are seconds from the first start of the client. Everything here is
 * pure, so that a unit test can write a sight down by hand.
 */
#ifndef HARNESS_PROBE_SIGHT_H
#define HARNESS_PROBE_SIGHT_H

#include "harness/evidence.h"

/* More calls than this are counted, not kept. */
enum { SIGHT_CALLS = 256 };

struct sight_call {
  double at_s;  /* first byte of the request */
  double end_s; /* the answer was over for the client, or it left */
  bool left;    /* the client left before the answer's end */
  bool stream;  /* it asked for a stream */
  int status;   /* that was sent, 0: none */
  int start;    /* which start it belongs to, -1: none */
  uint64_t body;
};

struct sight_start {
  double start_s, exit_s;
  int code, sig; /* sig 0: it exited by itself with `code` */
  bool timed_out;
  char *out, *err; /* what it wrote, up to a ceiling */
};

struct sight {
  char *why; /* why there is nothing to see; NULL: the trial ran */
  struct sight_call *calls;
  size_t ncalls; /* that are kept */
  size_t total;  /* that came */
  size_t side;   /* requests that were no calls */
  struct sight_start *starts;
  size_t nstarts;
  char provider[32]; /* of the first call */
};

/* The caller releases. */
void sight_of(struct sight *ret, const struct evidence *e);
void sight_none(struct sight *ret, const char *why);
void sight_release(struct sight *s);

/* As bytes between two processes. `sight_read` refuses what it cannot
 * understand with -1; on success the caller releases. */
void sight_write(const struct sight *s, struct buf *ret);
int sight_read(struct sight *ret, struct bytes text);

/* Seconds between the end of answer i (from 0) and the next call; below 0:
 * none followed. */
double sight_gap(const struct sight *s, size_t i);
/* The client ended by itself before the limit, every start of it. */
bool sight_ended(const struct sight *s);
/* The last start; NULL: none. */
const struct sight_start *sight_last(const struct sight *s);
/* Seconds from the end of the last answer to the end of the client or of
 * the trial; 0 without a call. */
double sight_quiet_s(const struct sight *s);
/* Seconds from the first call to the end of the client. */
double sight_took_s(const struct sight *s);
/* How many calls came while start `n` ran. */
size_t sight_calls_of(const struct sight *s, int n);
/* "3 requests at 0.00 1.02 3.05 s, exit 1 after 3.06 s"; the caller frees. */
char *sight_sentence(const struct sight *s);

#endif
