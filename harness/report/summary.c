/*
 * Markdown for $GITHUB_STEP_SUMMARY: counts, a table of what did not pass,
 * and what happened behind a fold. GitHub takes 1 MiB of it; details end
 * before that, and the page says so.
 */
#include "harness/report/detail.h"
#include "harness/report/escape_html.h"
#include "harness/report/escape_part.h"
#include "harness/report/time_line.h"

#include <string.h>

/* Details stop there; the rest of the table still fits below 1 MiB. */
#define MAX_DETAIL_BYTES ((size_t)700 << 10)
/* One scenario's words, before they are escaped. */
#define MAX_ONE_BYTES ((size_t)32 << 10)
/* The table, and one cell of it. */
#define MAX_TABLE_BYTES ((size_t)256 << 10)
#define MAX_CELL_BYTES ((size_t)400)

static const enum verdict order[] = {VERDICT_FAIL, VERDICT_INCONCLUSIVE,
                                     VERDICT_WARN, VERDICT_SKIP};

/* A character reference is never markup (CommonMark 0.30, 6.2): no column,
 * no link, no mention can begin in a text from outside. */
static void add_markdown_piece(struct buf *b, const struct escape_piece *c)
{
  static const char markup[] = "\\`*_{}[]<>#!|~:@.&\"'$^";
  if (c->code == '\n' || c->code == '\r' || c->code == '\t')
    buf_addc(b, ' ');
  else if (!c->valid || escape_is_control(c->code))
    escape_add_hex(b, c);
  else if (c->code < 0x80 && strchr(markup, (char)c->code))
    buf_addf(b, "&#%u;", c->code);
  else
    buf_add(b, c->p, c->n);
}

static void add_markdown(struct buf *out, const char *s)
{
  escape_each(out, bytes_of(s), MAX_CELL_BYTES, add_markdown_piece);
}

static void add_counts(const struct run_report *run, struct buf *out)
{
  buf_addf(out,
           "| passed | failed | inconclusive | skipped | warned | time |\n"
           "|---:|---:|---:|---:|---:|---:|\n"
           "| %zu | %zu | %zu | %zu | %zu | %.1f s |\n\n",
           run_count(run, VERDICT_PASS), run_count(run, VERDICT_FAIL),
           run_count(run, VERDICT_INCONCLUSIVE), run_count(run, VERDICT_SKIP),
           run_count(run, VERDICT_WARN), run->seconds);
}

static void add_row(const struct result *r, struct buf *out)
{
  buf_addf(out, "| %s | ", verdict_name(r->verdict));
  add_markdown(out, r->name);
  buf_adds(out, " | ");
  add_markdown(out, r->reason);
  buf_adds(out, " |\n");
}

static void add_table(const struct run_report *run, struct buf *out)
{
  size_t rows = 0, all = run->n - run_count(run, VERDICT_PASS);
  if (all == 0)
    return;
  buf_adds(out, "| verdict | scenario | reason |\n|---|---|---|\n");
  for (size_t v = 0; v < sizeof order / sizeof *order; v++)
    for (size_t i = 0; i < run->n; i++)
      if (run->results[i].verdict == order[v] && out->n < MAX_TABLE_BYTES) {
        add_row(&run->results[i], out);
        rows++;
      }
  buf_addc(out, '\n');
  if (all > rows)
    buf_addf(out, "%zu more did not pass; the other reports have them.\n\n",
             all - rows);
}

static void add_detail(const struct result *r, struct buf *out)
{
  struct buf text;
  buf_init(&text, MAX_ONE_BYTES);
  detail_print(r, &text);
  buf_addf(out, "<details><summary>%s: ", verdict_name(r->verdict));
  add_markdown(out, r->name);
  buf_adds(out, "</summary>\n\n<pre>");
  escape_html_text(out, buf_bytes(&text));
  buf_adds(out, "</pre>\n\n</details>\n\n");
  buf_release(&text);
}

static void add_details(const struct run_report *run, struct buf *out)
{
  size_t left_out = 0;
  for (size_t v = 0; v < 2; v++) /* failures, then what proved nothing */
    for (size_t i = 0; i < run->n; i++) {
      if (run->results[i].verdict != order[v])
        continue;
      if (out->n < MAX_DETAIL_BYTES)
        add_detail(&run->results[i], out);
      else
        left_out++;
    }
  if (left_out)
    buf_addf(out, "The details of %zu more are in the other reports.\n",
             left_out);
}

/* By which clock: a pass means another thing by each. */
static void add_time(const struct run_report *run, struct buf *out)
{
  struct buf line;
  buf_init(&line, 4096);
  time_total(run, &line);
  if (line.n) {
    escape_each(out, buf_bytes(&line), 4096, add_markdown_piece);
    buf_adds(out, "\n\n");
  }
  buf_release(&line);
}

static void print(const struct run_report *run, struct buf *out)
{
  buf_addf(out, "### faultwire: %zu of %zu scenarios passed\n\n",
           run_count(run, VERDICT_PASS), run->n);
  add_counts(run, out);
  add_time(run, out);
  add_table(run, out);
  add_details(run, out);
}

const struct report report_summary = {
    .name = "summary",
    .summary = "Markdown for $GITHUB_STEP_SUMMARY: counts, what did not pass, "
               "the details behind a fold",
    .print = print};
