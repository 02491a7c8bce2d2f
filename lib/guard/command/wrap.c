#include "wrap.h"

#include "child.h"
#include "dead_letter.h"
#include "gate.h"
#include "once.h"
#include "stop.h"

#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wrapped {
  struct gate *gate;
  char **argv;
  const char *provider; /* for guard_classify(); NULL: every reader */
  struct child_result last;
  struct once once;
};

static struct guard_verdict classify(const struct wrapped *w,
                                     enum guard_channel channel,
                                     const struct child_result *r)
{
  const struct buf *text = channel == GUARD_STDOUT ? &r->out : &r->err;
  struct guard_answer a = {.provider = w->provider,
                           .channel = channel,
                           .has_exit_code = true,
                           .exit_code = r->exit_code,
                           .body = buf_str(text),
                           .body_n = text->n,
                           .now_epoch_ms = gate_now_ms(w->gate)};
  return guard_classify(&a);
}

static struct guard_verdict own_verdict(enum guard_class cls, bool retryable,
                                        const char *rule)
{
  return (struct guard_verdict){
      .cls = cls, .retryable = retryable, .rule = rule};
}

/* Which of two readings of one end tells more: one that names a limit, then
 * one that names anything. */
static const struct guard_verdict *better(const struct guard_verdict *out,
                                          const struct guard_verdict *err)
{
  if (out->cls == GUARD_NONE)
    return err;
  if (guard_class_is_limit(err->cls) && out->cls == GUARD_SERVER_ERROR)
    return err;
  return out;
}

static struct guard_verdict verdict(const struct wrapped *w,
                                    const struct child_result *r)
{
  if (r->end == CHILD_TIMEOUT)
    return own_verdict(GUARD_TIMEOUT, true, r->why);
  if (r->end == CHILD_TOO_BIG)
    return own_verdict(GUARD_INVALID_REQUEST, false, r->why);
  struct guard_verdict out = classify(w, GUARD_STDOUT, r);
  struct guard_verdict err = classify(w, GUARD_STDERR, r);
  if (r->end == CHILD_EXITED && r->exit_code == 0)
    return out; /* what stderr says beside a success is progress */
  struct guard_verdict v = *better(&out, &err);
  if (v.cls == GUARD_NONE)
    v = own_verdict(GUARD_SERVER_ERROR, false,
                    r->end == CHILD_KILLED ? "killed by a signal"
                                           : "unknown failure");
  return v;
}

/* False when surely nothing was done: the CLI ended by itself and said that
 * it was refused. What it did before a failure of another kind is not known. */
static bool may_have_happened(const struct child_result *r,
                              const struct guard_verdict *v)
{
  return r->end != CHILD_EXITED ||
         !(guard_class_is_limit(v->cls) || v->cls == GUARD_AUTH);
}

static int try_once(void *arg, const struct guard_limits *limits,
                    struct guard_outcome *ret, struct diag *diag)
{
  struct wrapped *w = arg;
  child_result_release(&w->last);
  if (child_run(w->argv, limits, w->gate->clock, &w->last, diag) < 0)
    return -1;
  *ret = (struct guard_outcome){.verdict = verdict(w, &w->last)};
  w->once.maybe |= may_have_happened(&w->last, &ret->verdict);
  if (w->last.end == CHILD_STOPPED)
    return diag_set(diag, "ended by signal %d", stop_signal());
  return 0;
}

/* The first line of |text| that is not empty, at most 200 bytes, without
 * control characters. */
static void add_excerpt(struct bytes text, struct buf *ret)
{
  size_t i = 0, n = 0;
  while (i < text.n && (unsigned char)text.p[i] <= ' ')
    i++;
  if (i == text.n)
    return;
  buf_adds(ret, ": ");
  for (; i < text.n && text.p[i] != '\n' && n < 200; i++, n++)
    buf_addc(ret, (unsigned char)text.p[i] < ' ' ? ' ' : text.p[i]);
}

static int put_output(const struct wrapped *w, const struct gate_end *end)
{
  const struct child_result *r = &w->last;
  fwrite(buf_str(&r->err), 1, r->err.n, stderr);
  fwrite(buf_str(&r->out), 1, r->out.n, stdout);
  if (fflush(stdout) == 0)
    return gate_exit_code(end);
  fprintf(stderr, "guard: standard output cannot be written\n");
  return 1;
}

static int put_error(const struct wrapped *w, const struct gate_end *end)
{
  struct buf line;
  buf_init(&line, 4096);
  gate_describe(end, &line);
  if (end->verdict.cls != GUARD_NONE)
    add_excerpt(w->last.out.n ? buf_bytes(&w->last.out)
                              : buf_bytes(&w->last.err),
                &line);
  fwrite(buf_str(&w->last.err), 1, w->last.err.n, stderr);
  if (w->last.err.n && w->last.err.p[w->last.err.n - 1] != '\n')
    fputc('\n', stderr);
  fprintf(stderr, "guard: %s: %s\n", w->argv[0], buf_str(&line));
  buf_release(&line);
  return gate_exit_code(end);
}

/* The call behind gate and ledger, and its dead letter. */
static void call(struct wrapped *w, const struct settings_records *records,
                 struct gate_end *ret)
{
  /* a CLI does not say what it will use */
  static const struct guard_rate_cost unknown = {0, 0};
  struct gate *gate = w->gate;
  once_init(&w->once, records, 0);
  buf_init(&w->last.out, GUARD_LEDGER_RESULT_MAX);
  if (once_begin(&w->once, gate_now_ms(gate), &w->last.out, ret)) {
    gate_run(gate, 0, try_once, w, &unknown, ret);
    once_end(&w->once, gate_now_ms(gate), &w->last.out, ret);
  }
  struct dead_letter letter = {.now_ms = gate_now_ms(gate),
                               .label = gate->label,
                               .end = ret,
                               .once = w->once.key,
                               .argv = w->argv};
  if (!w->once.busy)
    dead_letter_write(records, &letter);
  once_release(&w->once);
}

static int run(const struct settings *s, char **argv, const char *provider)
{
  struct gate gate;
  struct gate_end end;
  gate_init(&gate, s);
  /* Only whoever asked for them gets them: a CLI may be silent to its end. */
  if (!s->first_byte_given)
    gate.policy.first_byte_ms = 0;
  if (!s->idle_given)
    gate.policy.idle_ms = 0;
  struct wrapped w = {.gate = &gate, .argv = argv, .provider = provider};
  gate_stagger(&gate, &s->pacing);
  call(&w, &s->records, &end);
  int code =
      end.step == GUARD_DONE ? put_output(&w, &end) : put_error(&w, &end);
  gate_print_metrics(&gate);
  child_result_release(&w.last);
  gate_release(&gate);
  stop_end();
  return code;
}

/* --cli, or by the name of the command. */
static int choose_provider(const char *word, const char *command,
                           const char **ret, struct diag *diag)
{
  static const char *const words[] = {"claude", "codex", "gemini", "auto",
                                      NULL};
  static const char *const providers[] = {"claude-cli", "codex", "gemini-cli"};
  enum { AUTO = 3 };
  const char *slash = strrchr(command, '/');
  const char *name = slash ? slash + 1 : command;
  int i = AUTO;
  if (word && settings_word("cli", word, words, &i, diag) < 0)
    return -1;
  for (int k = 0; i == AUTO && k < AUTO; k++)
    if (strcmp(name, words[k]) == 0)
      i = k;
  *ret = i == AUTO ? NULL : providers[i];
  return 0;
}

static int check_words(int nwords, int dash, char **words, struct diag *diag)
{
  static const char *const known[] = {
#define FORM(word, main, usage, summary) word,
#include "forms.def"
#undef FORM
      "--", NULL};
  char hint[256];
  if (dash > 0) {
    words_hint(words[0], known, hint, sizeof hint);
    return diag_set(diag, "unknown word '%s'%s", words[0], hint);
  }
  if (nwords == 0)
    return diag_set(diag, "nothing to do: 'guard http -p PROMPT' or "
                          "'guard -- CMD ARGS...', see --help");
  return 0;
}

static const char summary[] =
    "Runs a CLI of an LLM behind one gate: limits are recognised from its\n"
    "exit code and both outputs, waits are obeyed up to a cap, and a breaker\n"
    "shared by all processes of the host stops calling when it is no use.\n"
    "'guard http --help' tells about single API calls.";
static const char footer[] =
    "times are seconds, fractions allowed; (n) is the default\n"
    "an option not given is read from its variable: --max-backoff from\n"
    "GUARD_MAX_BACKOFF; a flag is 1 or 0 there\n"
    "exit codes: 0 done; 1 failed; 2 usage; 75 do without the answer now:\n"
    "breaker open, wait above the cap, usage limit or quota, deadline";

int wrap_main(int argc, char **argv)
{
  const char *cli = NULL, *provider = NULL;
  const struct option own[] = {
      {"cli", 0, OPTION_STRING, &cli, 0, 0, "WORD",
       "claude, codex, gemini or auto (auto: by the name)"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  struct settings s;
  struct cmdline_env env = {.prefix = "GUARD_"};
  struct diag diag = {0};
  int nwords, dash, code = 2;
  settings_init(&s, own);
  const struct cmdline c = {"guard [OPTIONS] -- CMD ARGS...", summary,
                            s.options, footer};
  char **words = mem_zalloc(((size_t)argc + 1) * sizeof *words);
  enum cmdline_result r = cmdline_parse(&c, argv, words, &nwords, &dash, &diag);
  if (r == CMDLINE_DONE)
    code = 0;
  else if (r == CMDLINE_OK && cmdline_environment(&c, argv, &env, &diag) == 0 &&
           check_words(nwords, dash, words, &diag) == 0 &&
           choose_provider(cli, words[0], &provider, &diag) == 0 &&
           settings_finish(&s, &diag) == 0 && stop_install(&diag) == 0)
    code = run(&s, words, provider);
  cmdline_blame(&c, &env, &diag);
  if (diag.set)
    fprintf(stderr, "guard: %s\n", diag.text);
  settings_release(&s);
  free(words);
  return code;
}
