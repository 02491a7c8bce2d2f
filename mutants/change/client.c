/*
 * Another command line in the place of the suite's client.
 */
#include "mutants/change/change.h"

static int read(const struct jval *v, const struct plan *p,
                struct plan_mutant *m, struct diag *diag)
{
  struct jval at;
  if (gate_plan_read_texts(v, "client", &m->client, diag) < 0)
    return -1;
  if (m->client.n && !p->suite.client.n && jval_member(v, "client", &at))
    return jval_key_error(&at, diag,
                          "the suite names no 'client' to be replaced");
  return 0;
}

static bool is_in(const struct plan_mutant *m)
{
  return m->client.n > 0;
}

static void tell(const struct plan_mutant *m, struct buf *ret)
{
  for (int i = 0; i < m->client.n; i++)
    buf_addf(ret, "%s%s%s", i ? " " : "client ", m->client.item[i],
             i + 1 < m->client.n ? "" : "\n");
}

const struct change change_client = {
    .read = read, .is_in = is_in, .tell = tell};
