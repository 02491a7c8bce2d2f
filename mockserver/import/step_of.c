/*
 * An exchange of a log as a step: what draft_take does.
 */
#include "mockserver/import/draft.h"

#include "mockserver/base64.h"
#include "mockserver/call.h"
#include "mockserver/endpoint.h"
#include "mockserver/exchange.h"
#include "mockserver/import/events.h"
#include "mockserver/import/moment.h"
#include "mockserver/import/scrub.h"
#include "mockserver/import/shape_of.h"
#include "mockserver/provider/provider.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

/* A day, as delay_ms has it. */
#define MAX_DELAY_MS 86400000
enum { MAX_TEXT = 24 << 20 };

/* What is being made. */
struct making {
  struct draft *d;
  const struct taken *t;
  struct call call;
  bool known;   /* the log names a path of an API */
  bool stream;  /* the answer is an event stream */
  bool counted; /* its head has said how its body ends */
  struct moment moment;
  cJSON *step;
};

static bool is(const struct taken_header *h, const char *name)
{
  return strcasecmp(h->name, name) == 0;
}

static bool says(const struct taken *t, const char *name, const char *word)
{
  const struct taken_header *h = taken_find(t, name);
  return h && strcasestr(buf_str(&h->value), word);
}

/* ---- the head ---- */

static void add_pair(struct making *m, const char *name, struct bytes value)
{
  struct buf text, kept;
  cJSON *pair = cJSON_CreateArray();
  cJSON *headers = cJSON_GetObjectItem(m->step, "headers");
  struct moment none = {false, 0};
  buf_init(&text, MAX_TEXT);
  buf_init(&kept, MAX_TEXT);
  buf_addb(&kept, value);
  if (scrub_is_secret_header(bytes_of(name)))
    scrub_value(kept.p, kept.n);
  else
    scrub_text(kept.p, kept.n);
  moment_header(m->d->o.literal_times ? &none : &m->moment, name,
                buf_bytes(&kept), &text);
  cJSON_AddItemToArray(pair, cJSON_CreateString(name));
  cJSON_AddItemToArray(pair, cJSON_CreateString(buf_str(&text)));
  cJSON_AddItemToArray(headers, pair);
  buf_release(&text);
  buf_release(&kept);
}

/* The length that is announced: the log's when an answer broke off. */
static void add_length(struct making *m, const char *name,
                       const struct taken_header *logged)
{
  char number[32];
  const struct taken *t = m->t;
  int n = snprintf(number, sizeof number, "%zu",
                   t->body.n + (t->end != TAKEN_WHOLE && !logged));
  if (m->counted)
    return;
  m->counted = true;
  if (logged && t->end != TAKEN_WHOLE) {
    add_pair(m, name, buf_bytes(&logged->value));
    return;
  }
  add_pair(m, name, (struct bytes){number, (size_t)n});
}

static void add_framing(struct making *m, const struct taken_header *h)
{
  bool length = is(h, "content-length");
  if (m->stream) {
    if (!length && !m->counted)
      add_pair(m, h->name, buf_bytes(&h->value));
    m->counted |= !length;
  } else if (!length) {
    add_length(m, "content-length", NULL);
  } else {
    add_length(m, h->name, h);
  }
}

static void add_header(struct making *m, const struct taken_header *h)
{
  const struct taken *t = m->t;
  if (h->name[0] == ':' || !h->name[0])
    return; /* HTTP/2's own */
  if (scrub_drops_header(bytes_of(h->name)) || strpbrk(h->name, "{}\r\n ")) {
    draft_note(m->d, "entry %d: the header %s is left out", t->number, h->name);
    return;
  }
  if (is(h, "content-encoding") && t->decoded) {
    draft_note(m->d,
               "entry %d: content-encoding is left out, the log holds the "
               "decoded body",
               t->number);
    return;
  }
  if (is(h, "content-length") || is(h, "transfer-encoding"))
    add_framing(m, h);
  else
    add_pair(m, h->name, buf_bytes(&h->value));
}

/* Neither a body nor its length (RFC 9110 8.6, 15.3.5, 15.4.5). */
static bool has_no_body(const struct making *m)
{
  return m->t->status == 204 || m->t->status == 304 ||
         bytes_equal(buf_bytes(&m->t->method), BYTES("HEAD"));
}

static bool until_close(const struct making *m)
{
  return m->t->http_1 && says(m->t, "connection", "close") &&
         !taken_find(m->t, "content-length") &&
         !taken_find(m->t, "transfer-encoding");
}

static void add_head(struct making *m)
{
  const struct taken *t = m->t;
  struct buf reason;
  struct moment none = {false, 0};
  buf_init(&reason, MAX_TEXT);
  moment_header(&none, "", buf_bytes(&t->reason), &reason);
  if (!m->stream && t->has_reason &&
      strcmp(buf_str(&reason), exchange_reason(t->status)) != 0)
    cJSON_AddStringToObject(m->step, "reason", buf_str(&reason));
  buf_release(&reason);
  cJSON_AddFalseToObject(m->step, "default_headers");
  cJSON_AddArrayToObject(m->step, "headers");
  for (size_t i = 0; i < t->nheaders; i++)
    add_header(m, &t->headers[i]);
  if (m->counted || has_no_body(m) || until_close(m))
    return;
  if (m->stream)
    add_pair(m, "transfer-encoding", BYTES("chunked"));
  else
    add_length(m, "content-length", NULL);
}

/* ---- the body ---- */

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

static void add_body(struct making *m)
{
  struct buf kept, text;
  struct moment none = {false, 0};
  if (!m->t->body.n)
    return;
  buf_init(&kept, MAX_TEXT);
  buf_init(&text, MAX_TEXT);
  buf_addb(&kept, buf_bytes(&m->t->body));
  bool plain = is_text(buf_bytes(&kept));
  if (plain) {
    scrub_text(kept.p, kept.n);
    moment_body(m->d->o.literal_times ? &none : &m->moment, buf_bytes(&kept),
                &text);
  } else {
    base64_encode(buf_bytes(&kept), &text);
  }
  cJSON_AddStringToObject(m->step, plain ? "body" : "body_base64",
                          buf_str(&text));
  buf_release(&kept);
  buf_release(&text);
}

static void end_plain(struct making *m)
{
  static const char *const words[] = {
      [TAKEN_CLOSED] = "fin", [TAKEN_RESET] = "rst", [TAKEN_SILENT] = "hold"};
  if (m->t->end != TAKEN_WHOLE && m->t->end != TAKEN_REFUSED)
    cJSON_AddStringToObject(m->step, "close", words[m->t->end]);
  else if (says(m->t, "connection", "close"))
    cJSON_AddStringToObject(m->step, "close", "fin");
}

static void make_plain(struct making *m)
{
  cJSON_AddStringToObject(m->step, "fault", "status");
  cJSON_AddNumberToObject(m->step, "status", m->t->status);
  add_head(m);
  add_body(m);
  end_plain(m);
}

static void end_stream(struct making *m)
{
  static const char *const words[] = {[TAKEN_WHOLE] = "complete",
                                      [TAKEN_CLOSED] = "dirty",
                                      [TAKEN_RESET] = "rst",
                                      [TAKEN_SILENT] = "hold",
                                      [TAKEN_REFUSED] = "complete"};
  const char *word = words[m->t->end];
  if (m->t->end == TAKEN_WHOLE && until_close(m))
    word = "eof";
  cJSON_AddStringToObject(m->step, "ending", word);
  if (m->t->end == TAKEN_WHOLE && says(m->t, "connection", "close") &&
      strcmp(word, "eof") != 0)
    cJSON_AddStringToObject(m->step, "close", "fin");
}

static void make_stream(struct making *m)
{
  struct taken copy = *m->t; /* its body alone is another */
  buf_init(&copy.body, TAKEN_MAX_BODY);
  buf_addb(&copy.body, buf_bytes(&m->t->body));
  scrub_text(copy.body.p, copy.body.n);
  const struct provider *p = m->call.provider;
  cJSON_AddStringToObject(m->step, "fault", "stream");
  add_head(m);
  cJSON_AddItemToObject(
      m->step, "events",
      events_of(&copy, p ? p : m->d->o.provider, m->d->o.no_timing));
  end_stream(m);
  buf_release(&copy.body);
}

/* No head came. */
static bool make_nothing(struct making *m)
{
  switch (m->t->end) {
  case TAKEN_RESET:
    cJSON_AddStringToObject(m->step, "fault", "reset");
    return true;
  case TAKEN_SILENT:
    cJSON_AddStringToObject(m->step, "fault", "hang");
    return true;
  case TAKEN_CLOSED:
    cJSON_AddStringToObject(m->step, "fault", "raw");
    cJSON_AddStringToObject(m->step, "bytes", "");
    return true;
  case TAKEN_REFUSED:
    draft_note(m->d,
               "entry %d: the connection was refused, which no step can say; "
               "see `port` in docs/scenario.md",
               m->t->number);
    return false;
  default:
    draft_note(m->d, "entry %d: has neither a status nor a known error",
               m->t->number);
    return false;
  }
}

/* ---- which call ---- */

static void read_call(struct making *m)
{
  const struct taken *t = m->t;
  bool post = t->method.n == 0;
  struct request r = {.method = post ? BYTES("POST") : buf_bytes(&t->method),
                      .target = buf_bytes(&t->target),
                      .version = BYTES("HTTP/1.1"),
                      .body = buf_bytes(&t->request)};
  call_read(&m->call, &r);
  m->known =
      t->target.n && (m->call.endpoint == ENDPOINT_GENERATE || m->call.route);
}

static bool is_wanted(struct making *m)
{
  const struct taken *t = m->t;
  if (m->d->o.host && t->host.n &&
      fnmatch(m->d->o.host, buf_str(&t->host), 0) != 0)
    return false;
  return m->known || !t->target.n;
}

/* The body's framing of events is a stream's, and the call can have one. */
static bool is_stream(const struct making *m)
{
  bool generates = !m->known || m->call.endpoint == ENDPOINT_GENERATE;
  bool asked = !m->t->has_request || m->call.stream;
  return m->t->status == 200 && generates && asked &&
         says(m->t, "content-type", "text/event-stream") &&
         (m->t->decoded || !taken_find(m->t, "content-encoding"));
}

static void tag(struct making *m)
{
  struct drafted *item = draft_add(m->d, m->step);
  item->provider = m->known ? m->call.provider : m->d->o.provider;
  item->pattern = m->known ? m->call.pattern : NULL;
  item->endpoint = m->known && m->call.endpoint != ENDPOINT_GENERATE;
  snprintf(item->lane, sizeof item->lane, "%s",
           m->t->lane[0] ? m->t->lane : m->call.lane);
  if (!item->endpoint) {
    if (m->d->o.shape && m->t->has_request)
      shape_of(&m->call, buf_bytes(&m->t->request), m->step);
    return;
  }
  cJSON *match = cJSON_AddObjectToObject(m->step, "match");
  cJSON_AddStringToObject(match, "endpoint", endpoint_name(&m->call));
}

static void add_delay(struct making *m)
{
  int64_t ms = m->t->wait_ms;
  if (ms <= 0 || m->d->o.no_timing || m->t->status == 0)
    return;
  cJSON_AddNumberToObject(m->step, "delay_ms",
                          (double)(ms < MAX_DELAY_MS ? ms : MAX_DELAY_MS));
}

static struct moment moment_of_answer(const struct taken *t)
{
  int64_t date_s = -1, log_ms = t->at_ms;
  const struct taken_header *date = taken_find(t, "date");
  if (log_ms >= 0 && t->wait_ms > 0)
    log_ms += t->wait_ms;
  if (!date || !moment_http_date(buf_bytes(&date->value), &date_s))
    date_s = -1;
  return moment_of(log_ms, date_s < 0 ? -1 : date_s * 1000);
}

static bool has_final_status(const struct making *m)
{
  if (m->t->status == 0 || (m->t->status >= 200 && m->t->status <= 999))
    return true;
  draft_note(m->d, "entry %d: an answer of %d is not carried over",
             m->t->number, m->t->status);
  return false;
}

void draft_take(struct draft *d, const struct taken *t)
{
  struct making m = {.d = d, .t = t, .moment = moment_of_answer(t)};
  read_call(&m);
  if (!is_wanted(&m)) {
    draft_skip(d, buf_bytes(&t->host));
    return;
  }
  if (!has_final_status(&m))
    return;
  m.stream = is_stream(&m);
  m.step = cJSON_CreateObject();
  if (t->status && m.stream)
    make_stream(&m);
  else if (t->status)
    make_plain(&m);
  else if (!make_nothing(&m)) {
    cJSON_Delete(m.step);
    return;
  }
  add_delay(&m);
  tag(&m);
}
