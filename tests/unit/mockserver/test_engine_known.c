/* Heads that come again: the same answer and the same record as a parse. */
#include "mockserver/engine_known.h"
#include "tests/unit/mockserver/rig.h"
#include "tests/unit/unit.h"

#include <unistd.h>

#define OK "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
#define HEAD                                                                   \
  "POST /keep?key=abcdefghijkl HTTP/1.1\r\nHost:  x \r\n"                      \
  "X-API-Key: secret-0123456789\r\nEmpty:\r\nContent-Length: 5\r\n\r\n"

static void keep(struct plan *p)
{
  plan_send(p, BYTES(OK));
  plan_mark(p, MARK_HEAD);
  plan_mark(p, MARK_COMPLETE);
  plan_keep(p);
}

static void early(struct plan *p)
{
  plan_send(p, BYTES(OK));
  plan_read_body(p);
  plan_keep(p);
}

static void rst(struct plan *p)
{
  plan_rst(p);
}

static const struct rig_route routes[] = {
    {"/keep", keep}, {"/early", early}, {"/rst", rst}, {NULL, NULL}};

static void send_and_take(struct scene *s, const char *text)
{
  client_send(s->fd, text);
  client_take(s->fd, strlen(OK), &s->got);
  assert_string_equal(buf_str(&s->got), OK);
}

static void a_head_is_known_after_it_was_kept(void **state)
{
  (void)state;
  struct known k = {0};
  const struct header headers[] = {{BYTES("Host"), BYTES("x")},
                                   {BYTES("Empty"), {NULL, 0}}};
  const struct request r = {.method = BYTES("GET"),
                            .target = BYTES("/a"),
                            .version = BYTES("HTTP/1.1"),
                            .headers = headers,
                            .nheaders = 2};
  struct bytes text = BYTES("GET /a HTTP/1.1\r\nHost: x\r\nEmpty:\r\n\r\nbody");
  struct bytes head = known_head_of(text);
  assert_int_equal(head.n, text.n - 4);
  uint64_t hash = known_hash(head);
  assert_null(known_find(&k, head, hash));
  assert_false(known_wants(&k, hash));
  assert_true(known_wants(&k, hash));
  known_keep(&k, head, &r, 4, true);
  known_keep(&k, head, &r, 4, true); /* again: the first copy is freed */
  const struct known_head *found = known_find(&k, head, hash);
  assert_non_null(found);
  assert_true(bytes_equal(found->target, BYTES("/a")));
  assert_int_equal(found->nheaders, 2);
  assert_true(bytes_equal(found->headers[1].name, BYTES("Empty")));
  assert_int_equal(found->headers[1].value.n, 0);
  assert_int_equal(found->content_length, 4);
  assert_true(found->wants_close);
  known_release(&k);
  assert_null(known_find(&k, head, hash));
}

static void an_equal_hash_is_not_enough(void **state)
{
  (void)state;
  struct known k = {0};
  const struct request r = {.method = BYTES("GET")};
  struct bytes one = BYTES("GET /a HTTP/1.1\r\n\r\n"),
               two = BYTES("GET /b HTTP/1.1\r\n\r\n");
  known_keep(&k, one, &r, 0, false);
  assert_non_null(known_find(&k, one, known_hash(one)));
  assert_null(known_find(&k, two, known_hash(one)));
  assert_int_not_equal(known_hash(one), known_hash(two));
  known_release(&k);
}

static void a_head_in_pieces_or_without_end_is_none(void **state)
{
  (void)state;
  static char large[6000];
  memset(large, 'a', sizeof large);
  memcpy(large + sizeof large - 4, "\r\n\r\n", 4);
  assert_int_equal(known_head_of(BYTES("GET / HTTP/1.1\r\nHost: x\r\n")).n, 0);
  assert_int_equal(known_head_of((struct bytes){large, sizeof large}).n, 0);
  assert_int_equal(known_head_of((struct bytes){NULL, 0}).n, 0);
}

static void the_record_is_the_same_each_time(void **state)
{
  (void)state;
  static const char *const bodies[] = {"00000", "11111", "22222", "33333"};
  struct scene s;
  scene_open(&s, routes, 0);
  for (size_t i = 0; i < COUNT(bodies); i++) {
    char text[512];
    snprintf(text, sizeof text, HEAD "%s", bodies[i]);
    send_and_take(&s, text);
    assert_true(bytes_equal(buf_bytes(&s.rig.seen_body), bytes_of(bodies[i])));
  }
  for (size_t i = 0; i < COUNT(bodies); i++) {
    const struct attempt *a = scene_attempt(&s, i),
                         *first = scene_attempt(&s, 0);
    assert_int_equal(a->seq, i + 1);
    assert_string_equal(a->method, "POST");
    assert_string_equal(a->target, "/keep?key=***jkl");
    assert_string_equal(a->headers, "Host: x \nX-API-Key: ***6789\nEmpty: \n"
                                    "Content-Length: 5\n");
    assert_string_equal(a->headers, first->headers);
    assert_string_equal(a->body, bodies[i]);
    assert_int_equal(a->body_hash, bytes_hash(bytes_of(bodies[i])));
    assert_int_equal(a->conn_id, 1);
    assert_int_equal(a->end, END_KEPT);
    assert_int_equal(a->bytes_sent, strlen(OK));
    assert_int_equal(a->pipelined_bytes, 0);
    assert_true(a->first_byte_ns > 0 && a->end_request_ns > 0);
  }
  assert_int_equal(journal_count(s.rig.journal), COUNT(bodies));
  scene_close(&s);
}

static void a_known_head_may_come_in_pieces(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  for (int i = 0; i < 3; i++)
    send_and_take(&s, HEAD "12345");
  client_send(s.fd, HEAD "1");
  rig_sync(&s.rig);
  send_and_take(&s, "2345");
  send_and_take(&s, HEAD "67890");
  assert_string_equal(scene_attempt(&s, 3)->body, "12345");
  assert_string_equal(scene_attempt(&s, 4)->body, "67890");
  assert_int_equal(scene_attempt(&s, 4)->pipelined_bytes, 0);
  scene_close(&s);
}

static void a_second_request_behind_a_known_head_is_pipelined(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  for (int i = 0; i < 3; i++)
    send_and_take(&s, HEAD "12345");
  client_send(s.fd, HEAD "12345" HEAD "12345");
  assert_int_equal(client_rest(s.fd, &s.got), CLIENT_FIN);
  assert_string_equal(buf_str(&s.got), OK);
  assert_int_equal(scene_attempt(&s, 3)->pipelined_bytes, strlen(HEAD) + 5);
  assert_int_equal(journal_count(s.rig.journal), 4);
  scene_close(&s);
}

/* The known one comes second and would be quicker. */
static void known_heads_do_not_overtake(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  int other = rig_connect(&s.rig);
  for (int i = 0; i < 3; i++)
    send_and_take(&s, HEAD "12345");
  rig_sync(&s.rig);
  rig_hold(&s.rig);
  client_get(other, "/keep/new");
  client_send(s.fd, HEAD "12345");
  rig_go_on(&s.rig);
  client_take(s.fd, strlen(OK), &s.got);
  assert_string_equal(scene_attempt(&s, 3)->target, "/keep/new");
  assert_string_equal(scene_attempt(&s, 4)->target, "/keep?key=***jkl");
  close(other);
  scene_close(&s);
}

static void close_and_early_answers_work_with_known_heads(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  for (int i = 0; i < 4; i++)
    send_and_take(&s, "POST /early HTTP/1.1\r\nHost: x\r\n"
                      "Content-Length: 3\r\n\r\nabc");
  for (int i = 0; i < 4; i++) {
    int fd = rig_connect(&s.rig);
    client_send(fd, "GET /keep HTTP/1.1\r\nHost: x\r\n"
                    "Connection: close\r\n\r\n");
    assert_int_equal(client_rest(fd, &s.got), CLIENT_FIN);
    assert_string_equal(buf_str(&s.got), OK);
    close(fd);
  }
  assert_int_equal(scene_attempt(&s, 3)->body_bytes, 0);
  assert_int_equal(scene_attempt(&s, 7)->end, END_FIN);
  scene_close(&s);
}

static void resets_work_with_known_heads(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  for (size_t i = 0; i < 4; i++) {
    int fd = rig_connect(&s.rig);
    client_get(fd, "/rst");
    assert_int_equal(client_rest(fd, &s.got), CLIENT_RST);
    close(fd);
  }
  assert_int_equal(scene_attempt(&s, 3)->end, END_RST);
  scene_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_head_is_known_after_it_was_kept),
      cmocka_unit_test(an_equal_hash_is_not_enough),
      cmocka_unit_test(a_head_in_pieces_or_without_end_is_none),
      cmocka_unit_test(the_record_is_the_same_each_time),
      cmocka_unit_test(a_known_head_may_come_in_pieces),
      cmocka_unit_test(a_second_request_behind_a_known_head_is_pipelined),
      cmocka_unit_test(known_heads_do_not_overtake),
      cmocka_unit_test(close_and_early_answers_work_with_known_heads),
      cmocka_unit_test(resets_work_with_known_heads)};
  return cmocka_run_group_tests_name("engine_known", tests, NULL, NULL);
}
