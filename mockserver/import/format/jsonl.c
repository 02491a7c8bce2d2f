/*
 * JSON Lines: one exchange a line, in the fields of docs/import.md, or the
 * lines of a faultwire journal.
 */
#include "mockserver/import/format.h"

#include "mockserver/base64.h"
#include "mockserver/import/journal_line.h"

#include <string.h>

#define MAX_MS 1e12

static const char *const fields[] = {
    "at",         "method",  "url",  "path",        "request", "status",
    "reason",     "headers", "body", "body_base64", "events",  "wait_ms",
    "receive_ms", "error",   "lane", NULL};

static bool fits(struct bytes text)
{
  size_t i = 0;
  while (i < text.n && strchr(" \t\r\n", text.p[i]) && text.p[i])
    i++;
  return i < text.n && text.p[i] == '{';
}

/* A text as it stands, anything else as compact JSON. */
static void add_json(const cJSON *node, struct buf *ret)
{
  if (cJSON_IsString(node)) {
    buf_adds(ret, node->valuestring);
    return;
  }
  char *text = cJSON_PrintUnformatted(node);
  buf_adds(ret, text ? text : "");
  cJSON_free(text);
}

static int read_request(struct taken *t, const struct jval *v,
                        struct diag *diag)
{
  struct jval m;
  const char *method = NULL, *url = NULL, *path = NULL, *lane = NULL;
  if (read_text(v, "method", &method, diag) < 0 ||
      read_text(v, "url", &url, diag) < 0 ||
      read_text(v, "path", &path, diag) < 0 ||
      read_text(v, "lane", &lane, diag) < 0)
    return -1;
  buf_adds(&t->method, method ? method : "");
  if (url || path)
    taken_url(t, bytes_of(url ? url : path));
  snprintf(t->lane, sizeof t->lane, "%s", lane ? lane : "");
  if (read_member(v, "request", &m)) {
    t->has_request = true;
    add_json(m.node, &t->request);
  }
  return 0;
}

static int read_event(struct taken *t, const struct jval *v, int64_t *at_ms,
                      struct diag *diag)
{
  static const char *const words[] = {"raw", "gap_ms", NULL};
  const char *text = NULL;
  double gap_ms = 0;
  if (cJSON_IsString(v->node)) {
    taken_piece(t, bytes_of(v->node->valuestring), *at_ms);
    return 0;
  }
  if (jval_object(v, diag) < 0 || jval_known_keys(v, words, diag) < 0 ||
      read_text(v, "raw", &text, diag) < 0 ||
      read_number(v, "gap_ms", 0, MAX_MS, &gap_ms, diag) < 0)
    return -1;
  if (!text)
    return jval_error(v, diag, "needs 'raw', the event's bytes");
  *at_ms += (int64_t)gap_ms;
  taken_piece(t, bytes_of(text), *at_ms);
  return 0;
}

static int read_events(struct taken *t, const struct jval *v, struct diag *diag)
{
  struct jval events;
  int64_t at_ms = 0;
  if (!read_member(v, "events", &events))
    return 0;
  if (jval_array(&events, diag) < 0)
    return -1;
  for (int i = 0; i < jval_count(&events); i++) {
    struct jval item = jval_item(&events, i);
    if (read_event(t, &item, &at_ms, diag) < 0)
      return -1;
  }
  if (!taken_find(t, "content-type"))
    taken_header(t, BYTES("content-type"), BYTES("text/event-stream"));
  return 0;
}

static int read_body(struct taken *t, const struct jval *v, struct diag *diag)
{
  struct jval body, coded;
  bool has = read_member(v, "body", &body);
  if (read_member(v, "body_base64", &coded)) {
    const char *text = NULL;
    if (has)
      return jval_key_error(&coded, diag,
                            "'body' and 'body_base64' exclude each other");
    if (jval_string(&coded, &text, diag) < 0)
      return -1;
    return base64_decode(bytes_of(text), &t->body)
               ? 0
               : jval_error(&coded, diag, "is not base64 (RFC 4648)");
  }
  t->decoded = true;
  if (has)
    add_json(body.node, &t->body);
  return read_events(t, v, diag);
}

static int read_answer(struct taken *t, const struct jval *v, struct diag *diag)
{
  const char *reason = NULL, *error = NULL;
  double status = 0, wait = -1, receive = -1;
  if (read_number(v, "status", 0, 999, &status, diag) < 0 ||
      read_text(v, "reason", &reason, diag) < 0 ||
      read_text(v, "error", &error, diag) < 0 ||
      read_number(v, "wait_ms", 0, MAX_MS, &wait, diag) < 0 ||
      read_number(v, "receive_ms", 0, MAX_MS, &receive, diag) < 0 ||
      read_moment(v, "at", &t->at_ms, diag) < 0 ||
      read_headers(v, "headers", t, diag) < 0 || read_body(t, v, diag) < 0)
    return -1;
  t->status = (int)status;
  t->has_reason = reason != NULL;
  buf_adds(&t->reason, reason ? reason : "");
  t->wait_ms = (int64_t)wait;
  t->receive_ms = (int64_t)receive;
  t->end = taken_end_of(error);
  if (error && t->end == TAKEN_WHOLE && !t->status) {
    struct jval m;
    read_member(v, "error", &m);
    return jval_error(&m, diag,
                      "names no ending; known: reset, closed, timeout, "
                      "refused");
  }
  if (!t->status && !error)
    return jval_error(v, diag, "needs 'status' or 'error'");
  return 0;
}

static int read_object(struct draft *d, const struct jval *v, int number,
                       struct diag *diag)
{
  struct taken t;
  const char *unknown = NULL;
  if (jval_object(v, diag) < 0)
    return -1;
  if (journal_line_is(v))
    return journal_line_read(d, v, diag);
  if (read_known(v, fields, &unknown, diag) < 0)
    return -1;
  taken_init(&t);
  t.number = number;
  int rc =
      read_request(&t, v, diag) < 0 || read_answer(&t, v, diag) < 0 ? -1 : 0;
  if (rc == 0 && unknown)
    draft_note(d, "line %d: '%s' is no field of docs/import.md", number,
               unknown);
  if (rc == 0)
    draft_take(d, &t);
  taken_release(&t);
  return rc;
}

/* The document is one line: its first line is line `number` of the file. */
static int read_line(struct draft *d, const char *file, struct bytes line,
                     int number, struct diag *diag)
{
  struct json_doc doc;
  struct diag inner = {0};
  int rc = json_parse(&doc, file, line, &inner);
  if (rc == 0) {
    struct jval root = json_root(&doc);
    rc = read_object(d, &root, number, &inner);
    json_release(&doc);
  }
  if (rc < 0) {
    inner.line = number;
    *diag = inner;
  }
  return rc;
}

static bool is_blank(struct bytes line)
{
  for (size_t i = 0; i < line.n; i++)
    if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r')
      return false;
  return true;
}

static int read_jsonl(struct draft *d, const char *file, struct bytes text,
                      struct diag *diag)
{
  int number = 1;
  for (size_t at = 0; at < text.n; number++) {
    const char *end = memchr(text.p + at, '\n', text.n - at);
    struct bytes line = {text.p + at,
                         end ? (size_t)(end - text.p) - at : text.n - at};
    at += line.n + 1;
    if (!is_blank(line) && read_line(d, file, line, number, diag) < 0)
      return -1;
  }
  return 0;
}

const struct format format_jsonl = {
    .name = "jsonl",
    .summary = "JSON Lines: the fields of docs/import.md, or a faultwire "
               "journal",
    .fits = fits,
    .read = read_jsonl};
