#include "mutants/results.h"

#include "base/file.h"
#include "mutants/edit.h"
#include "mutants/render.h"
#include "mutants/udiff.h"

#include <stdlib.h>
#include <string.h>

static int line_of(struct bytes text, ptrdiff_t at)
{
  int line = 1;
  for (ptrdiff_t i = 0; i < at; i++)
    line += text.p[i] == '\n';
  return line;
}

/* "FILE:LINE" of the first change, so that editors jump to a survivor. */
static char *find_place(const struct gate *g, const struct plan_mutant *m)
{
  const struct udiff *d = m->patch_diff;
  if (m->nedits == 0 && d && d->n && d->file[0].nruns)
    return mem_format("%s:%lld", d->file[0].path,
                      (long long)d->file[0].run[0].old_first);
  if (m->nedits == 0)
    return mem_strdup(m->touches.n ? m->touches.item[0] : "");
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

/* Shards belong together when they come from the same text. */
static unsigned long long plan_hash(const struct gate *g)
{
  return bytes_hash((struct bytes){g->plan.doc.text, g->plan.doc.n});
}

void results_start(struct records *r, const struct gate *g)
{
  *r = (struct records){.n = g->nselected,
                        .problem = mem_strdup(""),
                        .plan = mem_format("%016llx", plan_hash(g)),
                        .plan_mutants = g->plan.nmutants};
  r->item = mem_zalloc((size_t)(r->n + 1) * sizeof *r->item);
  for (int i = 0; i < r->n; i++) {
    const struct plan_mutant *m = g->selected[i];
    r->item[i] = (struct record){.id = mem_strdup(m->id),
                                 .operator_ = mem_strdup(m->operator_),
                                 .motive = mem_strdup(m->why),
                                 .place = find_place(g, m),
                                 .why = mem_strdup(""),
                                 .diff = mem_strdup(""),
                                 .log = mem_strdup(""),
                                 .kinds = (int)m->kinds};
    record_declare(&r->item[i], &m->red, &m->green);
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
    to->noisy = from->noisy;
  }
  for (int i = 0; i < r->tests.n; i++)
    if (globs_match(&g->plan.canary, r->tests.item[i].name))
      texts_add(&r->canary, r->tests.item[i].name);
}

static int write_text(const char *out, const char *name, const char *end,
                      struct bytes content, struct diag *diag)
{
  char *path = mem_format("%s/%s%s", out, name, end);
  int rc = file_write(path, content, diag);
  free(path);
  return rc;
}

/* FOLDER/ID.END in OUT. */
static int write_in(const char *out, const char *folder, const char *id,
                    const char *end, struct bytes content, struct diag *diag)
{
  char *path = mem_format("%s/%s", out, folder);
  int rc = file_mkdirs(path, diag);
  if (rc == 0)
    rc = write_text(path, id, end, content, diag);
  free(path);
  return rc;
}

int results_write_one(const struct gate *g, const struct record *r,
                      struct diag *diag)
{
  struct buf b;
  buf_init(&b, 2 * JSON_MAX_BYTES);
  record_to_json(r, &b);
  buf_addc(&b, '\n');
  int rc = write_in(g->out, "log", r->id, ".json", buf_bytes(&b), diag);
  if (rc == 0)
    rc = write_in(g->out, "log", r->id, ".log", bytes_of(r->log), diag);
  if (rc == 0)
    rc = write_in(g->out, "diff", r->id, ".diff", bytes_of(r->diff), diag);
  buf_release(&b);
  return rc;
}

static int write_lists(const char *out, const struct records *r,
                       struct diag *diag)
{
  int rc = 0;
  for (int o = 0; rc == 0 && o < OUTCOME_COUNT; o++) {
    struct buf b;
    buf_init(&b, JSON_MAX_BYTES);
    for (int i = 0; i < r->n; i++)
      if (r->item[i].outcome == (enum outcome)o)
        buf_addf(&b, "%s\n", r->item[i].id);
    rc = write_text(out, outcome_word((enum outcome)o), ".txt", buf_bytes(&b),
                    diag);
    buf_release(&b);
  }
  return rc;
}

static int
write_rendered(const char *out, const struct records *r, const char *name,
               void (*print)(const struct records *r, struct buf *ret),
               struct diag *diag)
{
  struct buf b;
  buf_init(&b, SIZE_MAX / 2);
  print(r, &b);
  int rc = write_text(out, name, "", buf_bytes(&b), diag);
  buf_release(&b);
  return rc;
}

/* outcomes.json comes last: it is the sign that the rest is whole. */
int results_write_all(const char *out, const struct records *r,
                      struct diag *diag)
{
  return write_lists(out, r, diag) < 0 ||
                 write_rendered(out, r, "matrix.tsv", render_tsv, diag) < 0 ||
                 write_rendered(out, r, "junit.xml", render_junit, diag) < 0 ||
                 write_rendered(out, r, "outcomes.json", records_to_json,
                                diag) < 0
             ? -1
             : 0;
}
