#include "base/words.h"
#include "mutants/format/format.h"
#include "mutants/plan.h"

#include <string.h>

static const char *const FAULTWIRE_KEYS[] = {"faultwire", "client", "program",
                                             NULL};
static const char *const COMMAND_KEYS[] = {
    "command", "client", "no_faults", "format", "report", "only", NULL};
static const char *const SUITE_KEYS[] = {"faultwire", "command",   "client",
                                         "program",   "no_faults", "format",
                                         "report",    "only",      NULL};

static int read_faultwire(const struct jval *v, struct plan_suite *ret,
                          struct diag *diag)
{
  ret->kind = SUITE_FAULTWIRE;
  if (jval_known_keys(v, FAULTWIRE_KEYS, diag) < 0 ||
      gate_plan_read_texts(v, "faultwire", &ret->words, diag) < 0 ||
      gate_plan_read_texts(v, "client", &ret->client, diag) < 0 ||
      gate_plan_read_text(v, "program", &ret->program, diag) < 0)
    return -1;
  if (ret->client.n == 0)
    return jval_error(v, diag, "a faultwire suite needs 'client'");
  texts_add(&ret->no_faults, "--no-faults");
  return 0;
}

static int read_format(const struct jval *v, struct plan_suite *ret,
                       struct diag *diag)
{
  struct jval at;
  const char *name = SUITE_FORMATS[0].name;
  char hint[256];
  if (gate_plan_read_text(v, "format", &name, diag) < 0 ||
      gate_plan_read_text(v, "report", &ret->report, diag) < 0)
    return -1;
  ret->format = suite_format_find(name);
  words_hint(name, SUITE_FORMAT_NAMES, hint, sizeof hint);
  if (!ret->format && jval_member(v, "format", &at))
    return jval_error(&at, diag, "unknown format '%s'%s", name, hint);
  return ret->report && jval_member(v, "report", &at)
             ? gate_plan_inside_tree(&at, ret->report, diag)
             : 0;
}

/* Words that pick one test: one of them must have a place for its name. */
static int read_only(const struct jval *v, struct plan_suite *ret,
                     struct diag *diag)
{
  struct jval at;
  if (gate_plan_read_texts(v, "only", &ret->only, diag) < 0)
    return -1;
  for (int i = 0; i < ret->only.n; i++)
    if (strstr(ret->only.item[i], "{TEST}"))
      return 0;
  return jval_member(v, "only", &at)
             ? jval_error(&at, diag,
                          "one of the words must hold {TEST}, the test's name")
             : 0;
}

static int read_command(const struct jval *v, struct plan_suite *ret,
                        struct diag *diag)
{
  struct jval words;
  ret->kind = SUITE_COMMAND;
  if (jval_known_keys(v, COMMAND_KEYS, diag) < 0 ||
      gate_plan_read_texts(v, "command", &ret->words, diag) < 0 ||
      gate_plan_read_texts(v, "client", &ret->client, diag) < 0 ||
      gate_plan_read_texts(v, "no_faults", &ret->no_faults, diag) < 0 ||
      read_format(v, ret, diag) < 0 || read_only(v, ret, diag) < 0)
    return -1;
  if (ret->words.n == 0 && jval_member(v, "command", &words))
    return jval_error(&words, diag, "must name a program");
  return 0;
}

int gate_plan_read_suite(const struct jval *v, struct plan_suite *ret,
                         struct diag *diag)
{
  struct jval word;
  if (jval_object(v, diag) < 0 || jval_known_keys(v, SUITE_KEYS, diag) < 0)
    return -1;
  bool is_command = jval_member(v, "command", &word);
  bool is_faultwire = jval_member(v, "faultwire", &word);
  if (is_command && is_faultwire)
    return jval_key_error(&word, diag,
                          "a suite has 'faultwire' or 'command', not both");
  if (!is_command && !is_faultwire)
    return jval_error(v, diag, "a suite needs 'faultwire' or 'command'");
  return is_command ? read_command(v, ret, diag) : read_faultwire(v, ret, diag);
}
