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
/*
 * False when surely nothing was done at the server: nothing was sent, or it
 * was refused (a limit, 3xx, 4xx). A time-out and a cut may have been
 * processed (third article); so may a 5xx.
 */
bool judge_may_have_happened(const struct transfer *t,
                             const struct guard_verdict *v);

#endif
