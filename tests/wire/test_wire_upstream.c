/*
 * Calls passed on to another server: what comes back is what that one sent.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"
#include "tests/wire/front.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Who waits longer has found a fault. */
enum { PATIENCE_MS = 20000 };

static const char *const providers_of[] = {"anthropic", "openai",
                                           "openai-responses", "gemini"};

static char *request_of(const char *provider, bool stream, const char *lane,
                        const char *headers)
{
  char *target = call_target(provider, lane, stream);
  char *body = call_body(provider, stream);
  char *text = mem_format("POST %s HTTP/1.1\r\nHost: x\r\n%scontent-type: "
                          "application/json\r\ncontent-length: %zu\r\n\r\n%s",
                          target, headers, strlen(body), body);
  free(target);
  free(body);
  return text;
}

static char *scenario_of(const char *steps)
{
  return mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[%s]}", steps);
}

/* What a client gets that asks the upstream itself. */
static void ask_directly(const char *provider, const char *step, bool stream,
                         struct buf *ret)
{
  struct wire w;
  char *json = scenario_of(step), *text = request_of(provider, stream, "", "");
  wire_open(&w, json);
  int fd = wire_connect(&w);
  wire_send(fd, text);
  wire_sync(&w);
  wire_take(fd, ret);
  close(fd);
  wire_close(&w);
  free(text);
  free(json);
}

static const struct {
  const char *step;
  bool stream;
  enum wire_end end;
} answers[] = {
    {"{\"reply\":\"message\"}", false, WIRE_OPEN},
    {"{\"reply\":\"message\"}", true, WIRE_OPEN},
    {"{\"fault\":\"rate_limit\",\"retry_after\":\"3\",\"headers\":[[\"X-A\","
     "\"1\"],[\"x-a\",\"2\"],[\"X-Empty\",\"\"]]}",
     false, WIRE_OPEN},
    {"{\"fault\":\"status\",\"status\":204}", false, WIRE_OPEN},
    {"{\"fault\":\"overloaded\",\"framing\":\"close\"}", false, WIRE_FIN},
    {"{\"fault\":\"raw\",\"bytes\":\"HTTP/1.1 200 OK\\r\\nX-A: b\\r\\n\\r\\n"
     "until FIN\"}",
     false, WIRE_FIN},
    {"{\"fault\":\"stream_cut\",\"ending\":\"clean\"}", true, WIRE_OPEN},
    {"{\"fault\":\"stream_cut\",\"ending\":\"dirty\"}", true, WIRE_FIN},
    {"{\"fault\":\"stream_cut\",\"ending\":\"rst\"}", true, WIRE_RST},
    {"{\"fault\":\"overloaded\",\"encoding\":\"gzip\"}", false, WIRE_OPEN},
    {"{\"reply\":\"message\",\"interim\":[{\"status\":103,\"headers\":"
     "[[\"link\",\"x\"]]}]}",
     false, WIRE_OPEN}};

/* Where the answer itself begins: interim ones are left out on the way. */
static struct bytes final_of(const struct buf *b)
{
  struct bytes all = buf_bytes(b);
  while (bytes_starts(all, BYTES("HTTP/1.1 1"))) {
    ptrdiff_t end = bytes_find(all, BYTES("\r\n\r\n"));
    all.p += end + 4;
    all.n -= (size_t)end + 4;
  }
  return all;
}

static void check_answer(const char *provider, size_t i)
{
  struct wire w;
  struct front f;
  struct buf want, got;
  char *json = scenario_of(answers[i].step);
  char *text = request_of(provider, answers[i].stream, "/my-lane", "");
  buf_init(&want, 1 << 20);
  buf_init(&got, 1 << 20);
  ask_directly(provider, answers[i].step, answers[i].stream, &want);
  struct bytes whole = final_of(&want);
  wire_open(&w, json);
  front_open(&f, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"pass\":true}]}",
             NULL, engine_port(w.engine));
  int fd = front_connect(&f);
  wire_send(fd, text);
  bool ends = answers[i].end != WIRE_OPEN;
  enum wire_end end = front_take(fd, whole.n + ends, &got);
  if (!bytes_equal(buf_bytes(&got), whole) || end != answers[i].end)
    fail_msg("%s, %s: %d\n%s\nwant\n%.*s", provider, answers[i].step, (int)end,
             buf_str(&got), (int)whole.n, whole.p);
  close(fd);
  front_stop(&f);
  assert_string_equal(journal_get(f.journal, 0)->fault, "pass");
  assert_string_equal(journal_get(f.journal, 0)->lane, "my-lane");
  wire_stop(&w);
  assert_string_equal(journal_get(w.journal, 0)->lane, "");
  front_close(&f);
  wire_close(&w);
  buf_release(&want);
  buf_release(&got);
  free(text);
  free(json);
}

static void an_answer_comes_back_as_the_upstream_sent_it(void **state)
{
  (void)state;
  for (size_t p = 0; p < COUNT(providers_of); p++)
    for (size_t i = 0; i < COUNT(answers); i++)
      check_answer(providers_of[p], i);
}

static void a_stream_comes_piece_by_piece(void **state)
{
  struct wire w;
  struct front f;
  struct buf got;
  char *text = request_of("anthropic", true, "", "");
  (void)state;
  buf_init(&got, 1 << 20);
  wire_open(&w, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"reply\":"
                "\"message\",\"gap_ms\":1000}]}");
  front_open(&f,
             "{\"name\":\"n\",\"why\":\"w\",\"steps\":[],"
             "\"after_script\":\"pass\"}",
             NULL, engine_port(w.engine));
  int fd = front_connect(&f);
  wire_send(fd, text);
  /* the upstream's clock stands still: only the first event can be there */
  while (bytes_find(buf_bytes(&got), BYTES("event: message_start")) < 0)
    assert_int_equal(front_take(fd, got.n + 1, &got), WIRE_OPEN);
  assert_true(bytes_find(buf_bytes(&got), BYTES("content_block")) < 0);
  for (int i = 0; i < 10; i++)
    wire_advance(&w, 1000);
  while (bytes_find(buf_bytes(&got), BYTES("\r\n0\r\n\r\n")) < 0)
    assert_int_equal(front_take(fd, got.n + 1, &got), WIRE_OPEN);
  close(fd);
  front_stop(&f);
  assert_int_equal(journal_get(f.journal, 0)->status, 200);
  assert_int_equal(journal_get(f.journal, 0)->events_sent, 9);
  assert_true(journal_get(f.journal, 0)->terminal_sent);
  assert_true(journal_get(f.journal, 0)->complete);
  front_close(&f);
  wire_close(&w);
  buf_release(&got);
  free(text);
}

/* One call after another; what each one is answered with. */
static const struct {
  const char *id, *front, *provider;
  bool stream;
  const char *want[4]; /* status lines */
  const char *rules[4], *faults[4];
} scripts[] = {
    {"steps, then the real API",
     "\"steps\":[{\"pass\":true},{\"fault\":\"overloaded\"}]",
     "anthropic",
     false,
     {"200 OK", "529 ", "200 OK", NULL},
     {"step 0", "step 1", "after_script", NULL},
     {"pass", "overloaded", "pass"}},
    {"after_script is obeyed",
     "\"steps\":[{\"fault\":\"overloaded\"}],\"after_script\":\"repeat_last\"",
     "openai",
     false,
     {"503 ", "503 ", NULL},
     {"step 0", "after_script", NULL},
     {"overloaded", "overloaded"}},
    {"a stream fault and a call for none",
     "\"steps\":[{\"fault\":\"stream_cut\"}]",
     "gemini",
     false,
     {"200 OK", NULL},
     {"non_stream", NULL},
     {"pass"}},
    {"another provider",
     "\"provider\":\"openai\",\"steps\":[{\"fault\":\"overloaded\"}]",
     "anthropic",
     false,
     {"200 OK", NULL},
     {"side", NULL},
     {"pass"}},
    {"a pass for one path only",
     "\"steps\":[{\"pass\":true,\"match\":{\"path\":\"*/messages\"},"
     "\"times\":\"always\"},{\"fault\":\"overloaded\"}]",
     "openai",
     true,
     {"503 ", "200 OK", NULL},
     {"step 1", "after_script", NULL},
     {"overloaded", "pass"}}};

static void check_script(size_t i)
{
  struct wire w;
  struct front f;
  char *json =
      mem_format("{\"name\":\"n\",\"why\":\"w\",%s}", scripts[i].front);
  char *text = request_of(scripts[i].provider, scripts[i].stream, "", "");
  wire_open(&w, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[],"
                "\"after_script\":\"reply\"}");
  front_open(&f, json, NULL, engine_port(w.engine));
  for (size_t k = 0; scripts[i].want[k]; k++) {
    struct buf got;
    buf_init(&got, 1 << 16);
    int fd = front_connect(&f);
    wire_send(fd, text);
    front_take(fd, 9 + strlen(scripts[i].want[k]), &got);
    if (!strstr(buf_str(&got), scripts[i].want[k]))
      fail_msg("%s: call %zu: %s", scripts[i].id, k, buf_str(&got));
    close(fd);
    buf_release(&got);
  }
  front_stop(&f);
  for (size_t k = 0; scripts[i].rules[k]; k++) {
    const struct attempt *a = journal_get(f.journal, k);
    assert_string_equal(a->rule, scripts[i].rules[k]);
    assert_string_equal(a->fault, scripts[i].faults[k]);
  }
  front_close(&f);
  wire_close(&w);
  free(text);
  free(json);
}

static void the_script_says_which_calls_go_on(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(scripts); i++)
    check_script(i);
}

static void an_upstream_that_is_not_there_is_a_502(void **state)
{
  struct front f;
  struct buf got;
  char *text = request_of("anthropic", true, "", "");
  (void)state;
  buf_init(&got, 1 << 16);
  /* port 1 (tcpmux): nobody listens there */
  front_open(&f, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"pass\":true}]}",
             NULL, 1);
  int fd = front_connect(&f);
  wire_send(fd, text);
  assert_int_equal(front_take(fd, 1 << 16, &got), WIRE_FIN);
  assert_non_null(strstr(buf_str(&got), "HTTP/1.1 502 Bad Gateway\r\n"
                                        "x-faultwire: upstream\r\n"));
  close(fd);
  front_stop(&f);
  assert_int_equal(journal_get(f.journal, 0)->status, 502);
  front_close(&f);
  buf_release(&got);
  free(text);
}

/* Called in the upstream's loop. */
static void tell_end(void *arg, const struct attempt *a)
{
  const int *fd = arg;
  ssize_t n = a->end == END_OPEN ? 1 : write(*fd, "e", 1);
  assert_int_equal(n, 1);
}

static void a_client_that_leaves_ends_the_call_upstream(void **state)
{
  int pipes[2];
  struct wire w;
  struct front f;
  struct buf got;
  char *text = request_of("anthropic", true, "", "");
  (void)state;
  buf_init(&got, 1 << 16);
  wire_open(&w, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                "\"stall\",\"where\":\"after_event\",\"after_event\":2}]}");
  assert_int_equal(pipe(pipes), 0);
  engine_on_attempt(w.engine, tell_end, &pipes[1]);
  front_open(&f, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"pass\":true}]}",
             NULL, engine_port(w.engine));
  int fd = front_connect(&f);
  wire_send(fd, text);
  while (bytes_find(buf_bytes(&got), BYTES("message_start")) < 0)
    assert_int_equal(front_take(fd, got.n + 1, &got), WIRE_OPEN);
  close(fd);
  struct pollfd ended = {pipes[0], POLLIN, 0};
  assert_int_equal(poll(&ended, 1, PATIENCE_MS), 1);
  front_stop(&f);
  wire_stop(&w);
  close(pipes[0]);
  close(pipes[1]);
  assert_int_equal(journal_get(w.journal, 0)->end, END_CLIENT);
  front_close(&f);
  wire_close(&w);
  buf_release(&got);
  free(text);
}

/* More than is held: the upstream has to wait for a client that does not
 * read, and nothing is lost. */
static void a_slow_client_gets_all_of_a_large_answer(void **state)
{
  enum { SIZE = 12000000 };
  struct wire w;
  struct front f;
  struct buf got;
  char *text = request_of("anthropic", false, "", "");
  (void)state;
  buf_init(&got, 2 * SIZE);
  wire_open(&w, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"fault\":"
                "\"status\",\"status\":200,\"body\":\"{{pad:1000000}}"
                "{{pad:1000000}}{{pad:1000000}}{{pad:1000000}}{{pad:1000000}}"
                "{{pad:1000000}}{{pad:1000000}}{{pad:1000000}}{{pad:1000000}}"
                "{{pad:1000000}}{{pad:1000000}}{{pad:1000000}}\"}]}");
  front_open(&f, "{\"name\":\"n\",\"why\":\"w\",\"steps\":[{\"pass\":true}]}",
             NULL, engine_port(w.engine));
  int fd = front_connect(&f);
  wire_send(fd, text);
  front_take(fd, 1, &got);
  wire_sync(&w); /* the upstream has sent what it could */
  while (!strstr(buf_str(&got), "\r\n\r\n"))
    front_take(fd, got.n + 1, &got);
  size_t head = (size_t)(strstr(buf_str(&got), "\r\n\r\n") + 4 - got.p);
  front_take(fd, head + SIZE, &got);
  assert_int_equal(got.n, head + SIZE);
  assert_int_equal(strspn(got.p + head, "x"), SIZE);
  close(fd);
  front_close(&f);
  wire_close(&w);
  buf_release(&got);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_answer_comes_back_as_the_upstream_sent_it),
      cmocka_unit_test(a_stream_comes_piece_by_piece),
      cmocka_unit_test(the_script_says_which_calls_go_on),
      cmocka_unit_test(an_upstream_that_is_not_there_is_a_502),
      cmocka_unit_test(a_client_that_leaves_ends_the_call_upstream),
      cmocka_unit_test(a_slow_client_gets_all_of_a_large_answer)};
  return cmocka_run_group_tests_name("wire_upstream", tests, NULL, NULL);
}
