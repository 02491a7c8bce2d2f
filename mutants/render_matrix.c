#include "mutants/render.h"

#include "mutants/tally.h"

#include <string.h>

static char cell(const struct record *r, const char *name)
{
  const struct test *t = verdicts_find(&r->tests, name);
  if (record_killed_by(r, name))
    return 'X';
  if (!t || t->verdict == VERDICT_UNDECIDED || t->verdict == VERDICT_ERROR)
    return '?';
  return t->verdict == VERDICT_RED ? 'x' : '.';
}

void render_tsv(const struct records *r, struct buf *ret)
{
  buf_adds(ret, "mutant\toutcome");
  for (int t = 0; t < r->tests.n; t++)
    buf_addf(ret, "\t%s", r->tests.item[t].name);
  buf_addc(ret, '\n');
  for (int m = 0; m < r->n; m++) {
    buf_addf(ret, "%s\t%s", r->item[m].id, outcome_word(r->item[m].outcome));
    for (int t = 0; t < r->tests.n; t++)
      buf_addf(ret, "\t%c", cell(&r->item[m], r->tests.item[t].name));
    buf_addc(ret, '\n');
  }
}

static int widest_id(const struct records *r)
{
  size_t n = 0;
  for (int i = 0; i < r->n; i++)
    if (strlen(r->item[i].id) > n)
      n = strlen(r->item[i].id);
  return (int)n;
}

/* Names are too long to stand above columns of one character, so the columns
 * are numbered and the names listed under the matrix. */
static void print_rows(const struct records *r, struct buf *ret)
{
  int width = widest_id(r);
  buf_addf(ret, "%*s  ", width, "");
  for (int t = 0; t < r->tests.n; t++)
    buf_addc(ret, (char)((t + 1) % 10 ? '0' + (t + 1) % 10
                                      : '0' + (t + 1) / 10 % 10));
  buf_adds(ret, "\n");
  for (int m = 0; m < r->n; m++) {
    const struct record *mutant = &r->item[m];
    buf_addf(ret, "%-*s  ", width, mutant->id);
    for (int t = 0; t < r->tests.n; t++)
      buf_addc(ret, cell(mutant, r->tests.item[t].name));
    buf_addf(ret, "  %s\n", outcome_word(mutant->outcome));
  }
}

static int kills_of(const struct records *r, const bool *killed, int test)
{
  int n = 0;
  for (int m = 0; m < r->n; m++)
    n += killed[m * r->tests.n + test];
  return n;
}

static void print_columns(const struct records *r, struct buf *ret)
{
  bool *killed = tally_kills(r);
  for (int t = 0; t < r->tests.n; t++)
    buf_addf(ret, "%4d  %s: kills %d\n", t + 1, r->tests.item[t].name,
             kills_of(r, killed, t));
  free(killed);
}

void render_grid(const struct records *r, struct buf *ret)
{
  buf_adds(ret, "kill matrix: X killed, x red but not counted, . green, "
                "? undecided or not run\n");
  print_rows(r, ret);
  print_columns(r, ret);
  render_tests(r, ret);
  render_summary(r, ret);
}

void render_matrix(const struct records *r, struct buf *ret)
{
  for (int i = 0; i < r->n; i++)
    if (outcome_class(r->item[i].outcome) != CLASS_OK)
      render_line(r, &r->item[i], ret);
  render_grid(r, ret);
}
