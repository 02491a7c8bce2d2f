/*
 * rate_rules.h - what the readers of rate-limit headers share; inside
 * lib/guard only.
 */
#ifndef GUARD_RATE_RULES_H
#define GUARD_RATE_RULES_H

#include "guard/hint.h"
#include "guard/rate_headers.h"

/* Notes a value; of two the tighter one stays. */
void guard_rate_note(struct guard_rate *r, enum guard_rate_field field,
                     int64_t value);
void guard_rate_note_invalid(struct guard_rate *r, enum guard_rate_field field);

/* a x b / c rounded up, at most |most|; 0 for what is not positive. */
int64_t guard_rate_scale(int64_t a, int64_t b, int64_t c, int64_t most);

/* rate_list.c: RateLimit and RateLimit-Policy in list form. */
void guard_rate_list(const struct guard_header *headers, size_t nheaders,
                     struct guard_rate *ret);

#endif
