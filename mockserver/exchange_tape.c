/*
 * A scripted stream, entry by entry.
 */
#include "mockserver/exchange_open.h"

#include "base/clock.h"
#include "mockserver/base64.h"
#include "mockserver/json_edit.h"
#include "mockserver/tape.h"
#include "mockserver/tape_find.h"

#include <string.h>

enum { MAX_EVENT = 64 << 20 };

/* How far the stream has come. */
struct tape {
  struct exchange *x;
  size_t block;   /* the one that is open, or was last */
  bool open;      /* it can take deltas */
  bool any;       /* there was one */
  uint64_t piece; /* the next of its deltas */
};

/* ---- one event ---- */

static void edit(const cJSON *entry, cJSON *root)
{
  const char *path = NULL;
  const cJSON *value;
  if (param_string(entry, "null", &path))
    json_edit_set(root, path, NULL);
  cJSON_ArrayForEach(value, param_node(entry, "set"))
  {
    json_edit_set(root, value->string, value);
  }
}

/* The event with the entry's null and set in it. */
static void edit_event(const cJSON *entry, struct buf *event)
{
  struct bytes json;
  struct buf edited;
  if ((!param_has(entry, "null") && !param_has(entry, "set")) ||
      !json_edit_find(buf_bytes(event), &json))
    return;
  cJSON *root = cJSON_ParseWithLength(json.p, json.n);
  if (!root)
    return;
  edit(entry, root);
  buf_init(&edited, MAX_EVENT);
  json_edit_put(buf_bytes(event), root, &edited);
  cJSON_Delete(root);
  buf_reset(event);
  buf_addb(event, buf_bytes(&edited));
  buf_release(&edited);
}

static struct bytes cut_event(const cJSON *entry, struct bytes event)
{
  int64_t n = 0;
  if (!param_int(entry, "bytes", &n))
    return event;
  size_t off = (size_t)(n < 0 ? -n : n);
  if (n < 0)
    event.n = off < event.n ? event.n - off : 0;
  else if (off < event.n)
    event.n = off;
  return event;
}

/* x->body, as the entry changes it; NULL: as it is. */
static bool send_body(struct exchange *x, const cJSON *entry,
                      enum event_kind kind)
{
  if (entry)
    edit_event(entry, &x->body);
  struct bytes event =
      entry ? cut_event(entry, buf_bytes(&x->body)) : buf_bytes(&x->body);
  x->seq++;
  if (event.n)
    exchange_send_event_bytes(x, event, kind);
  return event.n == x->body.n;
}

static void send_cue(struct exchange *x, const struct cue *c,
                     const cJSON *entry)
{
  exchange_wait(x, exchange_pause_ns(x, c, x->seq == 0));
  buf_reset(&x->body);
  x->provider->event(&x->reply, c, x->seq, &x->body);
  bool whole = send_body(x, entry, EVENT_CONTENT);
  if (whole && cue_is_last(x->provider, &x->reply, c))
    exchange_mark_terminal(x);
}

/* All events of a kind; the entry changes the last one. */
static void send_cues(struct tape *t, enum cue_kind kind, const cJSON *entry)
{
  const struct reply *r = &t->x->reply;
  uint64_t n = t->x->provider->cues(r, kind, t->block);
  for (uint64_t i = 0; i < n; i++) {
    struct cue c = {.kind = kind, .block = t->block, .i = i};
    send_cue(t->x, &c, i + 1 == n ? entry : NULL);
  }
}

/* ---- content ---- */

static void close_block(struct tape *t)
{
  if (t->open)
    send_cues(t, CUE_CLOSE, NULL);
  t->open = false;
}

static void open_block(struct tape *t)
{
  close_block(t);
  t->block += t->any;
  t->any = true;
  t->piece = 0;
  t->open = true;
  send_cues(t, CUE_OPEN, NULL);
}

static void send_delta(struct tape *t, const cJSON *entry)
{
  const struct reply *r = &t->x->reply;
  struct cue c = {.kind = CUE_DELTA, .block = t->block, .i = t->piece++};
  if (c.i < t->x->provider->cues(r, CUE_DELTA, t->block))
    send_cue(t->x, &c, entry);
}

static void content(struct tape *t, enum tape_kind k, const cJSON *entry)
{
  int kind = tape_block_of(k);
  if (!t->open || kind == BLOCK_TOOL ||
      (int)t->x->reply.blocks[t->block]->kind != kind)
    open_block(t);
  if (kind == BLOCK_TOOL)
    send_cues(t, CUE_DELTA, entry);
  else
    send_delta(t, entry);
}

static void stop(struct tape *t, const cJSON *entry)
{
  close_block(t);
  send_cues(t, CUE_END, entry);
}

/* An end that is told without the events before it. */
static void term(struct tape *t, const cJSON *entry)
{
  const char *name = "";
  struct cue c;
  size_t block = t->any ? t->block : SIZE_MAX;
  param_string(entry, "term", &name);
  if (!tape_find_term(t->x->provider, &t->x->reply, block, name, &c))
    return;
  if (c.kind == CUE_END)
    close_block(t);
  t->open = false;
  send_cue(t->x, &c, entry);
}

/* ---- what is no content ---- */

static void frame(struct exchange *x, const char *name, struct bytes data)
{
  buf_reset(&x->body);
  x->provider->frame(&x->reply, name, data, x->seq, &x->body);
}

static void send_data(struct exchange *x, const cJSON *entry)
{
  const char *name = NULL;
  const cJSON *data = param_node(entry, "data");
  if (!param_string(entry, "event", &name))
    param_string(data, "type", &name);
  char *text = cJSON_PrintUnformatted(data);
  frame(x, name, bytes_of(text));
  cJSON_free(text);
  send_body(x, entry, EVENT_CONTENT);
}

static void send_unknown(struct exchange *x, const cJSON *entry)
{
  const char *name = "unknown";
  cJSON *data = cJSON_CreateObject(), *member;
  param_string(entry, "unknown", &name);
  cJSON_AddStringToObject(data, "type", name);
  cJSON_ArrayForEach(member, param_node(entry, "data"))
  {
    cJSON_AddItemToObject(data, member->string, cJSON_Duplicate(member, true));
  }
  char *text = cJSON_PrintUnformatted(data);
  frame(x, name, bytes_of(text));
  cJSON_free(text);
  cJSON_Delete(data);
  send_body(x, entry, EVENT_CONTENT);
}

/* In the place of a delta, under its name. */
static void send_bad(struct tape *t, const cJSON *entry)
{
  const char *text = "";
  struct cue c = {.kind = CUE_DELTA, .block = t->block};
  param_string(entry, "bad", &text);
  const char *name = t->block < t->x->reply.nblocks
                         ? t->x->provider->cue_name(&t->x->reply, &c)
                         : NULL;
  frame(t->x, name, bytes_of(text));
  send_body(t->x, entry, EVENT_CONTENT);
}

static void send_comment(struct exchange *x, const cJSON *entry)
{
  const char *text = "", *end = x->provider->line_end;
  param_string(entry, "comment", &text);
  buf_reset(&x->body);
  if (x->call->as_array) /* no JSON has comments */
    buf_adds(&x->body, end);
  else
    buf_addf(&x->body, ": %s%s%s", text, end, end);
  exchange_send_event_bytes(x, buf_bytes(&x->body), EVENT_PING);
}

static void send_raw(struct exchange *x, enum tape_kind k, const cJSON *entry)
{
  const char *text = "";
  param_string(entry, tape_words[k].name, &text);
  buf_reset(&x->body);
  if (k == TAPE_RAW)
    buf_adds(&x->body, text);
  else
    base64_decode(bytes_of(text), &x->body);
  exchange_send_raw(x, buf_bytes(&x->body));
}

static void send_error(struct exchange *x, const cJSON *entry)
{
  const char *name = "";
  param_string(entry, "error", &name);
  x->hints = entry;
  exchange_error_event_bytes(x, name);
  x->hints = NULL;
  send_body(x, entry, EVENT_ERROR);
}

static void send_null(struct tape *t, const cJSON *entry)
{
  const char *path = "";
  struct cue c;
  param_string(entry, "null", &path);
  if (tape_find_field(t->x->provider, &t->x->reply, t->block, path, &c))
    send_cue(t->x, &c, entry);
}

static int64_t seconds_ns(const cJSON *entry, const char *key)
{
  double s = 0;
  return param_number(entry, key, &s) ? (int64_t)(s * (double)NS_PER_S) : -1;
}

/* A silence, or pings without end: where clients leave. What they leave is the
 * fault, whatever would have come behind it. */
static void leave_time(struct exchange *x, enum tape_kind k, const cJSON *entry)
{
  exchange_mark_fault(x);
  if (k == TAPE_WAIT)
    exchange_wait(x, seconds_ns(entry, "wait"));
  else
    exchange_send_pings(x, seconds_ns(entry, "pingloop"),
                        seconds_ns(entry, "for"));
}

/* Words that are neither content nor an end. */
static void aside(struct tape *t, enum tape_kind k, const cJSON *entry)
{
  struct exchange *x = t->x;
  if (k == TAPE_PING)
    exchange_send_ping(x);
  else if (k == TAPE_COMMENT)
    send_comment(x, entry);
  else if (k == TAPE_WAIT || k == TAPE_PINGLOOP)
    leave_time(x, k, entry);
  else if (k == TAPE_UNKNOWN)
    send_unknown(x, entry);
  else if (k == TAPE_DATA)
    send_data(x, entry);
  else if (k == TAPE_BAD)
    send_bad(t, entry);
  else if (k == TAPE_RAW || k == TAPE_RAW_BASE64)
    send_raw(x, k, entry);
  else if (k == TAPE_ERROR)
    send_error(x, entry);
  else if (k == TAPE_NULL)
    send_null(t, entry);
}

static void perform(struct tape *t, const cJSON *entry)
{
  int64_t gap_ms = 0;
  enum tape_kind k = tape_kind_of(entry);
  if (param_int(entry, "gap_ms", &gap_ms))
    exchange_wait(t->x, gap_ms * NS_PER_MS);
  bool last = false;
  if (k == TAPE_START)
    send_cues(t, CUE_START, entry);
  else if (k == TAPE_STOP)
    stop(t, entry);
  else if (k == TAPE_TERM)
    term(t, entry);
  else if (tape_block_of(k) >= 0)
    content(t, k, entry);
  else
    aside(t, k, entry);
  if (param_bool(entry, "last", &last) && last)
    exchange_mark_terminal(t->x);
}

void exchange_send_tape(struct exchange *x, const cJSON *events, uint64_t n)
{
  struct tape t = {.x = x};
  const cJSON *entry;
  cJSON_ArrayForEach(entry, events)
  {
    if (n-- == 0)
      break;
    perform(&t, entry);
  }
}
