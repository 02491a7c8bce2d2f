#include "status.h"

#include "input.h"
#include "peek.h"
#include "settings.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* 9999-12-31T23:59:59Z less a year, so that an end after it can be written. */
#define MAX_NOW_S INT64_C(253370764799)
/* 10 years, as the calls allow (settings.c). */
#define MAX_SECONDS 315360000.0

struct ask {
  const char *label, *state;
  double window_s;
  int64_t now_s;
};

static const char summary[] =
    "Shows the breaker, the retry budget and the pacing that all processes of\n"
    "the host with one label share. Nothing is changed, not even a torn file.";
static const char footer[] =
    "exit codes: 0 shown, a missing or torn file too; 1 the file is there and\n"
    "cannot be read; 2 usage";

static const char *special(enum peek_found found)
{
  switch (found) {
  case PEEK_MISSING:
    return "closed, no state file";
  case PEEK_TORN:
    return "closed, the state file is torn or of an older version; the next "
           "call writes it anew";
  case PEEK_FOREIGN:
    return "unknown, this is not a state file; calls leave it alone and share "
           "nothing";
  case PEEK_STATE:
    break;
  }
  return NULL;
}

static int show(const struct settings *s, int64_t now_ms, struct diag *diag)
{
  enum peek_found found;
  struct shared shared;
  struct buf text;
  if (peek_file(s->state_path, &found, &shared, diag) < 0)
    return 1;
  buf_init(&text, 4096);
  if (found == PEEK_STATE) {
    peek_describe(&shared, &s->policy, now_ms, &text);
    peek_describe_pacing(&shared.pace, &s->pacing.pacing, now_ms, &text);
  } else {
    buf_addf(&text, "state: %s\n", special(found));
  }
  printf("%sfile: %s\n", buf_str(&text), s->state_path);
  buf_release(&text);
  return input_flush();
}

static int run(const struct ask *ask, struct diag *diag)
{
  static const struct option none = {NULL, 0, OPTION_FLAG, NULL,
                                     0,    0, NULL,        NULL};
  struct settings s;
  int code = 2;
  settings_init(&s, &none);
  if (ask->label)
    s.label = ask->label;
  s.state = ask->state;
  if (settings_finish(&s, diag) == 0) {
    int64_t now_ms = ask->now_s < 0 ? clock_wall_ns(clock_real()) / NS_PER_MS
                                    : ask->now_s * 1000;
    if (ask->window_s >= 0)
      s.policy.breaker_window_ms = llround(ask->window_s * 1000);
    if (s.state_path)
      code = show(&s, now_ms, diag);
    else
      diag_set(diag, "nothing is shared: --state FILE is needed");
  }
  settings_release(&s);
  return code;
}

int status_main(int argc, char **argv)
{
  struct ask ask = {.window_s = -1, .now_s = -1};
  const struct option options[] = {
      {"label", 0, OPTION_STRING, &ask.label, 0, 0, "NAME",
       "name of the state (guard)"},
      {"state", 0, OPTION_STRING, &ask.state, 0, 0, "FILE",
       "the file itself, as the calls were given it"},
      {"breaker-window", 0, OPTION_NUMBER, &ask.window_s, 0, MAX_SECONDS, "S",
       "hits within this time count (120)"},
      {"now", 0, OPTION_INT, &ask.now_s, 0, (double)MAX_NOW_S, "EPOCH",
       "the time in seconds since 1970 (the clock)"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"guard status [OPTIONS]", summary, options, footer};
  struct cmdline_env env = {.prefix = "GUARD_"};
  struct diag diag = {0};
  int nwords, dash, code = 2;
  char **words = mem_zalloc(((size_t)argc + 1) * sizeof *words);
  enum cmdline_result r = cmdline_parse(&c, argv, words, &nwords, &dash, &diag);
  if (r == CMDLINE_DONE)
    code = 0;
  else if (r == CMDLINE_OK && nwords > 0)
    diag_set(&diag, "unknown word '%s', see --help", words[0]);
  else if (r == CMDLINE_OK && cmdline_environment(&c, argv, &env, &diag) == 0)
    code = run(&ask, &diag);
  cmdline_blame(&c, &env, &diag);
  if (diag.set)
    fprintf(stderr, "guard: %s\n", diag.text);
  free(words);
  return code;
}
