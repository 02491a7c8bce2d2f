/*
 * Search and replace in files of the copy.
 */
#include "mutants/change/change.h"

#include "base/file.h"
#include "mutants/edit.h"

#include <stdlib.h>
#include <sys/stat.h>

static const char *const EDIT_KEYS[] = {"file", "find", "with", "count", NULL};

static int read_edit(const struct jval *v, struct plan_edit *ret,
                     struct diag *diag)
{
  struct jval at;
  ret->count = 1;
  if (jval_object(v, diag) < 0 || jval_known_keys(v, EDIT_KEYS, diag) < 0 ||
      gate_plan_read_text(v, "file", &ret->file, diag) < 0 ||
      gate_plan_read_text(v, "find", &ret->find, diag) < 0)
    return -1;
  if (!ret->file || !ret->find || !jval_member(v, "with", &at))
    return jval_error(v, diag, "an edit needs 'file', 'find' and 'with'");
  if (jval_string(&at, &ret->with, diag) < 0)
    return -1;
  if (jval_member(v, "count", &at) &&
      jval_int(&at, 1, 10000, &ret->count, diag) < 0)
    return -1;
  return jval_member(v, "file", &at)
             ? gate_plan_inside_tree(&at, ret->file, diag)
             : 0;
}

static int read(const struct jval *v, const struct plan *p,
                struct plan_mutant *m, struct diag *diag)
{
  struct jval list;
  (void)p;
  if (!jval_member(v, "edits", &list))
    return 0;
  if (jval_array(&list, diag) < 0)
    return -1;
  m->nedits = jval_count(&list);
  m->edits = mem_zalloc((size_t)(m->nedits + 1) * sizeof *m->edits);
  for (int i = 0; i < m->nedits; i++) {
    struct jval item = jval_item(&list, i);
    if (read_edit(&item, &m->edits[i], diag) < 0)
      return -1;
  }
  return 0;
}

static bool is_in(const struct plan_mutant *m)
{
  return m->nedits > 0;
}

static void files(const struct plan_mutant *m, struct texts *ret)
{
  for (int i = 0; i < m->nedits; i++)
    texts_add(ret, m->edits[i].file);
}

/* Keeps the mode. */
static int rewrite(const char *path, struct bytes text, struct diag *diag)
{
  struct stat st;
  if (stat(path, &st) < 0 || file_write(path, text, diag) < 0)
    return diag_set(diag, "cannot rewrite '%s'", path);
  chmod(path, st.st_mode & 07777);
  change_stamp(path);
  return 0;
}

static int edit_file(struct worker *w, const struct plan_edit *e,
                     const char *path, struct buf *why, struct diag *diag)
{
  struct buf text, after;
  struct diag reason = {0};
  buf_init(&text, JSON_MAX_BYTES);
  buf_init(&after, 2 * JSON_MAX_BYTES);
  int rc = 0;
  if (file_read(path, &text, &reason) == 0 &&
      edit_apply(e, buf_bytes(&text), &after, &reason) == 0) {
    texts_add(&w->touched, e->file);
    rc = rewrite(path, buf_bytes(&after), diag);
  }
  if (reason.set)
    buf_adds(why, reason.text);
  buf_release(&text);
  buf_release(&after);
  return rc;
}

static int before_build(struct worker *w, const struct plan_mutant *m,
                        struct buf *why, struct diag *diag)
{
  int rc = 0;
  for (int i = 0; rc == 0 && why->n == 0 && i < m->nedits; i++) {
    char *path = mem_format("%s/%s", w->folder, m->edits[i].file);
    if (file_exists(path) && change_is_ours(w, path))
      rc = edit_file(w, &m->edits[i], path, why, diag);
    else
      buf_addf(why, "%s: no such file in the tree", m->edits[i].file);
    free(path);
  }
  return rc;
}

const struct change change_edits = {
    .read = read, .is_in = is_in, .files = files, .before_build = before_build};
