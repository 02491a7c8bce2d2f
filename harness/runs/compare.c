#include "harness/runs/commands.h"

#include "base/cmdline.h"
#include "harness/runs/change.h"

#include <stdio.h>

enum { EXIT_WORSE = 1, EXIT_USAGE = 2, EXIT_SETUP = 3 };

/* Ceiling of what is printed. */
#define MAX_TEXT_BYTES ((size_t)64 << 20)

struct compare {
  struct change_rule rule;
  char **words;
  int n;
  struct loaded_run runs[2];
};

static enum cmdline_result parse(struct compare *c, int argc, char **argv,
                                 struct diag *diag)
{
  const struct option options[] = {
      {"subset", 0, OPTION_FLAG, &c->rule.subset, 0, 0, NULL,
       "NEW ran only some scenarios: those that are gone do not count"},
      {"figures", 0, OPTION_FLAG, &c->rule.figures, 0, 0, NULL,
       "other numbers of calls and much more time count as worse"},
      {.name = NULL}};
  const struct cmdline line = {
      "faultwire compare [OPTIONS] OLD.json NEW.json",
      "Says what is different between two runs, from their JSON reports.",
      options,
      "Exit code: 0 nothing got worse, 1 something did, 2 usage or no report."};
  int dash = 0;
  c->words = mem_zalloc(((size_t)argc + 2) * sizeof *c->words);
  return cmdline_parse(&line, argv, c->words, &c->n, &dash, diag);
}

static int print(const struct compare *c, struct diag *diag)
{
  struct changes changes;
  struct buf out;
  int code = 0;
  changes_find(&changes, &c->runs[0].run, &c->runs[1].run);
  buf_init(&out, MAX_TEXT_BYTES);
  changes_print(&changes, &c->rule, &out);
  for (size_t i = 0; i < changes.n; i++)
    if (change_counts(changes.list[i].kind, &c->rule))
      code = EXIT_WORSE;
  if (fwrite(buf_str(&out), 1, out.n, stdout) != out.n || fflush(stdout) != 0) {
    diag_set(diag, "cannot write to stdout");
    code = EXIT_SETUP;
  }
  buf_release(&out);
  changes_release(&changes);
  return code;
}

static int go(struct compare *c, int argc, char **argv, struct diag *diag)
{
  enum cmdline_result r = parse(c, argc, argv, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (c->n != 2) {
    diag_set(diag, "two reports are compared, the old and the new: %d given",
             c->n);
    return EXIT_USAGE;
  }
  for (int i = 0; i < 2; i++)
    if (run_load(&c->runs[i], c->words[i], diag) < 0)
      return EXIT_USAGE;
  return print(c, diag);
}

int compare_main(int argc, char **argv)
{
  struct compare c = {0};
  struct diag diag = {0};
  char text[1800];
  int code = go(&c, argc, argv, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire compare: %s\n", text);
  }
  run_unload(&c.runs[0]);
  run_unload(&c.runs[1]);
  free(c.words);
  return code;
}
