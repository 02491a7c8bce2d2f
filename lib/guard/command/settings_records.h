/*
 * settings_records.h - the options about what the guard program writes down
 * (Prometheus file, dead letters) and what it does not do twice (ledger).
 *
 * Rule: nothing is written that was not asked for, but the state. A lease
 * that ends before the call must end would let two starts work side by side,
 * so it is refused.
 */
#ifndef GUARD_COMMAND_SETTINGS_RECORDS_H
#define GUARD_COMMAND_SETTINGS_RECORDS_H

#include "base/cmdline.h"

enum { SETTINGS_RECORDS = 6 };

struct settings_records {
  /* As given; negative or NULL: not given. */
  const char *prometheus, *dead_letters, *once, *ledger;
  bool dead_letters_content; /* prompts and arguments too */
  double lease_s;
  /* Filled by settings_records_finish(). */
  char *ledger_path; /* set when `once` is */
  int64_t lease_ms;
};

/* |ret_options| are the options, which point into |r|. */
void settings_records_init(struct settings_records *r,
                           struct option ret_options[SETTINGS_RECORDS]);
/* |deadline_ms| is that of one call. */
int settings_records_finish(struct settings_records *r, int64_t deadline_ms,
                            struct diag *diag);
void settings_records_release(struct settings_records *r);

#endif
