/*
 * suite.h - runs the suite once and reads what it says about each test.
 *
 * The two kinds of suite differ in their command line and in their report
 * (suite_read.h); both must agree with their own exit code, and neither may
 * change during a run: a suite that is edited half way judges mutants and
 * baseline by different rules.
 */
#ifndef MUTANTS_SUITE_H
#define MUTANTS_SUITE_H

#include "mutants/gate.h"

/* How the client is wronged, apart from mutants. */
enum control {
  CONTROL_NONE,
  CONTROL_NO_FAULTS, /* the server never sends a fault */
  CONTROL_DEAD_TRUE, /* the client is `true` */
  CONTROL_DEAD_FALSE /* the client is `false` */
};

struct suite_call {
  const struct gate *gate;
  const char *folder; /* the copy */
  const char *report; /* file for the report of a faultwire suite */
  enum control control;
  const struct plan_mutant *mutant; /* NULL: none */
  const struct texts *only;         /* NULL: every test */
  bool alone;                       /* one test at a time */
  int64_t limit_ms;
};

enum suite_state {
  SUITE_JUDGED,
  SUITE_TIMEOUT,
  SUITE_BROKEN /* no verdicts, or verdicts that contradict themselves */
};

struct suite_answer {
  enum suite_state state;
  struct verdicts tests;
  char *why; /* of TIMEOUT and BROKEN; else "" */
  char *log; /* the command line, and the end of what it printed */
  int64_t ms;
};

/* Pure: the command line; the caller frees each item and the list. */
void suite_argv(const struct suite_call *c, struct texts *ret);
/* -1 when no program could be started at all. The caller releases `ret`. */
int suite_run(const struct suite_call *c, struct suite_answer *ret,
              struct diag *diag);
void suite_answer_release(struct suite_answer *a);
/* Whether the suite can be told which tests to run. */
bool suite_can_pick(const struct plan_suite *s);
/* Whether this control can be run with this suite. */
bool suite_has_control(const struct plan_suite *s, enum control c);

/* What of the suite's command line is a file or folder of the copy or of the
 * machine, except what a mutant of the plan changes. Borrowed texts. */
void suite_find_pins(const struct gate *g, const char *folder,
                     struct texts *ret);
uint64_t suite_pin_hash(const struct gate *g, const char *folder);

#endif
