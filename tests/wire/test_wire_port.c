/*
 * The listening port as clients see it: refused for a while and back on the
 * same number, a full queue, connections that are taken and never read.
 */
#include "tests/unit/unit.h"

#include "tests/wire/call.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REPLIES "{\"reply\":\"message\",\"times\":\"always\"}"

/* A connect without waiting: 0 or errno; EINPROGRESS when the handshake is
 * not answered. On loopback every answer is there when connect() returns,
 * though it may not say so itself. */
static int try_connect(const struct wire_call *c, int *ret_fd)
{
  struct sockaddr_in a = {.sin_family = AF_INET,
                          .sin_port = htons(engine_port(c->w.engine)),
                          .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int error = 0;
  socklen_t n = sizeof error;
  *ret_fd = fd;
  if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
    return 0;
  if (errno != EINPROGRESS)
    return errno;
  struct pollfd p = {.fd = fd, .events = POLLOUT};
  if (poll(&p, 1, 0) == 0)
    return EINPROGRESS;
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &n);
  return error;
}

static void expect_connect(const struct wire_call *c, int want)
{
  int fd, got = try_connect(c, &fd);
  close(fd);
  if (got != want)
    fail_msg("connect: %s", strerror(got));
}

static void a_port_is_refused_for_a_while_and_comes_back(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "anthropic", REPLIES, false,
            ",\"port\":[{\"state\":\"refuse\",\"from_s\":2,\"for_s\":4}]");
  call_send(&c);
  wire_take(c.fd, &c.got);
  wire_advance(&c.w, 1999);
  expect_connect(&c, 0);
  wire_sync(&c.w);
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
  wire_advance(&c.w, 1);
  expect_connect(&c, ECONNREFUSED);
  /* what was idle is closed, as by a service that goes away */
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_FIN);
  wire_advance(&c.w, 3999);
  expect_connect(&c, ECONNREFUSED);
  wire_advance(&c.w, 1);
  buf_reset(&c.got);
  call_reconnect(&c);
  call_send(&c);
  wire_take(c.fd, &c.got);
  assert_true(bytes_starts(buf_bytes(&c.got), BYTES("HTTP/1.1 200 OK")));
  call_close(&c);
}

static void a_refusal_may_begin_with_a_call(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "gemini", REPLIES, true,
            ",\"port\":[{\"state\":\"refuse\",\"after_calls\":2}]");
  call_send(&c);
  expect_connect(&c, 0);
  call_send(&c);
  expect_connect(&c, ECONNREFUSED);
  wire_take(c.fd, &c.got);
  assert_true(c.got.n > 0); /* the answer went on */
  wire_advance(&c.w, 80000000);
  expect_connect(&c, ECONNREFUSED);
  call_close(&c);
}

static void a_full_queue_leaves_handshakes_open(void **state)
{
  struct wire_call c;
  int fd;
  (void)state;
  call_open(&c, "openai", REPLIES, false,
            ",\"port\":[{\"state\":\"backlog\",\"after_calls\":1,"
            "\"for_s\":3}]");
  call_send(&c);
  assert_int_equal(try_connect(&c, &fd), EINPROGRESS);
  wire_advance(&c.w, 2999);
  struct pollfd p = {.fd = fd, .events = POLLOUT};
  assert_int_equal(poll(&p, 1, 0), 0);
  wire_advance(&c.w, 1);
  /* the kernel tries again after a second of real time */
  assert_int_equal(poll(&p, 1, 8000), 1);
  close(fd);
  expect_connect(&c, 0);
  wire_sync(&c.w);
  wire_stop(&c.w);
  /* what filled the queue is in no journal */
  assert_int_equal(journal_count(c.w.journal), 1);
  call_close(&c);
}

static void a_stalled_port_takes_and_never_reads(void **state)
{
  struct wire_call c;
  (void)state;
  call_open(&c, "anthropic", REPLIES, false,
            ",\"port\":[{\"state\":\"stall\",\"after_calls\":1,\"for_s\":3}]");
  call_send(&c);
  wire_take(c.fd, &c.got);
  buf_reset(&c.got);
  call_reconnect(&c);
  call_send(&c);
  wire_advance(&c.w, 5000);
  assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
  assert_int_equal(c.got.n, 0);
  call_reconnect(&c);
  call_send(&c);
  wire_take(c.fd, &c.got);
  assert_true(c.got.n > 0);
  wire_stop(&c.w);
  const struct attempt *a = journal_get(c.w.journal, 1);
  assert_int_equal(a->cls, ATTEMPT_REFUSED);
  assert_string_equal(a->what, "accepted, never read");
  assert_int_equal(a->end, END_CLIENT);
  call_close(&c);
}

static void a_server_may_end_in_any_state(void **state)
{
  static const char *const words[] = {"refuse", "backlog", "stall"};
  (void)state;
  for (size_t i = 0; i < COUNT(words); i++) {
    struct wire_call c;
    char *rest = mem_format(",\"port\":[{\"state\":\"%s\",\"from_s\":0,"
                            "\"for_s\":9},{\"state\":\"refuse\",\"from_s\":5}]",
                            words[i]);
    call_open(&c, "openai", REPLIES, false, rest);
    call_send(&c);
    wire_stop(&c.w);
    call_close(&c);
    free(rest);
  }
}

static void wrong_changes_are_refused_with_their_place(void **state)
{
  static const struct {
    const char *port, *path, *says;
  } rows[] = {{"{\"state\":\"refuse\"}", "$.port", "must be an array"},
              {"[{\"state\":\"refuse\"}]", "$.port[0]",
               "needs one of 'after_calls' and 'from_s'"},
              {"[{\"state\":\"refuse\",\"after_calls\":1,\"from_s\":1}]",
               "$.port[0]", "needs one of"},
              {"[{\"state\":\"refused\",\"from_s\":1}]", "$.port[0].state",
               "did you mean 'refuse'"},
              {"[{\"state\":\"stall\",\"form_s\":1}]", "$.port[0].form_s",
               "did you mean 'from_s'"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct scenario s;
    struct diag d = {0};
    char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[" REPLIES
                            "],\"port\":%s}",
                            rows[i].port);
    if (scenario_parse(&s, "t", bytes_of(text), &d) == 0)
      fail_msg("%s: taken", rows[i].port);
    if (strcmp(d.path, rows[i].path) != 0 || !strstr(d.text, rows[i].says))
      fail_msg("%s: %s: %s", rows[i].port, d.path, d.text);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_port_is_refused_for_a_while_and_comes_back),
      cmocka_unit_test(a_refusal_may_begin_with_a_call),
      cmocka_unit_test(a_full_queue_leaves_handshakes_open),
      cmocka_unit_test(a_stalled_port_takes_and_never_reads),
      cmocka_unit_test(a_server_may_end_in_any_state),
      cmocka_unit_test(wrong_changes_are_refused_with_their_place)};
  return cmocka_run_group_tests_name("wire_port", tests, NULL, NULL);
}
