/*
 * Every fault kind, for every provider, streamed and plain, on a real
 * socket: the bytes are those of the plan, no more and no fewer, and the
 * connection ends as the plan says. Both servers have the same seed and the
 * same standing clock, so that not even ids and dates differ.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"
#include "tests/wire/fault_steps.h"
#include "tests/wire/wire.h"

#include "mockserver/fault.h"

#include <string.h>
#include <unistd.h>

static const char *const provider_names[] = {"anthropic", "openai",
                                             "openai-responses", "gemini"};

struct run {
  struct wire w;
  struct answer want; /* from a server without a socket */
  struct buf got;
  char *request;
  int fd;
};

static char *request_text(const char *provider, bool stream)
{
  char *target = call_target(provider, "", stream);
  char *body = call_body(provider, stream);
  char *text = mem_format("POST %s HTTP/1.1\r\nHost: x\r\n"
                          "content-type: application/json\r\n"
                          "content-length: %zu\r\n\r\n%s",
                          target, strlen(body), body);
  free(target);
  free(body);
  return text;
}

static void run_open(struct run *r, const char *provider, const char *step,
                     bool stream)
{
  struct bench b;
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"after_script\":\"reply\",\"steps\":[%s]}",
                          provider, step);
  bench_open(&b, json);
  bench_call(&b, provider, "", stream, &r->want);
  bench_close(&b);
  wire_open(&r->w, json);
  free(json);
  r->request = request_text(provider, stream);
  buf_init(&r->got, (size_t)64 << 20);
  r->fd = wire_connect(&r->w);
  wire_send(r->fd, r->request);
  wire_sync(&r->w);
}

static void run_close(struct run *r)
{
  close(r->fd);
  wire_close(&r->w);
  answer_release(&r->want);
  buf_release(&r->got);
  free(r->request);
}

static bool ends_with(const struct answer *a, const char *word)
{
  size_t n = strlen(word);
  return a->trace.n >= n && strcmp(a->trace.p + a->trace.n - n, word) == 0;
}

/* Moves the clock until nothing more comes; what came is a prefix of what
 * is wanted all the time. */
static enum wire_end collect(struct run *r, const char *id)
{
  enum wire_end end = WIRE_OPEN;
  for (int i = 0; i < 200 && end == WIRE_OPEN; i++) {
    end = wire_take(r->fd, &r->got);
    if (r->got.n > r->want.wire.n ||
        memcmp(r->got.p ? r->got.p : "", r->want.wire.p ? r->want.wire.p : "",
               r->got.n) != 0)
      fail_msg("%s: the bytes differ within the first %zu", id, r->got.n);
    if (end == WIRE_OPEN)
      wire_advance(&r->w, 100);
  }
  return end;
}

static void check_end(struct run *r, enum wire_end end, const char *id)
{
  enum wire_end want = ends_with(&r->want, "fin")   ? WIRE_FIN
                       : ends_with(&r->want, "rst") ? WIRE_RST
                                                    : WIRE_OPEN;
  if (r->got.n != r->want.wire.n)
    fail_msg("%s: %zu bytes of %zu", id, r->got.n, r->want.wire.n);
  if (end != want)
    fail_msg("%s: ended %d, wanted %d", id, (int)end, (int)want);
  if (!ends_with(&r->want, "keep"))
    return;
  /* kept for real: the next request on it is answered */
  buf_reset(&r->got);
  wire_send(r->fd, r->request);
  wire_sync(&r->w);
  wire_take(r->fd, &r->got);
  if (!bytes_starts(buf_bytes(&r->got), BYTES("HTTP/1.1 200 OK\r\n")))
    fail_msg("%s: the connection was not kept: %s", id, buf_str(&r->got));
}

static uint64_t count_events(const char *trace)
{
  uint64_t n = 0;
  for (const char *p = trace; (p = strstr(p, "event")); p++)
    n++;
  /* a generator's pieces are events too */
  const char *gen = strstr(trace, "gen:");
  uint64_t pieces = 0;
  for (const char *p = gen ? gen + 4 : ""; *p >= '0' && *p <= '9'; p++)
    pieces = pieces * 10 + (uint64_t)(*p - '0');
  return n + pieces;
}

static void check_journal(struct run *r, const char *id)
{
  const struct attempt *a = journal_get(r->w.journal, 0);
  const char *trace = buf_str(&r->want.trace);
  bool faulty = strstr(trace, "fault") != NULL;
  if (a->delivered != faulty || a->injected != faulty)
    fail_msg("%s: injected %d, delivered %d", id, a->injected, a->delivered);
  if (a->complete != (strstr(trace, "complete") != NULL))
    fail_msg("%s: complete is %d", id, a->complete);
  if (a->terminal_sent != (strstr(trace, "terminal") != NULL))
    fail_msg("%s: terminal_sent is %d", id, a->terminal_sent);
  if (a->bytes_sent != r->want.wire.n)
    fail_msg("%s: bytes_sent is %llu", id, (unsigned long long)a->bytes_sent);
  if (a->events_sent != count_events(trace))
    fail_msg("%s: events_sent is %llu", id, (unsigned long long)a->events_sent);
  if (ends_with(&r->want, "rst") && a->end != END_RST)
    fail_msg("%s: the journal's end is %s", id, attempt_end_name(a->end));
}

static void run_one(const char *provider, const char *step, bool stream)
{
  struct run r;
  char id[256];
  snprintf(id, sizeof id, "%s %s %s", provider, stream ? "stream" : "plain",
           step);
  run_open(&r, provider, step, stream);
  enum wire_end end = collect(&r, id);
  check_journal(&r, id);
  check_end(&r, end, id);
  run_close(&r);
}

static void every_fault_is_on_the_wire_as_planned(void **state)
{
  (void)state;
  for (size_t p = 0; p < COUNT(provider_names); p++)
    for (size_t i = 0; i < COUNT(steps); i++) {
      run_one(provider_names[p], steps[i], true);
      run_one(provider_names[p], steps[i], false);
    }
}

static void every_fault_kind_is_in_the_table(void **state)
{
  (void)state;
  for (const struct fault *const *f = faults; *f; f++) {
    char text[64];
    bool there = false;
    snprintf(text, sizeof text, "\"fault\":\"%s\"", (*f)->name);
    for (size_t i = 0; i < COUNT(steps); i++)
      there |= strstr(steps[i], text) != NULL;
    if (!there)
      fail_msg("no step for '%s'", (*f)->name);
  }
}

static void pings_go_on_until_the_client_leaves(void **state)
{
  struct run r;
  (void)state;
  run_open(&r, "anthropic",
           "{\"fault\":\"stall\",\"where\":\"after_event\",\"pings\":2}", true);
  wire_take(r.fd, &r.got);
  size_t before = r.got.n;
  wire_advance(&r.w, 1999);
  wire_take(r.fd, &r.got);
  assert_int_equal(r.got.n, before);
  for (int i = 0; i < 5; i++) {
    buf_reset(&r.got);
    wire_advance(&r.w, i == 0 ? 1 : 2000);
    assert_int_equal(wire_take(r.fd, &r.got), WIRE_OPEN);
    assert_string_equal(buf_str(&r.got),
                        "24\r\nevent: ping\ndata: {\"type\": \"ping\"}\n\n"
                        "\r\n");
  }
  close(r.fd);
  wire_sync(&r.w);
  const struct attempt *a = journal_get(r.w.journal, 0);
  assert_int_equal(a->end, END_CLIENT);
  r.fd = -1;
  run_close(&r);
}

static void silence_ends_to_the_millisecond(void **state)
{
  struct run r;
  (void)state;
  run_open(&r, "openai",
           "{\"fault\":\"stall\",\"where\":\"before_headers\",\"for_s\":2}",
           false);
  wire_advance(&r.w, 1999);
  assert_int_equal(wire_take(r.fd, &r.got), WIRE_OPEN);
  assert_int_equal(r.got.n, 0);
  wire_advance(&r.w, 1);
  wire_take(r.fd, &r.got);
  assert_int_equal(r.got.n, r.want.wire.n);
  run_close(&r);
}

static void an_early_reset_does_not_wait_for_the_body(void **state)
{
  struct run r;
  (void)state;
  run_open(&r, "anthropic", "{\"fault\":\"reset\",\"after_request\":false}",
           true);
  close(r.fd);
  r.fd = wire_connect(&r.w);
  /* after_script replies to this one: the step is used up */
  wire_sync(&r.w);
  const struct attempt *a = journal_get(r.w.journal, 0);
  assert_true(a->delivered);
  assert_int_equal(a->end, END_RST);
  run_close(&r);

  struct wire w;
  struct buf got;
  buf_init(&got, 4096);
  wire_open(&w, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                "\"reset\",\"after_request\":false}]}");
  int fd = wire_connect(&w);
  wire_send(fd, "POST /v1/messages HTTP/1.1\r\nHost: x\r\n"
                "content-length: 100000\r\n\r\n{\"model\":");
  wire_sync(&w);
  assert_int_equal(wire_take(fd, &got), WIRE_RST);
  assert_int_equal(got.n, 0);
  close(fd);
  wire_close(&w);
  buf_release(&got);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_fault_kind_is_in_the_table),
      cmocka_unit_test(every_fault_is_on_the_wire_as_planned),
      cmocka_unit_test(pings_go_on_until_the_client_leaves),
      cmocka_unit_test(silence_ends_to_the_millisecond),
      cmocka_unit_test(an_early_reset_does_not_wait_for_the_body)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
