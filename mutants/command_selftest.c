#include "mutants/command.h"

#include "base/cmdline.h"
#include "base/file.h"
#include "mutants/mutate.h"
#include "mutants/record.h"
#include "mutants/selftest.h"
#include "mutants/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 32, MAX_AT_ONCE = 16 };

struct trial {
  const struct selftest_case *c;
  char *folder;
  uint64_t tree; /* fingerprint before the run */
  pid_t pid;
};

struct selftest {
  bool as_json;
  int passed, failed;
};

/* In the child: the gate with the case's plan, in the case's folder. */
__attribute__((noreturn)) static void be_the_gate(const struct trial *t,
                                                  pid_t parent)
{
  char *words[MAX_WORDS] = {
      mem_strdup("mutate"),    mem_strdup("run"),
      mem_strdup("plan.json"), mem_strdup("--out"),
      mem_strdup("out"),       mem_strdup("--jobs"),
      mem_strdup("1"),         mem_strdup("--baseline-runs"),
      mem_strdup("1")};
  int n = 9;
  char *options = mem_strdup(t->c->options), *rest = NULL;
  for (char *w = strtok_r(options, " ", &rest); w && n < MAX_WORDS - 1;
       w = strtok_r(NULL, " ", &rest))
    words[n++] = w;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent || chdir(t->folder) < 0)
    _exit(127);
  int fd = open("said", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  dup2(fd, STDOUT_FILENO);
  dup2(fd, STDERR_FILENO);
  int code = mutate_main(n, words);
  fflush(stdout);
  _exit(code);
}

static uint64_t tree_of(const struct trial *t)
{
  char *path = mem_format("%s/tree", t->folder);
  uint64_t hash = tree_fingerprint(path);
  free(path);
  return hash;
}

static int begin(struct trial *t, const struct selftest_case *c,
                 struct diag *diag)
{
  *t = (struct trial){.c = c};
  t->folder = file_temp_folder("faultwire-selftest", diag);
  if (!t->folder || selftest_write(c, t->folder, diag) < 0)
    return -1;
  t->tree = tree_of(t);
  pid_t parent = getpid();
  fflush(stdout);
  t->pid = fork();
  if (t->pid == 0)
    be_the_gate(t, parent);
  return t->pid < 0 ? diag_set(diag, "cannot fork: %s", strerror(errno)) : 0;
}

static const char *first_outcome(const struct trial *t)
{
  struct records r;
  struct diag ignored = {0};
  const char *word = NULL;
  char *path = mem_format("%s/out/outcomes.json", t->folder);
  if (records_load(&r, path, &ignored) == 0) {
    word = r.n ? outcome_word(r.item[0].outcome) : NULL;
    records_release(&r);
  }
  free(path);
  return word;
}

static void check_outcome(const struct trial *t, struct buf *why)
{
  const char *wanted = t->c->outcome ? t->c->outcome : "no results";
  const char *got = first_outcome(t);
  if (!got)
    got = "no results";
  if (strcmp(got, wanted) != 0)
    buf_addf(why, "outcome %s, must be %s; ", got, wanted);
}

static void check_said(const struct trial *t, bool failed, struct buf *why)
{
  struct buf said;
  struct diag ignored = {0};
  char *path = mem_format("%s/said", t->folder);
  buf_init(&said, JSON_MAX_BYTES);
  file_read(path, &said, &ignored);
  bool found =
      !t->c->says || bytes_find(buf_bytes(&said), bytes_of(t->c->says)) >= 0;
  if (!found)
    buf_addf(why, "it does not say \"%s\"; ", t->c->says);
  if (failed || !found)
    buf_addf(why, "it said: %s", buf_str(&said));
  buf_release(&said);
  free(path);
}

static void check_leftovers(const struct trial *t, struct buf *why)
{
  char *work = mem_format("%s/out.work", t->folder);
  if (tree_of(t) != t->tree)
    buf_adds(why, "the user's own tree was changed; ");
  if (file_exists(work))
    buf_adds(why, "the copies were left behind; ");
  free(work);
}

static void end_trial(struct trial *t, struct buf *why)
{
  int status = 0;
  while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
    ;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code != t->c->exit)
    buf_addf(why, "exit %d, must be %d; ", code, t->c->exit);
  check_outcome(t, why);
  check_leftovers(t, why);
  check_said(t, why->n > 0, why);
  file_remove_tree(t->folder);
  free(t->folder);
}

static void print_verdict(struct selftest *s, const char *name,
                          const struct buf *why)
{
  bool first = s->passed + s->failed == 0;
  if (s->as_json) {
    printf("%s\n  \"%s\": {\"verdict\": \"%s\"", first ? "" : ",", name,
           why->n ? "red" : "green");
    if (why->n) {
      struct buf text;
      buf_init(&text, JSON_MAX_BYTES);
      buf_add_json(&text, buf_bytes(why));
      printf(", \"kind\": \"assert\", \"why\": %s", buf_str(&text));
      buf_release(&text);
    }
    printf("}");
  } else {
    printf("%-6s %s%s%s\n", why->n ? "FAILED" : "ok", name, why->n ? ": " : "",
           buf_str(why));
  }
  s->passed += why->n == 0;
  s->failed += why->n > 0;
}

static void finish_oldest(struct selftest *s, struct trial *trials, int *count)
{
  struct buf why;
  buf_init(&why, JSON_MAX_BYTES);
  end_trial(&trials[0], &why);
  print_verdict(s, trials[0].c->name, &why);
  fflush(stdout);
  buf_release(&why);
  (*count)--;
  for (int i = 0; i < *count; i++)
    trials[i] = trials[i + 1];
}

static bool wanted(const struct selftest_case *c, char **names, int n)
{
  for (int i = 0; i < n; i++)
    if (glob_matches(names[i], c->name))
      return true;
  return n == 0;
}

static int run_cases(struct selftest *s, char **names, int n, int at_once,
                     struct diag *diag)
{
  struct trial trials[MAX_AT_ONCE];
  int count = 0, rc = 0;
  for (const struct selftest_case *c = SELFTEST_CASES; rc == 0 && c->name;
       c++) {
    if (!wanted(c, names, n))
      continue;
    if (count == at_once)
      finish_oldest(s, trials, &count);
    rc = begin(&trials[count], c, diag);
    count += rc == 0;
  }
  while (count)
    finish_oldest(s, trials, &count);
  return rc;
}

static int selftest(struct selftest *s, char **names, int n, int at_once,
                    struct diag *diag)
{
  if (s->as_json)
    printf("{\"tests\": {");
  int rc = run_cases(s, names, n, at_once, diag);
  if (s->as_json)
    printf("}}\n");
  else
    printf("%d passed, %d failed\n", s->passed, s->failed);
  return rc < 0 ? GATE_INTERNAL : s->failed || !s->passed;
}

int command_selftest(int argc, char **argv, struct diag *diag)
{
  struct selftest s = {0};
  int64_t at_once = 4;
  const struct option options[] = {
      {"json", 0, OPTION_FLAG, &s.as_json, 0, 0, NULL,
       "as the report of a suite, for the gate on the gate"},
      {"jobs", 0, OPTION_INT, &at_once, 1, MAX_AT_ONCE, "N",
       "cases at once (4)"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {
      "faultwire mutate selftest [OPTIONS] [CASE...]",
      "Plants faults in trees, suites, builds and plans, and demands that the "
      "gate finds each.",
      options, "exit codes: 0 all found, 1 not"};
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int n, dash, code = GATE_USAGE;
  enum cmdline_result r = cmdline_parse(&c, argv, words, &n, &dash, diag);
  if (r == CMDLINE_DONE)
    code = GATE_OK;
  else if (r == CMDLINE_OK)
    code = selftest(&s, words, n, (int)at_once, diag);
  free(words);
  return code;
}
