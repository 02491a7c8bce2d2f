/*
 * deadline.h - the time a whole call may take, retries and waits included.
 *
 * Rule: deadline first, retries inside it; a wait that would overrun it is
 * not begun (third article). A single try never gets more time than is left.
 */
#ifndef GUARD_DEADLINE_H
#define GUARD_DEADLINE_H

#include <stdbool.h>
#include <stdint.h>

struct guard_deadline {
  int64_t end_ms; /* on the clock of the caller */
};

/* |deadline_ms| from |now_ms|; saturates. */
void guard_deadline_start(struct guard_deadline *d, int64_t now_ms,
                          int64_t deadline_ms);
/* Milliseconds left, never negative. */
int64_t guard_deadline_left_ms(const struct guard_deadline *d, int64_t now_ms);
/* True when nothing would be left after waiting |wait_ms|. */
bool guard_deadline_overrun(const struct guard_deadline *d, int64_t now_ms,
                            int64_t wait_ms);
/* |timeout_ms| (0: none) or what is left, the shorter. */
int64_t guard_deadline_timeout_ms(const struct guard_deadline *d,
                                  int64_t now_ms, int64_t timeout_ms);

#endif
