#include "harness/report/detail.h"

#include "base/param.h"
#include "harness/report/escape.h"
#include "harness/report/time_line.h"

#include <string.h>

/* Of a scenario's file: more is a broken number. */
#define MAX_LINE 10000000

const char *detail_text(const cJSON *object, const char *key)
{
  const char *s = "";
  param_string(object, key, &s);
  return s;
}

bool detail_check(const struct result *r, int i, struct check_line *ret)
{
  const cJSON *c = cJSON_GetArrayItem(param_node(r->json, "checks"), i);
  double line = 0;
  if (!c)
    return false;
  param_number(c, "line", &line);
  *ret =
      (struct check_line){.check = detail_text(c, "check"),
                          .verdict = detail_text(c, "verdict"),
                          .text = detail_text(c, "text"),
                          .expected = detail_text(c, "expected"),
                          .actual = detail_text(c, "actual"),
                          .lane = detail_text(c, "lane"),
                          .line = line >= 1 && line < MAX_LINE ? (int)line : 0};
  return true;
}

size_t detail_calls(const struct result *r)
{
  const cJSON *a = NULL;
  size_t n = 0;
  cJSON_ArrayForEach(a, param_node(r->json, "attempts"))
  {
    const char *class = "";
    param_string(a, "class", &class);
    n += strcmp(class, "call") == 0;
  }
  return n;
}

static size_t digits(const char *s)
{
  return strspn(s, "0123456789");
}

/* Blanks that put the number of `actual` under the first of `expected`. */
static int indent(const char *expected, const char *actual)
{
  size_t e = digits(expected), a = digits(actual);
  return e > a && a > 0 ? (int)(e - a) : 0;
}

static void add_pair(struct buf *out, const struct check_line *c)
{
  if (c->expected[0]) {
    buf_adds(out, "    expected  ");
    escape_line(out, c->expected);
    buf_addc(out, '\n');
  }
  if (c->actual[0]) {
    buf_addf(out, "    actual    %*s", indent(c->expected, c->actual), "");
    escape_line(out, c->actual);
    buf_addc(out, '\n');
  }
}

/* A check over several lanes says in its sentence which one it was. */
static bool names_lane(const struct check_line *c)
{
  return strncmp(c->text, "lane ", 5) == 0;
}

static void add_check(struct buf *out, const struct check_line *c)
{
  buf_adds(out, "  ");
  escape_line(out, c->check);
  if (c->lane[0] && !names_lane(c)) {
    buf_adds(out, ", lane ");
    escape_line(out, c->lane);
  }
  if (strcmp(c->verdict, verdict_name(VERDICT_FAIL)) != 0) {
    buf_adds(out, ", ");
    escape_line(out, c->verdict);
  }
  buf_adds(out, ": ");
  escape_line(out, c->text);
  buf_addc(out, '\n');
  add_pair(out, c);
}

/* The run as a whole proved nothing; each check would only repeat it. */
static bool proved_nothing(const struct result *r)
{
  return r->verdict == VERDICT_INCONCLUSIVE &&
         (r->kind == KIND_NO_CONTACT || r->kind == KIND_NOT_DELIVERED ||
          r->kind == KIND_HARNESS);
}

/* What made the scenario's verdict, and warnings: beside a failure nobody
 * wants to read what was skipped or not reached. The JSON and TAP reports
 * have every check. */
static bool matters(const struct result *r, const struct check_line *c)
{
  if (proved_nothing(r))
    return false;
  return strcmp(c->verdict, verdict_name(r->verdict)) == 0 ||
         strcmp(c->verdict, verdict_name(VERDICT_WARN)) == 0;
}

/* The reason is often the text of the first check that failed. */
static bool said_already(const struct result *r)
{
  struct check_line c;
  if (!r->reason || !r->reason[0])
    return true;
  for (int i = 0; detail_check(r, i, &c); i++)
    if (matters(r, &c) && c.text[0] && strstr(r->reason, c.text))
      return true;
  return false;
}

void detail_checks(const struct result *r, struct buf *out)
{
  struct check_line c;
  if (!said_already(r)) {
    buf_addf(out, "  %s: ", r->kind ? kind_name(r->kind) : "reason");
    escape_line(out, r->reason);
    buf_addc(out, '\n');
  }
  for (int i = 0; detail_check(r, i, &c); i++)
    if (matters(r, &c))
      add_check(out, &c);
}

/* A client that never waits makes thousands of calls, all alike: what came
 * first and what came last tells it. */
enum { LINES_FIRST = 30, LINES_LAST = 10, LINES_MAX = 60 };

void detail_lines(const struct result *r, detail_line_fn *add, struct buf *out)
{
  const cJSON *lines = param_node(r->json, "transcript"), *line = NULL;
  int n = cJSON_GetArraySize(lines), i = 0;
  bool fold = n > LINES_MAX;
  char note[80];
  cJSON_ArrayForEach(line, lines)
  {
    if (fold && i == LINES_FIRST) {
      snprintf(note, sizeof note, "... %d lines more, in the JSON report ...",
               n - LINES_FIRST - LINES_LAST);
      add(note, out);
    }
    if (!fold || i < LINES_FIRST || i >= n - LINES_LAST)
      add(cJSON_IsString(line) ? line->valuestring : "", out);
    i++;
  }
}

static void add_transcript_line(const char *text, struct buf *out)
{
  buf_adds(out, "    ");
  escape_line(out, text);
  buf_addc(out, '\n');
}

void detail_transcript(const struct result *r, struct buf *out)
{
  if (cJSON_GetArraySize(param_node(r->json, "transcript")) == 0)
    return;
  buf_adds(out, "  transcript\n");
  detail_lines(r, add_transcript_line, out);
}

static struct bytes last_line(const char *text)
{
  size_t end = strlen(text), begin;
  while (end > 0 && strchr(" \t\r\n", text[end - 1]))
    end--;
  for (begin = end; begin > 0 && text[begin - 1] != '\n';)
    begin--;
  return (struct bytes){text + begin, end - begin};
}

static bool ended_badly(const cJSON *start)
{
  double code = 0, signal = 0;
  param_number(start, "exit_code", &code);
  param_number(start, "signal", &signal);
  return code > 0 || signal > 0;
}

char *detail_last_words(const struct result *r)
{
  const cJSON *start = NULL;
  if (r->verdict == VERDICT_PASS || r->verdict == VERDICT_SKIP)
    return NULL;
  cJSON_ArrayForEach(start, param_node(r->json, "starts"))
  {
    const char *end = detail_text(start, "stderr_end");
    struct bytes line = last_line(*end ? end : detail_text(start, "stderr"));
    if (line.n && ended_badly(start))
      return bytes_dup(line);
  }
  return NULL;
}

void detail_stderr(const struct result *r, struct buf *out)
{
  char *words = detail_last_words(r);
  if (!words)
    return;
  buf_adds(out, "  stderr: ");
  escape_line(out, words);
  buf_addc(out, '\n');
  free(words);
}

static void add_field(const struct result *r, const char *key, struct buf *out)
{
  const char *s = detail_text(r->json, key);
  if (!s[0])
    return;
  buf_addf(out, "  %s: ", key);
  escape_line(out, s);
  buf_addc(out, '\n');
}

/* One scenario's line: programs that were not followed are 32 at the most. */
#define MAX_TIME_BYTES 16384

void detail_time(const struct result *r, const char *before, struct buf *out)
{
  struct buf line;
  buf_init(&line, MAX_TIME_BYTES);
  time_line(r, &line);
  if (line.n) {
    buf_adds(out, before);
    escape_line(out, buf_str(&line));
    buf_addc(out, '\n');
  }
  buf_release(&line);
}

void detail_print(const struct result *r, struct buf *out)
{
  detail_checks(r, out);
  detail_transcript(r, out);
  detail_stderr(r, out);
  detail_time(r, "  time: ", out);
  add_field(r, "evidence", out);
  add_field(r, "again", out);
}

void detail_notes(const struct result *r, struct buf *out)
{
  const cJSON *line = NULL;
  cJSON_ArrayForEach(line, param_node(r->json, "notes"))
  {
    buf_adds(out, "  ");
    escape_line(out, cJSON_IsString(line) ? line->valuestring : "");
    buf_addc(out, '\n');
  }
}
