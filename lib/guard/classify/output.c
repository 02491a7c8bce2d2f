/*
 * A program's output: JSON documents first, then lines, the last one first,
 * since a failing CLI ends with what stopped it. After exit code 0 text is
 * the answer, but for one case: Claude Code prints its own sentence about a
 * limit instead of an answer and exits 0 (older versions; seen in the field).
 */
#include "guard/classify/output.h"

#include <string.h>

static const struct {
  const char *clients;
  guard_line_reader *read;
} line_readers[] = {
#define LINE(name, clients) {clients, guard_line_##name},
#include "guard/classify.def"
#undef LINE
};

static guard_event_reader *const event_readers[] = {
#define EVENT(name) guard_event_##name,
#include "guard/classify.def"
#undef EVENT
};

/* What stopped a program is near the end of what it printed. */
enum { MAX_LINES = 200 };

enum {
  NLINES = sizeof(line_readers) / sizeof(line_readers[0]),
  NEVENTS = sizeof(event_readers) / sizeof(event_readers[0])
};

/* Marks of progress lines: an emoji or a box and its blank, then "ERROR: ".
 * A sentence in another alphabet is no mark. */
static void skip_marks(struct guard_scan *s)
{
  const size_t longest = 8; /* an emoji with its variation selector */
  struct guard_scan at;

  while (guard_scan_peek(s) == ' ')
    s->p++; /* an indented mark */
  at = *s;
  while (guard_scan_peek(&at) > 127)
    at.p++;
  if (guard_scan_peek(&at) == ' ' && (size_t)(at.p - s->p) <= longest)
    s->p = at.p;
  while (guard_scan_peek(s) == ' ' || guard_scan_peek(s) == '*')
    s->p++;
  guard_scan_lit(s, "ERROR: ");
}

/* codex prints the body of a 400 as it came, and nothing behind it. */
static bool raw_body(const struct guard_evidence *e, struct guard_scan text,
                     struct guard_verdict *ret)
{
  struct guard_scan line = text;

  if (guard_scan_peek(&text) != '{' || !guard_scan_line(&text, &line))
    return false;
  while (guard_scan_peek(&text) == ' ' || guard_scan_peek(&text) == '\n')
    text.p++;
  if (!guard_scan_done(&text))
    return false;
  *ret = guard_judge_part(e, 0, line);
  return ret->cls != GUARD_NONE;
}

static bool read_line(const struct guard_evidence *e, struct guard_scan line,
                      struct guard_verdict *ret)
{
  const char *client = e->answer->provider ? e->answer->provider : "";

  for (int i = 0; i < NLINES; i++)
    if (guard_name_in(line_readers[i].clients, client) &&
        line_readers[i].read(e, line, ret))
      return true;
  for (int i = 0; i < NLINES; i++)
    if (line_readers[i].read(e, line, ret))
      return true;
  return raw_body(e, line, ret);
}

bool guard_read_lines(const struct guard_evidence *e, struct guard_scan text,
                      struct guard_verdict *ret)
{
  const char *end = text.end;

  for (int left = MAX_LINES; left > 0 && end > text.p; left--) {
    const char *lf = memrchr(text.p, '\n', (size_t)(end - text.p));
    struct guard_scan line = {lf ? lf + 1 : text.p, text.end};

    skip_marks(&line);
    if (!guard_scan_done(&line) && read_line(e, line, ret))
      return true;
    end = lf ? lf : text.p;
  }
  return false;
}

static bool read_event(const struct guard_evidence *e, const cJSON *json,
                       struct guard_events *ev)
{
  const cJSON *item;
  bool known = false;

  if (cJSON_IsArray(json)) { /* claude --output-format json --verbose */
    cJSON_ArrayForEach(item, json)
    {
      if (cJSON_IsObject(item) && read_event(e, item, ev))
        known = true;
    }
    return known;
  }
  for (int i = 0; i < NEVENTS && cJSON_IsObject(json); i++)
    if (event_readers[i](e, json, ev))
      return true;
  return false;
}

/* The document at the beginning of the text. */
static void read_document(const struct guard_evidence *e,
                          struct guard_scan text, struct guard_events *ev)
{
  struct guard_tree tree;

  if (guard_tree_read(&tree, text.p, guard_scan_left(&text)))
    read_event(e, tree.root, ev);
  guard_tree_release(&tree);
}

/* True when the text is one document and nothing else. */
static bool read_whole(const struct guard_evidence *e, struct guard_scan text,
                       struct guard_events *ev)
{
  struct guard_tree tree;
  bool whole = guard_tree_read(&tree, text.p, guard_scan_left(&text));

  text.p += tree.used;
  while (!guard_scan_done(&text) && (unsigned char)*text.p <= ' ')
    text.p++;
  whole = whole && guard_scan_done(&text);
  if (whole)
    read_event(e, tree.root, ev);
  guard_tree_release(&tree);
  return whole;
}

/* A document over several lines behind others: the last line that is a brace
 * alone begins it (gemini-cli -o json, on stderr). */
static void read_tail(const struct guard_evidence *e, struct guard_scan text,
                      struct guard_events *ev)
{
  const char *begin = NULL;
  struct guard_scan rest = text, line;

  while (guard_scan_line(&rest, &line))
    if (guard_scan_left(&line) == 1 && *line.p == '{')
      begin = line.p;
  if (begin)
    read_document(e, (struct guard_scan){begin, text.end}, ev);
}

/* One document, or one a line. */
static void read_events(const struct guard_evidence *e, struct guard_scan text,
                        struct guard_events *ev)
{
  struct guard_scan line, all = text;

  if ((guard_scan_peek(&text) == '{' || guard_scan_peek(&text) == '[') &&
      read_whole(e, text, ev))
    return;
  while (guard_scan_line(&text, &line)) {
    guard_scan_trim(&line);
    if (guard_scan_peek(&line) == '{')
      read_document(e, line, ev);
  }
  if (!ev->decided)
    read_tail(e, all, ev);
}

/* The reset time of an event sharpens the clock time of a text. */
static void add_reset(const struct guard_events *ev, int64_t now_ms,
                      struct guard_verdict *v)
{
  struct guard_hint_value hint;

  if (v->cls != GUARD_USAGE_LIMIT || ev->resets_at_s == 0)
    return;
  guard_hint_until_epoch(ev->resets_at_s, now_ms, &hint);
  guard_verdict_wait(v, &hint);
}

static bool is_limit(enum guard_class cls)
{
  return cls == GUARD_RATE_LIMIT || cls == GUARD_OVERLOADED ||
         cls == GUARD_USAGE_LIMIT || cls == GUARD_QUOTA_EXHAUSTED;
}

static bool is_other_client(const struct guard_evidence *e)
{
  const char *client = e->answer->provider ? e->answer->provider : "";

  for (int i = 0; i < NLINES; i++)
    if (guard_name_in(line_readers[i].clients, client))
      return line_readers[i].read != guard_line_claude_cli;
  return false;
}

/* Nobody begins an answer like that; "... limit reached" may be one. */
static bool begins_as_no_answer(struct guard_scan line)
{
  static const char *const begins[] = {
      "API Error: ", "You've hit your ", "You've reached your ",
      "Claude AI usage limit reached", "Claude usage limit reached"};

  for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
    struct guard_scan s = line;

    if (guard_scan_lit(&s, begins[i]))
      return true;
  }
  return false;
}

/* The one line of the output is a sentence about a limit, from its first
 * letter on: nothing else was answered. */
static bool limit_for_answer(const struct guard_evidence *e,
                             struct guard_scan text, struct guard_verdict *ret)
{
  const size_t longest = 1000; /* with the JSON of a 429 behind it */
  struct guard_scan line = text;

  if (e->answer->channel != GUARD_STDOUT || is_other_client(e) ||
      guard_scan_left(&text) > longest || !guard_scan_line(&text, &line))
    return false;
  while (guard_scan_peek(&text) == '\n')
    text.p++;
  return guard_scan_done(&text) && begins_as_no_answer(line) &&
         guard_line_claude_cli(e, line, ret) && is_limit(ret->cls);
}

struct guard_verdict guard_read_output(const struct guard_evidence *e)
{
  const struct guard_answer *a = e->answer;
  struct guard_scan text = guard_scan_str(e->text);
  struct guard_events ev = {.decided = false};
  bool good_exit = a->has_exit_code && a->exit_code == 0;
  struct guard_verdict v;

  while (guard_scan_peek(&text) == ' ' || guard_scan_peek(&text) == '\n')
    text.p++;
  read_events(e, text, &ev);
  if (ev.decided && (ev.is_final || !good_exit)) {
    add_reset(&ev, a->now_epoch_ms, &ev.verdict);
    return ev.verdict;
  }
  if (good_exit)
    return limit_for_answer(e, text, &v)
               ? v
               : guard_verdict_of(GUARD_NONE, "exit code 0");
  if (guard_read_lines(e, text, &v))
    return v;
  /* an API's body passed through; Google's streams are arrays */
  if (guard_scan_peek(&text) == '{' || guard_scan_peek(&text) == '[') {
    v = guard_judge_part(e, 0, text);
    if (v.cls != GUARD_NONE)
      return v;
  }
  return guard_verdict_of(GUARD_NONE, "output: nothing known");
}
