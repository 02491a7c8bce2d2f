/*
 * settings.h - the options both forms of the guard program share, and the
 * policy they make.
 *
 * Rule: a number not given keeps the default of guard/policy.h. Times are
 * seconds, fractions allowed.
 */
#ifndef GUARD_COMMAND_SETTINGS_H
#define GUARD_COMMAND_SETTINGS_H

#include "settings_pacing.h"
#include "settings_records.h"

#include "base/cmdline.h"
#include "guard/policy.h"

enum { SETTINGS_SECONDS = 12, SETTINGS_OPTIONS = 64 };

struct settings {
  /* As given; negative or NULL: not given. */
  double seconds[SETTINGS_SECONDS];
  double retry_ratio;
  int64_t attempts, retries, breaker_hits, timeout_retries, seed;
  const char *jitter, *terminal, *label, *state, *breaker, *breaker_counts;
  struct settings_records records;
  struct pacing_settings pacing;
  /* Filled by settings_finish(). */
  struct guard_policy policy;
  bool strict; /* --terminal */
  bool first_byte_given, idle_given;
  char *state_path; /* NULL: not shared */
  /* Filled by settings_init(): own options, then the shared ones. */
  struct option options[SETTINGS_OPTIONS];
};

/* Makes the table of options from the NULL-terminated list |own| and the
 * shared ones. */
void settings_init(struct settings *s, const struct option *own);
/* Words and numbers as given -> policy, state path. */
int settings_finish(struct settings *s, struct diag *diag);
void settings_release(struct settings *s);

/* The place of |word| in the NULL-terminated |words|; an error that names
 * |option| and the nearest word otherwise. */
int settings_word(const char *option, const char *word,
                  const char *const *words, int *ret, struct diag *diag);

#endif
