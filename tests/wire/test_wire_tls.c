/*
 * Handshakes that go wrong as scripted, byte for byte where the bytes are
 * not encrypted, and what the journal keeps of them.
 */
#include "tests/unit/unit.h"

#include "tests/wire/secure.h"

#include <gnutls/x509.h>
#include <string.h>
#include <sys/socket.h>

#define REPLIES "{\"reply\":\"message\",\"times\":\"always\"}"
#define DAY_S (24 * 3600)

static void open_fault(struct secure *s, const char *fault)
{
  char *tls = mem_format("{\"faults\":[{\"connection\":1,%s}]}", fault);
  secure_open(s, "anthropic", REPLIES, false, tls);
  free(tls);
}

static const struct attempt *first_attempt(struct secure *s)
{
  if (s->call.w.engine)
    wire_stop(&s->call.w);
  assert_true(journal_count(s->call.w.journal) > 0);
  return journal_get(s->call.w.journal, 0);
}

/* The connection behind the fault is well. */
static void expect_next_is_well(struct secure *s)
{
  secure_again(s);
  assert_int_equal(secure_shake(s), 0);
  assert_int_equal(secure_verify(s, "localhost"), 0);
  secure_send(s, bytes_of(s->call.request));
  secure_take(s);
  assert_true(bytes_starts(buf_bytes(&s->call.got), BYTES("HTTP/1.1 200 OK")));
}

/* ---- before and after the ServerHello ---- */

static const struct {
  const char *fault, *what;
  enum wire_end tcp;
  bool hello; /* a ServerHello comes */
  enum attempt_end end;
} cut_rows[] = {{"\"fault\":\"stall\"", "stall after the ClientHello",
                 WIRE_OPEN, false, END_CLIENT},
                {"\"fault\":\"stall\",\"where\":\"server_hello\"",
                 "stall after the ServerHello", WIRE_OPEN, true, END_CLIENT},
                {"\"fault\":\"reset\"", "reset after the ClientHello", WIRE_RST,
                 false, END_RST},
                {"\"fault\":\"reset\",\"where\":\"server_hello\"",
                 "reset after the ServerHello", WIRE_RST, true, END_RST},
                {"\"fault\":\"fin\",\"where\":\"client_hello\"",
                 "fin after the ClientHello", WIRE_FIN, false, END_FIN},
                {"\"fault\":\"fin\",\"where\":\"server_hello\"",
                 "fin after the ServerHello", WIRE_FIN, true, END_FIN}};

/* One record of type handshake, a ServerHello (RFC 8446 4.1.3) and no more. */
static bool is_server_hello(struct bytes b)
{
  const unsigned char *p = (const unsigned char *)b.p;
  return b.n > 6 && p[0] == 0x16 && p[5] == 2 &&
         b.n == 5 + ((size_t)p[3] << 8) + p[4];
}

static void expect_cut(size_t i, unsigned seed, const char *only)
{
  struct secure s;
  open_fault(&s, cut_rows[i].fault);
  s.seed = seed;
  if (only)
    secure_only(&s, only);
  assert_int_not_equal(secure_shake(&s), 0);
  wire_advance(&s.call.w, 600000);
  if (s.tcp == WIRE_OPEN) /* the client may have stopped reading before */
    s.tcp = wire_take(s.call.fd, &s.raw);
  if (s.tcp != cut_rows[i].tcp)
    fail_msg("%s: end %d", cut_rows[i].what, (int)s.tcp);
  if (cut_rows[i].hello ? !is_server_hello(buf_bytes(&s.raw)) : s.raw.n != 0)
    fail_msg("%s: %zu bytes", cut_rows[i].what, s.raw.n);
  expect_next_is_well(&s);
  const struct attempt *a = first_attempt(&s);
  assert_int_equal(a->cls, ATTEMPT_HANDSHAKE);
  assert_string_equal(a->what, cut_rows[i].what);
  assert_string_equal(a->rule, "tls 0");
  assert_string_equal(a->target, "localhost");
  assert_int_equal(a->end, cut_rows[i].end);
  assert_true(a->injected && a->delivered && !a->complete);
  secure_close(&s);
}

static void a_handshake_breaks_off_where_the_script_says(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(cut_rows); i++) {
    for (unsigned seed = 0; seed < 4; seed++)
      expect_cut(i, seed, NULL);
    expect_cut(i, 0, "NORMAL:-VERS-ALL:+VERS-TLS1.2");
  }
}

static void a_stall_may_end(void **state)
{
  static const char *const where[] = {"client_hello", "server_hello"};
  (void)state;
  for (size_t i = 0; i < COUNT(where); i++) {
    struct secure s;
    char *fault = mem_format("\"fault\":\"stall\",\"for_s\":3,\"where\":\"%s\"",
                             where[i]);
    open_fault(&s, fault);
    free(fault);
    assert_int_equal(secure_shake(&s), GNUTLS_E_AGAIN);
    wire_advance(&s.call.w, 2999);
    assert_int_equal(secure_shake(&s), GNUTLS_E_AGAIN);
    wire_advance(&s.call.w, 1);
    assert_int_equal(secure_shake(&s), 0);
    secure_send(&s, bytes_of(s.call.request));
    secure_take(&s);
    assert_true(bytes_starts(buf_bytes(&s.call.got), BYTES("HTTP/1.1 200 OK")));
    const struct attempt *a = first_attempt(&s);
    assert_true(a->delivered && a->complete);
    assert_string_equal(a->tls, "TLS1.3");
    assert_int_equal(a->end, END_KEPT);
    secure_close(&s);
  }
}

/* ---- answers that are none ---- */

static void an_alert_answers_the_client_hello(void **state)
{
  static const struct {
    const char *fault;
    unsigned char number;
  } rows[] = {{"\"fault\":\"alert\"", 40},
              {"\"fault\":\"alert\",\"alert\":\"internal_error\"", 80},
              {"\"fault\":\"alert\",\"alert\":\"protocol_version\"", 70}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (unsigned seed = 0; seed < 3; seed++) {
      struct secure s;
      const char want[] = {0x15, 3, 3, 0, 2, 2, (char)rows[i].number};
      open_fault(&s, rows[i].fault);
      s.seed = seed;
      assert_int_equal(secure_shake(&s), GNUTLS_E_FATAL_ALERT_RECEIVED);
      assert_int_equal(gnutls_alert_get(s.session), rows[i].number);
      assert_true(
          bytes_equal(buf_bytes(&s.raw), (struct bytes){want, sizeof want}));
      expect_next_is_well(&s);
      assert_string_equal(first_attempt(&s)->fault, "tls_alert");
      secure_close(&s);
    }
}

static void plain_http_answers_the_client_hello(void **state)
{
  struct secure s;
  (void)state;
  open_fault(&s, "\"fault\":\"plain_http\"");
  assert_int_not_equal(secure_shake(&s), 0);
  wire_take(s.call.fd, &s.raw);
  assert_string_equal(buf_str(&s.raw), "HTTP/1.1 400 Bad Request\r\n"
                                       "content-type: text/plain\r\n"
                                       "content-length: 34\r\n"
                                       "connection: close\r\n\r\n"
                                       "faultwire: this port speaks HTTP.\n");
  expect_next_is_well(&s);
  secure_close(&s);
}

/* ---- certificates ---- */

static void the_certificate_is_wrong_as_asked_for(void **state)
{
  static const struct {
    const char *fault;
    unsigned status; /* dates are not looked at */
    int from_days, until_days;
  } rows[] = {{"expired", 0, -30, -1},
              {"not_yet_valid", 0, 1, 365},
              {"wrong_name", GNUTLS_CERT_INVALID | GNUTLS_CERT_UNEXPECTED_OWNER,
               -1, 365},
              {"unknown_ca", GNUTLS_CERT_INVALID | GNUTLS_CERT_SIGNER_NOT_FOUND,
               -1, 365},
              {"self_signed",
               GNUTLS_CERT_INVALID | GNUTLS_CERT_SIGNER_NOT_FOUND, -1, 365}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct secure s;
    gnutls_x509_crt_t crt;
    unsigned n;
    char *fault = mem_format("\"fault\":\"%s\"", rows[i].fault);
    open_fault(&s, fault);
    free(fault);
    int64_t now = clock_wall_epoch_s(&s.call.w.clock.base);
    assert_int_equal(secure_shake(&s), 0);
    unsigned got = secure_verify(&s, "localhost");
    if (got != rows[i].status)
      fail_msg("%s: status 0x%x", rows[i].fault, got);
    gnutls_x509_crt_init(&crt);
    gnutls_x509_crt_import(crt, gnutls_certificate_get_peers(s.session, &n),
                           GNUTLS_X509_FMT_DER);
    assert_int_equal(gnutls_x509_crt_get_activation_time(crt),
                     now + rows[i].from_days * DAY_S);
    assert_int_equal(gnutls_x509_crt_get_expiration_time(crt),
                     now + rows[i].until_days * DAY_S);
    gnutls_x509_crt_deinit(crt);
    expect_next_is_well(&s);
    const struct attempt *a = first_attempt(&s);
    assert_string_equal(a->what, rows[i].fault);
    assert_true(a->delivered && !a->complete);
    assert_int_equal(a->end, END_CLIENT);
    secure_close(&s);
  }
}

static void a_client_that_asks_in_spite_of_it_is_told_apart(void **state)
{
  struct secure s;
  (void)state;
  open_fault(&s, "\"fault\":\"expired\"");
  assert_int_equal(secure_shake(&s), 0);
  secure_send(&s, bytes_of(s.call.request));
  secure_take(&s);
  const struct attempt *a = first_attempt(&s);
  assert_true(a->complete);
  assert_int_equal(a->end, END_KEPT);
  assert_int_equal(journal_count(s.call.w.journal), 2);
  assert_int_equal(journal_get(s.call.w.journal, 1)->cls, ATTEMPT_CALL);
  secure_close(&s);
}

static void a_client_s_alert_is_named(void **state)
{
  struct secure s;
  (void)state;
  secure_open(&s, "anthropic", REPLIES, false, "true");
  s.refuse = true;
  assert_int_equal(secure_shake(&s), GNUTLS_E_CERTIFICATE_ERROR);
  gnutls_alert_send(s.session, GNUTLS_AL_FATAL, GNUTLS_A_UNKNOWN_CA);
  wire_sync(&s.call.w);
  const struct attempt *a = first_attempt(&s);
  assert_int_equal(a->cls, ATTEMPT_HANDSHAKE);
  assert_string_equal(a->what, "the client sent the alert unknown_ca");
  assert_false(a->injected);
  assert_int_equal(a->end, END_CLIENT);
  secure_close(&s);
}

static void names_of_the_scenario_are_in_the_certificate(void **state)
{
  static const char *const names[] = {"localhost", "127.0.0.1", "::1",
                                      "api.example.test", "192.0.2.7"};
  struct secure s;
  (void)state;
  secure_open(&s, "anthropic", REPLIES, false,
              "{\"names\":[\"api.example.test\",\"192.0.2.7\"]}");
  assert_int_equal(secure_shake(&s), 0);
  for (size_t i = 0; i < COUNT(names); i++)
    if (secure_verify(&s, names[i]) != 0)
      fail_msg("%s", names[i]);
  assert_int_not_equal(secure_verify(&s, "api.example.com"), 0);
  secure_close(&s);
}

static void old_versions_only(void **state)
{
  struct secure s;
  (void)state;
  open_fault(&s, "\"fault\":\"tls_1_2\"");
  assert_int_equal(secure_shake(&s), 0);
  assert_int_equal(gnutls_protocol_get_version(s.session), GNUTLS_TLS1_2);
  expect_next_is_well(&s);
  assert_int_equal(gnutls_protocol_get_version(s.session), GNUTLS_TLS1_3);
  assert_string_equal(first_attempt(&s)->tls, "TLS1.2");
  secure_close(&s);
  open_fault(&s, "\"fault\":\"tls_1_1\"");
  secure_only(&s, "NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.3");
  assert_int_not_equal(secure_shake(&s), 0);
  assert_true(first_attempt(&s)->injected && first_attempt(&s)->delivered);
  secure_close(&s);
  open_fault(&s, "\"fault\":\"tls_1_1\"");
  secure_only(&s, "NORMAL:-VERS-ALL:+VERS-TLS1.1:+VERS-TLS1.2");
  assert_int_equal(secure_shake(&s), 0);
  assert_int_equal(gnutls_protocol_get_version(s.session), GNUTLS_TLS1_1);
  secure_close(&s);
}

/* ---- the end without close_notify ---- */

static void truncation_looks_like_truncation(void **state)
{
  static const struct {
    const char *step, *tls;
    enum secure_end end;
  } rows[] = {
      {"{\"fault\":\"stream_cut\",\"ending\":\"fin\"}", "true", SECURE_CLOSED},
      {"{\"fault\":\"stream_cut\",\"ending\":\"fin\"}",
       "{\"faults\":[{\"connection\":\"1+\",\"fault\":\"no_close_notify\"}]}",
       SECURE_CUT},
      {"{\"fault\":\"stream_cut\",\"ending\":\"fin\",\"close_notify\":false}",
       "true", SECURE_CUT},
      {"{\"reply\":\"message\",\"close_notify\":false}", "true", SECURE_CUT},
      {"{\"reply\":\"message\",\"close_notify\":true}", "true", SECURE_OPEN}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (size_t k = 0; wire_providers[k]; k++) {
      struct secure s;
      secure_open(&s, wire_providers[k], rows[i].step, true, rows[i].tls);
      assert_int_equal(secure_shake(&s), 0);
      secure_send(&s, bytes_of(s.call.request));
      enum secure_end end = secure_collect(&s);
      if (end != rows[i].end)
        fail_msg("%s, %s: end %d", wire_providers[k], rows[i].step, (int)end);
      assert_true(s.call.got.n > 0);
      secure_close(&s);
    }
}

/* ---- clients that leave ---- */

static void a_client_may_leave_at_any_time(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(cut_rows); i++)
    for (int shaken = 0; shaken < 2; shaken++) {
      struct secure s;
      open_fault(&s, cut_rows[i].fault);
      s.seed = 5;
      if (shaken)
        secure_shake(&s);
      else
        gnutls_handshake(s.session);
      shutdown(s.call.fd, SHUT_RDWR);
      wire_sync(&s.call.w);
      assert_int_equal(engine_open_attempts(s.call.w.engine), 0);
      secure_close(&s);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_handshake_breaks_off_where_the_script_says),
      cmocka_unit_test(a_stall_may_end),
      cmocka_unit_test(an_alert_answers_the_client_hello),
      cmocka_unit_test(plain_http_answers_the_client_hello),
      cmocka_unit_test(the_certificate_is_wrong_as_asked_for),
      cmocka_unit_test(a_client_that_asks_in_spite_of_it_is_told_apart),
      cmocka_unit_test(a_client_s_alert_is_named),
      cmocka_unit_test(names_of_the_scenario_are_in_the_certificate),
      cmocka_unit_test(old_versions_only),
      cmocka_unit_test(truncation_looks_like_truncation),
      cmocka_unit_test(a_client_may_leave_at_any_time)};
  return cmocka_run_group_tests_name("wire_tls", tests, NULL, NULL);
}
