#include "harness/report/detail.h"
#include "harness/report/escape.h"
#include "harness/runs/change.h"

static const char *const titles[NCHANGES] = {
    [CHANGE_NEWLY_FAILING] = "newly failing",
    [CHANGE_WORSE] = "worse",
    [CHANGE_REMOVED] = "gone",
    [CHANGE_NEW_BAD] = "new, and not passing",
    [CHANGE_NEWLY_PASSING] = "newly passing",
    [CHANGE_BETTER] = "better",
    [CHANGE_NEW] = "new",
    [CHANGE_ATTEMPTS] = "other numbers of calls",
    [CHANGE_SLOWER] = "slower",
    [CHANGE_FASTER] = "faster"};

static void add_verdicts(const struct change *c, struct buf *out)
{
  buf_addf(out, "%s -> %s",
           c->before ? verdict_name(c->before->verdict) : "not there",
           c->after ? verdict_name(c->after->verdict) : "not there");
  const struct result *r = c->after ? c->after : c->before;
  if (c->after && r->verdict != VERDICT_PASS && r->reason[0]) {
    buf_adds(out, "\n    ");
    escape_line(out, r->reason);
  }
}

static void add_line(const struct change *c, struct buf *out)
{
  buf_adds(out, "  ");
  escape_line(out, c->after ? c->after->name : c->before->name);
  buf_adds(out, ": ");
  if (c->kind == CHANGE_ATTEMPTS)
    buf_addf(out, "%zu -> %zu calls (%s)", detail_calls(c->before),
             detail_calls(c->after), verdict_name(c->after->verdict));
  else if (c->kind == CHANGE_SLOWER || c->kind == CHANGE_FASTER)
    buf_addf(out, "%.2f -> %.2f s (%s)", c->before->seconds, c->after->seconds,
             verdict_name(c->after->verdict));
  else
    add_verdicts(c, out);
  buf_addc(out, '\n');
}

static size_t count_of(const struct changes *c, enum change_kind kind)
{
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    n += c->list[i].kind == kind;
  return n;
}

void changes_print(const struct changes *c, const struct change_rule *rule,
                   struct buf *out)
{
  size_t worse = 0;
  for (size_t i = 0; i < c->n; i++) {
    enum change_kind kind = c->list[i].kind;
    if (i == 0 || c->list[i - 1].kind != kind)
      buf_addf(out, "%s (%zu)\n", titles[kind], count_of(c, kind));
    add_line(&c->list[i], out);
    worse += change_counts(kind, rule);
  }
  buf_addf(out, "%zu with the same verdict, %zu changes, %zu for the worse\n",
           c->nsame, c->n, worse);
}
