/*
 * book.h - the trials of one probe: what was asked for, and what was seen.
 *
 * An experiment asks the book for sights by name. A trial that has not run
 * yet is noted and runs in the next round, together with all others that are
 * noted, since trials mostly wait; then the experiment is asked again. Two
 * experiments that ask for the same name share one trial.
 */
#ifndef HARNESS_PROBE_BOOK_H
#define HARNESS_PROBE_BOOK_H

#include "harness/probe/sight.h"

/* One run of the client to be made. */
struct trial_ask {
  char *steps;       /* JSON list of steps; taken over */
  double limit_s;    /* 0: that of the probe; more than that is cut */
  int starts;        /* 0: one */
  double pause_s;    /* between two starts */
  int lanes;         /* copies of the client, 0: one without a name */
  bool shared_state; /* copies get one XDG_STATE_HOME */
};

struct trial {
  char *name, *steps;
  struct trial_ask ask; /* its steps are those above */
  bool done;
  bool again; /* it showed no call and runs once more */
  struct sight sight;
};

/* What the client calls, and how it is told. */
struct face {
  const char *provider; /* whose API: of the first call, or as asked */
  const char *command;  /* name of the command it starts; NULL: HTTP */
  bool stream;          /* its calls ask for a stream */
};

struct book {
  struct face face;
  double limit_s;
  struct trial **trials;
  size_t n;
  size_t pending; /* asked for and not done */
  bool called;    /* the client has reached the server */
};

void book_release(struct book *b);
/* What that trial showed, or NULL: it will run in the next round. `steps` is
 * freed when it is not needed. A trial that failed has a sight with `why`. */
const struct sight *book_want(struct book *b, const char *name,
                              const struct trial_ask *ask);
/* NULL: nobody asked for it, or it has not run. */
const struct sight *book_find(const struct book *b, const char *name);
/* The trial's scenario as JSON; the caller frees. */
char *book_scenario(const struct book *b, const struct trial *t);

#endif
