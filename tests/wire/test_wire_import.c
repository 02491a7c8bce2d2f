/*
 * Logs on their way to the wire: what was logged comes out again, byte for
 * byte, from a scenario that import made.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"
#include "tests/wire/call.h"

#include "mockserver/import/format.h"
#include "mockserver/import/import.h"

#include <string.h>

/* The server's clock starts at Mon, 01 Dec 2025 00:00:00 GMT, the log's
 * moment: computed times come out as they were. */
#define AT "2025-12-01T00:00:00Z"

/* ---- from a log to steps ---- */

static char *imported(const char *format, struct bytes log)
{
  struct draft d;
  struct buf text;
  struct diag diag = {0};
  char why[1024] = "";
  const struct import_options o = {.name = "log"};
  draft_init(&d, &o);
  buf_init(&text, JSON_MAX_BYTES);
  int rc = import_text(&d, format_find(format), "log", log, &diag);
  if (rc == 0)
    rc = draft_write(&d, "log", &text, &diag);
  diag_format(&diag, why, sizeof why);
  if (rc < 0)
    fail_msg("%s", why);
  draft_release(&d);
  return buf_detach(&text);
}

/* The steps without their brackets, for call_open. */
static char *steps_of(const char *scenario)
{
  cJSON *root = cJSON_Parse(scenario);
  char *list = cJSON_PrintUnformatted(cJSON_GetObjectItem(root, "steps"));
  assert_non_null(list);
  char *steps = bytes_dup((struct bytes){list + 1, strlen(list) - 2});
  cJSON_free(list);
  cJSON_Delete(root);
  return steps;
}

/* ---- what a log says ---- */

struct logged {
  const char *id, *status_line, *headers, *body;
  enum wire_end end;
};

/* Bodies of streams are shown without chunks, one chunk an event is added. */
static const struct logged answers[] = {
    {"429 with dates", "HTTP/1.1 429 Too Many Requests",
     "Date: Mon, 01 Dec 2025 00:00:00 GMT\r\nContent-Type: application/json\r\n"
     "Retry-After: Mon, 01 Dec 2025 00:00:07 GMT\r\n"
     "anthropic-ratelimit-requests-reset: 2025-12-01T00:01:00Z\r\n"
     "x-ratelimit-reset: 1764547260\r\nX-Reset-MS: 1764547260250\r\n"
     "x-long-ago: Mon, 01 Dec 1997 00:00:00 GMT\r\nContent-Length: 78\r\n",
     "{\"error\":{\"message\":\"until 1764547300 or 2025-12-01T03:00:00Z, "
     "{{no}} value\"}}",
     WIRE_OPEN},
    {"odd reason, doubles", "HTTP/1.1 529 Site is overloaded",
     "x-a: 1\r\nX-A: 2\r\nX-Empty:\r\ncontent-length: 0\r\n", "", WIRE_OPEN},
    {"lines and letters", "HTTP/1.1 503 Service Unavailable",
     "content-type: text/html\r\ncontent-length: 26\r\n",
     "<html>\n{{{{ \xc3\xa9\xe2\x82\xac\r\n</html>", WIRE_OPEN},
    {"closed by FIN", "HTTP/1.1 500 Internal Server Error",
     "connection: close\r\ncontent-length: 2\r\n", "no", WIRE_FIN},
    {"no content", "HTTP/1.1 204 No Content", "x-b: c\r\n", "", WIRE_OPEN}};

static void add_headers(struct buf *b, const char *lines)
{
  bool first = true;
  buf_adds(b, "[");
  while (*lines) {
    const char *end = strstr(lines, "\r\n"), *colon = strchr(lines, ':');
    const char *value = colon + 1 + (colon[1] == ' ');
    buf_adds(b, first ? "{\"name\":" : ",{\"name\":");
    buf_add_json(b, (struct bytes){lines, (size_t)(colon - lines)});
    buf_adds(b, ",\"value\":");
    buf_add_json(b, (struct bytes){value, (size_t)(end - value)});
    buf_adds(b, "}");
    lines = end + 2;
    first = false;
  }
  buf_adds(b, "]");
}

static void add_har(struct buf *b, const struct logged *l, const char *target)
{
  buf_adds(b, "{\"log\":{\"version\":\"1.2\",\"entries\":[{"
              "\"startedDateTime\":\"" AT "\",\"request\":{\"method\":"
              "\"POST\",\"url\":\"https://api.example.com");
  buf_adds(b, target);
  buf_addf(b, "\"},\"response\":{\"status\":%.3s,\"statusText\":",
           l->status_line + 9);
  buf_add_json(b, bytes_of(l->status_line + 13));
  buf_adds(b, ",\"httpVersion\":\"HTTP/1.1\",\"headers\":");
  add_headers(b, l->headers);
  buf_adds(b, ",\"content\":{\"text\":");
  buf_add_json(b, bytes_of(l->body));
  buf_adds(b, "}},\"timings\":{\"wait\":0,\"receive\":0}}]}}");
}

static void add_jsonl(struct buf *b, const struct logged *l, const char *target)
{
  buf_adds(b, "{\"at\":\"" AT "\",\"method\":\"POST\",\"path\":");
  buf_add_json(b, bytes_of(target));
  buf_addf(b, ",\"status\":%.3s,\"reason\":", l->status_line + 9);
  buf_add_json(b, bytes_of(l->status_line + 13));
  buf_adds(b, ",\"headers\":");
  add_headers(b, l->headers);
  buf_adds(b, ",\"body\":");
  buf_add_json(b, bytes_of(l->body));
  buf_adds(b, "}\n");
}

static void add_curl(struct buf *b, const struct logged *l, const char *target)
{
  buf_adds(b, "*   Trying 127.0.0.1:443...\n* Connected to x (127.0.0.1)\n");
  buf_addf(b, "> POST %s HTTP/1.1\r\n> Host: x\r\n> \r\n} [5 bytes data]\n",
           target);
  buf_addf(b, "< %s\r\n", l->status_line);
  for (const char *p = l->headers; *p; p = strstr(p, "\r\n") + 2)
    buf_addf(b, "< %.*s\r\n", (int)(strstr(p, "\r\n") - p), p);
  buf_adds(b, "< \r\n{ [99 bytes data]\n");
  buf_adds(b, l->body);
  buf_adds(b, "* Connection #0 to host x left intact\n");
}

static const struct {
  const char *name;
  void (*add)(struct buf *b, const struct logged *l, const char *target);
} logs[] = {{"har", add_har}, {"jsonl", add_jsonl}, {"curl", add_curl}};

static void check_round_trip(const char *provider, const struct logged *l,
                             size_t log, unsigned seed)
{
  struct wire_call c;
  struct buf text;
  char *target = call_target(provider, "", false);
  buf_init(&text, 1 << 20);
  logs[log].add(&text, l, target);
  char *scenario = imported(logs[log].name, buf_bytes(&text));
  char *steps = steps_of(scenario);
  char *want =
      mem_format("%s\r\n%s\r\n%s", l->status_line, l->headers, l->body);
  call_open(&c, provider, steps, false, "");
  call_send_pieces(&c, seed);
  enum wire_end end = call_collect(&c);
  if (strcmp(buf_str(&c.got), want) != 0)
    fail_msg("%s, %s, %s: got\n%s\nwant\n%s", provider, logs[log].name, l->id,
             buf_str(&c.got), want);
  if (end != l->end)
    fail_msg("%s, %s: ended as %d", logs[log].name, l->id, (int)end);
  call_close(&c);
  free(want);
  free(steps);
  free(scenario);
  free(target);
  buf_release(&text);
}

static void a_logged_answer_comes_out_byte_for_byte(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t log = 0; log < COUNT(logs); log++)
      for (size_t i = 0; i < COUNT(answers); i++)
        check_round_trip(*p, &answers[i], log, (unsigned)(i + 3 * log));
}

/* ---- streams ---- */

static const char *const events[] = {
    "event: message_start\ndata: {\"type\":\"message_start\",\"n\":1.50}\n\n",
    "event: ping\ndata: {\"type\": \"ping\"}\n\n",
    "event: x\ndata: {\"type\":\"y\",\"text\":\"\xc3\xa9 {{a}}\"}   \n\n",
    ": a comment\r\n\r\n",
    "data: {\"b\":[1,2,{\"c\":null}]}\n\n",
    "data: [DONE]\n\n",
    "data: cut in the mid"};

static const struct {
  const char *id, *error, *tail;
  enum wire_end end;
  bool complete;
} endings[] = {{"whole", NULL, "0\r\n\r\n", WIRE_OPEN, true},
               {"closed", "socket hang up", "", WIRE_FIN, false},
               {"reset", "read ECONNRESET", "", WIRE_RST, false},
               {"silent", "Read timed out", "", WIRE_OPEN, false}};

#define STREAM_HEAD                                                            \
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-B: c\r\n"           \
  "Transfer-Encoding: chunked\r\n\r\n"

static char *stream_log(const char *target, const char *error)
{
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_adds(&b, "{\"path\":");
  buf_add_json(&b, bytes_of(target));
  buf_adds(&b, ",\"status\":200,\"headers\":[[\"Content-Type\","
               "\"text/event-stream\"],[\"X-B\",\"c\"],"
               "[\"Transfer-Encoding\",\"chunked\"]],\"events\":[");
  for (size_t i = 0; i < COUNT(events); i++) {
    buf_addf(&b, "%s{\"gap_ms\":%zu,\"raw\":", i ? "," : "", 100 * i);
    buf_add_json(&b, bytes_of(events[i]));
    buf_adds(&b, "}");
  }
  buf_adds(&b, "]");
  if (error)
    buf_addf(&b, ",\"error\":\"%s\"", error);
  buf_adds(&b, "}\n");
  return buf_detach(&b);
}

static char *stream_bytes(const char *tail)
{
  struct buf b;
  buf_init(&b, 1 << 20);
  buf_adds(&b, STREAM_HEAD);
  for (size_t i = 0; i < COUNT(events); i++)
    buf_addf(&b, "%zx\r\n%s\r\n", strlen(events[i]), events[i]);
  buf_adds(&b, tail);
  return buf_detach(&b);
}

static void check_stream(const char *provider, size_t ending, unsigned seed)
{
  struct wire_call c;
  char *target = call_target(provider, "", true);
  char *log = stream_log(target, endings[ending].error);
  char *scenario = imported("jsonl", bytes_of(log));
  char *steps = steps_of(scenario);
  char *want = stream_bytes(endings[ending].tail);
  call_open(&c, provider, steps, true, "");
  call_send_pieces(&c, seed);
  enum wire_end end = call_collect(&c);
  if (strcmp(buf_str(&c.got), want) != 0 || end != endings[ending].end)
    fail_msg("%s, %s: %d, got\n%s\nwant\n%s", provider, endings[ending].id,
             (int)end, buf_str(&c.got), want);
  wire_stop(&c.w);
  const struct attempt *a = journal_get(c.w.journal, 0);
  assert_int_equal(a->complete, endings[ending].complete);
  assert_true(a->terminal_sent);
  if (end == WIRE_FIN) /* 100 + 200 + ... ms of gaps */
    assert_true(a->answer_last_ns - a->answer_first_ns >= 2100 * NS_PER_MS);
  call_close(&c);
  free(want);
  free(steps);
  free(scenario);
  free(log);
  free(target);
}

static void a_logged_stream_comes_out_event_by_event(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t i = 0; i < COUNT(endings); i++)
      check_stream(*p, i, (unsigned)i + 11);
}

/* ---- a journal ---- */

static const struct {
  const char *step;
  bool stream;
} journaled[] = {
    {"{\"fault\":\"rate_limit\",\"retry_after\":\"2\"}", true},
    {"{\"fault\":\"rate_limit\",\"retry_after\":\"soon\"}", false},
    {"{\"fault\":\"overloaded\"}", true},
    {"{\"fault\":\"usage_limit\"}", false},
    {"{\"fault\":\"status\",\"error\":\"auth\"}", true},
    {"{\"fault\":\"status\",\"error\":\"server_error\"}", false},
    {"{\"fault\":\"stream_cut\",\"ending\":\"clean\"}", true},
    {"{\"fault\":\"stream_cut\",\"ending\":\"dirty\",\"after_event\":1}", true},
    {"{\"fault\":\"stream_cut\",\"ending\":\"rst\",\"chunks\":20,"
     "\"after_event\":12}",
     true},
    {"{\"fault\":\"stream_error\",\"after_event\":2}", true},
    {"{\"fault\":\"stall\",\"where\":\"before_headers\",\"for_s\":7}", true},
    {"{\"fault\":\"stall\",\"where\":\"after_event\",\"after_event\":2}", true},
    {"{\"fault\":\"reset\"}", false},
    {"{\"fault\":\"hang\"}", false},
    {"{\"fault\":\"overloaded\",\"delay_ms\":1500}", true},
    {"{\"reply\":\"message\",\"gap_ms\":250}", true},
    {"{\"reply\":\"message\"}", false}};

/* One call answered by the step; its journal line and what it is judged by. */
static char *run_step(const char *provider, const char *step, bool stream,
                      char **ret_line)
{
  struct wire_call c;
  struct buf line;
  buf_init(&line, 1 << 20);
  call_open(&c, provider, step, stream, "");
  call_send(&c);
  call_collect(&c);
  wire_stop(&c.w);
  const struct attempt *a = journal_get(c.w.journal, 0);
  attempt_json(a, &line);
  buf_addc(&line, '\n');
  char *facts = mem_format(
      "%s %d '%s' ra=%s end=%s events=%llu terminal=%d complete=%d "
      "stream=%d delivered=%d head=%lld ms all=%lld ms",
      a->fault, a->status, a->what, a->has_retry_after ? a->retry_after : "-",
      attempt_end_name(a->end), (unsigned long long)a->events_sent,
      a->terminal_sent, a->complete, a->stream_sent, a->delivered,
      a->answer_first_ns
          ? (long long)((a->answer_first_ns - a->end_request_ns) / NS_PER_MS)
          : -1LL,
      (long long)((a->answer_last_ns - a->answer_first_ns) / NS_PER_MS));
  *ret_line = buf_detach(&line);
  call_close(&c);
  return facts;
}

static void a_journal_imported_gives_the_same_journal(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t i = 0; i < COUNT(journaled); i++) {
      char *line, *again;
      char *want = run_step(*p, journaled[i].step, journaled[i].stream, &line);
      char *scenario = imported("jsonl", bytes_of(line));
      char *steps = steps_of(scenario);
      char *got = run_step(*p, steps, journaled[i].stream, &again);
      if (strcmp(got, want) != 0)
        fail_msg("%s, %s became %s:\n got  %s\n want %s", *p, journaled[i].step,
                 steps, got, want);
      free(got);
      free(want);
      free(line);
      free(again);
      free(scenario);
      free(steps);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_logged_answer_comes_out_byte_for_byte),
      cmocka_unit_test(a_logged_stream_comes_out_event_by_event),
      cmocka_unit_test(a_journal_imported_gives_the_same_journal)};
  return cmocka_run_group_tests_name("wire_import", tests, NULL, NULL);
}
