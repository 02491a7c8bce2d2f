/*
 * answer.h - the text of a whole (not streamed) answer.
 *
 * Rule: a 200 is no success by itself. The body must be the provider's
 * object, whole, and say that the model ended.
 */
#ifndef GUARD_COMMAND_ANSWER_H
#define GUARD_COMMAND_ANSWER_H

#include "request.h"

/* True and the text appended to |ret| when |body| is a complete answer. */
bool answer_text(enum provider_shape shape, struct bytes body, struct buf *ret);

#endif
