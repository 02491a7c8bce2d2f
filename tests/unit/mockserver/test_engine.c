/* Every op of a plan, byte by byte and moment by moment. */
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

static bool three(void *arg, uint64_t i, struct buf *out)
{
  (void)arg;
  buf_addf(out, "[%d]", (int)i);
  return i < 3 ? true : (buf_reset(out), false);
}

static void periodic(struct plan *p)
{
  plan_generate(p, three, NULL, NULL, NS_PER_S, EVENT_CONTENT);
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
  plan_generate(p, many, mem_alloc(1), free, 0, EVENT_CONTENT);
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

static void no_ending(struct plan *p)
{
  send_text(p, "text");
}

static const struct rig_route routes[] = {{"/keep", keep},
                                          {"/unlogged", keep},
                                          {"/529", overloaded},
                                          {"/garbage", garbage},
                                          {"/drip", drip},
                                          {"/delay", delay},
                                          {"/periodic", periodic},
                                          {"/at-once", at_once},
                                          {"/fill", fill},
                                          {"/close", part_then_close},
                                          {"/rst", part_then_reset},
                                          {"/no-ending", no_ending},
                                          {NULL, NULL}};

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
    scene_open(&s, routes, 0);
    client_get(s.fd, rows[i].path);
    assert_int_equal(client_rest(s.fd, &s.got), rows[i].seen);
    assert_true(bytes_equal(buf_bytes(&s.got), rows[i].bytes));
    const struct attempt *a = scene_only_attempt(&s);
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
  scene_open(&s, routes, 0);
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
    scene_open(&s, routes, 0);
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
  scene_open(&s, routes, 0);
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
  scene_open(&s, routes, 0);
  client_get(s.fd, "/drip");
  scene_assert_now(&s, "0123", CLIENT_OPEN);
  rig_advance(&s.rig, 99);
  scene_assert_now(&s, "", CLIENT_OPEN);
  rig_advance(&s.rig, 1);
  scene_assert_now(&s, "4567", CLIENT_OPEN);
  rig_advance(&s.rig, 100);
  scene_assert_now(&s, "89", CLIENT_FIN);
  scene_close(&s);
}

static void a_delay_ends_at_its_time_and_not_before(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/delay");
  scene_assert_now(&s, "a", CLIENT_OPEN);
  rig_advance(&s.rig, 999);
  scene_assert_now(&s, "", CLIENT_OPEN);
  rig_advance(&s.rig, 1);
  scene_assert_now(&s, "b", CLIENT_FIN);
  const struct attempt *a = scene_only_attempt(&s);
  assert_int_equal(a->answer_last_ns - a->answer_first_ns, NS_PER_S);
  assert_int_equal(a->client_left_ns, 0);
  scene_close(&s);
}

static void generated_pieces_keep_their_period(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/periodic");
  scene_assert_now(&s, "[0]", CLIENT_OPEN);
  rig_advance(&s.rig, 999);
  scene_assert_now(&s, "", CLIENT_OPEN);
  rig_advance(&s.rig, 501); /* late by half a period */
  scene_assert_now(&s, "[1]", CLIENT_OPEN);
  rig_advance(&s.rig, 500); /* piece 2 is on time all the same */
  scene_assert_now(&s, "[2]", CLIENT_OPEN);
  rig_advance(&s.rig, 1000);
  scene_assert_now(&s, "end", CLIENT_FIN);
  assert_int_equal(scene_only_attempt(&s)->events_sent, 3);
  scene_close(&s);
}

static void pieces_without_a_period_wait_for_a_slow_reader(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/at-once");
  rig_sync(&s.rig); /* the socket's buffers are full now */
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_int_equal(s.got.n, 5000 * 1000);
  for (size_t i = 0; i < s.got.n; i += 500)
    assert_int_equal(s.got.p[i], 'a' + (char)(i / 1000 % 26));
  assert_int_equal(scene_only_attempt(&s)->events_sent, 5000);
  scene_close(&s);
}

static void a_large_filling_arrives_in_full(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/fill");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_int_equal(s.got.n, 9000000);
  assert_int_equal(strspn(s.got.p, "x"), 9000000);
  scene_close(&s);
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
  };
  return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
