#include "mutants/in_diff.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_stdin(struct buf *ret, struct diag *diag)
{
  char chunk[65536];
  ssize_t n;
  while ((n = read(STDIN_FILENO, chunk, sizeof chunk)) != 0 && !ret->full)
    if (n > 0)
      buf_add(ret, chunk, (size_t)n);
    else if (errno != EINTR)
      return diag_set(diag, "cannot read standard input: %s", strerror(errno));
  return ret->full
             ? diag_set(diag, "standard input: larger than %zu bytes", ret->max)
             : 0;
}

int in_diff_load(struct udiff *ret, const char *path, struct diag *diag)
{
  struct buf text;
  bool is_stdin = strcmp(path, "-") == 0;
  buf_init(&text, UDIFF_MAX_BYTES);
  int rc = is_stdin ? read_stdin(&text, diag) : file_read(path, &text, diag);
  if (rc == 0)
    rc = udiff_parse(ret, is_stdin ? "standard input" : path, buf_bytes(&text),
                     diag);
  buf_release(&text);
  return rc;
}

static bool ends_with(const char *text, const char *end)
{
  size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0 &&
         (n == k || text[n - k - 1] == '/');
}

bool in_diff_same_file(const char *in_diff, const char *in_plan)
{
  while (strncmp(in_plan, "./", 2) == 0)
    in_plan += 2;
  return ends_with(in_diff, in_plan) || ends_with(in_plan, in_diff);
}

static int64_t lines_in(struct bytes text)
{
  int64_t n = 0;
  for (size_t i = 0; i < text.n; i++)
    n += text.p[i] == '\n';
  return n;
}

/* The lines of each place where `find` is; its last newline is no line more. */
bool in_diff_edit(const struct plan_edit *e, struct bytes text,
                  const struct udiff_file *f)
{
  struct bytes find = bytes_of(e->find), inner = find;
  int64_t line = 1;
  ptrdiff_t at;
  if (inner.n && inner.p[inner.n - 1] == '\n')
    inner.n--;
  while (find.n && (at = bytes_find(text, find)) >= 0) {
    line += lines_in((struct bytes){text.p, (size_t)at});
    if (udiff_meets(f, false, line, line + lines_in(inner)))
      return true;
    line += lines_in(find);
    text = (struct bytes){text.p + at + find.n, text.n - (size_t)at - find.n};
  }
  return false;
}

static bool edit_is_in(const char *tree, const struct plan_edit *e,
                       const struct udiff_file *f)
{
  struct buf text;
  struct diag ignored = {0};
  char *path = mem_format("%s/%s", tree, e->file);
  buf_init(&text, JSON_MAX_BYTES);
  bool in = file_read(path, &text, &ignored) < 0 ||
            in_diff_edit(e, buf_bytes(&text), f);
  buf_release(&text);
  free(path);
  return in;
}

/* The old side of the mutant's patch is the tree, and so is the new side of
 * the diff. */
static bool patch_is_in(const struct udiff_file *patch,
                        const struct udiff_file *f)
{
  for (int i = 0; i < patch->nruns; i++) {
    int64_t first = patch->run[i].old_first, last = patch->run[i].old_last;
    if (last < first) {
      first--;
      last++;
    }
    if (udiff_meets(f, false, first, last))
      return true;
  }
  return false;
}

static bool meets_file(const char *tree, const struct plan_mutant *m,
                       const struct udiff_file *f)
{
  for (int i = 0; i < m->nedits; i++)
    if (in_diff_same_file(f->path, m->edits[i].file) &&
        edit_is_in(tree, &m->edits[i], f))
      return true;
  for (int i = 0; m->patch_diff && i < m->patch_diff->n; i++)
    if (in_diff_same_file(f->path, m->patch_diff->file[i].path) &&
        patch_is_in(&m->patch_diff->file[i], f))
      return true;
  for (int i = 0; i < m->touches.n; i++)
    if (in_diff_same_file(f->path, m->touches.item[i]))
      return true;
  return false;
}

bool in_diff(const char *tree, const struct plan_mutant *m,
             const struct udiff *diff)
{
  for (int i = 0; i < diff->n; i++)
    if (!diff->file[i].removed && meets_file(tree, m, &diff->file[i]))
      return true;
  return false;
}
