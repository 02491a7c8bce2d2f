/*
 * jobs.h - the prompts of one program, several at once, answers in order.
 */
#ifndef GUARD_COMMAND_JOBS_H
#define GUARD_COMMAND_JOBS_H

#include "gate.h"
#include "request.h"

struct jobs {
  struct gate *gate;
  const struct settings_records *records;
  const struct request_options *request;
  const struct option_list *prompts;
  bool strict, live;
  bool go_on; /* from the text of a cut stream */
  int parallel;
};

/* All prompts, at most `parallel` at once. Answers go to stdout in the order
 * of the prompts, each ended by one line end; errors to stderr, a line each.
 * The exit code: 0, or 75 if any call was degraded, or 1 if any failed. */
int jobs_run(const struct jobs *j);

#endif
