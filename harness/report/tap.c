/*
 * TAP version 14 (testanything.org): the plan first, a test point per
 * scenario, a YAML block for each that has something to say. There is no
 * "Bail out!": one scenario never ends the run. `inconclusive` is "not ok",
 * since TAP has no third word; the block's `verdict` tells them apart.
 */
#include "harness/report/detail.h"
#include "harness/report/escape.h"
#include "harness/report/time_line.h"

#include "base/param.h"

static void add_pair(struct buf *out, const char *indent, const char *key,
                     const char *value)
{
  buf_addf(out, "%s%s: ", indent, key);
  escape_yaml(out, value);
  buf_addc(out, '\n');
}

static void add_checks(const struct result *r, struct buf *out)
{
  struct check_line c;
  for (int i = 0; detail_check(r, i, &c); i++) {
    if (i == 0)
      buf_adds(out, "  checks:\n");
    add_pair(out, "    - ", "check", c.check);
    add_pair(out, "      ", "verdict", c.verdict);
    if (c.lane[0])
      add_pair(out, "      ", "lane", c.lane);
    add_pair(out, "      ", "text", c.text);
    add_pair(out, "      ", "expected", c.expected);
    add_pair(out, "      ", "actual", c.actual);
  }
}

static void add_transcript_line(const char *text, struct buf *out)
{
  buf_adds(out, "    - ");
  escape_yaml(out, text);
  buf_addc(out, '\n');
}

static void add_transcript(const struct result *r, struct buf *out)
{
  if (cJSON_GetArraySize(param_node(r->json, "transcript")) > 0)
    buf_adds(out, "  transcript:\n");
  detail_lines(r, add_transcript_line, out);
}

static void add_last_words(const struct result *r, struct buf *out)
{
  char *words = detail_last_words(r);
  if (words)
    add_pair(out, "  ", "stderr", words);
  free(words);
}

static void add_time(const struct result *r, struct buf *out)
{
  struct buf line;
  buf_init(&line, 16384);
  time_line(r, &line);
  if (line.n)
    add_pair(out, "  ", "time", buf_str(&line));
  buf_release(&line);
}

static void add_block(const struct result *r, struct buf *out)
{
  const char *again = "";
  param_string(r->json, "again", &again);
  buf_adds(out, "  ---\n");
  add_pair(out, "  ", "message", r->reason);
  add_pair(out, "  ", "verdict", verdict_name(r->verdict));
  add_pair(out, "  ", "kind", kind_name(r->kind));
  add_pair(out, "  ", "file", r->file);
  add_pair(out, "  ", "why", r->why);
  add_checks(r, out);
  add_transcript(r, out);
  add_last_words(r, out);
  add_time(r, out);
  add_pair(out, "  ", "again", again);
  buf_adds(out, "  ...\n");
}

static void add_point(const struct result *r, size_t number, struct buf *out)
{
  bool bad = r->verdict == VERDICT_FAIL || r->verdict == VERDICT_INCONCLUSIVE;
  buf_addf(out, "%s %zu - ", bad ? "not ok" : "ok", number);
  escape_tap(out, r->name);
  if (r->verdict == VERDICT_SKIP) {
    buf_adds(out, " # SKIP ");
    escape_tap(out, r->reason);
  }
  buf_addc(out, '\n');
  if (bad || r->verdict == VERDICT_WARN)
    add_block(r, out);
}

/* A comment: it belongs to no point. */
static void add_total(const struct run_report *run, struct buf *out)
{
  struct buf line;
  buf_init(&line, 1024);
  time_total(run, &line);
  if (line.n) {
    buf_adds(out, "# ");
    escape_tap(out, buf_str(&line));
    buf_addc(out, '\n');
  }
  buf_release(&line);
}

static void print(const struct run_report *run, struct buf *out)
{
  buf_addf(out, "TAP version 14\n1..%zu%s\n", run->n,
           run->n ? "" : " # SKIP no scenario was run");
  for (size_t i = 0; i < run->n; i++)
    add_point(&run->results[i], i + 1, out);
  add_total(run, out);
}

const struct report report_tap = {
    .name = "tap",
    .summary = "Test Anything Protocol, version 14, with YAML diagnostics",
    .print = print};
