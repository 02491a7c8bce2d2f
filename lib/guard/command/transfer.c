#include "transfer.h"

#include "stop.h"

#include "guard/resume.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  BODY_MAX_BYTES = 32 << 20,
  EVENT_MAX_BYTES = 4 << 20,
  DONE_LINGER_MS = 1000 /* for the end of a stream whose terminal event came */
};

struct pair {
  struct transfer *t;
  const struct guard_limits *limits;
};

static int64_t now_ms(const struct transfer *t)
{
  return clock_now_ns(t->clock) / NS_PER_MS;
}

static void mark_content(struct transfer *t)
{
  t->seen = true;
  t->seen_ms = now_ms(t);
}

static void drop_headers(struct transfer *t)
{
  for (size_t i = 0; i < t->nheaders; i++)
    free((void *)(uintptr_t)t->headers[i].name);
  t->nheaders = 0;
}

void transfer_clear(struct transfer *t)
{
  drop_headers(t);
  buf_release(&t->body);
  if (t->events)
    guard_stream_free(t->events);
  if (t->sse)
    guard_sse_free(t->sse);
  *t = (struct transfer){.provider = t->provider,
                         .stream = t->stream,
                         .strict = t->strict,
                         .track_blocks = t->track_blocks,
                         .live = t->live,
                         .seam = t->seam,
                         .clock = t->clock,
                         .on_head = t->on_head,
                         .on_head_arg = t->on_head_arg,
                         .delivered = t->delivered};
}

/* "name: value\r\n" -> one header; name and value share one allocation. */
static void add_header(struct transfer *t, struct bytes line)
{
  ptrdiff_t colon = bytes_find(line, BYTES(":"));
  if (colon <= 0 || t->nheaders == TRANSFER_MAX_HEADERS)
    return;
  size_t start = (size_t)colon + 1, end = line.n;
  while (end > start && strchr(" \t\r\n", line.p[end - 1]))
    end--;
  while (start < end && strchr(" \t", line.p[start]))
    start++;
  char *copy = bytes_dup((struct bytes){line.p, end});
  copy[colon] = '\0';
  t->headers[t->nheaders++] =
      (struct guard_header){copy, copy + start, end - start};
}

/* The empty line; a 1xx has one too, and its headers say nothing here. */
static void head_ended(struct transfer *t)
{
  if (t->on_head)
    t->on_head(t->on_head_arg);
}

static size_t on_header(char *p, size_t size, size_t n, void *arg)
{
  struct transfer *t = arg;
  struct bytes line = {p, size * n};
  if (bytes_starts(line, BYTES("HTTP/")))
    drop_headers(t); /* those of a 1xx before belong to it */
  else if (line.n > 0 && (line.p[0] == '\r' || line.p[0] == '\n'))
    head_ended(t);
  else
    add_header(t, line);
  return line.n;
}

/* --live: the text that came since the last time. */
static void print_live(struct transfer *t)
{
  if (!t->live)
    return;
  bool ended = guard_stream_state(t->events) != GUARD_STREAM_OPEN;
  live_show(t->live, &t->seam, bytes_of(guard_stream_text(t->events)), ended);
  t->delivered = t->live->shown.n > 0;
}

static void on_event(void *arg, const struct guard_sse_event *e)
{
  struct transfer *t = arg;
  guard_stream_event(t->events, e);
  if (t->track_blocks)
    t->blocks |= guard_resume_block(e);
  if (guard_stream_was_content(t->events))
    mark_content(t);
  print_live(t);
  if (!t->done && guard_stream_state(t->events) != GUARD_STREAM_OPEN) {
    t->done = true;
    t->done_ms = now_ms(t);
  }
}

static bool is_event_stream(const struct transfer *t)
{
  static const char type[] = "text/event-stream";
  for (size_t i = 0; i < t->nheaders; i++)
    if (strcasecmp(t->headers[i].name, "content-type") == 0)
      return strncasecmp(t->headers[i].value, type, sizeof type - 1) == 0;
  return false;
}

/* At the first byte of the body status and headers are known. */
static void begin_body(struct transfer *t, CURL *easy)
{
  long status = 0;
  if (t->status)
    return;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  t->status = (int)status;
  if (!t->stream || t->status != 200 || !is_event_stream(t))
    return;
  t->event_stream = true;
  t->events = guard_stream_new(t->provider->name, t->strict);
  t->sse = guard_sse_new(EVENT_MAX_BYTES, on_event, t);
}

struct writer {
  struct transfer *t;
  CURL *easy;
};

static size_t too_big(struct transfer *t, const char *why)
{
  t->end = TRANSFER_TOO_BIG;
  t->why = why;
  return 0; /* makes libcurl end the transfer */
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
  struct writer *w = arg;
  struct transfer *t = w->t;
  begin_body(t, w->easy);
  if (t->event_stream) {
    if (guard_sse_feed(t->sse, p, size * n) == GUARD_SSE_TOO_BIG)
      return too_big(t, "an event is over the ceiling");
    return size * n;
  }
  mark_content(t);
  buf_add(&t->body, p, size * n);
  return t->body.full ? too_big(t, "the answer is over the ceiling") : size * n;
}

static enum transfer_end end_of(CURLcode code)
{
  switch (code) {
  case CURLE_OK:
    return TRANSFER_COMPLETE;
  case CURLE_OPERATION_TIMEDOUT: /* only the connect time-out is libcurl's */
    return TRANSFER_TIMEOUT;
  case CURLE_UNSUPPORTED_PROTOCOL:
  case CURLE_URL_MALFORMAT:
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_CACERT_BADFILE:
    return TRANSFER_UNUSABLE;
  default:
    return TRANSFER_BROKEN;
  }
}

/* The time-out that strikes next and its name. */
static int64_t timeout_at(const struct pair *p, const char **ret_why)
{
  const struct transfer *t = p->t;
  int64_t at = t->start_ms + p->limits->total_ms;
  int64_t quiet = t->seen ? p->limits->idle_ms : p->limits->first_byte_ms;
  *ret_why = "time-out";
  if (quiet > 0 && t->seen_ms + quiet < at) {
    *ret_why = t->seen ? "idle time-out" : "first-byte time-out";
    at = t->seen_ms + quiet;
  }
  if (t->done && t->done_ms + DONE_LINGER_MS < at) {
    *ret_why = "held open behind its end";
    at = t->done_ms + DONE_LINGER_MS;
  }
  return at;
}

/* Drives the transfer to its end, a time-out or a signal. */
static void drive(CURLM *multi, const struct pair *p)
{
  struct transfer *t = p->t;
  int running = 1;
  while (curl_multi_perform(multi, &running) == CURLM_OK && running) {
    int64_t left = timeout_at(p, &t->why) - now_ms(t);
    if (left <= 0) {
      t->end = t->done ? TRANSFER_BROKEN : TRANSFER_TIMEOUT;
      return;
    }
    struct curl_waitfd stop = {stop_fd(), CURL_WAIT_POLLIN, 0};
    curl_multi_poll(multi, &stop, 1, left > 60000 ? 60000 : (int)left, NULL);
    if (stop_signal()) {
      t->end = TRANSFER_STOPPED;
      t->why = "told to end";
      return;
    }
  }
  int left;
  CURLMsg *m = curl_multi_info_read(multi, &left);
  if (t->end == TRANSFER_TOO_BIG)
    return;
  CURLcode code = m ? m->data.result : CURLE_FAILED_INIT;
  t->end = end_of(code);
  t->why = code == CURLE_OPERATION_TIMEDOUT ? "connect time-out"
                                            : curl_easy_strerror(code);
}

static struct curl_slist *header_list(const struct request *r)
{
  struct curl_slist *list = NULL;
  for (int i = 0; r->headers[i]; i++)
    list = curl_slist_append(list, r->headers[i]);
  /* an empty value takes out what libcurl would send by itself; no answer
   * is waited for before a long body */
  return curl_slist_append(list, "expect:");
}

/* Whom to trust, as the curl program reads it; the library reads neither. */
static const char *trusted_file(void)
{
  const char *file = getenv("CURL_CA_BUNDLE");
  if (!file || !file[0])
    file = getenv("SSL_CERT_FILE");
  return file && file[0] ? file : NULL;
}

static void set_up(CURL *easy, const struct request *r, struct writer *w,
                   const struct guard_limits *limits)
{
  curl_easy_setopt(easy, CURLOPT_URL, r->url);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_PROXY, "");
  const char *trusted = trusted_file();
  if (trusted)
    curl_easy_setopt(easy, CURLOPT_CAINFO, trusted);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_POST, 1L);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, r->body);
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)r->body_n);
  /* 0 would be libcurl's own 300 s; the total time-out stands behind it */
  curl_easy_setopt(
      easy, CURLOPT_CONNECTTIMEOUT_MS,
      (long)(limits->connect_ms ? limits->connect_ms : limits->total_ms));
  curl_easy_setopt(easy, CURLOPT_USERAGENT, "guard/" FAULTWIRE_VERSION);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, w->t);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, w);
}

static bool was_sent(CURL *easy)
{
  long n = 0;
  return curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &n) != CURLE_OK ||
         n > 0;
}

int transfer_run(struct transfer *t, const struct request *r,
                 const struct guard_limits *limits, struct diag *diag)
{
  CURL *easy = curl_easy_init();
  CURLM *multi = curl_multi_init();
  struct curl_slist *list = header_list(r);
  int rc = -1;
  transfer_clear(t);
  buf_init(&t->body, BODY_MAX_BYTES);
  if (easy && multi && list) {
    struct writer w = {t, easy};
    struct pair p = {t, limits};
    set_up(easy, r, &w, limits);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
    t->start_ms = t->seen_ms = now_ms(t);
    curl_multi_add_handle(multi, easy);
    drive(multi, &p);
    begin_body(t, easy); /* for an answer without a body */
    t->sent = was_sent(easy);
    curl_multi_remove_handle(multi, easy);
    rc = 0;
  } else {
    diag_set(diag, "libcurl could not be set up");
  }
  curl_slist_free_all(list);
  curl_easy_cleanup(easy);
  curl_multi_cleanup(multi);
  return rc;
}
