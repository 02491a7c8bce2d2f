#include "mockserver/import/journal_line.h"

#include "mockserver/call.h"
#include "mockserver/provider/provider.h"

#include <string.h>

/* Shorter ones are what any answer takes. */
#define MIN_DELAY_MS 5
#define MAX_MS 86400000
#define MAX_NS 9.2e18

struct line {
  const char *cls, *end, *method, *target, *lane, *provider, *fault, *what,
      *retry_after, *channel;
  double seq, status, events, end_request_ns, first_ns, last_ns, barrier;
  bool stream_sent, complete;
  const struct provider *p;
  cJSON *step;
  struct draft *d;
};

bool journal_line_is(const struct jval *v)
{
  struct jval m;
  return jval_member(v, "seq", &m) && jval_member(v, "rule", &m) &&
         jval_member(v, "first_byte_ns", &m);
}

static int read_texts(struct line *l, const struct jval *v, struct diag *diag)
{
  const struct {
    const char *key;
    const char **ret;
  } rows[] = {{"class", &l->cls},
              {"end", &l->end},
              {"method", &l->method},
              {"target", &l->target},
              {"lane", &l->lane},
              {"provider", &l->provider},
              {"fault", &l->fault},
              {"what", &l->what},
              {"retry_after", &l->retry_after},
              {"channel", &l->channel}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool may_miss = strcmp(rows[i].key, "channel") == 0;
    *rows[i].ret =
        may_miss || strcmp(rows[i].key, "retry_after") == 0 ? NULL : "";
    if (read_text(v, rows[i].key, rows[i].ret, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_line(struct line *l, const struct jval *v, struct diag *diag)
{
  const struct {
    const char *key;
    double *ret;
  } rows[] = {{"seq", &l->seq},
              {"status", &l->status},
              {"events_sent", &l->events},
              {"end_request_ns", &l->end_request_ns},
              {"answer_first_ns", &l->first_ns},
              {"answer_last_ns", &l->last_ns},
              {"barrier_round", &l->barrier}};
  if (read_texts(l, v, diag) < 0 ||
      read_bool(v, "stream_sent", &l->stream_sent, diag) < 0 ||
      read_bool(v, "complete", &l->complete, diag) < 0)
    return -1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (read_number(v, rows[i].key, 0, MAX_NS, rows[i].ret, diag) < 0)
      return -1;
  return 0;
}

/* ---- the fault ---- */

static void put(struct line *l, const char *key, const char *value)
{
  cJSON_AddStringToObject(l->step, key, value);
}

static bool is(const struct line *l, const char *fault)
{
  return strcmp(l->fault, fault) == 0;
}

static bool tells(const struct line *l, const char *words)
{
  return strstr(l->what, words) != NULL;
}

/* The name of a quota ("quota:requests") among those of the error. */
static const char *quota_of(const struct provider_error *e, char room[64])
{
  const char *at = strncmp(e->name, "quota:", 6) == 0 ? e->name
                   : e->also ? strstr(e->also, "quota:")
                             : NULL;
  if (!at)
    return NULL;
  snprintf(room, 64, "%.*s", (int)strcspn(at + 6, " "), at + 6);
  return room;
}

/* An error of the provider by its name, said by the kind that sent it where
 * the kind still says it without more words. */
static void put_error(struct line *l, const struct provider_error *e)
{
  static const char *const kinds[] = {"rate_limit", "overloaded", "usage_limit",
                                      NULL};
  char room[64];
  const char *quota = quota_of(e, room);
  for (const char *const *k = kinds; *k; k++)
    if (provider_error_find(l->p, *k) == e) {
      put(l, "fault", *k);
      return;
    }
  if (quota) {
    put(l, "fault", "rate_limit");
    put(l, "quota", quota);
    return;
  }
  put(l, "fault", "status");
  put(l, "error", e->name);
}

static void note_content(const struct line *l)
{
  draft_note(l->d, "attempt %.0f: what the fault '%s' sent is not in a journal",
             l->seq, l->fault);
}

static void put_status(struct line *l)
{
  const char *name = strchr(l->what, ' ');
  const struct provider_error *e =
      name && l->p ? provider_error_find(l->p, name + 1) : NULL;
  if (e) {
    put_error(l, e);
  } else {
    put(l, "fault", "status");
    cJSON_AddNumberToObject(l->step, "status",
                            l->status < 200 ? 200 : l->status);
    note_content(l);
  }
  if (l->retry_after)
    put(l, "retry_after", l->retry_after);
}

/* So many events, and at least one behind them. */
static void put_events(struct line *l, double before)
{
  cJSON_AddNumberToObject(l->step, "after_event", before);
  if (before > 2)
    cJSON_AddNumberToObject(l->step, "chunks", before + 1);
}

static void put_gap(struct line *l)
{
  double ms = (l->last_ns - l->first_ns) / 1e6;
  if (l->events < 2 || l->d->o.no_timing)
    return;
  ms /= l->events - 1;
  if (ms >= 1 && ms < MAX_MS)
    cJSON_AddNumberToObject(l->step, "gap_ms", (double)(int64_t)ms);
}

static void put_stream(struct line *l)
{
  const char *ending = tells(l, "cut cleanly")       ? "clean"
                       : tells(l, "reset")           ? "rst"
                       : tells(l, "inside an event") ? "fin"
                       : tells(l, "cut by FIN")      ? "fin"
                       : tells(l, "not closed")      ? "dirty"
                       : tells(l, "until FIN")       ? "eof"
                       : tells(l, "then silence")    ? "hold"
                                                     : "clean";
  put(l, "fault", l->fault);
  put(l, "ending", is(l, "stream") && l->complete ? "complete" : ending);
  if (is(l, "stream"))
    note_content(l);
  if (!l->complete)
    put_events(l, l->events);
  put_gap(l);
}

static void put_stream_error(struct line *l)
{
  const char *name = strstr(l->what, ", then ");
  put(l, "fault", "stream_error");
  if (name && l->p && provider_error_find(l->p, name + 7))
    put(l, "error", name + 7);
  put_events(l, l->events > 0 ? l->events - 1 : 0);
  put_gap(l);
}

static void put_stall(struct line *l)
{
  bool before = !tells(l, "then silence");
  bool inside = l->stream_sent && l->events > 0;
  double ms =
      (before ? l->first_ns - l->end_request_ns : l->last_ns - l->first_ns) /
      1e6;
  put(l, "fault", "stall");
  put(l, "where",
      before   ? "before_headers"
      : inside ? "after_event"
               : "after_headers");
  if (inside && !l->complete)
    put_events(l, l->events);
  if (l->complete && ms >= 1 && ms <= MAX_MS)
    cJSON_AddNumberToObject(l->step, "for_s", ms / 1000);
}

static void put_raw(struct line *l)
{
  put(l, "fault", "raw");
  put(l, "bytes", "");
  note_content(l);
}

static void put_reply(struct line *l)
{
  put(l, "reply", "message");
  if (is(l, "wire")) {
    note_content(l);
    if (strcmp(l->end, "rst") == 0 || strcmp(l->end, "fin") == 0)
      put(l, "close", l->end);
  }
  if (l->stream_sent)
    put_gap(l);
}

static void put_fault(struct line *l)
{
  static const struct {
    const char *fault;
    void (*put)(struct line *l);
  } rows[] = {{"rate_limit", put_status},  {"overloaded", put_status},
              {"usage_limit", put_status}, {"status", put_status},
              {"bad_body", put_status},    {"stream_cut", put_stream},
              {"stream", put_stream},      {"stream_error", put_stream_error},
              {"stall", put_stall},        {"raw", put_raw}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is(l, rows[i].fault)) {
      rows[i].put(l);
      return;
    }
  if (is(l, "reset") || is(l, "hang"))
    put(l, "fault", l->fault);
  else if (l->status >= 400)
    put_status(l); /* refused by the limiter, or passed on */
  else
    put_reply(l);
}

static void put_delay(struct line *l)
{
  double ms = (l->first_ns - l->end_request_ns) / 1e6;
  if (l->first_ns <= 0 || ms < MIN_DELAY_MS || l->d->o.no_timing ||
      is(l, "stall"))
    return;
  cJSON_AddNumberToObject(l->step, "delay_ms",
                          ms < MAX_MS ? (double)(int64_t)ms : MAX_MS);
}

/* ---- the line ---- */

static void add(struct line *l)
{
  struct call call;
  struct request r = {.method = bytes_of(l->method),
                      .target = bytes_of(l->target),
                      .version = BYTES("HTTP/1.1")};
  call_read(&call, &r);
  struct drafted *item = draft_add(l->d, l->step);
  item->provider = l->p;
  item->pattern = call.endpoint == ENDPOINT_GENERATE ? call.pattern : NULL;
  snprintf(item->lane, sizeof item->lane, "%s", l->lane);
}

int journal_line_read(struct draft *d, const struct jval *v, struct diag *diag)
{
  struct line l = {.d = d};
  if (read_line(&l, v, diag) < 0)
    return -1;
  if (l.channel) {
    draft_note(d, "attempt %.0f: the start of a command is not carried over",
               l.seq);
    return 0;
  }
  if (strcmp(l.cls, "call") != 0) {
    draft_skip(d, bytes_of(l.cls));
    return 0;
  }
  if (l.barrier > 0)
    draft_note(d, "attempt %.0f: its barrier is not carried over", l.seq);
  l.p = provider_find(l.provider);
  l.step = cJSON_CreateObject();
  put_fault(&l);
  put_delay(&l);
  add(&l);
  return 0;
}
