#include "harness/report/text.h"

#include "harness/report/detail.h"
#include "harness/report/escape.h"
#include "harness/report/scale.h"
#include "harness/report/time_line.h"

struct look {
  const char *word;   /* at the start of the line */
  const char *note;   /* behind the name, NULL: none */
  const char *colour; /* ECMA-48 "select graphic rendition" */
};

static const struct look looks[NVERDICTS] = {
    [VERDICT_PASS] = {"ok", NULL, "\033[32m"},
    [VERDICT_WARN] = {"ok", "warn", "\033[33m"},
    [VERDICT_SKIP] = {"ok", "skip", "\033[33m"},
    [VERDICT_INCONCLUSIVE] = {"not ok", "inconclusive", "\033[35m"},
    [VERDICT_FAIL] = {"not ok", NULL, "\033[31m"}};

static void add_line(const struct result *r, size_t number, bool colour,
                     struct buf *out)
{
  const struct look *look = &looks[r->verdict];
  if (colour)
    buf_adds(out, look->colour);
  buf_addf(out, "%s %zu - ", look->word, number);
  escape_line(out, r->name);
  if (look->note)
    buf_addf(out, " # %s", look->note);
  if (r->verdict == VERDICT_SKIP && r->reason[0]) {
    buf_adds(out, ": ");
    escape_line(out, r->reason);
  }
  if (colour)
    buf_adds(out, "\033[0m");
  buf_addc(out, '\n');
}

void text_result(const struct result *r, size_t number, bool colour,
                 struct buf *out)
{
  add_line(r, number, colour, out);
  scale_line(r, out);
  if (r->verdict == VERDICT_PASS || r->verdict == VERDICT_SKIP)
    return;
  detail_notes(r, out);
  detail_print(r, out);
}

static void add_time(const struct run_report *run, struct buf *out)
{
  struct buf line;
  buf_init(&line, 1024);
  time_total(run, &line);
  if (line.n) {
    escape_line(out, buf_str(&line));
    buf_addc(out, '\n');
  }
  buf_release(&line);
}

void text_summary(const struct run_report *run, struct buf *out)
{
  buf_addf(out,
           "%zu passed, %zu failed, %zu inconclusive, %zu skipped, "
           "%zu warned in %.1f s\n",
           run_count(run, VERDICT_PASS), run_count(run, VERDICT_FAIL),
           run_count(run, VERDICT_INCONCLUSIVE), run_count(run, VERDICT_SKIP),
           run_count(run, VERDICT_WARN), run->seconds);
  add_time(run, out);
}

static void print(const struct run_report *run, struct buf *out)
{
  for (size_t i = 0; i < run->n; i++)
    text_result(&run->results[i], i + 1, run->colour, out);
  text_summary(run, out);
}

const struct report report_text = {
    .name = "text",
    .summary = "for people: a line per scenario, and of what did not pass "
               "the expected, the measured and the transcript",
    .print = print};
