#include "settings_records.h"

#include "base/buf.h"
#include "guard/ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 10 years, as the other times of the program. */
#define MAX_SECONDS 315360000.0

/* Own choices (guard-ledger.md): well over the longest call. A minute behind
 * the deadline is room for the end of a process group and for a busy disk. */
enum { LEASE_MS = 30 * 60 * 1000, LEASE_ROOM_MS = 60 * 1000 };

void settings_records_init(struct settings_records *r,
                           struct option ret_options[SETTINGS_RECORDS])
{
  *r = (struct settings_records){.lease_s = -1};
  const struct option table[SETTINGS_RECORDS] = {
      {"prometheus", 0, OPTION_STRING, &r->prometheus, 0, 0, "FILE",
       "totals of all processes, for node_exporter's textfile collector"},
      {"dead-letters", 0, OPTION_STRING, &r->dead_letters, 0, 0, "FILE",
       "one line of JSON for each call that was given up or degraded"},
      {"dead-letters-content", 0, OPTION_FLAG, &r->dead_letters_content, 0, 0,
       NULL, "the prompt or all arguments in it, not only a hash"},
      {"once", 0, OPTION_STRING, &r->once, 0, 0, "KEY",
       "a piece of work by name: done once, then its result is printed"},
      {"ledger", 0, OPTION_STRING, &r->ledger, 0, 0, "FILE",
       "where --once writes it down (guard/ledger.db beside the state)"},
      {"lease", 0, OPTION_NUMBER, &r->lease_s, 0, MAX_SECONDS, "S",
       "then --once takes over from a dead start (deadline + 60, 1800)"},
  };
  memcpy(ret_options, table, sizeof table);
}

/* Beside the state files, by the same rule (settings.c). */
static char *default_ledger(void)
{
  const char *folder = getenv("XDG_STATE_HOME");
  const char *home = getenv("HOME");
  if (folder && folder[0] == '/')
    return mem_format("%s/guard/ledger.db", folder);
  if (home && home[0] != '\0')
    return mem_format("%s/.local/state/guard/ledger.db", home);
  return NULL;
}

static int choose_lease(struct settings_records *r, int64_t deadline_ms,
                        struct diag *diag)
{
  int64_t least_ms = deadline_ms + LEASE_ROOM_MS;
  r->lease_ms = least_ms > LEASE_MS ? least_ms : LEASE_MS;
  if (r->lease_s < 0)
    return 0;
  r->lease_ms = llround(r->lease_s * 1000);
  if (r->lease_ms <= deadline_ms)
    return diag_set(diag,
                    "--lease of %g s is not longer than the --deadline of "
                    "%g s: a call could still run when it is taken over",
                    r->lease_s, (double)deadline_ms / 1000);
  return 0;
}

int settings_records_finish(struct settings_records *r, int64_t deadline_ms,
                            struct diag *diag)
{
  if (r->dead_letters_content && !r->dead_letters)
    return diag_set(diag, "--dead-letters-content needs --dead-letters FILE");
  if (!r->once && (r->ledger || r->lease_s >= 0))
    return diag_set(diag, "--ledger and --lease need --once KEY");
  if (!r->once)
    return 0;
  size_t n = strlen(r->once);
  if (n == 0 || n > GUARD_LEDGER_KEY_MAX)
    return diag_set(diag, "--once takes a key of 1 to %d bytes",
                    GUARD_LEDGER_KEY_MAX);
  r->ledger_path = r->ledger ? mem_strdup(r->ledger) : default_ledger();
  if (!r->ledger_path)
    return diag_set(diag, "--once: no XDG_STATE_HOME and no HOME; "
                          "--ledger FILE is needed");
  return choose_lease(r, deadline_ms, diag);
}

void settings_records_release(struct settings_records *r)
{
  free(r->ledger_path);
  r->ledger_path = NULL;
}
