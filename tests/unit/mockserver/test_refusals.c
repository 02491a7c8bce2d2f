/* Requests the engine or the parser refuses, and the limits. */
#include "tests/unit/mockserver/rig.h"
#include "tests/unit/unit.h"

#include <sys/socket.h>
#include <unistd.h>

#define OK "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

static void keep(struct plan *p)
{
  plan_send(p, BYTES(OK));
  plan_keep(p);
}

static const struct rig_route routes[] = {{"/", keep}, {NULL, NULL}};

static void what_the_parser_refuses_is_journaled(void **state)
{
  (void)state;
  static const struct {
    const char *id, *sent, *answer, *target;
  } rows[] = {
      {"no colon", "GET /a HTTP/1.1\r\nHost: x\r\nbad line\r\n\r\n",
       "HTTP/1.1 400", "/a"},
      {"no host", "GET /b HTTP/1.1\r\n\r\n", "HTTP/1.1 400", "/b"},
      {"odd length",
       "POST /c HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\n",
       "HTTP/1.1 400", "/c"},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 505", "*"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct scene s;
    scene_open(&s, routes, 1000);
    client_send(s.fd, rows[i].sent);
    assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
    assert_memory_equal(s.got.p, rows[i].answer, strlen(rows[i].answer));
    const struct attempt *a = scene_attempt(&s, 0);
    assert_int_equal(a->cls, ATTEMPT_REFUSED);
    assert_int_equal(a->end, END_FIN);
    assert_int_equal(a->bytes_sent, s.got.n);
    assert_string_equal(a->target, rows[i].target);
    assert_memory_equal(a->body, rows[i].sent, 16);
    assert_int_equal(journal_count(s.rig.journal), 1);
    scene_close(&s);
  }
}

static void a_tls_hello_is_told_from_http(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_send_bytes(s.fd, "\x16\x03\x01\x00\x05hello", 10);
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_int_equal(s.got.n, 0);
  const struct attempt *a = scene_attempt(&s, 0);
  assert_int_equal(a->cls, ATTEMPT_REFUSED);
  assert_non_null(strstr(a->what, "TLS"));
  scene_close(&s);
}

static void a_client_that_leaves_inside_a_request_is_journaled(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_send(s.fd,
              "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1");
  rig_sync(&s.rig);
  close(s.fd);
  s.fd = rig_connect(&s.rig);
  const struct attempt *a = scene_attempt(&s, 0);
  assert_int_equal(a->cls, ATTEMPT_REFUSED);
  assert_int_equal(a->end, END_CLIENT);
  assert_int_not_equal(a->client_left_ns, 0);
  assert_int_equal(a->bytes_sent, 0);
  scene_close(&s);
}

static void a_body_over_the_limit_gets_413(void **state)
{
  (void)state;
  static const struct {
    const char *id, *head;
    size_t body;
  } rows[] = {
      {"by its length, before a byte of it came",
       "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n", 0},
      {"by its chunks",
       "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
       "3e9\r\n",
       1001},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct scene s;
    scene_open(&s, routes, 1000);
    client_send(s.fd, rows[i].head);
    char body[1001];
    memset(body, 'b', sizeof body);
    client_send_bytes(s.fd, body, rows[i].body);
    assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
    assert_memory_equal(s.got.p, "HTTP/1.1 413 ", 13);
    const struct attempt *a = scene_attempt(&s, 0);
    assert_int_equal(a->cls, ATTEMPT_REFUSED);
    assert_int_equal(a->status, 413);
    scene_close(&s);
  }
}

static void a_body_of_exactly_the_limit_is_taken(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_send(s.fd,
              "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
  char body[1000];
  memset(body, 'b', sizeof body);
  client_send_bytes(s.fd, body, sizeof body);
  client_take(s.fd, strlen(OK), &s.got);
  assert_string_equal(buf_str(&s.got), OK);
  scene_close(&s);
}

static void a_request_has_thirty_seconds_between_its_pieces(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_send(s.fd,
              "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1");
  rig_advance(&s.rig, 29000);
  client_send(s.fd, "2");
  rig_advance(&s.rig, 29999);
  assert_int_equal(client_now(s.fd, &s.got), CLIENT_OPEN);
  rig_advance(&s.rig, 1);
  client_rest(s.fd, &s.got);
  assert_memory_equal(s.got.p, "HTTP/1.1 408 ", 13);
  const struct attempt *a = scene_attempt(&s, 0);
  assert_int_equal(a->cls, ATTEMPT_REFUSED);
  assert_int_equal(a->status, 408);
  scene_close(&s);
}

static void pipelined_bytes_are_journaled_and_end_the_connection(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_send(s.fd, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
                    "GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_string_equal(buf_str(&s.got), OK);
  const struct attempt *a = scene_attempt(&s, 0);
  assert_int_equal(a->pipelined_bytes,
                   strlen("GET /b HTTP/1.1\r\nHost: x\r\n\r\n"));
  assert_int_equal(a->end, END_FIN);
  scene_close(&s);
}

static void pipelined_bytes_behind_a_body_in_pieces_are_seen(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_get(s.fd, "/first");
  client_take(s.fd, strlen(OK), &s.got);
  client_send(s.fd,
              "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n12");
  rig_sync(&s.rig);
  client_send(s.fd, "34GET /lost");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_int_equal(scene_attempt(&s, 0)->pipelined_bytes, 0);
  assert_int_equal(scene_attempt(&s, 1)->pipelined_bytes, strlen("GET /lost"));
  scene_close(&s);
}

static void half_closed_clients_get_their_answer(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_get(s.fd, "/a");
  shutdown(s.fd, SHUT_WR);
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_string_equal(buf_str(&s.got), OK);
  assert_int_equal(scene_attempt(&s, 0)->pipelined_bytes, 0);
  scene_close(&s);
}

/* The kernel counts a FIN as one byte received. */
static void a_fin_is_not_taken_for_a_pipelined_byte(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 1000);
  client_send(s.fd, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
                    "Connection: close\r\n\r\n12");
  rig_sync(&s.rig);
  rig_hold(&s.rig); /* so that the loop sees the rest and the FIN at once */
  client_send(s.fd, "34");
  shutdown(s.fd, SHUT_WR);
  rig_go_on(&s.rig);
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_string_equal(buf_str(&s.got), OK);
  const struct attempt *a = scene_attempt(&s, 0);
  assert_string_equal(a->body, "1234");
  assert_int_equal(a->pipelined_bytes, 0);
  scene_close(&s);
}

static void only_loopback_addresses_are_taken_unasked(void **state)
{
  (void)state;
  static const struct {
    const char *address, *problem;
  } rows[] = {{"0.0.0.0", "loopback"},
              {"192.0.2.1", "loopback"},
              {"localhost", "numeric"}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct diag diag = {0};
    struct journal *j = journal_open(NULL, clock_real(), 0, &diag);
    struct engine_options o = {.address = rows[i].address,
                               .clock = clock_real(),
                               .journal = j,
                               .handler = (engine_handler_fn *)abort};
    assert_null(engine_new(&o, &diag));
    assert_non_null(strstr(diag.text, rows[i].problem));
    journal_close(j);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_parser_refuses_is_journaled),
      cmocka_unit_test(a_tls_hello_is_told_from_http),
      cmocka_unit_test(a_client_that_leaves_inside_a_request_is_journaled),
      cmocka_unit_test(a_body_over_the_limit_gets_413),
      cmocka_unit_test(a_body_of_exactly_the_limit_is_taken),
      cmocka_unit_test(a_request_has_thirty_seconds_between_its_pieces),
      cmocka_unit_test(pipelined_bytes_are_journaled_and_end_the_connection),
      cmocka_unit_test(pipelined_bytes_behind_a_body_in_pieces_are_seen),
      cmocka_unit_test(half_closed_clients_get_their_answer),
      cmocka_unit_test(a_fin_is_not_taken_for_a_pipelined_byte),
      cmocka_unit_test(only_loopback_addresses_are_taken_unasked),
  };
  return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
