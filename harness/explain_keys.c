/*
 * The keys of one thing, with types, ranges and sentences, as the loader
 * checks them.
 */
#include "harness/explain.h"

#include "base/param.h"
#include "base/words.h"
#include "harness/check/check.h"
#include "harness/spec.h"
#include "mockserver/command/step.h"
#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"
#include "mockserver/scenario_step.h"
#include "mockserver/shape.h"
#include "mockserver/step_head.h"
#include "mockserver/step_talk.h"
#include "mockserver/step_when.h"
#include "mockserver/tape.h"
#include "mockserver/tls_config.h"

#include <string.h>

enum { MAX_NAMES = 128 };

static void add_param(const struct param *p, struct buf *out)
{
  buf_addf(out, "  %s: ", p->name);
  param_describe(p, out);
  buf_addf(out, "%s\n      %s\n", p->required ? ", required" : "", p->summary);
}

static void add_table(const char *title, const struct param *params,
                      struct buf *out)
{
  if (!params || !params->name)
    return;
  buf_addf(out, "\n%s\n", title);
  for (; params->name; params++)
    add_param(params, out);
}

static int unknown(const char *what, const char *name, const char *const *names,
                   struct diag *diag)
{
  char hint[512];
  words_hint(name, names, hint, sizeof hint);
  return diag_set(diag, "unknown %s '%s'%s", what, name, hint);
}

static const struct param *find_param(const struct param *p, const char *name)
{
  for (; p->name; p++)
    if (strcmp(p->name, name) == 0)
      return p;
  return NULL;
}

static void add_events(struct buf *out)
{
  buf_adds(out, "\none of `events`: a word alone (start, ping, stop), or an "
                "object with one word\n");
  for (int k = 0; k < TAPE_KINDS; k++)
    for (const struct param *p = tape_words[k].params; p->name; p++)
      add_param(p, out);
  add_table("and what goes with any word", tape_extras, out);
}

static void add_reply(struct buf *out)
{
  add_table("keys of the answer", reply_params, out);
  add_table("keys of one of `blocks`", block_params, out);
  add_table("keys of `tool`", tool_params, out);
}

static int explain_fault(const char *name, struct buf *out, struct diag *diag)
{
  const struct fault *f = fault_find(name);
  const char *names[MAX_NAMES + 1] = {0};
  for (size_t i = 0; faults[i] && i < MAX_NAMES; i++)
    names[i] = faults[i]->name;
  if (!f)
    return unknown("fault", name, names, diag);
  buf_addf(out, "fault %s\n  %s\n", f->name, f->summary);
  if (f->needs_stream)
    buf_adds(out, "  Only a streamed answer can carry it: a call that asks "
                  "for none gets `non_stream`.\n");
  add_table("its keys", f->params, out);
  if (find_param(f->params, "events"))
    add_events(out);
  if (f->has_reply)
    add_reply(out);
  add_table("keys of every step (besides `times`: a whole number, or "
            "\"always\")",
            step_tables[0], out);
  for (int t = 1; step_tables[t]; t++)
    add_table("more keys of every step", step_tables[t], out);
  add_table("keys of `match.messages`", talk_params, out);
  add_table("keys of `barrier`", barrier_params, out);
  add_table("keys of one of `quota_headers`", quota_params, out);
  add_table("keys of one of `interim`", interim_params, out);
  add_table("keys of `split`", split_params, out);
  return 0;
}

static int explain_check(const char *name, struct buf *out, struct diag *diag)
{
  const struct check *c = check_find(name);
  const char *names[MAX_NAMES + 1] = {0};
  for (size_t i = 0; checks[i] && i < MAX_NAMES; i++)
    names[i] = checks[i]->name;
  if (!c)
    return unknown("check", name, names, diag);
  buf_addf(out, "check %s\n  %s\n", c->name, c->summary);
  add_table("its keys", c->params, out);
  add_table("keys of every expectation", expect_params, out);
  return 0;
}

static int explain_policy(const char *name, struct buf *out, struct diag *diag)
{
  static const char prefix[] = "breaker.";
  const char *names[MAX_NAMES + 1] = {0};
  bool nested = strncmp(name, prefix, sizeof prefix - 1) == 0;
  const struct param *p =
      nested ? find_param(policy_breaker_params, name + sizeof prefix - 1)
             : find_param(policy_params, name);
  for (size_t i = 0; policy_params[i].name && i < MAX_NAMES; i++)
    names[i] = policy_params[i].name;
  if (!p)
    return unknown("policy parameter", name, names, diag);
  buf_adds(out, "policy parameter\n");
  add_param(p, out);
  if (strcmp(name, "breaker") == 0)
    add_table("its keys", policy_breaker_params, out);
  return 0;
}

static void add_errors(const struct provider *p, struct buf *out)
{
  buf_adds(out, "\nerrors, for the key `error`\n");
  for (const struct provider_error *e = p->errors; e && e->name; e++)
    buf_addf(out, "  %s: %d%s%s\n", e->name, e->status,
             e->also ? ", also " : "", e->also ? e->also : "");
}

static int explain_provider(const char *name, struct buf *out,
                            struct diag *diag)
{
  const struct provider *p = provider_find(name);
  const char *names[MAX_NAMES + 1] = {0};
  for (size_t i = 0; providers[i] && i < MAX_NAMES; i++)
    names[i] = providers[i]->name;
  if (!p)
    return unknown("provider", name, names, diag);
  buf_addf(out, "provider %s\n  %s\n\npaths\n", p->name, p->summary);
  for (const struct provider_path *n = p->paths; n->path; n++)
    buf_addf(out, "  %s%s\n", n->path, n->stream ? " (streamed)" : "");
  add_errors(p, out);
  return 0;
}

static void add_texts(const struct command_cli *cli, struct buf *out)
{
  buf_adds(out,
           "\ntexts, for the key `says` (from that version on; seen on)\n");
  for (const struct command_text *t = cli->texts; t->says; t++)
    buf_addf(out, "  %s: %s (%s)\n      %s\n", t->says, t->since, t->seen,
             t->text);
}

static int explain_command(const char *name, struct buf *out, struct diag *diag)
{
  const struct command_cli *cli = command_cli_find(name);
  const char *names[MAX_NAMES + 1] = {0};
  for (size_t i = 0; command_clis[i] && i < MAX_NAMES; i++)
    names[i] = command_clis[i]->name;
  if (!cli)
    return unknown("command", name, names, diag);
  buf_addf(out, "command %s\n  %s\n  newest known version: %s\n", cli->name,
           cli->summary, cli->newest);
  add_texts(cli, out);
  add_table("keys of its steps (besides `times` and `pieces`)", command_params,
            out);
  add_table("keys of one of `pieces`", command_piece_params, out);
  add_table("keys of `match`", command_match_params, out);
  return 0;
}

static int explain_tls_fault(const char *name, struct buf *out,
                             struct diag *diag)
{
  const char *names[MAX_NAMES + 1] = {0};
  const struct tls_kind *k = tls_kinds;
  for (size_t i = 0; tls_kinds[i].name && i < MAX_NAMES; i++)
    names[i] = tls_kinds[i].name;
  while (k->name && strcmp(k->name, name) != 0)
    k++;
  if (!k->name)
    return unknown("TLS fault", name, names, diag);
  buf_addf(out, "TLS fault %s\n  %s\n", k->name, k->summary);
  add_table("keys of one of `tls.faults`", tls_fault_params, out);
  add_table("keys of `tls`", tls_params, out);
  return 0;
}

static const struct {
  const char *what;
  int (*explain)(const char *name, struct buf *out, struct diag *diag);
} things[] = {{"fault", explain_fault},     {"check", explain_check},
              {"policy", explain_policy},   {"provider", explain_provider},
              {"command", explain_command}, {"tls", explain_tls_fault}};

enum { NTHINGS = sizeof things / sizeof things[0] };

int explain_thing(const char *what, const char *name, struct buf *out,
                  struct diag *diag)
{
  const char *names[NTHINGS + 1] = {0};
  for (int i = 0; i < NTHINGS; i++) {
    names[i] = things[i].what;
    if (strcmp(things[i].what, what) == 0)
      return things[i].explain(name, out, diag);
  }
  return unknown("kind of thing", what, names, diag);
}
