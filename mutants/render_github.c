/*
 * GitHub: workflow commands that put a note beside a line, and a page for
 * the step's summary. Escapes as in its "Workflow commands" documentation.
 */
#include "mutants/render.h"

#include "mutants/render_change.h"
#include "mutants/tally.h"

#include <stdlib.h>
#include <string.h>

static void escape(const char *text, const char *more, struct buf *ret)
{
  for (; *text; text++)
    if (*text == '%' || *text == '\r' || *text == '\n' || strchr(more, *text))
      buf_addf(ret, "%%%02X", (unsigned)(unsigned char)*text);
    else
      buf_addc(ret, *text);
}

static void add_note(const struct records *all, const struct record *r,
                     struct buf *ret)
{
  struct change c;
  bool missed = outcome_class(r->outcome) == CLASS_MISSED;
  change_of(r, &c);
  buf_addf(ret, "::%s title=", missed ? "warning" : "error");
  escape(outcome_word(r->outcome), ":,", ret);
  buf_adds(ret, " ");
  escape(r->id, ":,", ret);
  if (c.file) {
    buf_adds(ret, ",file=");
    escape(c.file, ":,", ret);
    buf_addf(ret, ",line=%lld", (long long)(c.first < 1 ? 1 : c.first));
  }
  char *text = mem_format("killed by %d of %d: %s", record_kills(r),
                          all->tests.n, r->why);
  buf_adds(ret, "::");
  escape(text, "", ret);
  buf_addc(ret, '\n');
  free(text);
  change_release(&c);
}

void render_github(const struct records *r, struct buf *ret)
{
  for (int i = 0; i < r->n; i++)
    if (outcome_class(r->item[i].outcome) != CLASS_OK)
      add_note(r, &r->item[i], ret);
  if (r->problem && *r->problem) {
    buf_adds(ret, "::error title=faultwire mutate::");
    escape(r->problem, "", ret);
    buf_addc(ret, '\n');
  }
}

/* A cell of a table: no line ends, no bars, no HTML. */
static void add_cell(const char *text, struct buf *ret)
{
  struct buf safe;
  buf_init(&safe, JSON_MAX_BYTES);
  change_escape(bytes_of(text), &safe);
  for (const char *p = buf_str(&safe); *p; p++)
    if (*p == '|' || *p == '`' || *p == '*' || *p == '_' || *p == '[' ||
        *p == '\\')
      buf_addf(ret, "\\%c", *p);
    else
      buf_addc(ret, *p == '\n' || *p == '\t' ? ' ' : *p);
  buf_release(&safe);
}

static void add_row(const struct records *all, const struct record *r,
                    struct buf *ret)
{
  buf_addf(ret, "| %s | ", outcome_word(r->outcome));
  add_cell(r->id, ret);
  buf_adds(ret, " | ");
  add_cell(r->place, ret);
  buf_addf(ret, " | %d of %d | ", record_kills(r), all->tests.n);
  add_cell(r->why, ret);
  buf_adds(ret, " |\n");
}

void render_step_summary(const struct records *r, struct buf *ret)
{
  struct buf line;
  int bad = 0;
  buf_init(&line, JSON_MAX_BYTES);
  render_summary(r, &line);
  buf_adds(ret, "### faultwire mutate\n\n");
  add_cell(buf_str(&line), ret);
  buf_adds(ret, "\n\n");
  for (int i = 0; i < r->n; i++) {
    if (outcome_class(r->item[i].outcome) == CLASS_OK)
      continue;
    if (bad++ == 0)
      buf_adds(ret, "| outcome | mutant | place | killed by | why |\n"
                    "|---|---|---|---|---|\n");
    add_row(r, &r->item[i], ret);
  }
  buf_release(&line);
}
