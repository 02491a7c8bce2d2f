/*
 * bound.h - an expectation's time divided: literals, and expressions.
 *
 * The rule: `retry_after` follows by itself, since what the server told is
 * divided. A number is a time where it is added to, compared with or by
 * itself, and a factor beside a time; times are divided, factors are not.
 * `policy.slack` is the machine's and stays; an upper bound without it gets
 * it, because what the client itself takes does not become shorter. A name
 * that is the client's own time (keys.def, "policy") cannot be divided. Pure.
 */
#ifndef HARNESS_SCALE_BOUND_H
#define HARNESS_SCALE_BOUND_H

#include "base/buf.h"

enum scale_bound { SCALE_BOUND_LOW, SCALE_BOUND_HIGH, SCALE_BOUND_NUMBER };

/* `text`: a number or a checked expression (harness/expr.h). False with a
 * sentence's end in ret_why, of `size` bytes. A BOUND_NUMBER is no time: it
 * is copied, and only names that cannot be divided are refused. */
bool scale_bound_divide(const char *text, enum scale_bound bound, double k,
                        struct buf *out, char *ret_why, size_t size);

#endif
