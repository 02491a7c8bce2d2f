/*
 * generate: mutants nobody has thought of yet, as a plan to choose from.
 */
#include "mutants/command.h"
#include "mutants/generate/entries.h"
#include "mutants/outcome.h"
#include "mutants/plan.h"

#include "base/cmdline.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Google's rule of thumb, "An Industrial Application of Mutation Testing":
 * few mutants in one line are worth a reader's time. */
enum { PER_LINE = 2, MOST_PER_LINE = 64, MOST = 1000000 };

struct request {
  const char *language, *operators, *tree, *plan;
  int64_t most, per_line;
  bool list;
};

static void print_languages(unsigned set, struct buf *ret)
{
  const char *comma = "";
  for (int i = 0; i < LANGUAGE_COUNT; i++)
    if (set >> i & 1) {
      buf_addf(ret, "%s%s", comma, LANGUAGES[i].name);
      comma = ", ";
    }
}

static void print_operators(void)
{
  for (int i = 0; i < OPERATOR_COUNT; i++) {
    struct buf languages;
    buf_init(&languages, 1024);
    print_languages(OPERATORS[i].languages, &languages);
    bool all = OPERATORS[i].languages == (1u << LANGUAGE_COUNT) - 1;
    printf("%-26s %s%s%s%s\n", OPERATORS[i].id, OPERATORS[i].why,
           all ? "" : " (", all ? "" : buf_str(&languages), all ? "" : ")");
    buf_release(&languages);
  }
}

/* "a,b" as bits; all without a list. */
static int read_operators(const char *list, uint64_t *ret, struct diag *diag)
{
  *ret = list ? 0 : UINT64_MAX;
  while (list && *list) {
    size_t n = strcspn(list, ",");
    char *name = bytes_dup((struct bytes){list, n});
    const struct operator* o = operator_named(name, diag);
    free(name);
    if (!o)
      return -1;
    *ret |= UINT64_C(1) << (o - OPERATORS);
    list += n + (list[n] == ',');
  }
  return *ret ? 0 : diag_set(diag, "--operators names none");
}

/* The way of a file inside the tree; the caller frees it. */
static char *path_in_tree(const char *tree, const char *file, char **ret_real,
                          struct diag *diag)
{
  char *root = realpath(tree, NULL), *real = realpath(file, NULL);
  char *path = NULL;
  size_t n = root ? strlen(root) : 0;
  if (!root)
    diag_set(diag, "%s: no such folder", tree);
  else if (!real)
    diag_set(diag, "%s: no such file", file);
  else if (strcmp(root, "/") == 0)
    path = mem_strdup(real + 1);
  else if (strncmp(real, root, n) != 0 || real[n] != '/')
    diag_set(diag, "%s is not inside the tree %s; see --tree", file, tree);
  else
    path = mem_strdup(real + n + 1);
  free(root);
  if (path)
    *ret_real = real;
  else
    free(real);
  return path;
}

static int add_file(struct entries *e, const struct request *q,
                    const char *tree, const char *file, struct diag *diag)
{
  const struct language *l = q->language ? language_named(q->language, diag)
                                         : language_of_file(file, diag);
  char *real = NULL;
  char *path = l ? path_in_tree(tree, file, &real, diag) : NULL;
  int rc = path ? entries_add(e, real, path, l, diag) : -1;
  free(real);
  free(path);
  return rc;
}

/* The tree of a plan is relative to the plan's folder, ours to the working
 * folder. */
static char *tree_of_plan(const char *plan, const char *tree)
{
  const char *slash = strrchr(plan, '/');
  if (*tree == '/' || !slash)
    return mem_strdup(tree);
  return mem_format("%.*s/%s", (int)(slash - plan), plan, tree);
}

static int print_plan(const struct entries *e, const char *tree,
                      const struct request *q, const struct plan *from)
{
  struct entries_frame frame = {tree, from ? &from->doc : NULL, q->most};
  int n = entries_count(e, &frame);
  struct buf text;
  buf_init(&text, SIZE_MAX / 2);
  entries_print(e, &frame, &text);
  fwrite(buf_str(&text), 1, text.n, stdout);
  buf_release(&text);
  fprintf(stderr,
          "%d suggestions, no gate: try them, keep the ones that say "
          "something, and declare the tests that own each.\n",
          n);
  return n ? GATE_OK : GATE_INAPPLICABLE;
}

static int generate(const struct request *q, char **files, int n,
                    struct diag *diag)
{
  struct entries e = {.per_line = (int)q->per_line};
  struct plan plan = {0};
  int code = GATE_USAGE;
  if (read_operators(q->operators, &e.wanted, diag) < 0 ||
      (q->plan && gate_plan_load(&plan, q->plan, true, diag) < 0))
    return GATE_USAGE;
  char *tree = q->plan && !q->tree ? tree_of_plan(q->plan, plan.tree)
                                   : mem_strdup(q->tree ? q->tree : ".");
  int i = 0;
  while (i < n && add_file(&e, q, tree, files[i], diag) == 0)
    i++;
  if (i == n)
    code = print_plan(&e, tree, q, q->plan ? &plan : NULL);
  if (i == n && code == GATE_INAPPLICABLE)
    diag_set(diag, "no operator finds a place in these files");
  entries_release(&e);
  free(tree);
  if (q->plan)
    gate_plan_release(&plan);
  return code;
}

static const char FOOTER[] =
    "Prints a plan whose mutants are suggestions: each `find` is in its file\n"
    "exactly once, any fallen test counts. `faultwire mutate check` shows\n"
    "which of them build, `run` which of them your suite sees. Then declare\n"
    "the red tests of those worth keeping. Exit 6: nothing was found.\n";

int command_generate(int argc, char **argv, struct diag *diag)
{
  struct request q = {.per_line = PER_LINE};
  const struct option options[] = {
      {"language", 'l', OPTION_STRING, &q.language, 0, 0, "L",
       "c, python, javascript, typescript, go, java or rust; else by the "
       "file's ending"},
      {"operators", 0, OPTION_STRING, &q.operators, 0, 0, "A,B",
       "only these operators"},
      {"max", 0, OPTION_INT, &q.most, 1, MOST, "N",
       "at most N mutants, spread evenly over all"},
      {"per-line", 0, OPTION_INT, &q.per_line, 1, MOST_PER_LINE, "N",
       "at most N mutants for one line (2)"},
      {"plan", 0, OPTION_STRING, &q.plan, 0, 0, "PLAN",
       "take tree, build, suite, canary and controls from it"},
      {"tree", 0, OPTION_STRING, &q.tree, 0, 0, "DIR",
       "the folder that the files belong to (.)"},
      {"list", 0, OPTION_FLAG, &q.list, 0, 0, NULL, "print the operators"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"faultwire mutate generate [OPTIONS] FILE...",
                            "Suggests mutants of resilience code.", options,
                            FOOTER};
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int n, dash, code = GATE_USAGE;
  enum cmdline_result r = cmdline_parse(&c, argv, words, &n, &dash, diag);
  if (r == CMDLINE_OK && q.list)
    print_operators();
  if (r == CMDLINE_DONE || (r == CMDLINE_OK && q.list))
    code = GATE_OK;
  else if (r == CMDLINE_OK && n == 0)
    diag_set(diag, "which files? usage: %s", c.usage);
  else if (r == CMDLINE_OK)
    code = generate(&q, words, n, diag);
  free(words);
  return code;
}
