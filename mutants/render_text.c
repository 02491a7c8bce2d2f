#include "mutants/render.h"

#include "mutants/tally.h"

static void join(const struct texts *t, struct buf *ret)
{
  for (int i = 0; i < t->n; i++)
    buf_addf(ret, "%s%s", i ? ", " : "", t->item[i]);
}

void render_line(const struct records *all, const struct record *r,
                 struct buf *ret)
{
  buf_addf(ret,
           "%s%s%-16s %s: killed by %d of %d in %.1f s build + %.1f s "
           "suite",
           r->place, *r->place ? ": " : "", outcome_word(r->outcome), r->id,
           record_kills(r), all->tests.n, (double)r->build_ms / 1000,
           (double)r->suite_ms / 1000);
  if (*r->why)
    buf_addf(ret, ": %s", r->why);
  buf_addc(ret, '\n');
}

static void print_group(void *ctx, const struct texts *ids)
{
  struct buf *ret = ctx;
  buf_adds(ret, "no test tells these apart: ");
  join(ids, ret);
  buf_addc(ret, '\n');
}

void render_tests(const struct records *r, struct buf *ret)
{
  struct texts idle = {0}, smallest = {0};
  tally_idle_tests(r, &idle);
  tally_minimal_set(r, &smallest);
  if (idle.n) {
    buf_addf(ret, "%d tests that kill no mutant: ", idle.n);
    join(&idle, ret);
    buf_addc(ret, '\n');
  }
  tally_same_signature(r, print_group, ret);
  buf_addf(ret, "smallest set of tests with the same kills: %d of %d%s",
           smallest.n, r->tests.n, smallest.n ? ": " : "");
  join(&smallest, ret);
  buf_addc(ret, '\n');
  texts_release(&idle);
  texts_release(&smallest);
}

void render_summary(const struct records *r, struct buf *ret)
{
  const char *comma = "";
  if (*r->problem)
    buf_addf(ret, "no verdict on the run: %s\n", r->problem);
  buf_addf(ret, "%d mutants in %.0f s: ", r->n, (double)r->ms / 1000);
  for (int o = 0; o < OUTCOME_COUNT; o++) {
    int n = tally_count(r, (enum outcome)o);
    if (n) {
      buf_addf(ret, "%s%d %s", comma, n, outcome_word((enum outcome)o));
      comma = ", ";
    }
  }
  buf_addc(ret, '\n');
}
