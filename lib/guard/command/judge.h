/*
 * judge.h - what one transfer means: a verdict, and the text of a success.
 *
 * Rule: a stream is judged by its terminal event, whatever the transport
 * says before or after it; an error status by guard_classify(); a 200 without
 * a complete answer is a failure.
 */
#ifndef GUARD_COMMAND_JUDGE_H
#define GUARD_COMMAND_JUDGE_H

#include "transfer.h"

/* The text goes to |ret_text| only when the verdict's class is GUARD_NONE. */
struct guard_verdict judge(const struct transfer *t, int64_t now_epoch_ms,
                           struct buf *ret_text);

#endif
