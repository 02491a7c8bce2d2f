#include "harness/list.h"

#include "base/cmdline.h"
#include "base/words.h"
#include "harness/list_tables.h"

#include <stdio.h>
#include <string.h>

/* A table is at most some hundred lines. */
#define MAX_OUT_BYTES ((size_t)4 << 20)
enum { EXIT_USAGE = 2, MAX_TABLES = 16 };

static const struct list_source *find(const char *name)
{
  for (const struct list_source *s = list_sources; s->name; s++)
    if (strcmp(s->name, name) == 0)
      return s;
  return NULL;
}

/* The tables here, and the one of another command. */
static void table_names(const char *ret[MAX_TABLES])
{
  int n = 0;
  for (const struct list_source *s = list_sources; s->name; s++)
    ret[n++] = s->name;
  ret[n++] = "mutants";
  ret[n] = NULL;
}

static int unknown(const char *table, struct diag *diag)
{
  const char *names[MAX_TABLES];
  char hint[512];
  table_names(names);
  if (words_has(names, table))
    return diag_set(diag, "mutants are listed by `faultwire list mutants "
                          "PLAN`, with the plan last");
  words_hint(table, names, hint, sizeof hint);
  return diag_set(diag, "unknown table '%s'%s", table, hint);
}

int list_table(const char *table, const char *argument, enum list_format format,
               struct buf *out, struct diag *diag)
{
  const struct list_source *source = find(table);
  struct rows rows = {0};
  if (!source)
    return unknown(table, diag);
  int rc = source->fill(&rows, argument, diag);
  if (rc == 0)
    rows_print(&rows, &source->titles, format, out);
  rows_release(&rows);
  return rc;
}

static void print_tables(struct buf *out)
{
  for (const struct list_source *s = list_sources; s->name; s++)
    buf_addf(out, "  %-10s %s\n", s->name, s->summary);
  buf_addf(out, "  %-10s %s\n", "mutants",
           "what a plan changes (needs the PLAN)");
}

static int print(const char *const *words, int n, enum list_format format,
                 struct buf *out, struct diag *diag)
{
  if (n == 0)
    return diag_set(diag, "which table? see --help");
  bool folder = strcmp(words[0], "scenarios") == 0;
  if (n > (folder ? 2 : 1) && strcmp(words[0], "mutants") != 0)
    return diag_set(diag, "'%s' is too much", words[folder ? 2 : 1]);
  return list_table(words[0], n > 1 ? words[1] : NULL, format, out, diag);
}

static int finish(int rc, const struct buf *out, const struct diag *diag)
{
  char text[2048];
  if (rc == 0) {
    fwrite(buf_str(out), 1, out->n, stdout);
    return 0;
  }
  diag_format(diag, text, sizeof text);
  fprintf(stderr, "faultwire list: %s\n", text);
  return EXIT_USAGE;
}

int list_main(int argc, char **argv)
{
  bool markdown = false, json = false;
  const struct option options[] = {{.name = "markdown",
                                    .type = OPTION_FLAG,
                                    .value = &markdown,
                                    .summary = "as a Markdown table"},
                                   {.name = "json",
                                    .type = OPTION_FLAG,
                                    .value = &json,
                                    .summary = "as a JSON array"},
                                   {.name = NULL}};
  struct buf tables, out;
  buf_init(&tables, MAX_OUT_BYTES);
  buf_init(&out, MAX_OUT_BYTES);
  buf_adds(&tables, "tables:\n");
  print_tables(&tables);
  const struct cmdline c = {
      .usage = "faultwire list TABLE [FOLDER | PLAN] [OPTIONS]",
      .summary = "Prints a table of what there is, one sentence each.",
      .options = options,
      .footer = buf_str(&tables)};
  char **words = mem_zalloc(sizeof *words * (size_t)(argc + 1));
  struct diag diag = {0};
  int n = 0, dash = 0;
  enum cmdline_result r = cmdline_parse(&c, argv, words, &n, &dash, &diag);
  int rc = r == CMDLINE_ERROR ? -1 : 0;
  if (r == CMDLINE_OK)
    rc = print((const char *const *)words, n,
               json       ? LIST_JSON
               : markdown ? LIST_MARKDOWN
                          : LIST_TEXT,
               &out, &diag);
  rc = finish(rc, &out, &diag);
  buf_release(&tables);
  buf_release(&out);
  free(words);
  return rc;
}
