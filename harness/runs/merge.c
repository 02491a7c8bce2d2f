#include "harness/runs/commands.h"

#include "base/words.h"
#include "harness/report_out.h"
#include "harness/runs/join.h"

#include <stdio.h>
#include <string.h>

enum { EXIT_USAGE = 2, EXIT_SETUP = 3 };

struct merge {
  struct report_out out;
  struct join_options join;
  const char *twice;
  char **words;
  int n;
  struct loaded_run *runs;
  size_t nruns;
};

static enum cmdline_result parse(struct merge *m, int argc, char **argv,
                                 struct diag *diag)
{
  const struct option options[] = {
      {"report", 0, OPTION_STRINGS, &m->out.files, 0, 0, "KIND=FILE",
       "write a report of all of them; may be given again"},
      {"format", 0, OPTION_STRING, &m->out.format, 0, 0, "KIND",
       "what goes to stdout (default: text)"},
      {"twice", 0, OPTION_STRING, &m->twice, 0, 0, "WORD",
       "a scenario with two results: error (default), or the first, last or "
       "worst counts"},
      {"strict", 0, OPTION_FLAG, &m->join.strict, 0, 0, NULL,
       "a warning counts as a failure"},
      {.name = NULL}};
  const struct cmdline c = {
      "faultwire merge [OPTIONS] REPORT.json...",
      "Joins the JSON reports of shards and prints any report of the whole.",
      options,
      "Exit code, from all verdicts: 0 pass, 1 a check failed,\n"
      "3 inconclusive or a shard was broken off, 2 usage or no report."};
  int dash = 0;
  m->words = mem_zalloc(((size_t)argc + 2) * sizeof *m->words);
  return cmdline_parse(&c, argv, m->words, &m->n, &dash, diag);
}

static int check(struct merge *m, struct diag *diag)
{
  char hint[128];
  if (m->n == 0)
    return diag_set(diag, "which reports? name the JSON files of "
                          "`faultwire test --report json=FILE`");
  for (int i = 0; m->twice && join_words[i]; i++)
    if (strcmp(join_words[i], m->twice) == 0) {
      m->join.twice = (enum join_twice)i;
      m->twice = NULL;
    }
  if (m->twice) {
    words_hint(m->twice, join_words, hint, sizeof hint);
    return diag_set(diag, "unknown word '%s' for --twice%s", m->twice, hint);
  }
  return report_out_check(&m->out, diag);
}

static int load(struct merge *m, struct diag *diag)
{
  m->runs = mem_zalloc((size_t)m->n * sizeof *m->runs);
  for (int i = 0; i < m->n; i++) {
    if (run_load(&m->runs[i], m->words[i], diag) < 0)
      return -1;
    m->nruns++;
  }
  return 0;
}

static int join_and_print(struct merge *m, struct diag *diag)
{
  struct loaded_run all;
  if (join_runs(&all, m->runs, m->nruns, &m->join, diag) < 0)
    return EXIT_USAGE;
  for (size_t i = 0; all.notes && all.notes[i]; i++)
    fprintf(stderr, "note: %s\n", all.notes[i]);
  int code = all.run.exit_code;
  if (report_out_print(&m->out, &all.run, diag) < 0)
    code = EXIT_SETUP;
  run_unload(&all);
  return code;
}

static int go(struct merge *m, int argc, char **argv, struct diag *diag)
{
  enum cmdline_result r = parse(m, argc, argv, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (check(m, diag) < 0 || load(m, diag) < 0)
    return EXIT_USAGE;
  return join_and_print(m, diag);
}

int merge_main(int argc, char **argv)
{
  struct merge m = {0};
  struct diag diag = {0};
  char text[1800];
  int code = go(&m, argc, argv, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire merge: %s\n", text);
  }
  for (size_t i = 0; i < m.nruns; i++)
    run_unload(&m.runs[i]);
  free(m.runs);
  free(m.words);
  return code;
}
