/*
 * settings_pacing.h - the options about how fast and how many at once
 * (guard/pacing.h).
 *
 * Rule: a number not given keeps the default of guard/pacing.h; a lease is
 * longer than the longest try the policy allows, or a place would be given
 * away while its holder still calls.
 */
#ifndef GUARD_COMMAND_SETTINGS_PACING_H
#define GUARD_COMMAND_SETTINGS_PACING_H

#include "base/cmdline.h"
#include "guard/lanes.h"
#include "guard/policy.h"

enum { SETTINGS_PACING = 9 };

struct pacing_settings {
  /* As given; negative or NULL: not given. */
  int64_t places, start, rpm, tpm;
  double stagger_s, throttle_k;
  const char *lane_word, *slow_down, *log;
  /* Filled by settings_pacing_finish(). */
  struct guard_pacing pacing;
  enum guard_lane lane;
  bool staggered;  /* the start waits */
  bool log_limits; /* a line for every answer with limits */
};

/* |ret_options| are the options, which point into |p|. */
void settings_pacing_init(struct pacing_settings *p,
                          struct option ret_options[SETTINGS_PACING]);
int settings_pacing_finish(struct pacing_settings *p,
                           const struct guard_policy *policy,
                           struct diag *diag);

#endif
