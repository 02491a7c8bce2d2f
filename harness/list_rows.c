#include "harness/list_rows.h"

#include "harness/report/escape.h"

#include <string.h>

void rows_add(struct rows *r, const char *name, const char *detail,
              const char *summary)
{
  if (r->n == r->cap) {
    r->cap = r->cap ? 2 * r->cap : 32;
    r->row = mem_realloc(r->row, r->cap * sizeof *r->row);
  }
  r->row[r->n++] = (struct row){.name = mem_strdup(name),
                                .detail = mem_strdup(detail ? detail : ""),
                                .summary = mem_strdup(summary)};
}

void rows_release(struct rows *r)
{
  for (size_t i = 0; i < r->n; i++) {
    free(r->row[i].name);
    free(r->row[i].detail);
    free(r->row[i].summary);
  }
  free(r->row);
  *r = (struct rows){0};
}

static void print_text(const struct rows *r, struct buf *out)
{
  size_t width = 0;
  for (size_t i = 0; i < r->n; i++)
    if (strlen(r->row[i].name) > width)
      width = strlen(r->row[i].name);
  for (size_t i = 0; i < r->n; i++) {
    size_t at = out->n;
    escape_line(out, r->row[i].name);
    while (out->n - at < width + 2 && !out->full)
      buf_addc(out, ' ');
    escape_line(out, r->row[i].summary);
    buf_addc(out, '\n');
  }
}

/* A cell: what ends one or a line is escaped (GitHub's tables, 4.10). */
static void add_cell(struct buf *out, const char *s, bool code)
{
  struct buf line;
  buf_init(&line, out->max);
  escape_line(&line, s);
  buf_adds(out, code && s[0] ? " `" : " ");
  for (size_t i = 0; i < line.n; i++) {
    if (line.p[i] == '|')
      buf_addc(out, '\\');
    buf_addc(out, line.p[i]);
  }
  buf_adds(out, code && s[0] ? "` |" : " |");
  buf_release(&line);
}

static void print_markdown(const struct rows *r, const struct titles *t,
                           struct buf *out)
{
  buf_addf(out, "| %s |", t->name);
  if (t->detail)
    buf_addf(out, " %s |", t->detail);
  buf_addf(out, " %s |\n|---|%s---|\n", t->summary, t->detail ? "---|" : "");
  for (size_t i = 0; i < r->n; i++) {
    buf_addc(out, '|');
    add_cell(out, r->row[i].name, true);
    if (t->detail)
      add_cell(out, r->row[i].detail, false);
    add_cell(out, r->row[i].summary, false);
    buf_addc(out, '\n');
  }
}

static void add_member(struct buf *out, const char *key, const char *value,
                       const char *before)
{
  buf_adds(out, before);
  buf_add_json(out, bytes_of(key));
  buf_addc(out, ':');
  buf_add_json(out, bytes_of(value));
}

static void print_json(const struct rows *r, const struct titles *t,
                       struct buf *out)
{
  buf_addc(out, '[');
  for (size_t i = 0; i < r->n; i++) {
    add_member(out, "name", r->row[i].name, i ? ",\n{" : "\n{");
    if (t->detail)
      add_member(out, t->detail, r->row[i].detail, ",");
    add_member(out, "summary", r->row[i].summary, ",");
    buf_addc(out, '}');
  }
  buf_adds(out, "\n]\n");
}

void rows_print(const struct rows *r, const struct titles *t,
                enum list_format format, struct buf *out)
{
  switch (format) {
  case LIST_TEXT:
    print_text(r, out);
    return;
  case LIST_MARKDOWN:
    print_markdown(r, t, out);
    return;
  case LIST_JSON:
    print_json(r, t, out);
    return;
  }
}
