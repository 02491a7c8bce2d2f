/*
 * suite_run.h - all scenarios of a suite, some at a time, and what came of
 * them; for `test` and `replay`.
 *
 * An interruption (Ctrl-C, SIGTERM) ends what runs. What had ended by then
 * is a report all the same, with exit code 130; nothing is left running.
 */
#ifndef HARNESS_SUITE_RUN_H
#define HARNESS_SUITE_RUN_H

#include "harness/progress_live.h"
#include "harness/report/report.h"
#include "harness/worker.h"

enum { EXIT_INTERRUPTED = 130 };

struct suite_run {
  struct worker_context *context; /* `root` is filled in here */
  int64_t at_once;                /* 0: one per core */
  enum progress_mode progress;
};

/* 0 with a report, or -1 when the set-up failed. `diag` is set as well when
 * the run was interrupted. The report belongs to the caller, who releases
 * it. */
int suite_test(const struct suite_run *r, struct run_report *ret,
               struct diag *diag);
void suite_report_release(struct run_report *report);

/* The client's program is there: once, before many scenarios would all say
 * that it is not. A command made of words in braces is only known later. */
int suite_find_client(const char *program, struct diag *diag);

#endif
