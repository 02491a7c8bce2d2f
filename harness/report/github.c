/*
 * Workflow commands of GitHub Actions: an annotation per check that failed
 * or warned, at its line of the scenario's file. The rule is that of
 * actions/toolkit (command.ts): in a message % CR LF are %25 %0D %0A, in a
 * property : and , as well.
 */
#include "harness/report/detail.h"
#include "harness/report/escape_part.h"
#include "harness/report/time_line.h"

#include <string.h>

/* One annotation is cut there: GitHub shows a few lines of it. */
#define MAX_MESSAGE_BYTES ((size_t)4096)

static void add_data(struct buf *b, const struct escape_piece *c)
{
  if (c->valid && (c->code == '%' || c->code == '\r' || c->code == '\n'))
    buf_addf(b, "%%%02X", c->code);
  else if (!c->valid || (escape_is_control(c->code) && c->code != '\t'))
    escape_add_hex(b, c);
  else
    buf_add(b, c->p, c->n);
}

static void add_property_piece(struct buf *b, const struct escape_piece *c)
{
  if (c->valid && (c->code == ':' || c->code == ','))
    buf_addf(b, "%%%02X", c->code);
  else
    add_data(b, c);
}

static void add_message(struct buf *out, const char *s)
{
  escape_each(out, bytes_of(s), MAX_MESSAGE_BYTES, add_data);
}

static void add_property(struct buf *out, const char *s)
{
  escape_each(out, bytes_of(s), MAX_MESSAGE_BYTES, add_property_piece);
}

/* "::error file=...,line=...,title=...::" */
static void add_front(const struct result *r, const char *level, int line,
                      const char *what, struct buf *out)
{
  buf_addf(out, "::%s ", level);
  if (r->file[0]) {
    buf_adds(out, "file=");
    add_property(out, r->file);
    buf_addf(out, ",line=%d,", line > 0 ? line : 1);
  }
  buf_adds(out, "title=");
  add_property(out, r->name);
  buf_adds(out, "%3A ");
  add_property(out, what);
  buf_adds(out, "::");
}

static void add_check(const struct result *r, const struct check_line *c,
                      const char *level, struct buf *out)
{
  add_front(r, level, c->line, c->check, out);
  add_message(out, c->text);
  if (c->expected[0]) {
    buf_adds(out, "%0Aexpected ");
    add_message(out, c->expected);
  }
  if (c->actual[0]) {
    buf_adds(out, "%0Aactual ");
    add_message(out, c->actual);
  }
  if (detail_text(r->json, "again")[0]) {
    buf_adds(out, "%0Aagain%3A ");
    add_message(out, detail_text(r->json, "again"));
  }
  buf_addc(out, '\n');
}

/* How many checks with that verdict were written. */
static int add_checks(const struct result *r, enum verdict v, const char *level,
                      struct buf *out)
{
  struct check_line c;
  int n = 0;
  for (int i = 0; detail_check(r, i, &c); i++)
    if (strcmp(c.verdict, verdict_name(v)) == 0) {
      add_check(r, &c, level, out);
      n++;
    }
  return n;
}

static void add_whole(const struct result *r, const char *what, struct buf *out)
{
  add_front(r, "error", 0, what, out);
  add_message(out, r->reason);
  buf_addc(out, '\n');
}

/* By which clock: a pass means another thing by each. */
static void add_time(const struct run_report *run, struct buf *out)
{
  struct buf line;
  buf_init(&line, 4096);
  time_total(run, &line);
  if (line.n) {
    buf_adds(out, "::notice title=faultwire::");
    add_message(out, buf_str(&line));
    buf_addc(out, '\n');
  }
  buf_release(&line);
}

static void print(const struct run_report *run, struct buf *out)
{
  for (size_t i = 0; i < run->n; i++)
    if (run->results[i].verdict == VERDICT_FAIL &&
        add_checks(&run->results[i], VERDICT_FAIL, "error", out) == 0)
      add_whole(&run->results[i], kind_name(run->results[i].kind), out);
  for (size_t i = 0; i < run->n; i++)
    if (run->results[i].verdict == VERDICT_INCONCLUSIVE)
      add_whole(&run->results[i], "inconclusive", out);
  for (size_t i = 0; i < run->n; i++)
    add_checks(&run->results[i], VERDICT_WARN, "warning", out);
  add_time(run, out);
  buf_addf(out, "::notice title=faultwire::%zu of %zu scenarios passed\n",
           run_count(run, VERDICT_PASS), run->n);
}

const struct report report_github = {
    .name = "github",
    .summary = "annotations of GitHub Actions: an error or warning per check, "
               "at its line of the scenario",
    .print = print};
