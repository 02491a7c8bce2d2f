#include "tests/unit/mockserver/rig.h"
#include "tests/unit/unit.h"

#include <sys/socket.h>
#include <unistd.h>

#define OK "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

static void send_text(struct plan *p, const char *text)
{
  plan_send(p, bytes_of(text));
}

static void keep(struct plan *p)
{
  send_text(p, OK);
  plan_mark(p, MARK_HEAD);
  plan_mark(p, MARK_COMPLETE);
  plan_keep(p);
}

static void overloaded(struct plan *p)
{
  send_text(p, "HTTP/1.1 529 Overloaded\r\n");
  plan_segment(p);
  send_text(p, "Content-LENGTH: 0\r\n\r\n");
  plan_fin(p);
}

static void garbage(struct plan *p)
{
  plan_send(p, BYTES("\x16\x03\x00not HTTP\xff\xfe"));
  plan_fin(p);
}

static void drip(struct plan *p)
{
  plan_drip(p, BYTES("0123456789"), 4, 100 * NS_PER_MS);
  plan_fin(p);
}

static void delay(struct plan *p)
{
  send_text(p, "a");
  plan_delay(p, 1000 * NS_PER_MS);
  send_text(p, "b");
  plan_fin(p);
}

static void stall(struct plan *p)
{
  send_text(p, "HTTP/1.1 200 OK\r\n");
  plan_mark(p, MARK_HEAD);
  plan_mark(p, MARK_FAULT);
  plan_stall(p);
}

static bool three(void *arg, uint64_t i, struct buf *out)
{
  (void)arg;
  buf_addf(out, "[%d]", (int)i);
  return i < 3 ? true : (buf_reset(out), false);
}

static void periodic(struct plan *p)
{
  plan_generate(p, three, NULL, NULL, NS_PER_S);
  send_text(p, "end");
  plan_fin(p);
}

static bool many(void *arg, uint64_t i, struct buf *out)
{
  (void)arg;
  for (int k = 0; k < 1000; k++)
    buf_addc(out, (char)('a' + i % 26));
  return i < 5000;
}

static void at_once(struct plan *p)
{
  plan_generate(p, many, mem_alloc(1), free, 0);
  plan_fin(p);
}

static void fill(struct plan *p)
{
  plan_fill(p, 9000000);
  plan_fin(p);
}

static void part_then_close(struct plan *p)
{
  send_text(p, "part");
  plan_close(p);
}

static void part_then_reset(struct plan *p)
{
  send_text(p, "part");
  plan_mark(p, MARK_FAULT);
  plan_rst(p);
}

static void reset_next(struct plan *p)
{
  send_text(p, OK);
  plan_wait_input(p);
  plan_rst(p);
}

static void no_ending(struct plan *p)
{
  send_text(p, "text");
}

static void early_refusal(struct plan *p)
{
  assert_true(p->early);
  send_text(p, "HTTP/1.1 413 No\r\n\r\n");
  plan_fin(p);
}

static void early_continue(struct plan *p)
{
  send_text(p, "HTTP/1.1 100 Continue\r\n\r\n");
  plan_read_body(p);
  send_text(p, OK);
  plan_keep(p);
}

static const struct rig_route routes[] = {{"/keep", keep},
                                          {"/unlogged", keep},
                                          {"/529", overloaded},
                                          {"/garbage", garbage},
                                          {"/drip", drip},
                                          {"/delay", delay},
                                          {"/stall", stall},
                                          {"/periodic", periodic},
                                          {"/at-once", at_once},
                                          {"/fill", fill},
                                          {"/close", part_then_close},
                                          {"/rst", part_then_reset},
                                          {"/reset-next", reset_next},
                                          {"/no-ending", no_ending},
                                          {"/early-refusal", early_refusal},
                                          {"/early-continue", early_continue},
                                          {NULL, NULL}};

/* A rig, one client and a buffer: what nearly every test needs. */
struct scene {
  struct rig rig;
  int fd;
  struct buf got;
};

static void scene_open(struct scene *s)
{
  rig_start(&s->rig, routes);
  buf_init(&s->got, (size_t)64 << 20);
  s->fd = rig_connect(&s->rig);
}

static const struct attempt *only_attempt(struct scene *s)
{
  rig_stop(&s->rig);
  assert_int_equal(journal_count(s->rig.journal), 1);
  return journal_get(s->rig.journal, 0);
}

static void scene_close(struct scene *s)
{
  if (s->rig.engine)
    rig_stop(&s->rig);
  close(s->fd);
  buf_release(&s->got);
  rig_release(&s->rig);
}

static void assert_now(struct scene *s, const char *text, enum client_end end)
{
  rig_sync(&s->rig);
  assert_int_equal(client_now(s->fd, &s->got), end);
  assert_string_equal(buf_str(&s->got), text);
}

static void every_byte_and_ending_is_the_plans(void **state)
{
  (void)state;
  const struct {
    const char *id, *path;
    struct bytes bytes;
    enum client_end seen;
    enum attempt_end end;
  } rows[] = {
      {"own reason phrase, own case", "/529",
       BYTES("HTTP/1.1 529 Overloaded\r\nContent-LENGTH: 0\r\n\r\n"),
       CLIENT_FIN, END_FIN},
      {"no HTTP at all", "/garbage", BYTES("\x16\x03\x00not HTTP\xff\xfe"),
       CLIENT_FIN, END_FIN},
      {"closed in the middle", "/close", BYTES("part"), CLIENT_FIN, END_CLOSED},
      {"reset in the middle", "/rst", BYTES("part"), CLIENT_RST, END_RST},
      {"no op that ends", "/no-ending", BYTES("text"), CLIENT_FIN, END_FIN},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct scene s;
    scene_open(&s);
    client_get(s.fd, rows[i].path);
    assert_int_equal(client_rest(s.fd, &s.got), rows[i].seen);
    assert_true(bytes_equal(buf_bytes(&s.got), rows[i].bytes));
    const struct attempt *a = only_attempt(&s);
    assert_int_equal(a->end, rows[i].end);
    assert_int_equal(a->bytes_sent, rows[i].bytes.n);
    assert_string_equal(a->target, rows[i].path);
    scene_close(&s);
  }
}

static void a_kept_connection_takes_the_next_request(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  for (int i = 0; i < 3; i++) {
    client_get(s.fd, i == 1 ? "/unlogged" : "/keep");
    client_take(s.fd, strlen(OK), &s.got);
    assert_string_equal(buf_str(&s.got), OK);
  }
  rig_stop(&s.rig);
  assert_int_equal(journal_count(s.rig.journal), 2);
  for (size_t i = 0; i < 2; i++) {
    const struct attempt *a = journal_get(s.rig.journal, i);
    assert_int_equal(a->seq, i + 1);
    assert_int_equal(a->conn_id, 1);
    assert_int_equal(a->end, END_KEPT);
    assert_int_equal(a->status, 200);
    assert_true(a->complete);
    assert_false(a->delivered);
    assert_int_equal(a->pipelined_bytes, 0);
  }
  scene_close(&s);
}

static void a_client_that_asks_for_close_gets_a_fin(void **state)
{
  (void)state;
  static const char *const heads[] = {
      "GET /keep HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n",
      "GET /keep HTTP/1.0\r\n\r\n"};
  for (size_t i = 0; i < COUNT(heads); i++) {
    struct scene s;
    scene_open(&s);
    client_send(s.fd, heads[i]);
    assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
    assert_string_equal(buf_str(&s.got), OK);
    scene_close(&s);
  }
}

static void the_body_arrives_whole_in_any_pieces(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_send(s.fd, "POST /keep HTTP/1.1\r\nHost: x\r\nContent-Le");
  rig_sync(&s.rig);
  client_send(s.fd, "ngth: 10\r\nx-api-key: secret-0123456789\r\n\r\n01234");
  rig_sync(&s.rig);
  client_send(s.fd, "56789");
  client_take(s.fd, strlen(OK), &s.got);
  client_send(s.fd, "POST /keep?key=abcdefghijkl HTTP/1.1\r\nHost: x\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n"
                    "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
  client_take(s.fd, strlen(OK), &s.got);
  rig_stop(&s.rig);
  assert_int_equal(journal_count(s.rig.journal), 2);
  const struct attempt *a = journal_get(s.rig.journal, 0);
  assert_string_equal(a->body, "0123456789");
  assert_int_equal(a->body_hash, bytes_hash(BYTES("0123456789")));
  assert_string_equal(a->headers, "Host: x\nContent-Length: 10\n"
                                  "x-api-key: ***6789\n");
  assert_int_equal(a->pipelined_bytes, 0);
  assert_string_equal(journal_get(s.rig.journal, 1)->body, "abcde");
  assert_string_equal(journal_get(s.rig.journal, 1)->target,
                      "/keep?key=***jkl");
  scene_close(&s);
}

static void a_drip_sends_its_step_each_period(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/drip");
  assert_now(&s, "0123", CLIENT_OPEN);
  rig_advance(&s.rig, 99);
  assert_now(&s, "", CLIENT_OPEN);
  rig_advance(&s.rig, 1);
  assert_now(&s, "4567", CLIENT_OPEN);
  rig_advance(&s.rig, 100);
  assert_now(&s, "89", CLIENT_FIN);
  scene_close(&s);
}

static void a_delay_ends_at_its_time_and_not_before(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/delay");
  assert_now(&s, "a", CLIENT_OPEN);
  rig_advance(&s.rig, 999);
  assert_now(&s, "", CLIENT_OPEN);
  rig_advance(&s.rig, 1);
  assert_now(&s, "b", CLIENT_FIN);
  const struct attempt *a = only_attempt(&s);
  assert_int_equal(a->answer_last_ns - a->answer_first_ns, NS_PER_S);
  assert_int_equal(a->client_left_ns, 0);
  scene_close(&s);
}

static void generated_pieces_keep_their_period(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/periodic");
  assert_now(&s, "[0]", CLIENT_OPEN);
  rig_advance(&s.rig, 999);
  assert_now(&s, "", CLIENT_OPEN);
  rig_advance(&s.rig, 501); /* late by half a period */
  assert_now(&s, "[1]", CLIENT_OPEN);
  rig_advance(&s.rig, 500); /* piece 2 is on time all the same */
  assert_now(&s, "[2]", CLIENT_OPEN);
  rig_advance(&s.rig, 1000);
  assert_now(&s, "end", CLIENT_FIN);
  assert_int_equal(only_attempt(&s)->events_sent, 3);
  scene_close(&s);
}

static void pieces_without_a_period_wait_for_a_slow_reader(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/at-once");
  rig_sync(&s.rig); /* the socket's buffers are full now */
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_int_equal(s.got.n, 5000 * 1000);
  for (size_t i = 0; i < s.got.n; i += 500)
    assert_int_equal(s.got.p[i], 'a' + (char)(i / 1000 % 26));
  assert_int_equal(only_attempt(&s)->events_sent, 5000);
  scene_close(&s);
}

static void a_large_filling_arrives_in_full(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/fill");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_int_equal(s.got.n, 9000000);
  assert_int_equal(strspn(s.got.p, "x"), 9000000);
  scene_close(&s);
}

static void a_stall_ends_when_the_client_leaves(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/stall");
  assert_now(&s, "HTTP/1.1 200 OK\r\n", CLIENT_OPEN);
  rig_advance(&s.rig, 5000);
  close(s.fd);
  s.fd = rig_connect(&s.rig);
  rig_advance(&s.rig, 1000);
  const struct attempt *a = only_attempt(&s);
  assert_int_equal(a->end, END_CLIENT);
  assert_int_equal(a->client_left_ns - a->first_byte_ns, 5 * NS_PER_S);
  assert_true(a->delivered);
  assert_int_equal(a->status, 200);
  scene_close(&s);
}

static void a_fin_that_came_with_the_request_is_remembered(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/stall");
  close(s.fd); /* epoll tells of it once, maybe with the request's bytes */
  s.fd = rig_connect(&s.rig);
  assert_int_equal(only_attempt(&s)->end, END_CLIENT);
  scene_close(&s);
}

/* Every way to come and go, many times: nothing may stay open. */
static void no_connection_is_left_behind(void **state)
{
  (void)state;
  static const char *const sent[] = {
      "",
      "G",
      "GET /keep HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /stall HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /delay HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /fill HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /rst HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST /keep HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1",
      "GET /keep HTTP/1.1\r\nnonsense\r\n\r\n",
      "\x16\x03\x01\x00"};
  struct scene s;
  scene_open(&s);
  for (size_t i = 0; i < 40 * COUNT(sent); i++) {
    int fd = rig_connect(&s.rig);
    client_send(fd, sent[i % COUNT(sent)]);
    struct linger reset = {.l_onoff = 1};
    if (i % 3 == 0)
      setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    if (i % 4 == 1)
      rig_sync(&s.rig);
    close(fd);
  }
  rig_sync(&s.rig);
  assert_int_equal(engine_open_connections(s.rig.engine), 1);
  assert_int_equal(engine_open_attempts(s.rig.engine), 0);
  scene_close(&s);
}

static void what_is_open_at_the_end_is_journaled_as_it_is(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/stall");
  rig_sync(&s.rig);
  assert_int_equal(engine_open_attempts(s.rig.engine), 1);
  assert_int_equal(only_attempt(&s)->end, END_OPEN);
  assert_int_equal(journal_open_attempts(s.rig.journal), 0);
  scene_close(&s);
}

static void a_connection_can_be_reset_by_its_next_request(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/reset-next");
  assert_now(&s, OK, CLIENT_OPEN);
  client_get(s.fd, "/keep");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_RST);
  assert_int_equal(s.got.n, 0);
  scene_close(&s);
}

static void fin_drains_so_that_the_answer_survives(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  char *body = memset(mem_alloc(8000000), 'b', 8000000);
  client_send(s.fd, "POST /early-refusal HTTP/1.1\r\nHost: x\r\n"
                    "Content-Length: 8000000\r\n\r\n");
  client_send_bytes(s.fd, body, 8000000);
  free(body);
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_string_equal(buf_str(&s.got), "HTTP/1.1 413 No\r\n\r\n");
  scene_close(&s);
}

static void a_drained_connection_ends_after_two_seconds(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s);
  client_get(s.fd, "/529");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  rig_advance(&s.rig, 1999);
  client_send(s.fd, "still heard");
  rig_sync(&s.rig);
  assert_int_equal(engine_open_connections(s.rig.engine), 1);
  rig_advance(&s.rig, 1);
  assert_int_equal(engine_open_connections(s.rig.engine), 0);
  scene_close(&s);
}

static void an_early_answer_reads_the_rest_of_the_body(void **state)
{
  (void)state;
  static const size_t sent_with_head[] = {0, 4, 10};
  for (size_t i = 0; i < COUNT(sent_with_head); i++) {
    struct scene s;
    scene_open(&s);
    char text[256];
    snprintf(text, sizeof text,
             "POST /early-continue HTTP/1.1\r\nHost: x\r\n"
             "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n%.*s",
             (int)sent_with_head[i], "0123456789");
    client_send(s.fd, text);
    assert_now(&s,
               sent_with_head[i] < 10 ? "HTTP/1.1 100 Continue\r\n\r\n"
                                      : "HTTP/1.1 100 Continue\r\n\r\n" OK,
               CLIENT_OPEN);
    client_send(s.fd, &"0123456789"[sent_with_head[i]]);
    rig_sync(&s.rig);
    client_now(s.fd, &s.got);
    client_get(s.fd, "/keep");
    client_take(s.fd, strlen(OK), &s.got);
    assert_string_equal(buf_str(&s.got), OK);
    scene_close(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_byte_and_ending_is_the_plans),
      cmocka_unit_test(a_kept_connection_takes_the_next_request),
      cmocka_unit_test(a_client_that_asks_for_close_gets_a_fin),
      cmocka_unit_test(the_body_arrives_whole_in_any_pieces),
      cmocka_unit_test(a_drip_sends_its_step_each_period),
      cmocka_unit_test(a_delay_ends_at_its_time_and_not_before),
      cmocka_unit_test(generated_pieces_keep_their_period),
      cmocka_unit_test(pieces_without_a_period_wait_for_a_slow_reader),
      cmocka_unit_test(a_large_filling_arrives_in_full),
      cmocka_unit_test(a_stall_ends_when_the_client_leaves),
      cmocka_unit_test(a_fin_that_came_with_the_request_is_remembered),
      cmocka_unit_test(no_connection_is_left_behind),
      cmocka_unit_test(what_is_open_at_the_end_is_journaled_as_it_is),
      cmocka_unit_test(a_connection_can_be_reset_by_its_next_request),
      cmocka_unit_test(fin_drains_so_that_the_answer_survives),
      cmocka_unit_test(a_drained_connection_ends_after_two_seconds),
      cmocka_unit_test(an_early_answer_reads_the_rest_of_the_body),
  };
  return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
