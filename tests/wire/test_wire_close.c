/*
 * What becomes of a connection behind an answer, and before one: idle ends,
 * a reset on reuse, answers before the body is read, heads of 1xx, bodies of
 * no or of a wrong length.
 */
#include "tests/unit/unit.h"

#include "tests/wire/call.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REPLY "{\"reply\":\"message\""

static void an_idle_connection_ends_when_told(void **state)
{
  static const struct {
    const char *close;
    enum wire_end end;
  } rows[] = {{"idle_fin", WIRE_FIN}, {"idle_rst", WIRE_RST}};
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t i = 0; i < COUNT(rows); i++) {
      struct wire_call c;
      char *step = mem_format(
          REPLY ",\"close\":\"%s\",\"close_after_ms\":2000}", rows[i].close);
      call_open(&c, *p, step, i == 0, "");
      call_send(&c);
      wire_advance(&c.w, 1999);
      assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
      assert_true(bytes_starts(buf_bytes(&c.got), BYTES("HTTP/1.1 200 OK")));
      wire_advance(&c.w, 1);
      assert_int_equal(wire_take(c.fd, &c.got), rows[i].end);
      wire_stop(&c.w);
      assert_int_equal(journal_get(c.w.journal, 0)->end, END_KEPT);
      assert_true(journal_get(c.w.journal, 0)->complete);
      call_close(&c);
      free(step);
    }
}

static void a_request_in_time_is_answered(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "openai",
            REPLY ",\"close\":\"idle_rst\",\"close_after_ms\":2000}", false,
            "");
  call_send(&c);
  wire_advance(&c.w, 1999);
  wire_take(c.fd, &c.got);
  buf_reset(&c.got);
  call_send(&c);
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
  assert_true(bytes_starts(buf_bytes(&c.got), BYTES("HTTP/1.1 200 OK")));
  /* the plain reply beyond the script has no such end */
  wire_advance(&c.w, 60000);
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
  call_close(&c);
}

static void a_used_connection_can_be_met_by_an_end(void **state)
{
  static const struct {
    const char *step;
    enum wire_end end;
  } rows[] = {
      {"{\"fault\":\"reset\",\"match\":{\"reused\":true}}", WIRE_RST},
      {"{\"fault\":\"hang\",\"match\":{\"reused\":true},\"close\":\"fin\"}",
       WIRE_FIN}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct wire_call c;
    call_open(&c, "anthropic", rows[i].step, false, "");
    call_send(&c);
    assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
    size_t first = c.got.n;
    assert_true(first > 0);
    call_send(&c);
    assert_int_equal(wire_take(c.fd, &c.got), rows[i].end);
    assert_int_equal(c.got.n, first);
    call_reconnect(&c);
    call_send(&c);
    assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
    assert_int_equal(c.got.n, 2 * first);
    wire_stop(&c.w);
    assert_true(journal_get(c.w.journal, 1)->delivered);
    assert_int_equal(journal_count(c.w.journal), 3);
    call_close(&c);
  }
}

static void a_hang_can_end_later(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "gemini",
            "{\"fault\":\"hang\",\"close\":\"fin\",\"close_after_ms\":3000}",
            true, "");
  call_send(&c);
  wire_advance(&c.w, 2999);
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
  wire_advance(&c.w, 1);
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_FIN);
  assert_int_equal(c.got.n, 0);
  call_close(&c);
}

/* ---- answers before the body is read ---- */

#define EARLY_HEAD                                                             \
  "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n"

static void send_fill(int fd, size_t n)
{
  char text[1024];
  memset(text, 'x', sizeof text);
  assert_true(n < sizeof text);
  text[n] = '\0';
  wire_send(fd, text);
}

static void an_early_answer_comes_before_the_body(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "anthropic",
            "{\"fault\":\"status\",\"status\":413,\"early\":true}", false, "");
  wire_send(c.fd, EARLY_HEAD);
  send_fill(c.fd, 10);
  wire_sync(&c.w);
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
  assert_true(bytes_starts(buf_bytes(&c.got), BYTES("HTTP/1.1 413 ")));
  /* the rest is drained, then the connection is good for the next */
  send_fill(c.fd, 990);
  wire_sync(&c.w);
  buf_reset(&c.got);
  call_send(&c);
  wire_take(c.fd, &c.got);
  if (!bytes_starts(buf_bytes(&c.got), BYTES("HTTP/1.1 200 OK")))
    fail_msg("the next request got: %s", buf_str(&c.got));
  call_close(&c);
}

static void without_a_drain_the_rest_of_the_body_meets_a_reset(void **state)
{
  static const char *const closes[] = {"rst", "abrupt"};
  (void)state;
  for (size_t i = 0; i < COUNT(closes); i++) {
    struct wire_call c;
    char *step = mem_format("{\"fault\":\"status\",\"error\":\"auth\","
                            "\"early\":true,\"close\":\"%s\"}",
                            closes[i]);
    call_open(&c, "anthropic", step, false, "");
    wire_send(c.fd, EARLY_HEAD);
    wire_sync(&c.w);
    enum wire_end end = wire_take(c.fd, &c.got);
    assert_true(bytes_starts(buf_bytes(&c.got), BYTES("HTTP/1.1 401 ")));
    if (end != WIRE_RST) { /* a close() with nothing unread is a FIN first */
      send(c.fd, "more", 4, MSG_NOSIGNAL);
      wire_sync(&c.w);
      send(c.fd, "more", 4, MSG_NOSIGNAL);
      assert_true(i == 1);
    }
    wire_stop(&c.w);
    assert_true(journal_get(c.w.journal, 0)->delivered);
    call_close(&c);
    free(step);
  }
}

/* ---- heads of 1xx ---- */

static void interim_heads_come_first_as_written(void **state)
{
  static const char want[] = "HTTP/1.1 100 Continue\r\n\r\n"
                             "HTTP/1.1 102 Processing\r\n\r\n";
  static const char hints[] = "HTTP/1.1 103 Early Hints\r\n"
                              "Link: </a>; rel=preload\r\n"
                              "Link: </b>\r\n\r\n";
  (void)state;
  for (const char *const *p = wire_providers; *p; p++) {
    struct wire_call c;
    call_open(&c, *p,
              REPLY ",\"interim\":[{\"status\":100},{\"status\":102,"
                    "\"pause_ms\":1500},{\"status\":103,\"headers\":[[\"Link\","
                    "\"</a>; rel=preload\"],[\"Link\",\"</b>\"]]}]}",
              false, "");
    call_send(&c);
    wire_take(c.fd, &c.got);
    assert_string_equal(buf_str(&c.got), want);
    wire_advance(&c.w, 1499);
    wire_take(c.fd, &c.got);
    assert_string_equal(buf_str(&c.got), want);
    wire_advance(&c.w, 1);
    buf_reset(&c.got);
    wire_take(c.fd, &c.got);
    assert_true(bytes_starts(buf_bytes(&c.got), bytes_of(hints)));
    struct bytes rest = {c.got.p + sizeof hints - 1,
                         c.got.n - sizeof hints + 1};
    assert_true(bytes_starts(rest, BYTES("HTTP/1.1 200 OK\r\n")));
    wire_stop(&c.w);
    assert_int_equal(journal_get(c.w.journal, 0)->status, 200);
    call_close(&c);
  }
}

/* ---- lengths ---- */

static long announced(const struct buf *got)
{
  const char *at = strstr(buf_str(got), "content-length: ");
  long n = 0;
  for (at = at ? at + 16 : ""; *at >= '0' && *at <= '9'; at++)
    n = n * 10 + *at - '0';
  return n;
}

static long body_bytes(const struct buf *got)
{
  ptrdiff_t at = bytes_find(buf_bytes(got), BYTES("\r\n\r\n"));
  return (long)got->n - (long)at - 4;
}

static void a_body_may_be_shorter_or_longer_than_announced(void **state)
{
  static const int adds[] = {5, -5, -100000};
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (size_t i = 0; i < COUNT(adds); i++) {
      struct buf got;
      char *step = mem_format(REPLY ",\"length_add\":%d}", adds[i]);
      call_whole(*p, step, false, &got);
      long want = body_bytes(&got) + adds[i];
      assert_int_equal(announced(&got), want > 0 ? want : 0);
      buf_release(&got);
      free(step);
    }
}

static void a_body_may_end_with_the_connection(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (int stream = 0; stream < 2; stream++) {
      struct buf got;
      enum wire_end end =
          call_whole(*p, REPLY ",\"framing\":\"close\"}", stream, &got);
      assert_int_equal(end, WIRE_FIN);
      assert_null(strstr(buf_str(&got), "content-length"));
      assert_null(strstr(buf_str(&got), "transfer-encoding"));
      assert_non_null(strstr(buf_str(&got), "connection: close\r\n"));
      assert_non_null(strstr(buf_str(&got), "faultwire"));
      buf_release(&got);
    }
}

static void bytes_may_follow_the_answer(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (int stream = 0; stream < 2; stream++) {
      struct buf got;
      call_whole(*p,
                 REPLY ",\"trailing\":\"HTTP/1.1 500 No\\r\\n{{hex:00ff}}\"}",
                 stream, &got);
      static const char want[] = "HTTP/1.1 500 No\r\n\0\xff";
      assert_true(got.n > sizeof want);
      assert_memory_equal(got.p + got.n - sizeof want + 1, want,
                          sizeof want - 1);
      buf_release(&got);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_idle_connection_ends_when_told),
      cmocka_unit_test(a_request_in_time_is_answered),
      cmocka_unit_test(a_used_connection_can_be_met_by_an_end),
      cmocka_unit_test(a_hang_can_end_later),
      cmocka_unit_test(an_early_answer_comes_before_the_body),
      cmocka_unit_test(without_a_drain_the_rest_of_the_body_meets_a_reset),
      cmocka_unit_test(interim_heads_come_first_as_written),
      cmocka_unit_test(a_body_may_be_shorter_or_longer_than_announced),
      cmocka_unit_test(a_body_may_end_with_the_connection),
      cmocka_unit_test(bytes_may_follow_the_answer)};
  return cmocka_run_group_tests_name("wire_close", tests, NULL, NULL);
}
