#include "mutants/command.h"

#include "base/cmdline.h"
#include "mutants/render.h"
#include "mutants/render_files.h"

#include <stdio.h>
#include <stdlib.h>

static int print_report(const char *folder, const char *tree,
                        const struct render *form, struct diag *diag)
{
  struct records records;
  struct buf text;
  char *path = mem_format("%s/outcomes.json", folder);
  int rc = records_load(&records, path, diag);
  free(path);
  if (rc < 0)
    return GATE_USAGE;
  render_files_load(&records, folder);
  render_files_sources(&records, tree);
  buf_init(&text, SIZE_MAX / 2);
  form->print(&records, &text);
  fwrite(buf_str(&text), 1, text.n, stdout);
  buf_release(&text);
  records_release(&records);
  return GATE_OK;
}

int command_report(int argc, char **argv, struct diag *diag)
{
  const char *as = "matrix", *tree = ".";
  const struct option options[] = {
      {"as", 0, OPTION_STRING, &as, 0, 0, "FORM",
       "matrix (default), json, junit, mte, html, sarif, github or summary"},
      {"tree", 0, OPTION_STRING, &tree, 0, 0, "DIR",
       "where the sources are that mte shows in full (.)"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"faultwire mutate report [--as FORM] DIR",
                            "Prints the results of a run.", options, NULL};
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int n, dash, code = GATE_USAGE;
  enum cmdline_result r = cmdline_parse(&c, argv, words, &n, &dash, diag);
  const struct render *form = r == CMDLINE_OK ? render_find(as, diag) : NULL;
  if (r == CMDLINE_DONE)
    code = GATE_OK;
  else if (form && n == 1)
    code = print_report(words[0], tree, form, diag);
  else if (form)
    diag_set(diag, "which folder? usage: %s", c.usage);
  free(words);
  return code;
}
