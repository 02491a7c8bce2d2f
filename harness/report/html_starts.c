/* What each start of the client wrote, and the counters it gave of itself. */
#include "harness/report/html_part.h"

#include "base/param.h"
#include "harness/report/detail.h"
#include "harness/report/escape_html.h"

#include <string.h>

/* Starts of one scenario whose outputs are shown; a herd of hundreds has the
 * rest in the JSON report. */
enum { SHOWN_STARTS = 40 };

/* It scrolls, so it takes the focus: keys can scroll it too. */
#define OPEN_OUTPUT "<pre class=\"out\" tabindex=\"0\">"

static void add_output(const cJSON *s, const char *title, const char *bytes_key,
                       const char *key, const char *end_key, struct buf *out)
{
  const char *front = detail_text(s, key), *end = detail_text(s, end_key);
  double total = 0;
  size_t shown = bytes_of(front).n + bytes_of(end).n;
  param_number(s, bytes_key, &total);
  if (!front[0])
    return;
  buf_addf(out, "<h4>%s <small>%.0f bytes</small></h4>" OPEN_OUTPUT, title,
           total);
  escape_html_text(out, bytes_of(front));
  if (end[0] && total > (double)shown)
    buf_addf(out,
             "</pre><p class=\"note\">not shown: %.0f bytes</p>" OPEN_OUTPUT,
             total - (double)shown);
  escape_html_text(out, bytes_of(end));
  buf_adds(out, "</pre>\n");
}

static void add_metrics(const cJSON *s, struct buf *out)
{
  const cJSON *metrics = param_node(s, "metrics"), *m = NULL;
  if (!cJSON_IsObject(metrics) || !metrics->child)
    return;
  buf_adds(out, "<dl class=\"metrics\">");
  cJSON_ArrayForEach(m, metrics)
  {
    buf_adds(out, "<dt>");
    escape_html(out, m->string);
    buf_adds(out, "</dt><dd>");
    escape_html(out, cJSON_IsString(m) ? m->valuestring : "");
    buf_adds(out, "</dd>");
  }
  buf_adds(out, "</dl>\n");
}

/* At its own limit, or at one of the run's. */
static void add_end(const cJSON *s, struct buf *out)
{
  buf_adds(out, "ended at ");
  if (param_has(s, "ended_by")) {
    buf_adds(out, "the run's limit: ");
    escape_html(out, detail_text(s, "ended_in"));
  } else {
    buf_adds(out, "its limit");
  }
}

static void add_title(const cJSON *s, struct buf *out)
{
  double number = 0, code = 0, signal = 0;
  bool timed_out = false;
  param_number(s, "number", &number);
  param_number(s, "exit_code", &code);
  param_number(s, "signal", &signal);
  param_bool(s, "timed_out", &timed_out);
  buf_adds(out, "<summary>Client output");
  if (detail_text(s, "lane")[0]) {
    buf_adds(out, ", lane ");
    escape_html(out, detail_text(s, "lane"));
  }
  buf_addf(out, ", start %.0f: ", number + 1);
  if (param_has(s, "stalled_in"))
    buf_adds(out, "waits for ever");
  else if (timed_out)
    add_end(s, out);
  else if (signal > 0)
    buf_addf(out, "killed by signal %.0f", signal);
  else
    buf_addf(out, "exit %.0f", code);
  buf_adds(out, "</summary>\n");
}

static void add_start(const cJSON *s, struct buf *out)
{
  if (!detail_text(s, "stdout")[0] && !detail_text(s, "stderr")[0] &&
      !param_node(s, "metrics"))
    return;
  buf_adds(out, "<details class=\"io\">");
  add_title(s, out);
  add_metrics(s, out);
  add_output(s, "stdout", "out_bytes", "stdout", "stdout_end", out);
  add_output(s, "stderr", "err_bytes", "stderr", "stderr_end", out);
  buf_adds(out, "</details>\n");
}

void html_starts(const cJSON *scenario, struct buf *out)
{
  const cJSON *list = param_node(scenario, "starts"), *s = NULL;
  int n = 0;
  cJSON_ArrayForEach(s, list)
  {
    if (n++ < SHOWN_STARTS)
      add_start(s, out);
  }
  if (n > SHOWN_STARTS)
    buf_addf(out,
             "<p class=\"note\">%d more starts are in the JSON "
             "report.</p>\n",
             n - SHOWN_STARTS);
}
