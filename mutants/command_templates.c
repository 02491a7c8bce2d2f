#include "mutants/command.h"

#include "base/cmdline.h"
#include "base/words.h"
#include "mutants/outcome.h"
#include "mutants/template/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wish {
  const char *language, *as, *only;
};

static int print(const struct wish *w, struct buf *text, struct diag *diag)
{
  static const char *const FORMS[] = {"plan", "markdown", NULL};
  char hint[256];
  if (strcmp(w->as, "markdown") == 0) {
    template_markdown(text);
    return 0;
  }
  words_hint(w->as, FORMS, hint, sizeof hint);
  if (strcmp(w->as, "plan") != 0)
    return diag_set(diag, "unknown form '%s'%s", w->as, hint);
  words_hint(w->language, TEMPLATE_LANGUAGES, hint, sizeof hint);
  return template_plan(w->language, w->only, text)
             ? 0
             : diag_set(diag, "unknown language '%s'%s", w->language, hint);
}

int command_templates(int argc, char **argv, struct diag *diag)
{
  struct wish w = {"c", "plan", "*"};
  const struct option options[] = {
      {"language", 0, OPTION_STRING, &w.language, 0, 0, "L",
       "c (default), python, javascript, go, java or rust"},
      {"only", 0, OPTION_STRING, &w.only, 0, 0, "GLOB", "only these ids"},
      {"as", 0, OPTION_STRING, &w.as, 0, 0, "FORM",
       "plan (default) or markdown"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {
      "faultwire mutate templates [OPTIONS]",
      "Prints what to break in a client, as entries of a plan. The file and "
      "the search text\nof each are yours to fill in; what does not apply to "
      "your client you leave out.",
      options, NULL};
  struct buf text;
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int n, dash, code = GATE_USAGE;
  enum cmdline_result r = cmdline_parse(&c, argv, words, &n, &dash, diag);
  buf_init(&text, SIZE_MAX / 2);
  if (r == CMDLINE_DONE)
    code = GATE_OK;
  else if (r == CMDLINE_OK && n)
    diag_set(diag, "'%s' is not expected; usage: %s", words[0], c.usage);
  else if (r == CMDLINE_OK && print(&w, &text, diag) == 0)
    code = GATE_OK;
  fputs(buf_str(&text), stdout);
  buf_release(&text);
  free(words);
  return code;
}
