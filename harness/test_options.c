#include "harness/test_options.h"

#include "base/buf.h"
#include "base/words.h"
#include "mockserver/provider/provider.h"

#include <assert.h>
#include <string.h>

enum { MAX_JOBS = 256, MAX_KINDS = 16 };

static int unknown_provider(const char *name, struct diag *diag)
{
  const char *known[MAX_KINDS + 1];
  char hint[512];
  size_t n = 0;
  for (size_t i = 0; providers[i] && n < MAX_KINDS; i++)
    known[n++] = providers[i]->name;
  known[n] = NULL;
  words_hint(name, known, hint, sizeof hint);
  return diag_set(diag, "unknown provider '%s'%s", name, hint);
}

static int check_channel(const char *word, struct diag *diag)
{
  static const char *const known[] = {"http", "https", "command", "any", NULL};
  char hint[128];
  if (words_has(known, word))
    return 0;
  words_hint(word, known, hint, sizeof hint);
  return diag_set(diag, "unknown channel '%s'%s", word, hint);
}

static int check_time(struct test_options *o, struct diag *diag)
{
  char why[256];
  o->timing.command = time_word_of(o->time);
  if (o->time && o->timing.command == TIME_UNSAID) {
    words_hint(o->time, time_words, why, sizeof why);
    return diag_set(diag, "unknown time '%s'%s", o->time, why);
  }
  bool may_scale =
      o->timing.command == TIME_SCALED || o->timing.command == TIME_AUTO;
  if (o->scale > 0 && !may_scale)
    return diag_set(diag, "--scale goes with --time scaled or auto");
  if (o->limits.real_s > 0 && o->timing.command == TIME_REAL)
    return diag_set(diag, "--real-limit goes with --time virtual, scaled or "
                          "auto: in real time --limit is the one there is");
  if (o->at && wall_at_parse(o->at, &o->timing.command_at, why, sizeof why) < 0)
    return diag_set(diag, "--at: %s", why);
  return 0;
}

static int read_progress(struct test_options *o, struct diag *diag)
{
  char hint[128];
  if (!o->progress_word) {
    o->progress = o->quiet ? PROGRESS_OFF : PROGRESS_AUTO;
    return 0;
  }
  for (int i = 0; progress_words[i]; i++)
    if (strcmp(progress_words[i], o->progress_word) == 0) {
      o->progress = (enum progress_mode)i;
      return 0;
    }
  words_hint(o->progress_word, progress_words, hint, sizeof hint);
  return diag_set(diag, "unknown progress '%s'%s", o->progress_word, hint);
}

int test_options_check(struct test_options *o, struct diag *diag)
{
  if (check_time(o, diag) < 0)
    return -1;
  if (o->npaths == 0)
    return diag_set(diag, "which scenario? a file or a folder is missing, and "
                          "there is no faultwire.json (faultwire init)");
  if (o->ncommand == 0 && !o->list)
    return diag_set(diag, "which client? its command is missing: "
                          "faultwire test SCENARIO -- CLIENT [ARGS]");
  if (o->evidence && !*o->evidence)
    return diag_set(diag, "--evidence: the folder has no name");
  if (o->provider && !provider_find(o->provider))
    return unknown_provider(o->provider, diag);
  if (o->channel && check_channel(o->channel, diag) < 0)
    return -1;
  if (read_progress(o, diag) < 0 ||
      shard_parse(&o->shard, o->shard_word, diag) < 0)
    return -1;
  return report_out_check(&o->out, diag);
}

static const char footer[] =
    "Exit code: 0 pass, 1 a check failed, 2 usage or invalid scenario,\n"
    "3 inconclusive or set-up failed, 130 interrupted.\n"
    "In CLIENT and its arguments {BASE} {PORT} {RUN} {LANE} {HOME} {PROVIDER}\n"
    "{MODE} {SCENARIO} {SEED} {SHARED} {SHIM} {COMMAND} {CA} {WORK}\n"
    "{AFTER_CUT} {LANE_NUMBER} are replaced.";

/* Which scenarios, and for whom. */
static size_t which_options(struct test_options *t, struct option *ret)
{
  const struct option part[] = {
      {"policy", 0, OPTION_STRING, &t->policy, 0, 0, "FILE",
       "what this client should do where right answers differ"},
      {"jobs", 'j', OPTION_INT, &t->jobs, 1, MAX_JOBS, "N",
       "scenarios at one time (default: one per core)"},
      {"only", 0, OPTION_STRINGS, &t->only, 0, 0, "GLOB",
       "only scenarios with such an address; may be given again"},
      {"tag", 0, OPTION_STRINGS, &t->tags, 0, 0, "TAG",
       "only scenarios with this tag; may be given again"},
      {"not-tag", 0, OPTION_STRINGS, &t->not_tags, 0, 0, "TAG",
       "no scenarios with this tag; may be given again"},
      {"provider", 0, OPTION_STRING, &t->provider, 0, 0, "NAME",
       "only its scenarios and those of any; becomes {PROVIDER}"},
      {"channel", 0, OPTION_STRING, &t->channel, 0, 0, "WORD",
       "http, https, command or any: what the client calls (default: http "
       "in folders)"},
      {"shard", 0, OPTION_STRING, &t->shard_word, 0, 0, "K/N",
       "only part K of N, K from 1; `faultwire merge` joins the reports"},
      {"project", 0, OPTION_STRING, &t->project, 0, 0, "FILE",
       "what is not said here stands there (default: faultwire.json)"},
  };
  memcpy(ret, part, sizeof part);
  return sizeof part / sizeof part[0];
}

/* What a run is. */
static size_t run_options(struct test_options *t, struct option *ret)
{
  const struct option part[] = {
      {"seed", 0, OPTION_INT, &t->seed, 0, 9007199254740992.0, "N",
       "for everything random (default: the scenario's, or 1)"},
      {"limit", 0, OPTION_NUMBER, &t->limit_s, 0.1, 86400, "S",
       "seconds a client may run, instead of the scenario's"},
      {"no-faults", 0, OPTION_FLAG, &t->no_faults, 0, 0, NULL,
       "control: answer every fault with a plain reply"},
      {"keep-home", 0, OPTION_FLAG, &t->keep_home, 0, 0, NULL,
       "do not remove the clients' private folders"},
  };
  memcpy(ret, part, sizeof part);
  return sizeof part / sizeof part[0];
}

/* By which clock it runs. */
static size_t time_options(struct test_options *t, struct option *ret)
{
  struct run_limits *l = &t->limits;
  const struct option part[] = {
      {"time", 0, OPTION_STRING, &t->time, 0, 0, "WORD",
       "real, virtual, scaled or auto: waits of the client pass at once in "
       "virtual time, scaled ones are told shorter (default: the scenario's, "
       "or real)"},
      {"scale", 0, OPTION_NUMBER, &t->scale, 1, 1e6, "K",
       "scaled time: divide by K at most (default: the longest wait is about "
       "2 s)"},
      {"at", 0, OPTION_STRING, &t->at, 0, 0, "MOMENT",
       "virtual time: where the wall clock begins, as in "
       "2026-03-08T01:59:00-08:00 or in seconds since 1970"},
      {"real-limit", 0, OPTION_NUMBER, &l->real_s, RUN_LIMITS_REAL_MIN_S,
       RUN_LIMITS_REAL_MAX_S, "S",
       "virtual and scaled time: real seconds a run may take (default: the "
       "scenario's, or 60)"},
      {"attempt-limit", 0, OPTION_INT, &l->attempts, 1, RUN_LIMITS_MAX_ATTEMPTS,
       "N",
       "virtual time: calls a run may have, for a client that never waits "
       "(default: the scenario's, or 10000)"},
      {"largest-jump", 0, OPTION_NUMBER, &l->largest_jump_s, 1,
       RUN_LIMITS_JUMP_MAX_S, "S",
       "virtual time: a client that wants to wait longer in one go is ended "
       "(default: the scenario's, or 86400)"},
  };
  memcpy(ret, part, sizeof part);
  return sizeof part / sizeof part[0];
}

/* What is said about it. */
static size_t report_options(struct test_options *t, struct option *ret)
{
  const struct option part[] = {
      {"report", 0, OPTION_STRINGS, &t->out.files, 0, 0, "KIND=FILE",
       "write a report to a file; may be given again"},
      {"format", 0, OPTION_STRING, &t->out.format, 0, 0, "KIND",
       "what goes to stdout (default: text)"},
      {"evidence", 0, OPTION_STRING, &t->evidence, 0, 0, "DIR",
       "keep all of each scenario, for `judge` and `replay`"},
      {"strict", 0, OPTION_FLAG, &t->strict, 0, 0, NULL,
       "a warning counts as a failure"},
      {"progress", 0, OPTION_STRING, &t->progress_word, 0, 0, "WORD",
       "on stderr: auto (a line on a terminal), line, plain, off"},
      {"quiet", 'q', OPTION_FLAG, &t->quiet, 0, 0, NULL,
       "no progress and no notes, only the report"},
      {"list", 0, OPTION_FLAG, &t->list, 0, 0, NULL,
       "print the addresses that would run, and end"},
  };
  memcpy(ret, part, sizeof part);
  return sizeof part / sizeof part[0];
}

static enum cmdline_result parse(struct test_options *t, char **argv,
                                 int *ret_nwords, int *ret_dash,
                                 struct diag *diag)
{
  struct option options[CMDLINE_MAX_OPTIONS] = {{.name = NULL}};
  size_t n = which_options(t, options);
  n += run_options(t, options + n);
  n += time_options(t, options + n);
  n += report_options(t, options + n);
  assert(n < CMDLINE_MAX_OPTIONS); /* the last one has no name */
  const struct cmdline c = {
      "faultwire test [OPTIONS] [SCENARIO_OR_FOLDER...] [-- CLIENT [ARGS]]",
      "Runs a client against scripted faults and judges what it did.", options,
      footer};
  return cmdline_parse(&c, argv, t->words, ret_nwords, ret_dash, diag);
}

enum cmdline_result test_options_parse(struct test_options *ret, int argc,
                                       char **argv, struct diag *diag)
{
  int nwords = 0, dash = 0;
  memset(ret, 0, sizeof *ret);
  ret->seed = -1;
  ret->timing.command = ret->timing.project = TIME_UNSAID;
  ret->words = mem_zalloc(((size_t)argc + 2) * sizeof *ret->words);
  enum cmdline_result r = parse(ret, argv, &nwords, &dash, diag);
  if (r != CMDLINE_OK)
    return r;
  ret->paths = ret->words;
  ret->npaths = dash;
  ret->command = ret->words + dash;
  ret->ncommand = nwords - dash;
  return CMDLINE_OK;
}
