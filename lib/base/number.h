/*
 * number.h - the one reader of decimal numbers, with an explicit maximum.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include "base/buf.h"

enum number_result {
  NUMBER_OK,
  NUMBER_NONE,   /* no digit where one is needed, or bytes left over */
  NUMBER_TOO_BIG /* a number, but over the maximum */
};

/* The whole of `s` as 1*DIGIT, at most `max`. */
enum number_result number_u64(struct bytes s, uint64_t max, uint64_t *ret);
/* The whole of `s` as [-]1*DIGIT within min..max. */
enum number_result number_i64(struct bytes s, int64_t min, int64_t max,
                              int64_t *ret);
/* The digits at the front of *s, which is moved behind them. */
enum number_result number_take_u64(struct bytes *s, uint64_t max,
                                   uint64_t *ret);
/* The whole of `s` as [-]DIGITS[.DIGITS] within min..max. */
enum number_result number_decimal(struct bytes s, double min, double max,
                                  double *ret);

#endif
