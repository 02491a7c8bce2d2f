#include "settings.h"

#include "base/buf.h"
#include "base/words.h"
#include "guard/error_class.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* 10 years, in seconds: far inside what a policy accepts. */
#define MAX_SECONDS 315360000.0

static const struct {
  const char *name;
  size_t offset; /* of the milliseconds in the policy */
  const char *summary;
} seconds[SETTINGS_SECONDS] = {
    {"deadline", offsetof(struct guard_policy, deadline_ms),
     "a whole call, retries and waits included (600)"},
    {"cap", offsetof(struct guard_policy, cap_ms),
     "a longer wait asked for is not slept: exit 75 (300)"},
    {"base", offsetof(struct guard_policy, base_ms), "first backoff (5)"},
    {"max-backoff", offsetof(struct guard_policy, max_backoff_ms),
     "longest own backoff (120)"},
    {"breaker-window", offsetof(struct guard_policy, breaker_window_ms),
     "hits within this time open the breaker (120)"},
    {"cooldown", offsetof(struct guard_policy, cooldown_ms),
     "first cooling of the breaker (60)"},
    {"max-cooldown", offsetof(struct guard_policy, max_cooldown_ms),
     "longest cooling (600)"},
    {"timeout", offsetof(struct guard_policy, timeout_ms),
     "one try, 0: none (300)"},
    {"connect-timeout", offsetof(struct guard_policy, connect_timeout_ms),
     "until connected, 0: none (10)"},
    {"first-byte-timeout", offsetof(struct guard_policy, first_byte_ms),
     "until the first content (streams 120, else none)"},
    {"idle-timeout", offsetof(struct guard_policy, idle_ms),
     "between two pieces of content (60; CLI none)"},
    {"max-hold", offsetof(struct guard_policy, max_hold_ms),
     "a reset time the server names is trusted that far (21600)"},
};

static const char *const jitters[] = {"fixed", "none",         "full",
                                      "equal", "decorrelated", NULL};
static const char *const terminals[] = {"strict", "lenient", NULL};

static void add(struct settings *s, struct option o)
{
  int n = 0;
  while (s->options[n].name)
    n++;
  /* one place stays for the end of the table */
  assert(n + 1 < SETTINGS_OPTIONS);
  s->options[n] = o;
}

static void add_counts(struct settings *s)
{
  const struct option counts[] = {
      {"attempts", 0, OPTION_INT, &s->attempts, 1, 1000, "N",
       "tries of one call (6)"},
      {"retries", 0, OPTION_INT, &s->retries, 0, 1000, "N",
       "retries of one call (3, or attempts - 1 when given)"},
      {"retry-ratio", 0, OPTION_NUMBER, &s->retry_ratio, 0, 1000, "X",
       "retries per request of all calls, beyond 10 (0.1)"},
      {"breaker-hits", 0, OPTION_INT, &s->breaker_hits, 0, GUARD_MAX_HITS, "N",
       "limit answers that open, 0: no breaker (3)"},
      {"timeout-retries", 0, OPTION_INT, &s->timeout_retries, 0, 1000, "N",
       "retries after a time-out, 1.5 times as long (1)"},
      {"seed", 0, OPTION_INT, &s->seed, 0, 9007199254740991.0, "N",
       "seed of the jitter (random)"},
  };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    add(s, counts[i]);
}

static void add_words(struct settings *s)
{
  const struct option words[] = {
      {"jitter", 0, OPTION_STRING, &s->jitter, 0, 0, "WORD",
       "equal, full, decorrelated, none or fixed (equal)"},
      {"terminal", 0, OPTION_STRING, &s->terminal, 0, 0, "WORD",
       "what ends a stream: strict or lenient (strict)"},
      {"breaker", 0, OPTION_STRING, &s->breaker, 0, 0, "WORD",
       "auto; open, closed: forced, for tests (auto)"},
      {"breaker-counts", 0, OPTION_STRING, &s->breaker_counts, 0, 0, "LIST",
       "classes that count as hits (rate_limit,overloaded, ...)"},
      {"label", 0, OPTION_STRING, &s->label, 0, 0, "NAME",
       "name in the metrics line and of the state (guard)"},
      {"state", 0, OPTION_STRING, &s->state, 0, 0, "FILE",
       "breaker and budget, shared; -: not shared"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    add(s, words[i]);
}

void settings_init(struct settings *s, const struct option *own)
{
  memset(s, 0, sizeof *s);
  s->retry_ratio = -1;
  s->attempts = s->retries = s->breaker_hits = s->timeout_retries = -1;
  s->seed = -1;
  s->label = "guard";
  guard_policy_default(&s->policy);
  for (; own->name; own++)
    add(s, *own);
  for (int i = 0; i < SETTINGS_SECONDS; i++) {
    s->seconds[i] = -1;
    add(s, (struct option){seconds[i].name, 0, OPTION_NUMBER, &s->seconds[i], 0,
                           MAX_SECONDS, "S", seconds[i].summary});
  }
  add_counts(s);
  add_words(s);
  struct option records[SETTINGS_RECORDS];
  settings_records_init(&s->records, records);
  for (int i = 0; i < SETTINGS_RECORDS; i++)
    add(s, records[i]);
  struct option pacing[SETTINGS_PACING];
  settings_pacing_init(&s->pacing, pacing);
  for (int i = 0; i < SETTINGS_PACING; i++)
    add(s, pacing[i]);
}

int settings_word(const char *option, const char *word,
                  const char *const *words, int *ret, struct diag *diag)
{
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], word) == 0) {
      *ret = i;
      return 0;
    }
  }
  char hint[256];
  words_hint(word, words, hint, sizeof hint);
  return diag_set(diag, "--%s does not know '%s'%s", option, word, hint);
}

static void take_numbers(struct settings *s)
{
  struct guard_policy *p = &s->policy;
  for (int i = 0; i < SETTINGS_SECONDS; i++)
    if (s->seconds[i] >= 0)
      *(int64_t *)(void *)((char *)p + seconds[i].offset) =
          llround(s->seconds[i] * 1000);
  if (s->retry_ratio >= 0)
    p->retry_ratio = s->retry_ratio;
  if (s->breaker_hits >= 0)
    p->breaker_hits = (int)s->breaker_hits;
  if (s->timeout_retries >= 0)
    p->timeout_retries = (int)s->timeout_retries;
  /* A number that was asked for is not undercut by a default in silence. */
  if (s->attempts >= 0) {
    p->attempts = (int)s->attempts;
    p->retries_per_request = p->attempts - 1;
  }
  if (s->retries >= 0)
    p->retries_per_request = (int)s->retries;
}

/* The bounds of a pair follow when only one of them was moved past the
 * other's default. */
static void fit_pairs(struct settings *s)
{
  struct guard_policy *p = &s->policy;
  enum {
    BASE = 2,
    MAX_BACKOFF = 3,
    COOLDOWN = 5,
    MAX_COOLDOWN = 6,
    MAX_HOLD = 11
  };
  if (s->seconds[MAX_BACKOFF] < 0 && p->max_backoff_ms < p->base_ms)
    p->max_backoff_ms = p->base_ms;
  if (s->seconds[BASE] < 0 && p->base_ms > p->max_backoff_ms)
    p->base_ms = p->max_backoff_ms;
  if (s->seconds[MAX_COOLDOWN] < 0 && p->max_cooldown_ms < p->cooldown_ms)
    p->max_cooldown_ms = p->cooldown_ms;
  if (s->seconds[COOLDOWN] < 0 && p->cooldown_ms > p->max_cooldown_ms)
    p->cooldown_ms = p->max_cooldown_ms;
  if (s->seconds[MAX_HOLD] < 0 && p->max_hold_ms < p->max_cooldown_ms)
    p->max_hold_ms = p->max_cooldown_ms;
}

/* "rate_limit,overloaded" */
static int take_counts(struct settings *s, struct diag *diag)
{
  const char *names[GUARD_NCLASSES + 1] = {NULL};
  char *rest = mem_strdup(s->breaker_counts), *at = rest, *word;
  int cls = 0, rc = 0;
  for (int i = 1; i < GUARD_NCLASSES; i++)
    names[i - 1] = guard_class_name((enum guard_class)i);
  s->policy.breaker_counts = 0;
  while (rc == 0 && (word = strsep(&at, ",")) != NULL) {
    rc = settings_word("breaker-counts", word, names, &cls, diag);
    if (rc == 0)
      s->policy.breaker_counts |= 1U << (cls + 1);
  }
  free(rest);
  return rc;
}

static int take_breaker(struct settings *s, struct diag *diag)
{
  static const char *const words[] = {"auto", "open", "closed", NULL};
  static const enum guard_force forces[] = {GUARD_FORCE_NONE, GUARD_FORCE_OPEN,
                                            GUARD_FORCE_CLOSED};
  int force = 0;
  if (s->breaker &&
      settings_word("breaker", s->breaker, words, &force, diag) < 0)
    return -1;
  s->policy.breaker_force = forces[force];
  return s->breaker_counts ? take_counts(s, diag) : 0;
}

static int take_words(struct settings *s, struct diag *diag)
{
  static const enum guard_backoff kinds[] = {
      GUARD_BACKOFF_FIXED, GUARD_BACKOFF_EXPONENTIAL, GUARD_BACKOFF_FULL,
      GUARD_BACKOFF_EQUAL, GUARD_BACKOFF_DECORRELATED};
  int jitter = 3, terminal = 0;
  if (s->jitter &&
      settings_word("jitter", s->jitter, jitters, &jitter, diag) < 0)
    return -1;
  if (s->terminal &&
      settings_word("terminal", s->terminal, terminals, &terminal, diag) < 0)
    return -1;
  s->policy.backoff = kinds[jitter];
  s->strict = terminal == 0;
  return 0;
}

/* The label is a word of the metrics line and a file name. */
static int check_label(const char *label, struct diag *diag)
{
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  size_t n = strspn(label, allowed);
  if (n == 0 || n > 100 || label[n] != '\0' || label[0] == '.')
    return diag_set(diag,
                    "--label is 1 to 100 letters, digits, '.', '_' or '-', "
                    "does not begin with '.', is '%s'",
                    label);
  return 0;
}

static void choose_state_path(struct settings *s)
{
  const char *folder = getenv("XDG_STATE_HOME");
  const char *home = getenv("HOME");
  if (s->state)
    s->state_path = strcmp(s->state, "-") == 0 ? NULL : mem_strdup(s->state);
  else if (folder && folder[0] == '/')
    s->state_path = mem_format("%s/guard/%s.state", folder, s->label);
  else if (home && home[0] != '\0')
    s->state_path =
        mem_format("%s/.local/state/guard/%s.state", home, s->label);
}

int settings_finish(struct settings *s, struct diag *diag)
{
  enum { FIRST_BYTE = 9, IDLE = 10 };
  take_numbers(s);
  fit_pairs(s);
  if (take_words(s, diag) < 0 || take_breaker(s, diag) < 0 ||
      check_label(s->label, diag) < 0)
    return -1;
  s->first_byte_given = s->seconds[FIRST_BYTE] >= 0;
  s->idle_given = s->seconds[IDLE] >= 0;
  const char *fault = guard_policy_fault(&s->policy);
  if (fault)
    return diag_set(diag, "%s", fault);
  if (settings_pacing_finish(&s->pacing, &s->policy, diag) < 0)
    return -1;
  choose_state_path(s);
  return settings_records_finish(&s->records, s->policy.deadline_ms, diag);
}

void settings_release(struct settings *s)
{
  free(s->state_path);
  s->state_path = NULL;
  settings_records_release(&s->records);
}
