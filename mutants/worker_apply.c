#include "mutants/worker.h"

#include "base/file.h"
#include "mutants/edit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* A regular file that really lies in the copy: a link that leads out of it
 * would change the user's own tree. */
static bool is_ours(const struct worker *w, const char *path)
{
  struct stat st;
  size_t n = strlen(w->folder);
  char *real = realpath(path, NULL);
  bool ours = real && strncmp(real, w->folder, n) == 0 && real[n] == '/' &&
              lstat(path, &st) == 0 && S_ISREG(st.st_mode);
  free(real);
  return ours;
}

/* Keeps the mode and gives the exact time, see tree_copy.c. */
static int rewrite(const char *path, struct bytes text, struct diag *diag)
{
  struct stat st;
  struct timespec times[2];
  if (stat(path, &st) < 0 || file_write(path, text, diag) < 0)
    return diag_set(diag, "cannot rewrite '%s'", path);
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[1] = times[0];
  chmod(path, st.st_mode & 07777);
  utimensat(AT_FDCWD, path, times, 0);
  return 0;
}

static int edit_file(struct worker *w, const struct plan_edit *e,
                     const char *path, struct buf *why, struct diag *diag)
{
  struct buf before, after;
  struct diag reason = {0};
  buf_init(&before, JSON_MAX_BYTES);
  buf_init(&after, 2 * JSON_MAX_BYTES);
  int rc = 0;
  if (file_read(path, &before, &reason) == 0 &&
      edit_apply(e, buf_bytes(&before), &after, &reason) == 0) {
    texts_add(&w->touched, e->file);
    rc = rewrite(path, buf_bytes(&after), diag);
  }
  if (reason.set)
    buf_adds(why, reason.text);
  buf_release(&before);
  buf_release(&after);
  return rc;
}

static int apply_edits(struct worker *w, const struct plan_mutant *m,
                       struct buf *why, struct diag *diag)
{
  int rc = 0;
  for (int i = 0; rc == 0 && why->n == 0 && i < m->nedits; i++) {
    char *path = mem_format("%s/%s", w->folder, m->edits[i].file);
    if (is_ours(w, path))
      rc = edit_file(w, &m->edits[i], path, why, diag);
    else
      buf_addf(why, "%s: no such file in the tree", m->edits[i].file);
    free(path);
  }
  return rc;
}

static int apply_cmd(struct worker *w, const struct plan_mutant *m,
                     struct buf *why, struct diag *diag)
{
  const char *argv[] = {"sh", "-c", m->cmd, NULL};
  /* A change of a few files takes no longer; from the prototype. */
  struct program c = {argv, w->folder, NULL, 0, 60000};
  struct program_end end;
  if (!m->cmd)
    return 0;
  texts_add_all(&w->touched, &m->touches);
  if (program_run(&c, &end, diag) < 0)
    return -1;
  struct bytes words = program_last_words(&end);
  if (end.timed_out)
    buf_adds(why, "cmd took over 60 s");
  else if (end.code != 0)
    buf_addf(why, "cmd failed with exit %d: %.*s", end.code, (int)words.n,
             words.n ? words.p : "");
  program_end_release(&end);
  return 0;
}

static void check_changes(const struct worker *w, const struct plan_mutant *m,
                          const struct texts *changes, struct buf *why)
{
  bool by_bytes = m->nedits || m->cmd;
  if (by_bytes && changes->n == 0)
    buf_adds(why, "the tree did not change");
  for (int i = 0; i < changes->n; i++)
    if (!texts_has(&w->touched, changes->item[i]))
      buf_addf(why, "%s%s changed and is not named in 'touches'",
               why->n ? "; " : "", changes->item[i]);
}

int worker_apply(struct worker *w, const struct plan_mutant *m, bool *ret_in,
                 struct buf *why, struct diag *diag)
{
  struct tree_list before, after = {0};
  struct texts changes = {0};
  if (tree_list(w->folder, &w->gate->skip, &before, diag) < 0)
    return -1;
  int rc = apply_edits(w, m, why, diag);
  if (rc == 0 && why->n == 0)
    rc = apply_cmd(w, m, why, diag);
  if (rc == 0 && why->n == 0)
    rc = tree_list(w->folder, &w->gate->skip, &after, diag);
  if (rc == 0 && why->n == 0) {
    tree_changes(&before, &after, &changes);
    check_changes(w, m, &changes, why);
  }
  /* What a command changed beside its declared files is not put back by
   * name; only a new copy is clean again. */
  if (m->cmd && why->n)
    w->fresh_next = true;
  *ret_in = why->n == 0;
  texts_release(&changes);
  tree_list_release(&before);
  tree_list_release(&after);
  return rc;
}

static int diff_file(struct worker *w, const char *file, struct buf *ret,
                     struct diag *diag)
{
  char *old_label = mem_format("a/%s", file);
  char *new_label = mem_format("b/%s", file);
  char *old = mem_format("%s/%s", w->gate->tree, file);
  char *new = mem_format("%s/%s", w->folder, file);
  const char *argv[] = {"diff",    "-uN", "--label", old_label, "--label",
                        new_label, old,   new,       NULL};
  struct program c = {argv, w->folder, NULL, 0, 60000};
  struct program_end end;
  int rc = program_run(&c, &end, diag);
  if (rc == 0) {
    buf_addb(ret, buf_bytes(&end.out));
    program_end_release(&end);
  }
  free(old_label);
  free(new_label);
  free(old);
  free(new);
  return rc;
}

int worker_diff(struct worker *w, const struct plan_mutant *m, struct buf *ret,
                struct diag *diag)
{
  for (int i = 0; i < w->touched.n; i++) {
    bool again = false;
    for (int k = 0; k < i; k++)
      again |= strcmp(w->touched.item[k], w->touched.item[i]) == 0;
    if (!again && diff_file(w, w->touched.item[i], ret, diag) < 0)
      return -1;
  }
  for (int i = 0; i < m->nenv; i++)
    buf_addf(ret, "env %s=%s\n", m->env[i].name, m->env[i].value);
  if (m->flags)
    buf_addf(ret, "flags %s\n", m->flags);
  for (int i = 0; i < m->client.n; i++)
    buf_addf(ret, "%s%s%s", i ? " " : "client ", m->client.item[i],
             i + 1 < m->client.n ? "" : "\n");
  return 0;
}
