/*
 * One self-contained page: counts, a list of all scenarios with the worst
 * first, each of which opens. Filtered by radio buttons and CSS alone, so
 * that a page from a build server may forbid scripts.
 */
#include "harness/report/html_part.h"

#include "harness/report/escape_html.h"
#include "harness/report/time_line.h"

/* So many failures are shown open; of more, only the first. */
enum { MAX_OPEN = 3 };

/* From the worst: the order of the list and of the filter. */
static const enum verdict order[NVERDICTS] = {
    VERDICT_FAIL, VERDICT_INCONCLUSIVE, VERDICT_WARN, VERDICT_SKIP,
    VERDICT_PASS};

static const char *const plural[NVERDICTS] = {[VERDICT_PASS] = "passed",
                                              [VERDICT_WARN] = "warned",
                                              [VERDICT_SKIP] = "skipped",
                                              [VERDICT_INCONCLUSIVE] =
                                                  "inconclusive",
                                              [VERDICT_FAIL] = "failed"};

/* --- head ----------------------------------------------------------------- */

static const char *headline(const struct run_report *run)
{
  if (run_count(run, VERDICT_FAIL))
    return "failed";
  if (run->n == 0 || run_count(run, VERDICT_INCONCLUSIVE))
    return "inconclusive";
  return run->exit_code ? "failed" : "passed";
}

/* A square in the tab's title line, of the verdict's colour; in the page. */
static void add_icon(const struct run_report *run, struct buf *out)
{
  const char *colour = run->exit_code == 0   ? "1a7f37"
                       : run->exit_code == 1 ? "d1242f"
                                             : "9a6700";
  buf_addf(out,
           "<link rel=\"icon\" href=\"data:image/svg+xml,%%3Csvg "
           "xmlns='http:%%2F%%2Fwww.w3.org%%2F2000%%2Fsvg' viewBox='0 0 8 "
           "8'%%3E%%3Crect width='8' height='8' rx='2' "
           "fill='%%23%s'/%%3E%%3C/svg%%3E\">\n",
           colour);
}

static void add_head(const struct run_report *run, struct buf *out)
{
  buf_adds(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n"
                "<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, "
                "initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" "
                "content=\"default-src 'none'; style-src 'unsafe-inline'; "
                "img-src data:\">\n");
  buf_addf(out, "<title>%s: %zu of %zu scenarios passed - faultwire</title>\n",
           headline(run), run_count(run, VERDICT_PASS), run->n);
  add_icon(run, out);
  buf_adds(out, "<style>\n");
  html_style(out);
  buf_adds(out, "</style>\n</head>\n");
}

/* --- summary -------------------------------------------------------------- */

/* The buttons stand before what they filter, for CSS looks forward only; the
 * labels that people see are in the summary. */
static void add_buttons(const struct run_report *run, struct buf *out)
{
  buf_adds(out, "<input type=\"radio\" name=\"show\" id=\"f-all\" checked>\n");
  for (int i = 0; i < NVERDICTS; i++)
    if (run_count(run, order[i]))
      buf_addf(out, "<input type=\"radio\" name=\"show\" id=\"f-%s\">\n",
               verdict_name(order[i]));
}

static void add_filter(const struct run_report *run, struct buf *out)
{
  buf_addf(out,
           "<p class=\"filter\"><label for=\"f-all\"><b>%zu</b> all</label>\n",
           run->n);
  for (int i = 0; i < NVERDICTS; i++) {
    const char *name = verdict_name(order[i]);
    size_t n = run_count(run, order[i]);
    if (n)
      buf_addf(out,
               "<label for=\"f-%s\" class=\"l-%s\"><b>%zu</b> %s</label>\n",
               name, name, n, plural[order[i]]);
  }
  buf_adds(out, "</p>\n");
}

/* One strip, each verdict as wide as it is frequent. */
static void add_strip(const struct run_report *run, struct buf *out)
{
  buf_adds(out, "<div class=\"strip\" aria-hidden=\"true\">");
  for (int i = 0; i < NVERDICTS; i++)
    if (run_count(run, order[i]))
      buf_addf(out, "<i class=\"l-%s\" style=\"flex-grow:%zu\"></i>",
               verdict_name(order[i]), run_count(run, order[i]));
  buf_adds(out, "</div>\n");
}

static void add_client(const struct run_report *run, struct buf *out)
{
  if (!run->client || !run->client[0])
    return;
  buf_adds(out, "<div class=\"wide\"><dt>client</dt><dd><code>");
  for (size_t i = 0; run->client[i]; i++) {
    if (i)
      buf_addc(out, ' ');
    escape_html(out, run->client[i]);
  }
  buf_adds(out, "</code></dd></div>");
}

static void add_time(const struct run_report *run, struct buf *out)
{
  struct buf line;
  buf_init(&line, 4096);
  time_total(run, &line);
  if (line.n) {
    buf_adds(out, "<div class=\"wide\"><dt>time</dt><dd>");
    escape_html(out, buf_str(&line));
    buf_adds(out, "</dd></div>");
  }
  buf_release(&line);
}

static void add_facts(const struct run_report *run, struct buf *out)
{
  buf_adds(out, "<dl class=\"facts\">");
  add_client(run, out);
  buf_adds(out, "<div><dt>took</dt><dd>");
  html_seconds(run->seconds, out);
  buf_addf(out,
           "</dd></div><div><dt>seed</dt><dd>%llu</dd></div>"
           "<div><dt>exit code</dt><dd>%d</dd></div>"
           "<div><dt>faultwire</dt><dd>",
           (unsigned long long)run->seed, run->exit_code);
  escape_html(out, run_version(run));
  buf_adds(out, "</dd></div>");
  add_time(run, out);
  for (size_t i = 0; run->notes && run->notes[i]; i++) {
    buf_adds(out, "<div class=\"wide\"><dt>note</dt><dd>");
    escape_html(out, run->notes[i]);
    buf_adds(out, "</dd></div>");
  }
  buf_adds(out, "</dl>\n");
}

static void add_legend(struct buf *out)
{
  buf_adds(out,
           "<details class=\"legend\"><summary>How to read the pictures"
           "</summary><ul>"
           "<li><i class=\"k g\"></i>a whole answer</li>"
           "<li><i class=\"k f\"></i>a fault or an error status</li>"
           "<li><i class=\"k c\"></i>broke off, or no answer</li>"
           "<li><i class=\"k s\"></i>side traffic, handshake, no HTTP</li>"
           "<li><i class=\"k w\"></i>pale: no byte of the answer yet</li>"
           "<li><i class=\"k ec\"></i>an event of the stream</li>"
           "<li><i class=\"k ep\"></i>a ping or a comment</li>"
           "<li><i class=\"k ee\"></i>an error in the stream</li>"
           "<li><i class=\"k et\"></i>its terminal event</li>"
           "<li><i class=\"k win\"></i>retry-after: stay away</li>"
           "<li><i class=\"k broken\"></i>the client came back inside it</li>"
           "<li><i class=\"k wait\"></i>wait between two attempts</li>"
           "<li><i class=\"k left\"></i>the client left</li>"
           "<li><i class=\"k life\"></i>the client's process</li>"
           "</ul></details>\n");
}

/* --- page ----------------------------------------------------------------- */

static void add_list(const struct run_report *run, struct buf *out)
{
  size_t failed = run_count(run, VERDICT_FAIL), shown = 0;
  buf_adds(out, "<main>\n");
  for (int i = 0; i < NVERDICTS; i++)
    for (size_t k = 0; k < run->n; k++) {
      if (run->results[k].verdict != order[i])
        continue;
      bool open = order[i] == VERDICT_FAIL
                      ? failed <= MAX_OPEN || shown == 0
                      : order[i] == VERDICT_INCONCLUSIVE && !shown;
      shown++;
      html_scenario(&run->results[k], k + 1, open, out);
    }
  if (run->n == 0)
    buf_adds(out, "<p class=\"note\">No scenario was run.</p>\n");
  buf_adds(out, "</main>\n");
}

static void print(const struct run_report *run, struct buf *out)
{
  add_head(run, out);
  buf_adds(out, "<body>\n");
  add_buttons(run, out);
  buf_addf(out,
           "<header>\n<p class=\"brand\">faultwire</p>\n<h1 class=\"h-%s\">"
           "%zu of %zu scenarios passed</h1>\n",
           headline(run), run_count(run, VERDICT_PASS), run->n);
  add_strip(run, out);
  add_filter(run, out);
  add_facts(run, out);
  add_legend(out);
  buf_adds(out, "</header>\n");
  add_list(run, out);
  buf_adds(out, "</body>\n</html>\n");
}

const struct report report_html = {
    .name = "html",
    .summary = "one page for a browser, no script and no request: a timeline "
               "per scenario, checks, transcript, the client's output",
    .print = print};
