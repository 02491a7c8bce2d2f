#include "mutants/suite.h"

#include "base/file.h"
#include "mutants/format/format.h"
#include "mutants/program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *with_mark(const char *word, const char *mark, const char *text)
{
  struct bytes rest = bytes_of(word), found = bytes_of(mark);
  struct buf b;
  buf_init(&b, SIZE_MAX / 2);
  for (ptrdiff_t at; (at = bytes_find(rest, found)) >= 0;) {
    buf_addb(&b, (struct bytes){rest.p, (size_t)at});
    buf_adds(&b, text);
    rest.p += (size_t)at + found.n;
    rest.n -= (size_t)at + found.n;
  }
  buf_addb(&b, rest);
  buf_adds(&b, "");
  return buf_detach(&b);
}

/* "{TREE}" becomes the folder of the copy. */
static char *in_copy(const char *word, const char *folder)
{
  return with_mark(word, "{TREE}", folder);
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
  if (c->alone) { /* the last of two counts */
    texts_add(ret, mem_strdup("--jobs"));
    texts_add(ret, mem_strdup("1"));
  }
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

/* The words that pick a test, once for each. */
static void add_only(const struct suite_call *c, struct texts *ret)
{
  const struct texts *words = &c->gate->plan.suite.only;
  for (int i = 0; c->only && i < c->only->n; i++)
    for (int k = 0; k < words->n; k++)
      texts_add(ret, with_mark(words->item[k], "{TEST}", c->only->item[i]));
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
  add_only(c, ret);
  add_client(c, ret);
}

bool suite_can_pick(const struct plan_suite *s)
{
  return s->kind == SUITE_FAULTWIRE || s->only.n > 0;
}

bool suite_has_control(const struct plan_suite *s, enum control c)
{
  return c == CONTROL_NONE ||
         (c == CONTROL_NO_FAULTS ? s->no_faults.n > 0 : s->client.n > 0);
}

/* The file with the verdicts, NULL when they are printed; the caller frees
 * it. */
static char *report_path(const struct suite_call *c)
{
  const struct plan_suite *s = &c->gate->plan.suite;
  if (s->kind == SUITE_FAULTWIRE)
    return mem_strdup(c->report);
  return s->report ? mem_format("%s/%s", c->folder, s->report) : NULL;
}

static int read_report(const struct suite_call *c, const char *path,
                       const struct program_end *e, struct verdicts *ret,
                       struct diag *diag)
{
  const struct plan_suite *s = &c->gate->plan.suite;
  struct buf report;
  if (!path)
    return s->format->read(buf_bytes(&e->out), e->code, ret, diag);
  buf_init(&report, JSON_MAX_BYTES);
  int rc = file_read(path, &report, diag);
  if (rc == 0)
    rc = s->kind == SUITE_FAULTWIRE
             ? suite_read_faultwire(buf_bytes(&report), e->code, ret, diag)
             : s->format->read(buf_bytes(&report), e->code, ret, diag);
  buf_release(&report);
  return rc;
}

static void set_why(struct suite_answer *a, char *why)
{
  free(a->why);
  a->why = why;
}

static void take_answer(const struct suite_call *c, const char *path,
                        const struct program_end *e, struct suite_answer *ret)
{
  struct diag why = {0};
  ret->ms = e->ms;
  if (e->timed_out) {
    ret->state = SUITE_TIMEOUT;
    set_why(ret, mem_format("the suite ran over its limit of %.1f s",
                            (double)c->limit_ms / 1000));
  } else if (read_report(c, path, e, &ret->tests, &why) < 0) {
    struct bytes words = program_last_words(e);
    ret->state = SUITE_BROKEN;
    set_why(ret, mem_format("%s (exit %d)%s%.*s", why.text, e->code,
                            words.n ? ": " : "", (int)words.n,
                            words.n ? words.p : ""));
  }
}

/* Enough of the end to see why a suite fell, for OUT/log/ID.log. */
enum { LOG_MAX_BYTES = 262144 };

static void add_tail(struct buf *log, const char *name, const struct buf *text)
{
  struct bytes b = buf_bytes(text);
  if (b.n == 0)
    b = BYTES(""); /* no bytes may be at NULL, and NULL + 0 is undefined */
  size_t cut = b.n > LOG_MAX_BYTES ? b.n - LOG_MAX_BYTES : 0;
  buf_addf(log, "--- %s%s\n", name, cut ? ", its end" : "");
  buf_addb(log, (struct bytes){b.p + cut, b.n - cut});
  if (b.n && b.p[b.n - 1] != '\n')
    buf_addc(log, '\n');
}

static char *log_of(const struct texts *argv, const struct program_end *e)
{
  struct buf log;
  buf_init(&log, SIZE_MAX / 2);
  buf_adds(&log, "$");
  for (int i = 0; i + 1 < argv->n; i++)
    buf_addf(&log, " %s", argv->item[i]);
  buf_addf(&log, "\n--- %s %d after %.1f s\n",
           e->timed_out ? "ended by the gate," : "exit", e->code,
           (double)e->ms / 1000);
  add_tail(&log, "stdout", &e->out);
  add_tail(&log, "stderr", &e->err);
  return buf_detach(&log);
}

int suite_run(const struct suite_call *c, struct suite_answer *ret,
              struct diag *diag)
{
  struct texts argv = {0};
  struct program_end end;
  bool with_env = c->mutant && c->gate->plan.suite.kind == SUITE_COMMAND;
  *ret = (struct suite_answer){.why = mem_strdup(""), .log = mem_strdup("")};
  if (suite_pin_hash(c->gate, c->folder) != c->gate->pin_hash) {
    ret->state = SUITE_BROKEN;
    set_why(ret, mem_strdup("the suite itself changed during the run"));
    return 0;
  }
  char *report = report_path(c);
  if (report)
    unlink(report); /* that of another run is none */
  suite_argv(c, &argv);
  texts_add(&argv, NULL);
  struct program child = {argv.item, c->folder, NULL, 0, c->limit_ms};
  if (with_env) {
    child.env = c->mutant->env;
    child.nenv = c->mutant->nenv;
  }
  int rc = program_run(&child, &end, diag);
  if (rc == 0) {
    take_answer(c, report, &end, ret);
    free(ret->log);
    ret->log = log_of(&argv, &end);
    program_end_release(&end);
  }
  free(report);
  texts_release_owned(&argv);
  return rc;
}

void suite_answer_release(struct suite_answer *a)
{
  verdicts_release(&a->tests);
  free(a->why);
  free(a->log);
}
