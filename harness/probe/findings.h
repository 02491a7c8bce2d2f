/*
 * findings.h - what a probe found: lines of the table, values of the policy,
 * dangers. Nothing is guessed: what was not measured says why.
 */
#ifndef HARNESS_PROBE_FINDINGS_H
#define HARNESS_PROBE_FINDINGS_H

#include "base/buf.h"

/* One line of the table. */
struct fact {
  const char *probe; /* of probes.def */
  char *what, *value, *evidence;
  bool measured; /* false: `evidence` is why not, `value` is NULL */
};

/* One key of the policy file. */
struct setting {
  const char *key;
  char *json; /* NULL: left out */
  char *note; /* where it was measured, or why it is left out */
};

/* What may go wrong with this client, the worst first. */
enum harm {
  HARM_WRONG_RESULT, /* something false is taken for the answer */
  HARM_NEVER_ENDS,   /* it hangs or asks without end */
  HARM_ATTACKS,      /* it makes an overload worse */
  HARM_WASTES,       /* it pays for what cannot succeed */
  HARM_GIVES_UP,     /* it fails where waiting would have helped */
  HARM_HOLDS,        /* silence holds it for a long time */
  HARM_SAYS_NOTHING  /* nobody sees what it does */
};

struct danger {
  enum harm harm;
  const char *scenario; /* address of a shipped scenario that shows it */
  char *sentence;
};

struct findings {
  const char *probe; /* whose turn it is */
  struct fact *facts;
  size_t nfacts;
  struct setting *settings;
  size_t nsettings;
  struct danger *dangers; /* sorted by findings_sort */
  size_t ndangers;
};

/* All texts behind a `take_` are taken over and freed on release. */
void findings_release(struct findings *f);
void findings_sort(struct findings *f);
void take_value(struct findings *f, const char *what, char *value,
                char *evidence);
/* "not measured, because `because`" */
void take_nothing(struct findings *f, const char *what, char *because);
/* The first word about a key counts; one with a value beats one without. */
void take_setting(struct findings *f, const char *key, char *json, char *note);
void take_no_setting(struct findings *f, const char *key, char *note);
void take_danger(struct findings *f, enum harm harm, const char *scenario,
                 char *sentence);
/* The same with a case of it: "`kind`: `what`". Cases of one kind are one
 * danger, with the scenario of the first. */
void take_case(struct findings *f, enum harm harm, const char *scenario,
               const char *kind, const char *what);
/* NULL: nobody said a word about it. */
const struct setting *findings_setting(const struct findings *f,
                                       const char *key);

#endif
