/*
 * obeyed.h - what a client made of a wait it was asked for, and the search
 * for the longest one it obeys. Pure.
 */
#ifndef HARNESS_PROBE_OBEYED_H
#define HARNESS_PROBE_OBEYED_H

#include "harness/probe/sight.h"

enum obeyed {
  OBEYED_UNKNOWN, /* no call, or a trial that failed */
  OBEYED_WAITED,  /* asked again, not before the time */
  OBEYED_EARLY,   /* asked again before the time */
  OBEYED_STOPPED, /* ended without asking again */
  OBEYED_SILENT   /* neither, as long as it was watched: it waits */
};

/* Of the first answer of a trial. `least_s`: the wait it was asked for, less
 * what a form cut off. */
enum obeyed obeyed_of(const struct sight *s, double least_s);
/* The wait is the one asked for and not a longer one of the client's own. */
bool obeyed_closely(const struct sight *s, double least_s, double asked_s);

enum understood {
  UNDERSTOOD_UNKNOWN,
  UNDERSTOOD_YES,
  UNDERSTOOD_SHORT, /* longer than any wait of its own, but cut */
  UNDERSTOOD_NO,    /* its own wait */
  UNDERSTOOD_STOPS, /* it ends where it asks again without that */
  UNDERSTOOD_LONG,  /* much longer than asked for */
  UNDERSTOOD_EITHER /* not told apart from a long wait of its own */
};
/* Of a form in which `asked_s` was asked for, `least_s` of it at the least;
 * `own_s`: the client's longest first wait when nothing is asked for. */
enum understood understood_of(const struct sight *s, double least_s,
                              double asked_s, double own_s);

/* One value tried. */
struct tried {
  double asked_s;
  enum obeyed obeyed;
};

/* The longest wait below which everything is obeyed, and the shortest above
 * it that is not. */
struct bracket {
  bool has_low, has_high;
  double low_s, high_s;
  enum obeyed above; /* of high_s */
};

struct bracket bracket_of(const struct tried *list, size_t n);
/* Whole seconds between the two that are to be tried next, evenly spread; 0:
 * they lie no further apart than a second. */
size_t bracket_next(const struct bracket *b, double *ret, size_t max);

#endif
