/*
 * stream_end.h - what a recorded stream came to; inside lib/guard only.
 */
#ifndef GUARD_STREAM_END_H
#define GUARD_STREAM_END_H

#include "guard/classify/evidence.h"

/* The body is a stream's bytes. NONE after its terminal event. */
struct guard_verdict guard_judge_stream(const struct guard_evidence *e);

#endif
