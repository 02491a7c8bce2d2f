/*
 * A shell command that changes the copy, and the files it may change.
 */
#include "mutants/change/change.h"

#include "mutants/program.h"

static int read(const struct jval *v, const struct plan *p,
                struct plan_mutant *m, struct diag *diag)
{
  struct jval list, cmd;
  (void)p;
  if (gate_plan_read_text(v, "cmd", &m->cmd, diag) < 0 ||
      gate_plan_read_texts(v, "touches", &m->touches, diag) < 0)
    return -1;
  if (m->cmd && m->touches.n == 0 && jval_member(v, "cmd", &cmd))
    return jval_error(&cmd, diag,
                      "'cmd' needs 'touches', the files it changes, so that "
                      "they can be put back");
  if (!jval_member(v, "touches", &list))
    return 0;
  if (!m->cmd)
    return jval_key_error(&list, diag, "'touches' goes with 'cmd' only");
  for (int i = 0; i < m->touches.n; i++) {
    struct jval item = jval_item(&list, i);
    if (gate_plan_inside_tree(&item, m->touches.item[i], diag) < 0)
      return -1;
  }
  return 0;
}

static bool is_in(const struct plan_mutant *m)
{
  return m->cmd != NULL;
}

static void files(const struct plan_mutant *m, struct texts *ret)
{
  texts_add_all(ret, &m->touches);
}

static int before_build(struct worker *w, const struct plan_mutant *m,
                        struct buf *why, struct diag *diag)
{
  const char *argv[] = {"sh", "-c", m->cmd, NULL};
  /* A change of a few files takes no longer; from the prototype. */
  struct program c = {argv, w->folder, NULL, 0, 60000};
  struct program_end end;
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

const struct change change_cmd = {
    .read = read, .is_in = is_in, .files = files, .before_build = before_build};
