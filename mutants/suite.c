#include "mutants/suite.h"

#include "base/file.h"
#include "mutants/program.h"
#include "mutants/suite_read.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "{TREE}" becomes the folder of the copy. */
static char *in_copy(const char *word, const char *folder)
{
  static const struct bytes MARK = {"{TREE}", 6};
  struct bytes rest = bytes_of(word);
  struct buf b;
  buf_init(&b, SIZE_MAX / 2);
  for (ptrdiff_t at; (at = bytes_find(rest, MARK)) >= 0;) {
    buf_addb(&b, (struct bytes){rest.p, (size_t)at});
    buf_adds(&b, folder);
    rest.p += (size_t)at + MARK.n;
    rest.n -= (size_t)at + MARK.n;
  }
  buf_addb(&b, rest);
  buf_adds(&b, "");
  char *text = mem_strdup(buf_str(&b));
  buf_release(&b);
  return text;
}

static void add_words(const struct suite_call *c, const struct texts *words,
                      struct texts *ret)
{
  for (int i = 0; i < words->n; i++)
    texts_add(ret, in_copy(words->item[i], c->folder));
}

/* A client named by a path is the one of the copy, whatever folder it is
 * started in. */
static void add_client(const struct suite_call *c, struct texts *ret)
{
  const struct texts *client = &c->gate->plan.suite.client;
  if (c->mutant && c->mutant->client.n)
    client = &c->mutant->client;
  if (c->control == CONTROL_DEAD_TRUE || c->control == CONTROL_DEAD_FALSE) {
    texts_add(ret,
              mem_strdup(c->control == CONTROL_DEAD_TRUE ? "true" : "false"));
    return;
  }
  for (int i = 0; i < client->n; i++) {
    const char *word = client->item[i];
    if (i == 0 && *word != '/' && *word != '{' && strchr(word, '/'))
      texts_add(ret, mem_format("%s/%s", c->folder, word));
    else
      texts_add(ret, in_copy(word, c->folder));
  }
}

/* The harness gives its clients an environment of its own, so a variable has
 * to travel in the client's command line. */
static void add_client_env(const struct suite_call *c, struct texts *ret)
{
  const struct plan_mutant *m = c->mutant;
  if (!m || !m->nenv)
    return;
  texts_add(ret, mem_strdup("env"));
  for (int i = 0; i < m->nenv; i++)
    texts_add(ret, mem_format("%s=%s", m->env[i].name, m->env[i].value));
}

static void faultwire_argv(const struct suite_call *c, struct texts *ret)
{
  const struct plan_suite *s = &c->gate->plan.suite;
  texts_add(ret, mem_strdup(c->gate->program));
  texts_add(ret, mem_strdup("test"));
  add_words(c, &s->words, ret);
  if (c->control == CONTROL_NO_FAULTS)
    add_words(c, &s->no_faults, ret);
  for (int i = 0; c->only && i < c->only->n; i++) {
    texts_add(ret, mem_strdup("--only"));
    texts_add(ret, glob_of_name(c->only->item[i]));
  }
  texts_add(ret, mem_strdup("--report"));
  texts_add(ret, mem_format("json=%s", c->report));
  texts_add(ret, mem_strdup("--"));
  add_client_env(c, ret);
  add_client(c, ret);
}

void suite_argv(const struct suite_call *c, struct texts *ret)
{
  const struct plan_suite *s = &c->gate->plan.suite;
  if (s->kind == SUITE_FAULTWIRE) {
    faultwire_argv(c, ret);
    return;
  }
  add_words(c, &s->words, ret);
  if (c->control == CONTROL_NO_FAULTS)
    add_words(c, &s->no_faults, ret);
  add_client(c, ret);
}

bool suite_has_control(const struct plan_suite *s, enum control c)
{
  return c == CONTROL_NONE ||
         (c == CONTROL_NO_FAULTS ? s->no_faults.n > 0 : s->client.n > 0);
}

static int read_report(const struct suite_call *c, const struct program_end *e,
                       struct verdicts *ret, struct diag *diag)
{
  struct buf report;
  if (c->gate->plan.suite.kind == SUITE_COMMAND)
    return suite_read_command(buf_bytes(&e->out), e->code, ret, diag);
  buf_init(&report, JSON_MAX_BYTES);
  int rc = file_read(c->report, &report, diag);
  if (rc == 0)
    rc = suite_read_faultwire(buf_bytes(&report), e->code, ret, diag);
  buf_release(&report);
  return rc;
}

static void set_why(struct suite_answer *a, char *why)
{
  free(a->why);
  a->why = why;
}

static void take_answer(const struct suite_call *c, const struct program_end *e,
                        struct suite_answer *ret)
{
  struct diag why = {0};
  ret->ms = e->ms;
  if (e->timed_out) {
    ret->state = SUITE_TIMEOUT;
    set_why(ret, mem_format("the suite ran over its limit of %.1f s",
                            (double)c->limit_ms / 1000));
  } else if (read_report(c, e, &ret->tests, &why) < 0) {
    struct bytes words = program_last_words(e);
    ret->state = SUITE_BROKEN;
    set_why(ret, mem_format("%s (exit %d)%s%.*s", why.text, e->code,
                            words.n ? ": " : "", (int)words.n,
                            words.n ? words.p : ""));
  }
}

int suite_run(const struct suite_call *c, struct suite_answer *ret,
              struct diag *diag)
{
  struct texts argv = {0};
  struct program_end end;
  bool with_env = c->mutant && c->gate->plan.suite.kind == SUITE_COMMAND;
  *ret = (struct suite_answer){.why = mem_strdup("")};
  if (suite_pin_hash(c->gate, c->folder) != c->gate->pin_hash) {
    ret->state = SUITE_BROKEN;
    set_why(ret, mem_strdup("the suite itself changed during the run"));
    return 0;
  }
  unlink(c->report);
  suite_argv(c, &argv);
  texts_add(&argv, NULL);
  struct program child = {argv.item, c->folder, NULL, 0, c->limit_ms};
  if (with_env) {
    child.env = c->mutant->env;
    child.nenv = c->mutant->nenv;
  }
  int rc = program_run(&child, &end, diag);
  if (rc == 0) {
    take_answer(c, &end, ret);
    program_end_release(&end);
  }
  texts_release_owned(&argv);
  return rc;
}

void suite_answer_release(struct suite_answer *a)
{
  verdicts_release(&a->tests);
  free(a->why);
}
