/*
 * Everything a step can do, over HTTPS: the decrypted bytes are those of the
 * plain connection, and it ends in the same way. Requests come whole and in
 * pieces, and so do the records they are in.
 */
#include "tests/unit/unit.h"

#include "tests/wire/fault_steps.h"
#include "tests/wire/secure.h"

#include <string.h>
#include <sys/socket.h>

/* The end of the plain connection in TLS: a FIN has a close_notify. */
static enum secure_end same_end(enum wire_end end)
{
  return end == WIRE_OPEN  ? SECURE_OPEN
         : end == WIRE_FIN ? SECURE_CLOSED
                           : SECURE_RST;
}

static void compare(const char *provider, const char *step, bool stream,
                    unsigned seed)
{
  struct buf plain;
  struct secure s;
  enum wire_end want = call_whole(provider, step, stream, &plain);
  secure_open(&s, provider, step, stream, "true");
  s.seed = seed;
  assert_int_equal(secure_shake(&s), 0);
  secure_send(&s, bytes_of(s.call.request));
  enum secure_end end = secure_collect(&s);
  if (!bytes_equal(buf_bytes(&plain), buf_bytes(&s.call.got)))
    fail_msg("%s, %s, seed %u: %zu bytes, plain %zu", provider, step, seed,
             s.call.got.n, plain.n);
  if (end != same_end(want))
    fail_msg("%s, %s, seed %u: end %d, plain %d", provider, step, seed,
             (int)end, (int)want);
  buf_release(&plain);
  secure_close(&s);
}

static void https_carries_what_http_carries(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(steps); i++)
    for (size_t k = 0; wire_providers[k]; k++)
      for (int stream = 0; stream < 2; stream++)
        compare(wire_providers[k], steps[i], stream,
                (unsigned)(i + k) % 3); /* 0: whole writes */
}

static void send_pieces(struct secure *s, unsigned seed)
{
  struct bytes all = bytes_of(s->call.request);
  for (size_t at = 0; at < all.n;) {
    seed = seed * 1103515245u + 12345u; /* ISO C's example of rand() */
    size_t k = 1 + (seed >> 16) % 60;
    k = k < all.n - at ? k : all.n - at;
    secure_send(s, (struct bytes){all.p + at, k});
    at += k;
  }
}

static void a_request_may_come_in_many_records(void **state)
{
  struct buf plain;
  (void)state;
  call_whole("openai", "{\"reply\":\"message\"}", true, &plain);
  for (unsigned seed = 1; seed <= 8; seed++) {
    struct secure s;
    secure_open(&s, "openai", "{\"reply\":\"message\"}", true, "true");
    s.seed = seed % 2 ? seed : 0;
    assert_int_equal(secure_shake(&s), 0);
    send_pieces(&s, seed);
    assert_int_equal(secure_collect(&s), SECURE_OPEN);
    assert_true(bytes_equal(buf_bytes(&plain), buf_bytes(&s.call.got)));
    secure_close(&s);
  }
  buf_release(&plain);
}

static void a_connection_serves_one_request_after_the_other(void **state)
{
  struct secure s;
  (void)state;
  secure_open(&s, "anthropic", "{\"reply\":\"message\",\"times\":9}", false,
              "true");
  assert_int_equal(secure_shake(&s), 0);
  for (int i = 0; i < 9; i++) {
    buf_reset(&s.call.got);
    secure_send(&s, bytes_of(s.call.request));
    assert_int_equal(secure_take(&s), SECURE_OPEN);
    assert_true(bytes_starts(buf_bytes(&s.call.got), BYTES("HTTP/1.1 200 OK")));
  }
  wire_stop(&s.call.w);
  assert_int_equal(journal_count(s.call.w.journal), 9);
  const struct attempt *a = journal_get(s.call.w.journal, 8);
  assert_string_equal(a->tls, "TLS1.3");
  assert_int_equal(a->cls, ATTEMPT_CALL);
  /* counted before encryption */
  assert_int_equal(a->bytes_sent, s.call.got.n);
  secure_close(&s);
}

static void what_comes_behind_a_request_is_noted_as_lost(void **state)
{
  struct secure s;
  struct buf two;
  (void)state;
  secure_open(&s, "anthropic", "{\"reply\":\"message\",\"times\":9}", false,
              "true");
  buf_init(&two, (size_t)1 << 20);
  buf_adds(&two, s.call.request);
  buf_adds(&two, s.call.request);
  assert_int_equal(secure_shake(&s), 0);
  secure_send(&s, buf_bytes(&two));
  assert_int_equal(secure_collect(&s), SECURE_CLOSED);
  wire_stop(&s.call.w);
  assert_int_equal(journal_count(s.call.w.journal), 1);
  assert_int_equal(journal_get(s.call.w.journal, 0)->pipelined_bytes,
                   strlen(s.call.request));
  buf_release(&two);
  secure_close(&s);
}

/* Counted over the whole connection, so the one before must be right. */
static void a_second_request_s_rest_is_noted_as_well(void **state)
{
  struct secure s;
  (void)state;
  secure_open(&s, "anthropic", "{\"reply\":\"message\",\"times\":9}", false,
              "true");
  assert_int_equal(secure_shake(&s), 0);
  send_pieces(&s, 3);
  assert_int_equal(secure_take(&s), SECURE_OPEN);
  char *two = mem_format("%s%s", s.call.request, s.call.request);
  secure_send(&s, bytes_of(two));
  assert_int_equal(secure_collect(&s), SECURE_CLOSED);
  wire_stop(&s.call.w);
  assert_int_equal(journal_count(s.call.w.journal), 2);
  assert_int_equal(journal_get(s.call.w.journal, 1)->pipelined_bytes,
                   strlen(s.call.request));
  free(two);
  secure_close(&s);
}

static void a_client_may_leave_inside_a_request(void **state)
{
  (void)state;
  for (int notify = 0; notify < 2; notify++) {
    struct secure s;
    secure_open(&s, "anthropic", "{\"reply\":\"message\"}", false, "true");
    assert_int_equal(secure_shake(&s), 0);
    secure_send(&s, BYTES("POST /v1/messages HTTP/1.1\r\nhost: x\r\n"
                          "content-length: 10\r\n\r\nabc"));
    if (notify)
      gnutls_bye(s.session, GNUTLS_SHUT_WR);
    else
      shutdown(s.call.fd, SHUT_WR);
    wire_sync(&s.call.w);
    assert_int_equal(engine_open_connections(s.call.w.engine), 0);
    wire_stop(&s.call.w);
    const struct attempt *a = journal_get(s.call.w.journal, 0);
    assert_string_equal(a->what, "the client left inside the request");
    assert_int_equal(a->end, END_CLIENT);
    secure_close(&s);
  }
}

static void big_bodies_go_both_ways(void **state)
{
  enum { BIG = 3000000 };
  struct secure s;
  (void)state;
  secure_open(&s, "anthropic",
              "{\"fault\":\"status\",\"status\":500,\"body\":\"{{pad:900000}}"
              "{{pad:900000}}\"}",
              false, "true");
  struct buf body;
  buf_init(&body, BIG + 4096);
  buf_addf(&body,
           "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n"
           "\r\n{\"messages\":\"",
           BIG);
  while (body.n < BIG)
    buf_addc(&body, 'y');
  char *end = strstr(body.p, "\r\n\r\n");
  while ((size_t)(body.p + body.n - (end + 4)) < BIG)
    buf_addc(&body, 'y');
  assert_int_equal(secure_shake(&s), 0);
  for (size_t at = 0; at < body.n; at += 100000)
    secure_send(&s,
                (struct bytes){body.p + at,
                               body.n - at < 100000 ? body.n - at : 100000});
  secure_collect(&s);
  assert_true(s.call.got.n > 1800000);
  wire_stop(&s.call.w);
  assert_int_equal(journal_get(s.call.w.journal, 0)->body_bytes, BIG);
  buf_release(&body);
  secure_close(&s);
}

static void the_parser_s_own_words_are_passed_on(void **state)
{
  struct secure s;
  (void)state;
  secure_open(&s, "anthropic", "{\"reply\":\"message\"}", false, "true");
  assert_int_equal(secure_shake(&s), 0);
  secure_send(&s, BYTES("POST /v1/messages HTTP/1.1\r\nhost: x\r\n"
                        "expect: 100-continue\r\ncontent-length: 2\r\n\r\n"));
  assert_int_equal(secure_take(&s), SECURE_OPEN);
  assert_string_equal(buf_str(&s.call.got), "HTTP/1.1 100 Continue\r\n\r\n");
  secure_send(&s, BYTES("{}"));
  secure_take(&s);
  assert_non_null(strstr(buf_str(&s.call.got), "HTTP/1.1 200 OK\r\n"));
  secure_again(&s);
  assert_int_equal(secure_shake(&s), 0);
  secure_send(&s, BYTES("POST /v1/messages HTTP/1.1\r\nhost: x\r\n"
                        "transfer-encoding: chunked\r\n\r\nno number\r\n"));
  assert_int_equal(secure_collect(&s), SECURE_CLOSED);
  assert_true(bytes_starts(buf_bytes(&s.call.got), BYTES("HTTP/1.")));
  wire_stop(&s.call.w);
  const struct attempt *a = journal_get(s.call.w.journal, 1);
  assert_int_equal(a->cls, ATTEMPT_REFUSED);
  assert_int_equal(a->bytes_sent, s.call.got.n);
  secure_close(&s);
}

static void half_a_request_times_out(void **state)
{
  struct secure s;
  (void)state;
  secure_open(&s, "anthropic", "{\"reply\":\"message\"}", false, "true");
  assert_int_equal(secure_shake(&s), 0);
  secure_send(&s, BYTES("POST /v1/messages HTTP/1.1\r\nhos"));
  wire_advance(&s.call.w, 31000);
  assert_int_equal(secure_collect(&s), SECURE_CLOSED);
  assert_true(bytes_starts(buf_bytes(&s.call.got), BYTES("HTTP/1.1 408")));
  secure_close(&s);
}

static void the_same_port_speaks_plain_http(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "gemini", "{\"reply\":\"message\"}", false, ",\"tls\":true");
  call_send(&c);
  call_collect(&c);
  assert_true(bytes_starts(buf_bytes(&c.got), BYTES("HTTP/1.1 200 OK")));
  call_close(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(https_carries_what_http_carries),
      cmocka_unit_test(a_request_may_come_in_many_records),
      cmocka_unit_test(a_connection_serves_one_request_after_the_other),
      cmocka_unit_test(what_comes_behind_a_request_is_noted_as_lost),
      cmocka_unit_test(a_second_request_s_rest_is_noted_as_well),
      cmocka_unit_test(a_client_may_leave_inside_a_request),
      cmocka_unit_test(big_bodies_go_both_ways),
      cmocka_unit_test(the_parser_s_own_words_are_passed_on),
      cmocka_unit_test(half_a_request_times_out),
      cmocka_unit_test(the_same_port_speaks_plain_http)};
  return cmocka_run_group_tests_name("wire_tls_faults", tests, NULL, NULL);
}
