#include "mutants/results.h"

#include "base/file.h"
#include "mutants/edit.h"
#include "mutants/render.h"

#include <stdlib.h>
#include <string.h>

static int line_of(struct bytes text, ptrdiff_t at)
{
  int line = 1;
  for (ptrdiff_t i = 0; i < at; i++)
    line += text.p[i] == '\n';
  return line;
}

/* "FILE:LINE" of the first edit, so that editors jump to a survivor. */
static char *find_place(const struct gate *g, const struct plan_mutant *m)
{
  if (m->nedits == 0)
    return mem_strdup("");
  struct buf text;
  struct diag ignored = {0};
  char *path = mem_format("%s/%s", g->tree, m->edits[0].file);
  char *place = NULL;
  buf_init(&text, JSON_MAX_BYTES);
  if (file_read(path, &text, &ignored) == 0) {
    struct bytes all = buf_bytes(&text);
    ptrdiff_t at = bytes_find(all, bytes_of(m->edits[0].find));
    if (at >= 0)
      place = mem_format("%s:%d", m->edits[0].file, line_of(all, at));
  }
  buf_release(&text);
  free(path);
  return place ? place : mem_strdup(m->edits[0].file);
}

void results_start(struct records *r, const struct gate *g)
{
  *r = (struct records){.n = g->nselected, .problem = mem_strdup("")};
  r->item = mem_zalloc((size_t)(r->n + 1) * sizeof *r->item);
  for (int i = 0; i < r->n; i++) {
    const struct plan_mutant *m = g->selected[i];
    r->item[i] = (struct record){.id = mem_strdup(m->id),
                                 .operator_ = mem_strdup(m->operator_),
                                 .motive = mem_strdup(m->why),
                                 .place = find_place(g, m),
                                 .why = mem_strdup(""),
                                 .diff = mem_strdup(""),
                                 .kinds = (int)m->kinds};
  }
}

void results_take_tests(struct records *r, const struct gate *g)
{
  for (int i = 0; i < g->base.n; i++) {
    const struct test *from = &g->base.item[i];
    struct test *to = verdicts_add(&r->tests, from->name, from->why);
    to->verdict = from->verdict;
    to->kind = from->kind;
    to->ms = from->ms;
  }
  for (int i = 0; i < r->tests.n; i++)
    if (globs_match(&g->plan.canary, r->tests.item[i].name))
      texts_add(&r->canary, r->tests.item[i].name);
}

static int write_file(const struct gate *g, const char *name, const char *end,
                      const struct buf *content, struct diag *diag)
{
  char *path = mem_format("%s/%s%s", g->out, name, end);
  int rc = file_write(path, buf_bytes(content), diag);
  free(path);
  return rc;
}

static int make_folder(const struct gate *g, const char *name,
                       struct diag *diag)
{
  char *path = mem_format("%s/%s", g->out, name);
  int rc = file_mkdirs(path, diag);
  free(path);
  return rc;
}

static int write_diff(const struct gate *g, const struct record *r,
                      struct diag *diag)
{
  char *name = mem_format("diff/%s", r->id);
  struct buf b;
  buf_init(&b, 2 * JSON_MAX_BYTES);
  buf_adds(&b, r->diff);
  int rc = make_folder(g, "diff", diag);
  if (rc == 0)
    rc = write_file(g, name, ".diff", &b, diag);
  buf_release(&b);
  free(name);
  return rc;
}

int results_write_one(const struct gate *g, const struct record *r,
                      struct diag *diag)
{
  char *name = mem_format("log/%s", r->id);
  struct buf b;
  buf_init(&b, 2 * JSON_MAX_BYTES);
  record_to_json(r, &b);
  buf_addc(&b, '\n');
  int rc = make_folder(g, "log", diag);
  if (rc == 0)
    rc = write_file(g, name, ".json", &b, diag);
  buf_release(&b);
  free(name);
  return rc < 0 ? -1 : write_diff(g, r, diag);
}

static int write_lists(const struct gate *g, const struct records *r,
                       struct diag *diag)
{
  int rc = 0;
  for (int o = 0; rc == 0 && o < OUTCOME_COUNT; o++) {
    struct buf b;
    buf_init(&b, JSON_MAX_BYTES);
    for (int i = 0; i < r->n; i++)
      if (r->item[i].outcome == (enum outcome)o)
        buf_addf(&b, "%s\n", r->item[i].id);
    rc = write_file(g, outcome_word((enum outcome)o), ".txt", &b, diag);
    buf_release(&b);
  }
  return rc;
}

static int
write_rendered(const struct gate *g, const struct records *r, const char *name,
               void (*print)(const struct records *r, struct buf *ret),
               struct diag *diag)
{
  struct buf b;
  buf_init(&b, SIZE_MAX / 2);
  print(r, &b);
  int rc = write_file(g, name, "", &b, diag);
  buf_release(&b);
  return rc;
}

/* outcomes.json comes last: it is the sign that the rest is whole. */
int results_write_all(const struct gate *g, const struct records *r,
                      struct diag *diag)
{
  return write_lists(g, r, diag) < 0 ||
                 write_rendered(g, r, "matrix.tsv", render_tsv, diag) < 0 ||
                 write_rendered(g, r, "junit.xml", render_junit, diag) < 0 ||
                 write_rendered(g, r, "outcomes.json", records_to_json, diag) <
                     0
             ? -1
             : 0;
}
