/* How connections end: by the plan, by the client, by nobody. */
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

static void fill(struct plan *p)
{
  plan_fill(p, 9000000);
  plan_fin(p);
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
                                          {"/529", overloaded},
                                          {"/delay", delay},
                                          {"/stall", stall},
                                          {"/fill", fill},
                                          {"/rst", part_then_reset},
                                          {"/reset-next", reset_next},
                                          {"/early-refusal", early_refusal},
                                          {"/early-continue", early_continue},
                                          {NULL, NULL}};

static void a_stall_ends_when_the_client_leaves(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/stall");
  scene_assert_now(&s, "HTTP/1.1 200 OK\r\n", CLIENT_OPEN);
  rig_advance(&s.rig, 5000);
  close(s.fd);
  s.fd = rig_connect(&s.rig);
  rig_advance(&s.rig, 1000);
  const struct attempt *a = scene_only_attempt(&s);
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
  scene_open(&s, routes, 0);
  client_get(s.fd, "/stall");
  close(s.fd); /* epoll tells of it once, maybe with the request's bytes */
  s.fd = rig_connect(&s.rig);
  assert_int_equal(scene_only_attempt(&s)->end, END_CLIENT);
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
  scene_open(&s, routes, 0);
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
  scene_open(&s, routes, 0);
  client_get(s.fd, "/stall");
  rig_sync(&s.rig);
  assert_int_equal(engine_open_attempts(s.rig.engine), 1);
  assert_int_equal(scene_only_attempt(&s)->end, END_OPEN);
  assert_int_equal(journal_open_attempts(s.rig.journal), 0);
  scene_close(&s);
}

static void a_connection_can_be_reset_by_its_next_request(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/reset-next");
  scene_assert_now(&s, OK, CLIENT_OPEN);
  client_get(s.fd, "/keep");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_RST);
  assert_int_equal(s.got.n, 0);
  scene_close(&s);
}

static void fin_drains_so_that_the_answer_survives(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
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
  scene_open(&s, routes, 0);
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
    scene_open(&s, routes, 0);
    char text[256];
    snprintf(text, sizeof text,
             "POST /early-continue HTTP/1.1\r\nHost: x\r\n"
             "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n%.*s",
             (int)sent_with_head[i], "0123456789");
    client_send(s.fd, text);
    scene_assert_now(&s,
                     sent_with_head[i] < 10
                         ? "HTTP/1.1 100 Continue\r\n\r\n"
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
      cmocka_unit_test(a_stall_ends_when_the_client_leaves),
      cmocka_unit_test(a_fin_that_came_with_the_request_is_remembered),
      cmocka_unit_test(no_connection_is_left_behind),
      cmocka_unit_test(what_is_open_at_the_end_is_journaled_as_it_is),
      cmocka_unit_test(a_connection_can_be_reset_by_its_next_request),
      cmocka_unit_test(fin_drains_so_that_the_answer_survives),
      cmocka_unit_test(a_drained_connection_ends_after_two_seconds),
      cmocka_unit_test(an_early_answer_reads_the_rest_of_the_body),
  };
  return cmocka_run_group_tests_name("departures", tests, NULL, NULL);
}
