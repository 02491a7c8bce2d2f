#include "mutants/command.h"

#include "base/cmdline.h"
#include "base/file.h"
#include "mutants/gate.h"
#include "mutants/merge.h"
#include "mutants/render.h"
#include "mutants/results.h"
#include "mutants/tally.h"

#include <stdio.h>
#include <stdlib.h>

static int load_all(char **folders, int n, struct records *ret,
                    struct diag *diag)
{
  int rc = 0;
  for (int i = 0; rc == 0 && i < n; i++) {
    struct records more;
    char *path = file_is_folder(folders[i])
                     ? mem_format("%s/outcomes.json", folders[i])
                     : mem_strdup(folders[i]);
    rc = records_load(&more, path, diag);
    if (rc == 0) {
      rc = merge_add(ret, &more, path, diag);
      records_release(&more);
    }
    free(path);
  }
  if (rc == 0)
    merge_finish(ret);
  return rc;
}

static int write_all(const char *out, const struct records *r,
                     struct diag *diag)
{
  struct gate_options o = {.out = out, .plan = "merge"};
  struct gate g = {.options = &o, .lock = -1};
  int rc = gate_folders(&g, diag);
  if (rc == 0)
    rc = results_write_all(g.out, r, diag);
  if (g.work)
    file_remove_tree(g.work);
  gate_release(&g);
  return rc;
}

static int merge(char **folders, int n, const char *out, bool strict,
                 struct diag *diag)
{
  struct records all = {0};
  struct buf text;
  int code = GATE_USAGE;
  buf_init(&text, SIZE_MAX / 2);
  if (load_all(folders, n, &all, diag) == 0 &&
      (!out || write_all(out, &all, diag) == 0)) {
    render_matrix(&all, &text);
    fputs(buf_str(&text), stdout);
    code = (int)tally_exit(&all, strict);
  }
  buf_release(&text);
  records_release(&all);
  return code;
}

int command_merge(int argc, char **argv, struct diag *diag)
{
  const char *out = NULL;
  bool strict = false;
  const struct option options[] = {
      {"out", 0, OPTION_STRING, &out, 0, 0, "DIR",
       "write the joined results there, as a run does"},
      {"strict-tests", 0, OPTION_FLAG, &strict, 0, 0, NULL,
       "exit 7 when a test kills nothing"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {
      "faultwire mutate merge [OPTIONS] DIR...",
      "Joins the results of the shards of one plan, and judges them as one "
      "run.",
      options,
      "The exit code is that of a run. When mutants of the plan are missing, "
      "it is 3."};
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int n, dash, code = GATE_USAGE;
  enum cmdline_result r = cmdline_parse(&c, argv, words, &n, &dash, diag);
  if (r == CMDLINE_DONE)
    code = GATE_OK;
  else if (r == CMDLINE_OK && n > 0)
    code = merge(words, n, out, strict, diag);
  else if (r == CMDLINE_OK)
    diag_set(diag, "which folders? usage: %s", c.usage);
  free(words);
  return code;
}
