/*
 * reply_step.h - the content of an answer as a step's keys describe it:
 * `text` and `chunks`, or `blocks`, or the `events` of a scripted stream;
 * `stop` and `stop_sequence`.
 */
#ifndef MOCKSERVER_REPLY_STEP_H
#define MOCKSERVER_REPLY_STEP_H

#include "base/param.h"
#include "mockserver/reply.h"

/* The keys of a reply that say what is in it and how it comes. */
extern const struct param reply_params[];
/* The keys of one member of `blocks`, and of its `tool`. */
extern const struct param block_params[];
extern const struct param tool_params[];

/* Fills blocks and stop of a reply that has none; the step is checked, NULL
 * is one without keys. `streamed` false: what a stream would break off is
 * made whole. */
void reply_from_step(struct reply *r, const cJSON *step, bool streamed);
/* The text a right client shows: that of all text blocks. */
void reply_step_text(const cJSON *step, struct buf *ret);
/* What the tables cannot say. */
int reply_check_step(const struct jval *step, struct diag *diag);

/* A tool of the scenario language as a block; and its check. */
void reply_add_tool(struct reply *r, const cJSON *tool, int64_t chunks);
int reply_check_tool(const struct jval *tool, bool whole, struct diag *diag);

#endif
