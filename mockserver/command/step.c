#include "mockserver/command/step.h"

#include "base/words.h"
#include "mockserver/command/signals.h"
#include "mockserver/command/zone.h"
#include "mockserver/fault.h"
#include "mockserver/step_check.h"

#include <string.h>

/* A day, the longest a client is watched. */
#define MAX_S 86400
/* The most retries Claude Code makes; what a repeated output may be, 64 MiB
 * of a text of 64 bytes. */
#define MAX_RETRIES 10
#define MAX_REPEAT 1048576
/* Ten years, as for usage_limit. */
#define MAX_RESET_S 315360000

static const char *const reply_words[] = {"message", NULL};
static const char *const close_words[] = {"stdout", "stderr", NULL};

const struct param command_params[] = {
    {.name = "command",
     .type = PARAM_STRING,
     .required = true,
     .summary = "name of the command that is stood in for: claude, codex, "
                "gemini or any"},
    {.name = "says",
     .type = PARAM_STRING,
     .summary = "a documented text of claude, codex or gemini by name"},
    {.name = "reply",
     .type = PARAM_WORD,
     .words = reply_words,
     .summary = "all went well: the command's plain answer, or the outputs "
                "that are given"},
    {.name = "stdout",
     .type = PARAM_STRING,
     .summary = "text on stdout, with {{...}} values"},
    {.name = "stderr",
     .type = PARAM_STRING,
     .summary = "text on stderr, with {{...}} values"},
    {.name = "exit",
     .type = PARAM_INT,
     .min = 0,
     .max = 255,
     .summary = "exit code; default: that of the text, else 0"},
    {.name = "signal",
     .type = PARAM_WORD,
     .words = command_signal_words,
     .summary = "it dies of this signal instead"},
    {.name = "hang",
     .type = PARAM_BOOL,
     .summary = "it writes what it has to and never ends"},
    {.name = "delay_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "seconds before the first output; default 0"},
    {.name = "ignores",
     .type = PARAM_STRINGS,
     .summary = "signals it ignores: HUP, INT, TERM"},
    {.name = "reads_stdin",
     .type = PARAM_BOOL,
     .summary = "reads stdin to its end before anything else; never a "
                "terminal; default false"},
    {.name = "version",
     .type = PARAM_STRING,
     .summary = "of the command whose texts are meant: 2.1.104 or 2.0.x; "
                "default the newest known"},
    {.name = "format",
     .type = PARAM_WORD,
     .words = command_format_words,
     .summary = "output format; default: what the arguments ask for"},
    {.name = "message",
     .type = PARAM_STRING,
     .summary = "the API's message inside the text; default the recorded "
                "one"},
    {.name = "text",
     .type = PARAM_STRING,
     .summary = "what the model says in a plain answer"},
    {.name = "retry_after",
     .type = PARAM_NUMBER,
     .max = MAX_RESET_S,
     .summary = "seconds the text asks to wait: \"try again in N seconds\""},
    {.name = "resets_in_s",
     .type = PARAM_INT,
     .max = MAX_RESET_S,
     .summary = "seconds until the limit of the text ends, default 10800"},
    {.name = "zone",
     .type = PARAM_STRING,
     .summary = "time zone of the times in the text, default UTC"},
    {.name = "retries",
     .type = PARAM_INT,
     .max = MAX_RETRIES,
     .summary = "retries of its own it tells of, where the format shows "
                "them; default 1"},
    {.name = "lane",
     .type = PARAM_STRING,
     .summary = "only starts of this lane"},
    {.name = "match",
     .type = PARAM_OBJECT,
     .summary = "only starts that fit: argv, stdin, env"},
    {.name = NULL}};

const struct param command_piece_params[] = {
    {.name = "wait_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "seconds of silence before it"},
    {.name = "stdout", .type = PARAM_STRING, .summary = "text on stdout"},
    {.name = "stderr", .type = PARAM_STRING, .summary = "text on stderr"},
    {.name = "repeat",
     .type = PARAM_INT,
     .min = 1,
     .max = MAX_REPEAT,
     .summary = "how often the text is written, default 1"},
    {.name = "close",
     .type = PARAM_WORD,
     .words = close_words,
     .summary = "closes this output and goes on"},
    {.name = NULL}};

const struct param command_match_params[] = {
    {.name = "argv",
     .type = PARAM_STRING,
     .summary = "pattern (* ? []) on the arguments, a blank between two"},
    {.name = "stdin", .type = PARAM_STRING, .summary = "text stdin must hold"},
    {.name = "env",
     .type = PARAM_STRING,
     .summary = "name of a variable that must be set"},
    {.name = NULL}};

const struct fault command_fault = {
    .name = "command",
    .summary = "A start of a stand-in command writes what is scripted.",
    .params = command_params};

/* Of types that no row of a table can have. */
static const char *const step_others[] = {"times", "pieces", NULL};

/* --- what is said ------------------------------------------------------- */

static int unknown_says(const struct jval *v, const struct command_cli *cli,
                        const char *says, struct diag *diag)
{
  const char *known[65] = {0};
  char hint[1024];
  size_t n = 0;
  for (const struct command_text *t = cli->texts; t->says && n < 64; t++)
    if (!words_has(known, t->says))
      known[n++] = t->says;
  words_hint(says, known, hint, sizeof hint);
  return jval_error(v, diag, "%s says no '%s'%s", cli->name, says, hint);
}

static bool ever_said(const struct command_cli *cli, const char *says)
{
  return command_text_find(cli, says, "x") != NULL;
}

static int check_says(const struct jval *step, const struct command_cli *cli,
                      struct diag *diag)
{
  struct jval v;
  const char *version = NULL;
  if (!jval_member(step, "says", &v))
    return 0;
  if (!cli)
    return jval_error(&v, diag,
                      "texts are known of claude, codex and gemini only; use "
                      "'stdout', 'stderr' or 'pieces'");
  if (!ever_said(cli, v.node->valuestring))
    return unknown_says(&v, cli, v.node->valuestring, diag);
  if (param_string(step->node, "version", &version) &&
      !command_text_find(cli, v.node->valuestring, version))
    return jval_error(&v, diag, "%s %s did not say this yet", cli->name,
                      version);
  return 0;
}

static int check_version(const struct jval *step, const struct command_cli *cli,
                         struct diag *diag)
{
  struct jval v;
  if (!jval_member(step, "version", &v))
    return 0;
  if (!command_version_right(v.node->valuestring))
    return jval_error(&v, diag, "must be a version such as 2.1.104 or 2.1.x");
  if (cli && strcmp(v.node->valuestring, cli->newest) != 0 &&
      command_version_compare(v.node->valuestring, cli->newest) > 0 &&
      !strchr(v.node->valuestring, 'x'))
    return jval_error(&v, diag, "is newer than %s, the newest known of %s",
                      cli->newest, cli->name);
  return 0;
}

static int check_one_source(const struct jval *step, struct diag *diag)
{
  static const char *const literal[] = {"stdout", "stderr", "pieces", NULL};
  static const char *const ends[] = {"exit", "signal", "hang", NULL};
  if (step_check_one_of(step, "says", "reply", diag) < 0 ||
      step_check_one_of(step, "pieces", "stdout", diag) < 0 ||
      step_check_one_of(step, "pieces", "stderr", diag) < 0)
    return -1;
  for (const char *const *key = literal; *key; key++)
    if (step_check_one_of(step, "says", *key, diag) < 0)
      return -1;
  for (int i = 0; ends[i]; i++)
    for (int k = i + 1; ends[k]; k++)
      if (step_check_one_of(step, ends[i], ends[k], diag) < 0)
        return -1;
  return 0;
}

/* --- the rest of the keys ----------------------------------------------- */

static int check_name(const struct jval *step, struct diag *diag)
{
  struct jval v;
  const char *name = NULL;
  if (!jval_member(step, "command", &v) || jval_string(&v, &name, diag) < 0)
    return -1;
  if (!*name || *name == '.' || strchr(name, '/') || strlen(name) > 63)
    return jval_error(&v, diag,
                      "must be the name of a program, without a path, at most "
                      "63 bytes");
  return 0;
}

static int check_values(const struct jval *step, struct diag *diag)
{
  static const char *const keys[] = {"stdout", "stderr", NULL};
  struct jval v;
  for (const char *const *key = keys; *key; key++)
    if (jval_member(step, *key, &v) && step_check_text(&v, diag) < 0)
      return -1;
  return 0;
}

static int check_piece(const struct jval *v, struct diag *diag)
{
  static const struct param *const tables[] = {command_piece_params};
  if (param_check(v, tables, 1, NULL, diag) < 0 || check_values(v, diag) < 0 ||
      step_check_one_of(v, "stdout", "stderr", diag) < 0 ||
      step_check_one_of(v, "stdout", "close", diag) < 0 ||
      step_check_one_of(v, "stderr", "close", diag) < 0 ||
      step_check_one_of(v, "repeat", "close", diag) < 0)
    return -1;
  if (jval_count(v) == 0)
    return jval_error(v, diag, "needs 'stdout', 'stderr', 'close' or 'wait_s'");
  return 0;
}

static int check_pieces(const struct jval *step, struct diag *diag)
{
  struct jval list;
  if (!jval_member(step, "pieces", &list))
    return 0;
  if (jval_array(&list, diag) < 0)
    return -1;
  for (int i = 0; i < jval_count(&list); i++) {
    struct jval item = jval_item(&list, i);
    if (check_piece(&item, diag) < 0)
      return -1;
  }
  return 0;
}

static int check_ignores(const struct jval *step, struct diag *diag)
{
  static const char *const words[] = {"HUP", "INT", "TERM", NULL};
  struct jval list;
  char hint[128];
  if (!jval_member(step, "ignores", &list))
    return 0;
  for (int i = 0; i < jval_count(&list); i++) {
    struct jval item = jval_item(&list, i);
    const char *name = item.node->valuestring;
    if (words_has(words, name))
      continue;
    words_hint(name, words, hint, sizeof hint);
    return jval_error(&item, diag, "is no signal that can be ignored%s", hint);
  }
  return 0;
}

static int check_zone(const struct jval *step, struct diag *diag)
{
  struct jval v;
  if (!jval_member(step, "zone", &v) || zone_known(v.node->valuestring))
    return 0;
  return jval_error(&v, diag, "is no time zone of this machine");
}

static int read_match(struct match *m, const struct jval *step,
                      struct diag *diag)
{
  static const struct param *const tables[] = {command_match_params};
  struct jval v;
  *m = (struct match){.stream = -1, .reused = -1};
  if (!jval_member(step, "match", &v))
    return 0;
  if (param_check(&v, tables, 1, NULL, diag) < 0)
    return -1;
  param_string(v.node, "argv", &m->argv);
  param_string(v.node, "stdin", &m->in);
  param_string(v.node, "env", &m->env);
  return 0;
}

static int check_keys(const struct jval *v, const struct param *const *more,
                      struct diag *diag)
{
  const struct param *tables[8] = {command_params};
  const struct command_cli *cli = NULL;
  const char *name = NULL;
  int n = 1;
  for (; *more && n < 8; more++)
    tables[n++] = *more;
  if (param_check(v, tables, n, step_others, diag) < 0 ||
      check_name(v, diag) < 0 || check_pieces(v, diag) < 0)
    return -1;
  param_string(v->node, "command", &name);
  cli = command_cli_find(name);
  if (check_one_source(v, diag) < 0 || check_version(v, cli, diag) < 0 ||
      check_says(v, cli, diag) < 0 || check_values(v, diag) < 0)
    return -1;
  return check_ignores(v, diag) < 0 ? -1 : check_zone(v, diag);
}

int command_step_read(struct step *ret, const struct jval *v,
                      const struct param *const *more, struct diag *diag)
{
  if (check_keys(v, more, diag) < 0 || read_match(&ret->match, v, diag) < 0)
    return -1;
  param_string(v->node, "command", &ret->command);
  param_string(v->node, "lane", &ret->lane);
  ret->faulty = !param_has(v->node, "reply");
  ret->fault = ret->faulty ? &command_fault : fault_find("none");
  return 0;
}
