/*
 * json_exact.h - JSON that has to come back as it was: whole numbers of 64
 * bits, and strings with NUL bytes.
 *
 * cJSON keeps a number as a double, exact to 2^53 only; a monotonic clock in
 * nanoseconds passes that after 104 days. So long numbers are put between
 * quotes before cJSON sees them, and the reads below take both forms. A
 * \u0000 becomes U+FFFD: who needs the byte has it in base64 beside.
 */
#ifndef BASE_JSON_EXACT_H
#define BASE_JSON_EXACT_H

#include "base/json.h"

/* Appends `text` so that cJSON loses nothing of it. */
void json_exact(struct bytes text, struct buf *ret);

/* A whole number within min..max, as a number or as a text. */
int jval_i64(const struct jval *v, int64_t min, int64_t max, int64_t *ret,
             struct diag *diag);
int jval_u64(const struct jval *v, uint64_t max, uint64_t *ret,
             struct diag *diag);

#endif
