/*
 * split.h - a raw HTTP/1.1 answer, plain or chunked, as text for answer.h.
 */
#ifndef FUZZ_SPLIT_H
#define FUZZ_SPLIT_H

#include "base/buf.h"

void split_answer(struct buf *ret, struct bytes raw);

#endif
