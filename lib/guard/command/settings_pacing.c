#include "settings_pacing.h"

#include "settings.h"

#include "guard/throttle.h"

#include <math.h>
#include <string.h>

/* 10 years, in seconds, as for the other times (settings.c). */
#define MAX_SECONDS 315360000.0

void settings_pacing_init(struct pacing_settings *p,
                          struct option ret_options[SETTINGS_PACING])
{
  *p = (struct pacing_settings){.places = -1,
                                .start = -1,
                                .rpm = -1,
                                .tpm = -1,
                                .stagger_s = -1,
                                .throttle_k = -1};
  const struct option options[] = {
      {"places", 0, OPTION_INT, &p->places, 0, GUARD_MAX_PLACES, "N",
       "calls at once of all processes, 0: any number (3)"},
      {"lane", 0, OPTION_STRING, &p->lane_word, 0, 0, "WORD",
       "who gets a place first: high, normal or low (normal)"},
      {"stagger", 0, OPTION_NUMBER, &p->stagger_s, 0, MAX_SECONDS, "S",
       "the n-th start waits n times this long (60 with --start)"},
      {"start", 0, OPTION_INT, &p->start, 0, 1e6, "N",
       "which start this is, from 0 (0 with --stagger)"},
      {"rpm", 0, OPTION_INT, &p->rpm, 1, GUARD_BUCKET_MAX, "N",
       "own limit of requests per minute (none)"},
      {"tpm", 0, OPTION_INT, &p->tpm, 1, GUARD_BUCKET_MAX, "N",
       "own limit of tokens per minute, guard http (none)"},
      {"throttle-k", 0, OPTION_NUMBER, &p->throttle_k, 0, 1000, "X",
       "requests per accepted one before throttling, 0: off (2)"},
      {"slow-down", 0, OPTION_STRING, &p->slow_down, 0, 0, "WORD",
       "on, off: obey the limits that answers tell (on)"},
      {"log", 0, OPTION_STRING, &p->log, 0, 0, "WORD",
       "limits: a line for every answer that tells some"},
  };
  memcpy(ret_options, options, sizeof options);
}

static int take_words(struct pacing_settings *p, struct diag *diag)
{
  static const char *const lanes[] = {"high", "normal", "low", NULL};
  static const char *const switches[] = {"on", "off", NULL};
  static const char *const logs[] = {"limits", NULL};
  int lane = GUARD_LANE_NORMAL, off = 0, log = 0;
  if (p->lane_word &&
      settings_word("lane", p->lane_word, lanes, &lane, diag) < 0)
    return -1;
  if (p->slow_down &&
      settings_word("slow-down", p->slow_down, switches, &off, diag) < 0)
    return -1;
  if (p->log && settings_word("log", p->log, logs, &log, diag) < 0)
    return -1;
  p->lane = (enum guard_lane)lane;
  p->pacing.slow_down = off == 0;
  p->log_limits = p->log != NULL;
  return 0;
}

static void take_numbers(struct pacing_settings *p)
{
  struct guard_pacing *to = &p->pacing;
  if (p->places >= 0)
    to->places = (int)p->places;
  if (p->throttle_k >= 0)
    to->throttle_k = p->throttle_k;
  if (p->rpm > 0)
    to->requests_per_minute = p->rpm;
  if (p->tpm > 0)
    to->tokens_per_minute = p->tpm;
  if (p->stagger_s >= 0)
    to->step_ms = llround(p->stagger_s * 1000);
  p->staggered = p->stagger_s >= 0 || p->start >= 0;
  if (p->start < 0)
    p->start = 0;
  /* a step that was asked for is not undercut by a default in silence */
  if (to->max_stagger_ms < to->step_ms * (p->start + 1) && p->stagger_s >= 0)
    to->max_stagger_ms = to->step_ms * (p->start + 1);
}

/* The longest try: its time-out stretched as often as that may happen, and
 * never behind the deadline (call.c). */
static int64_t longest_try_ms(const struct guard_policy *p)
{
  double ms = (double)p->timeout_ms;
  for (int i = 0; i < p->timeout_retries; i++)
    ms *= p->timeout_stretch;
  if (p->timeout_ms == 0 || !(ms < (double)p->deadline_ms))
    return p->deadline_ms;
  return (int64_t)ms;
}

int settings_pacing_finish(struct pacing_settings *p,
                           const struct guard_policy *policy, struct diag *diag)
{
  guard_pacing_default(&p->pacing);
  take_numbers(p);
  if (take_words(p, diag) < 0)
    return -1;
  int64_t lease_ms = longest_try_ms(policy) + policy->probe_grace_ms;
  if (p->pacing.lease_ms < lease_ms)
    p->pacing.lease_ms = lease_ms;
  p->pacing.max_slow_ms = policy->max_cooldown_ms;
  const char *fault = guard_pacing_fault(&p->pacing);
  return fault ? diag_set(diag, "%s", fault) : 0;
}
