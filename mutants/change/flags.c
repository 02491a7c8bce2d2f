/*
 * Flags for the build, as $MUTANT_FLAGS (worker.c).
 */
#include "mutants/change/change.h"

static int read(const struct jval *v, const struct plan *p,
                struct plan_mutant *m, struct diag *diag)
{
  struct jval at;
  if (gate_plan_read_text(v, "flags", &m->flags, diag) < 0)
    return -1;
  if (m->flags && !p->build && jval_member(v, "flags", &at))
    return jval_key_error(&at, diag, "'flags' needs a 'build' in the plan");
  return 0;
}

static bool is_in(const struct plan_mutant *m)
{
  return m->flags != NULL;
}

static void tell(const struct plan_mutant *m, struct buf *ret)
{
  buf_addf(ret, "flags %s\n", m->flags);
}

const struct change change_flags = {.read = read, .is_in = is_in, .tell = tell};
