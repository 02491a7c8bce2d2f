/*
 * What is no handshake, and what is no scenario of one.
 */
#include "tests/unit/unit.h"

#include "tests/wire/call.h"

#include <string.h>
#include <sys/socket.h>

#define REPLIES "{\"reply\":\"message\",\"times\":\"always\"}"

static void what_is_no_handshake_is_refused(void **state)
{
  /* the third holds NULs: its length is given */
  static const struct {
    const char *bytes;
    size_t n;
  } rows[] = {{"\x16", 1},
              {"\x16\x03\x01\x40\x10GET / HTTP/1.1\r\n\r\n", 23},
              {"\x16\x03\x03\x00\x04\x01\x02\x03\x04", 9},
              {"\x16\x16\x16\x16\x16\x16\x16", 7}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (int faulty = 0; faulty < 2; faulty++) {
      struct wire_call c;
      call_open(&c, "anthropic", REPLIES, false,
                faulty ? ",\"tls\":{\"faults\":[{\"connection\":1,\"fault\":"
                         "\"stall\"}]}"
                       : ",\"tls\":true");
      assert_int_equal(send(c.fd, rows[i].bytes, rows[i].n, MSG_NOSIGNAL),
                       rows[i].n);
      wire_sync(&c.w);
      wire_advance(&c.w, 31000);
      assert_int_equal(wire_take(c.fd, &c.got), WIRE_FIN);
      wire_stop(&c.w);
      assert_int_equal(journal_count(c.w.journal), 1);
      const struct attempt *a = journal_get(c.w.journal, 0);
      assert_int_equal(a->cls, ATTEMPT_HANDSHAKE);
      assert_false(a->injected);
      call_close(&c);
    }
}

static void wrong_words_are_refused_with_their_place(void **state)
{
  static const struct {
    const char *tls, *path, *says;
  } rows[] = {
      {"1", "$.tls", "must be true, false or an object"},
      {"{\"fault\":[]}", "$.tls.fault", "did you mean 'faults'"},
      {"{\"faults\":{}}", "$.tls.faults", "must be an array"},
      {"{\"faults\":[{\"fault\":\"reset\"}]}", "$.tls.faults[0]",
       "'connection'"},
      {"{\"faults\":[{\"connection\":0,\"fault\":\"reset\"}]}",
       "$.tls.faults[0].connection", ""},
      {"{\"faults\":[{\"connection\":1,\"fault\":\"rest\"}]}",
       "$.tls.faults[0].fault", "did you mean 'reset'"},
      {"{\"faults\":[{\"connection\":1,\"fault\":\"expired\",\"where\":"
       "\"server_hello\"}]}",
       "$.tls.faults[0].where", "is for stall, reset and fin only"},
      {"{\"faults\":[{\"connection\":1,\"fault\":\"reset\",\"for_s\":1}]}",
       "$.tls.faults[0].for_s", "is for stall only"},
      {"{\"faults\":[{\"connection\":1,\"fault\":\"fin\",\"alert\":"
       "\"unknown_ca\"}]}",
       "$.tls.faults[0].alert", "is for alert only"},
      {"{\"faults\":[{\"connection\":1,\"fault\":\"alert\",\"alert\":"
       "\"unknown_cat\"}]}",
       "$.tls.faults[0].alert", "did you mean 'unknown_ca'"},
      {"{\"names\":[1]}", "$.tls.names[0]", ""}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct scenario s;
    struct diag d = {0};
    char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[" REPLIES
                            "],\"tls\":%s}",
                            rows[i].tls);
    if (scenario_parse(&s, "t", bytes_of(text), &d) == 0)
      fail_msg("%s: taken", rows[i].tls);
    if (strcmp(d.path, rows[i].path) != 0 || !strstr(d.text, rows[i].says))
      fail_msg("%s: %s: %s", rows[i].tls, d.path, d.text);
    free(text);
  }
}

static void without_tls_a_handshake_is_refused(void **state)
{
  struct wire_call plain;
  (void)state;
  call_open(&plain, "anthropic", REPLIES, false, "");
  wire_send(plain.fd, "\x16\x03\x01");
  wire_sync(&plain.w);
  assert_int_equal(wire_take(plain.fd, &plain.got), WIRE_FIN);
  wire_stop(&plain.w);
  assert_int_equal(journal_get(plain.w.journal, 0)->cls, ATTEMPT_REFUSED);
  call_close(&plain);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_handshake_is_refused),
      cmocka_unit_test(wrong_words_are_refused_with_their_place),
      cmocka_unit_test(without_tls_a_handshake_is_refused)};
  return cmocka_run_group_tests_name("wire_tls_bad", tests, NULL, NULL);
}
