/*
 * Variables of the client; suite.c passes them on.
 */
#include "mutants/change/change.h"

#include <string.h>

static int read(const struct jval *v, const struct plan *p,
                struct plan_mutant *m, struct diag *diag)
{
  struct jval list;
  (void)p;
  if (!jval_member(v, "env", &list))
    return 0;
  if (jval_object(&list, diag) < 0)
    return -1;
  m->nenv = jval_count(&list);
  m->env = mem_zalloc((size_t)(m->nenv + 1) * sizeof *m->env);
  for (int i = 0; i < m->nenv; i++) {
    struct jval item = jval_item(&list, i);
    m->env[i].name = item.key;
    if (*item.key == '\0' || strchr(item.key, '='))
      return jval_key_error(&item, diag, "'%s' is no name of a variable",
                            item.key);
    if (jval_string(&item, &m->env[i].value, diag) < 0)
      return -1;
  }
  return 0;
}

static bool is_in(const struct plan_mutant *m)
{
  return m->nenv > 0;
}

static void tell(const struct plan_mutant *m, struct buf *ret)
{
  for (int i = 0; i < m->nenv; i++)
    buf_addf(ret, "env %s=%s\n", m->env[i].name, m->env[i].value);
}

const struct change change_env = {.read = read, .is_in = is_in, .tell = tell};
