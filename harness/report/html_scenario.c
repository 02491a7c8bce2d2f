/* One scenario of the page: what was asked, what was found, how to see it
 * again. Its picture and its outputs have files of their own. */
#include "harness/report/html_part.h"

#include "base/param.h"
#include "harness/report/detail.h"
#include "harness/report/escape_html.h"
#include "harness/report/time_line.h"

#include <math.h>
#include <string.h>

void html_badge(const char *verdict, struct buf *out)
{
  buf_adds(out, "<span class=\"v v-");
  escape_html(out, verdict);
  buf_adds(out, "\">");
  escape_html(out, verdict);
  buf_adds(out, "</span>");
}

void html_seconds(double s, struct buf *out)
{
  if (!(s > 0))
    buf_adds(out, "0 s");
  else if (s < 0.9995)
    buf_addf(out, s < 0.00995 ? "%.1f ms" : "%.0f ms", s * 1000);
  else if (s < 99.95)
    buf_addf(out, s < 9.995 ? "%.2f s" : "%.1f s", s);
  else if (s < 7200)
    buf_addf(out, "%ld min %02ld s", lround(s) / 60, lround(s) % 60);
  else if (s < 48 * 3600)
    buf_addf(out, "%.1f h", s / 3600);
  else
    buf_addf(out, "%.0f days", s / 86400);
}

/* --- checks --------------------------------------------------------------- */

static void add_term(const char *term, const char *value, struct buf *out)
{
  if (!value[0])
    return;
  buf_addf(out, "<dt>%s</dt><dd>", term);
  escape_html(out, value);
  buf_adds(out, "</dd>");
}

static void add_check(const struct check_line *c, struct buf *out)
{
  buf_adds(out, "<li class=\"c-");
  escape_html(out, c->verdict);
  buf_adds(out, "\"><p>");
  html_badge(c->verdict, out);
  buf_adds(out, " <b>");
  escape_html(out, c->check);
  buf_adds(out, "</b> ");
  if (c->lane[0]) {
    buf_adds(out, "<span class=\"tag\">lane ");
    escape_html(out, c->lane);
    buf_adds(out, "</span> ");
  }
  escape_html(out, c->text);
  buf_adds(out, "</p>");
  if (c->expected[0] || c->actual[0]) {
    buf_adds(out, "<dl>");
    add_term("expected", c->expected, out);
    add_term("actual", c->actual, out);
    buf_adds(out, "</dl>");
  }
  buf_adds(out, "</li>\n");
}

static void add_checks(const struct result *r, struct buf *out)
{
  struct check_line c;
  if (!detail_check(r, 0, &c))
    return;
  buf_adds(out, "<h3>Checks</h3>\n<ul class=\"checks\">\n");
  for (int i = 0; detail_check(r, i, &c); i++)
    add_check(&c, out);
  buf_adds(out, "</ul>\n");
}

/* --- words ---------------------------------------------------------------- */

static void add_transcript_line(const char *text, struct buf *out)
{
  escape_html(out, text);
  buf_addc(out, '\n');
}

static void add_transcript(const struct result *r, struct buf *out)
{
  if (cJSON_GetArraySize(param_node(r->json, "transcript")) == 0)
    return;
  char *words = detail_last_words(r);
  buf_adds(out, "<h3>Transcript</h3>\n<pre class=\"log\">");
  detail_lines(r, add_transcript_line, out);
  if (words) {
    buf_adds(out, "stderr: ");
    add_transcript_line(words, out);
  }
  buf_adds(out, "</pre>\n");
  free(words);
}

static void add_command(const struct result *r, struct buf *out)
{
  const char *again = "", *kept = "";
  param_string(r->json, "again", &again);
  param_string(r->json, "evidence", &kept);
  if (again[0]) {
    buf_adds(out, "<h3>Run it again</h3>\n<pre class=\"again\" tabindex=\"0\" "
                  "title=\"one click marks all of it\">");
    escape_html(out, again);
    buf_adds(out, "</pre>\n");
  }
  if (kept[0]) {
    buf_adds(out, "<p class=\"note\">Evidence: <code>");
    escape_html(out, kept);
    buf_adds(out, "</code></p>\n");
  }
}

static void add_reason(const struct result *r, struct buf *out)
{
  if (!r->reason[0])
    return;
  buf_adds(out, "<p class=\"reason\">");
  if (r->kind != KIND_NONE && r->kind != KIND_ASSERT)
    buf_addf(out, "<b>%s</b>: ", kind_name(r->kind));
  escape_html(out, r->reason);
  buf_adds(out, "</p>\n");
}

/* Lines worth reading whatever the verdict. */
static void add_notes(const struct result *r, struct buf *out)
{
  const cJSON *note = NULL;
  cJSON_ArrayForEach(note, param_node(r->json, "notes"))
  {
    buf_adds(out, "<p class=\"note\">");
    escape_html(out, cJSON_IsString(note) ? note->valuestring : "");
    buf_adds(out, "</p>\n");
  }
}

static void add_time(const struct result *r, struct buf *out)
{
  struct buf line;
  buf_init(&line, 16384);
  time_line(r, &line);
  if (line.n) {
    buf_adds(out, "<p class=\"note\">Time: ");
    escape_html(out, buf_str(&line));
    buf_adds(out, "</p>\n");
  }
  buf_release(&line);
}

/* What the copies of a herd did, each with its verdict. */
static void add_copies(const struct result *r, struct buf *out)
{
  const cJSON *list = param_node(param_node(r->json, "figures"), "by_copy");
  const cJSON *copy = NULL;
  if (cJSON_GetArraySize(list) < 2)
    return;
  buf_adds(out, "<h3>Copies</h3>\n<ul class=\"copies\">");
  cJSON_ArrayForEach(copy, list)
  {
    double attempts = 0;
    param_number(copy, "attempts", &attempts);
    buf_adds(out, "<li>");
    html_badge(detail_text(copy, "verdict"), out);
    buf_addc(out, ' ');
    escape_html(out, detail_text(copy, "lane"));
    buf_addf(out, " <span class=\"tag\">%.0f attempts</span></li>", attempts);
  }
  buf_adds(out, "</ul>\n");
}

/* --- the scenario --------------------------------------------------------- */

/* The folder is small beside the name: names are read, folders are known. */
static void add_name(const char *name, struct buf *out)
{
  const char *slash = strrchr(name, '/');
  if (slash) {
    char *folder = bytes_dup((struct bytes){name, (size_t)(slash + 1 - name)});
    buf_adds(out, "<span class=\"dir\">");
    escape_html(out, folder);
    buf_adds(out, "</span>");
    free(folder);
  }
  escape_html(out, slash ? slash + 1 : name);
}

static void add_summary(const struct result *r, struct buf *out)
{
  size_t calls = detail_calls(r);
  buf_adds(out, "<summary>");
  html_badge(verdict_name(r->verdict), out);
  buf_adds(out, "<span class=\"n\">");
  add_name(r->name, out);
  buf_adds(out, "</span>");
  if (r->verdict != VERDICT_PASS && r->reason[0]) {
    buf_adds(out, "<span class=\"r\">");
    escape_html(out, r->reason);
    buf_adds(out, "</span>");
  }
  buf_addf(out, "<span class=\"m\">%zu call%s, ", calls, calls == 1 ? "" : "s");
  html_seconds(r->seconds, out);
  buf_adds(out, "</span></summary>\n");
}

void html_scenario(const struct result *r, size_t number, bool open,
                   struct buf *out)
{
  buf_addf(out, "<details class=\"s s-%s\" id=\"s%zu\"%s>",
           verdict_name(r->verdict), number, open ? " open" : "");
  add_summary(r, out);
  buf_adds(out, "<div class=\"body\">\n");
  if (r->why[0]) {
    buf_adds(out, "<p class=\"why\">");
    escape_html(out, r->why);
    buf_adds(out, "</p>\n");
  }
  add_reason(r, out);
  add_notes(r, out);
  add_time(r, out);
  html_timeline(r->json, out);
  add_checks(r, out);
  add_copies(r, out);
  add_transcript(r, out);
  html_starts(r->json, out);
  add_command(r, out);
  buf_adds(out, "</div></details>\n");
}
