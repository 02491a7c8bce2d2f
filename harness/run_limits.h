/*
 * run_limits.h - what ends a run in virtual time besides the client's own
 * limit: real seconds, a number of calls, the longest wait that is jumped to.
 *
 * The rule (docs/virtual-time.md): a client that never waits moves no clock,
 * so real time and the number of its calls end it; one that asks for a wait
 * of days has got a number wrong, and is told so instead of being obeyed. The
 * command line counts before the scenario, and that before the project.
 */
#ifndef HARNESS_RUN_LIMITS_H
#define HARNESS_RUN_LIMITS_H

#include "base/param.h"

/* Of all three places; ten years are the longest wait the language has. */
#define RUN_LIMITS_REAL_MIN_S 0.1
#define RUN_LIMITS_REAL_MAX_S 86400
#define RUN_LIMITS_MAX_ATTEMPTS 1000000
#define RUN_LIMITS_JUMP_MAX_S 315360000

/* 0: nobody said so. */
struct run_limits {
  double real_s;         /* --real-limit, real_limit_s */
  int64_t attempts;      /* --attempt-limit, attempt_limit */
  double largest_jump_s; /* --largest-jump, largest_jump_s */
};

/* What holds where nobody says anything: 60 s, 10,000 calls, 24 h. */
extern const struct run_limits run_limits_default;

/* The keys of a checked object. */
struct run_limits run_limits_read(const cJSON *object);
/* Number by number the first that says one; never 0. Pure. */
struct run_limits run_limits_choose(const struct run_limits *command,
                                    const struct run_limits *own,
                                    const struct run_limits *project);

#endif
