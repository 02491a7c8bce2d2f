#include "mockserver/import/events.h"

#include "base/json.h"
#include "mockserver/base64.h"
#include "mockserver/provider/provider.h"
#include "mockserver/reply.h"

#include <string.h>

enum { MAX_FRAME = 16 << 20, MAX_GAP_MS = 86400000 };

static size_t line_end(struct bytes s)
{
  if (s.n && s.p[0] == '\r')
    return s.n > 1 && s.p[1] == '\n' ? 2 : 1;
  return s.n && s.p[0] == '\n';
}

/* The first event with the blank line behind it; what is left when the
 * stream broke off inside one. */
static size_t event_length(struct bytes s)
{
  for (size_t i = 0; i < s.n; i++) {
    size_t end = line_end((struct bytes){s.p + i, s.n - i});
    if (!end)
      continue;
    i += end - 1;
    size_t blank = line_end((struct bytes){s.p + i + 1, s.n - i - 1});
    if (blank)
      return i + 1 + blank;
  }
  return s.n;
}

bool events_is_terminal(struct bytes e)
{
  static const struct bytes marks[] = {{"event: message_stop", 19},
                                       {"data: [DONE]", 12},
                                       {"\"type\":\"response.completed\"", 27},
                                       {"\"type\":\"response.incomplete\"", 28},
                                       {"\"finishReason\":", 15}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (bytes_find(e, marks[i]) >= 0)
      return true;
  return false;
}

/* ---- one event ---- */

/* The value of the only line of that field; false: none, or several. */
static bool field(struct bytes event, struct bytes name, struct bytes *ret)
{
  int found = 0;
  for (size_t i = 0; i < event.n;) {
    struct bytes line = {event.p + i, 0};
    while (i + line.n < event.n && event.p[i + line.n] != '\n' &&
           event.p[i + line.n] != '\r')
      line.n++;
    if (bytes_starts(line, name)) {
      *ret = (struct bytes){line.p + name.n, line.n - name.n};
      found++;
    }
    i += line.n;
    i += line_end((struct bytes){event.p + i, event.n - i});
  }
  return found == 1;
}

static bool renders_as(const struct provider *p, const char *name,
                       const char *data, uint64_t seq, struct bytes event)
{
  struct reply r;
  struct buf frame;
  reply_init(&r, BYTES("m"));
  buf_init(&frame, MAX_FRAME);
  p->frame(&r, name, bytes_of(data), seq, &frame);
  bool same = bytes_equal(buf_bytes(&frame), event);
  buf_release(&frame);
  reply_release(&r);
  return same;
}

/* The entry `data`, when it gives these very bytes; else NULL. */
static cJSON *as_data(const struct provider *p, struct bytes event,
                      uint64_t seq)
{
  struct bytes data, name = {NULL, 0};
  struct diag diag = {0};
  struct json_doc doc;
  cJSON *entry = NULL;
  if (!field(event, BYTES("data: "), &data) ||
      json_parse(&doc, "event", data, &diag) < 0)
    return NULL;
  char *text = cJSON_PrintUnformatted(doc.root);
  char *word = field(event, BYTES("event: "), &name) ? bytes_dup(name) : NULL;
  const cJSON *type = cJSON_GetObjectItemCaseSensitive(doc.root, "type");
  const char *own = cJSON_IsString(type) ? type->valuestring : NULL;
  if (cJSON_IsObject(doc.root) && text && (word || !own || !name.p) &&
      renders_as(p, word ? word : own, text, seq, event)) {
    entry = cJSON_CreateObject();
    cJSON_AddItemToObject(entry, "data", cJSON_Duplicate(doc.root, true));
    if (word && (!own || strcmp(word, own) != 0))
      cJSON_AddStringToObject(entry, "event", word);
  }
  free(word);
  cJSON_free(text);
  json_release(&doc);
  return entry;
}

static bool is_text(struct bytes s)
{
  for (size_t i = 0; i < s.n;) {
    size_t n = bytes_utf8_length((struct bytes){s.p + i, s.n - i});
    if (n == 0 || s.p[i] == '\0')
      return false;
    i += n;
  }
  return true;
}

static cJSON *as_raw(struct bytes event)
{
  cJSON *entry = cJSON_CreateObject();
  struct buf text;
  buf_init(&text, 2 * TAKEN_MAX_BODY);
  bool plain = is_text(event);
  if (plain)
    buf_addb(&text, event);
  else
    base64_encode(event, &text);
  cJSON_AddStringToObject(entry, plain ? "raw" : "raw_base64", buf_str(&text));
  buf_release(&text);
  return entry;
}

static cJSON *as_ping(void)
{
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddTrueToObject(entry, "ping");
  return entry;
}

static cJSON *entry_of(const struct provider *p, struct bytes event,
                       uint64_t seq)
{
  cJSON *entry = NULL;
  if (p && bytes_equal(event, bytes_of(p->ping)))
    return as_ping();
  if (p)
    entry = as_data(p, event, seq);
  if (!entry)
    entry = as_raw(event);
  if (events_is_terminal(event))
    cJSON_AddTrueToObject(entry, "last");
  return entry;
}

/* ---- when ---- */

/* When the body's byte before `end` was there, since the head. */
static int64_t arrival_ms(const struct taken *t, size_t end)
{
  for (size_t i = 0; i < t->npieces; i++)
    if (t->pieces[i].end >= end)
      return t->pieces[i].at_ms;
  if (t->receive_ms > 0 && t->body.n)
    return (int64_t)((double)t->receive_ms * (double)end / (double)t->body.n);
  return 0;
}

static void add_gap(cJSON *entry, int64_t gap_ms)
{
  if (gap_ms > 0)
    cJSON_AddNumberToObject(
        entry, "gap_ms", (double)(gap_ms < MAX_GAP_MS ? gap_ms : MAX_GAP_MS));
}

cJSON *events_of(const struct taken *t, const struct provider *p,
                 bool no_timing)
{
  cJSON *list = cJSON_CreateArray();
  int64_t before_ms = 0;
  uint64_t seq = 0;
  for (size_t at = 0; at < t->body.n;) {
    struct bytes rest = {t->body.p + at, t->body.n - at};
    struct bytes event = {rest.p, event_length(rest)};
    at += event.n;
    cJSON *entry = entry_of(p, event, seq++);
    int64_t now_ms = no_timing ? 0 : arrival_ms(t, at);
    add_gap(entry, now_ms - before_ms);
    before_ms = now_ms > before_ms ? now_ms : before_ms;
    cJSON_AddItemToArray(list, entry);
  }
  return list;
}
