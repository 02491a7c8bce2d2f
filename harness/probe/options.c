#include "harness/probe/options.h"

#include "harness/probe/probe.h"

#include "base/words.h"
#include "mockserver/provider/provider.h"

#include <string.h>

#define DEFAULT_POLICY "faultwire.policy.json"
/* Long enough for a client whose backoff begins at five seconds. */
#define DEFAULT_LIMIT_S 20.0
enum { MAX_JOBS = 256, MAX_WORDS = 32 };

/* `list` is one of the names' lists; -1 with the nearest word. */
static int check_word(const char *what, const char *word,
                      const char *const *list, struct diag *diag)
{
  char hint[512];
  if (!word || words_has(list, word))
    return 0;
  words_hint(word, list, hint, sizeof hint);
  return diag_set(diag, "unknown %s '%s'%s", what, word, hint);
}

static int check_provider(const char *word, struct diag *diag)
{
  const char *known[MAX_WORDS + 1];
  size_t n = 0;
  for (size_t i = 0; providers[i] && n < MAX_WORDS; i++)
    known[n++] = providers[i]->name;
  known[n] = NULL;
  return check_word("provider", word, known, diag);
}

static int check_only(const struct option_list *only, struct diag *diag)
{
  const char *known[MAX_WORDS + 1];
  size_t n = 0;
  for (size_t i = 0; probes[i] && n < MAX_WORDS; i++)
    known[n++] = probes[i]->name;
  known[n] = NULL;
  for (int i = 0; i < only->n; i++)
    if (check_word("experiment", only->item[i], known, diag) < 0)
      return -1;
  return 0;
}

static int read_env(struct probe_options *o, struct diag *diag)
{
  o->variables = cJSON_CreateObject();
  for (int i = 0; i < o->env.n; i++) {
    const char *item = o->env.item[i], *equals = strchr(item, '=');
    if (!equals || equals == item)
      return diag_set(diag, "--env wants NAME=VALUE, not '%s'", item);
    char *name = bytes_dup((struct bytes){item, (size_t)(equals - item)});
    cJSON_DeleteItemFromObjectCaseSensitive(o->variables, name);
    cJSON_AddStringToObject(o->variables, name, equals + 1);
    free(name);
  }
  return 0;
}

static int check(struct probe_options *o, struct diag *diag)
{
  static const char *const modes[] = {"stream", "plain", NULL};
  static const char *const channels[] = {"http", "command", NULL};
  static const char *const times[] = {"real", "virtual", "auto", NULL};
  if (check_only(&o->only, diag) < 0 || check_provider(o->provider, diag) < 0 ||
      check_word("mode", o->mode, modes, diag) < 0 ||
      check_word("channel", o->channel, channels, diag) < 0 ||
      check_word("time", o->time_word, times, diag) < 0)
    return -1;
  o->time = time_word_of(o->time_word);
  bool command = strcmp(o->channel, "command") == 0;
  if (o->stand_in && !command)
    return diag_set(diag, "--command is for --channel command");
  if (command && !o->stand_in)
    o->stand_in = "claude";
  if (o->ncommand == 0 && !o->list)
    return diag_set(diag, "which client? its command is missing: "
                          "faultwire probe [OPTIONS] -- CLIENT [ARGS]");
  return read_env(o, diag);
}

static const char footer[] =
    "Exit code: 0 measured, 2 usage, 3 not wired or set-up failed,\n"
    "130 interrupted.\n"
    "In CLIENT, its arguments and --env {BASE} {PORT} {RUN} {LANE} {HOME}\n"
    "{PROVIDER} {MODE} {SEED} {SHARED} {SHIM} {COMMAND} {WORK} are replaced.";

static enum cmdline_result parse(struct probe_options *o, char **argv,
                                 int *ret_nwords, int *ret_dash,
                                 struct diag *diag)
{
  const struct option options[] = {
      {"policy-out", 0, OPTION_STRING, &o->policy_out, 0, 0, "FILE",
       "where the policy goes (default: " DEFAULT_POLICY ")"},
      {"force", 0, OPTION_FLAG, &o->force, 0, 0, NULL,
       "write over a policy that is there"},
      {"json", 0, OPTION_STRING, &o->json_out, 0, 0, "FILE",
       "the whole result as JSON"},
      {"limit", 0, OPTION_NUMBER, &o->limit_s, 2, 86400, "S",
       "seconds one trial may take (default: 20)"},
      {"time", 0, OPTION_STRING, &o->time_word, 0, 0, "WORD",
       "real, virtual or auto: its waits pass at once in virtual time "
       "(default: real)"},
      {"only", 0, OPTION_STRINGS, &o->only, 0, 0, "NAME",
       "only this experiment; may be given again"},
      {"list", 0, OPTION_FLAG, &o->list, 0, 0, NULL,
       "print the experiments, and end"},
      {"provider", 0, OPTION_STRING, &o->provider, 0, 0, "NAME",
       "whose errors are sent, and {PROVIDER} (default: of the first call)"},
      {"mode", 0, OPTION_STRING, &o->mode, 0, 0, "WORD",
       "stream or plain: what {MODE} becomes (default: stream)"},
      {"channel", 0, OPTION_STRING, &o->channel, 0, 0, "WORD",
       "http or command: what the client calls (default: http)"},
      {"command", 0, OPTION_STRING, &o->stand_in, 0, 0, "NAME",
       "the command it starts: claude, codex, gemini (default: claude)"},
      {"env", 0, OPTION_STRINGS, &o->env, 0, 0, "NAME=VALUE",
       "a variable for the client; may be given again"},
      {"jobs", 'j', OPTION_INT, &o->jobs, 1, MAX_JOBS, "N",
       "trials at one time (default: 6 to 32 per core, by its start)"},
      {"seed", 0, OPTION_INT, &o->seed, 0, 9007199254740992.0, "N",
       "for everything random (default: 1)"},
      {.name = NULL}};
  const struct cmdline c = {
      "faultwire probe [OPTIONS] -- CLIENT [ARGS]",
      "Measures what a client does when the API says no, and writes the "
      "policy\n`faultwire test --policy` holds it to.",
      options, footer};
  return cmdline_parse(&c, argv, o->words, ret_nwords, ret_dash, diag);
}

enum cmdline_result probe_options_parse(struct probe_options *ret, int argc,
                                        char **argv, struct diag *diag)
{
  int nwords = 0, dash = 0;
  *ret = (struct probe_options){.mode = "stream",
                                .channel = "http",
                                .limit_s = DEFAULT_LIMIT_S,
                                .time_word = "real",
                                .seed = 1};
  ret->words = mem_zalloc(((size_t)argc + 2) * sizeof *ret->words);
  enum cmdline_result r = parse(ret, argv, &nwords, &dash, diag);
  if (r != CMDLINE_OK)
    return r;
  if (dash > 0) {
    diag_set(diag, "'%s' is too much: the client stands behind --",
             ret->words[0]);
    return CMDLINE_ERROR;
  }
  ret->command = ret->words;
  ret->ncommand = nwords;
  ret->policy_named = ret->policy_out != NULL;
  if (!ret->policy_out)
    ret->policy_out = DEFAULT_POLICY;
  return check(ret, diag) < 0 ? CMDLINE_ERROR : CMDLINE_OK;
}
