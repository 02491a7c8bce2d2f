/*
 * facts.h - the times of a scenario, and what keeps it from being scaled.
 */
#ifndef HARNESS_SCALE_FACTS_H
#define HARNESS_SCALE_FACTS_H

#include "harness/scale/told.h"

struct scale_time {
  char *path;
  double s;
  int step;       /* place in steps[], -1: in none */
  double times;   /* how often it may be waited for */
  bool point;     /* a moment of the run, and no wait of its own */
  bool says;      /* the client is told; else it is done */
  bool whole;     /* a whole number of seconds, and stays one */
  bool threshold; /* told, and not to be waited for: kept */
  bool beyond;    /* done for longer than the run lasts: kept */
  bool implied;   /* follows from others: bounds k, is no wait of its own */
};

struct scale_kept {
  char *path, *why;
};

struct scale_facts {
  struct scale_time *times;
  size_t n;
  const struct scale_time **held; /* threshold or beyond, by path */
  size_t nheld;
  struct scale_kept *kept;
  size_t nkept;
  bool cut;      /* lower bounds are a second lower (value.h; a limiter) */
  char *blocked; /* "steps[0].body has a time in words ('4 s')"; NULL: none */
};

/* The caller releases. */
void scale_facts_read(struct scale_facts *ret, const struct scenario *scenario,
                      const struct spec *spec);
void scale_facts_release(struct scale_facts *f);
/* The time at that place that is kept; NULL: none there is. */
const struct scale_time *scale_facts_kept(const struct scale_facts *f,
                                          const char *path);

#endif
