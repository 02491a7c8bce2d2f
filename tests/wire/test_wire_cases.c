/*
 * What incidents of fault-injection tools say about the wire: a reset that
 * never left (B147), no order per request (B149), a fault that was off and
 * acted (B150). The scenarios are in harness/scenarios/cases.
 */
#include "tests/unit/unit.h"

#include "tests/wire/call.h"
#include "tests/wire/fault_steps.h"

#include <string.h>
#include <unistd.h>

/* As many as the report asks for. */
enum { CALLS = 1000 };

/* No time has to pass: the half second a client would wait is not needed. */
static void a_reset_leaves_at_once_and_nothing_before_it(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++)
    for (int stream = 0; stream < 2; stream++) {
      struct wire_call c;
      call_open(&c, *p, "{\"fault\":\"reset\"}", stream, "");
      call_send(&c);
      assert_int_equal(wire_take(c.fd, &c.got), WIRE_RST);
      assert_int_equal(c.got.n, 0);
      call_close(&c);
    }
}

static int status_of(struct wire_call *c)
{
  buf_reset(&c->got);
  call_send(c);
  assert_int_equal(wire_take(c->fd, &c->got), WIRE_OPEN);
  assert_true(c->got.n > 12);
  return (c->got.p[9] - '0') * 100 + (c->got.p[10] - '0') * 10 +
         (c->got.p[11] - '0');
}

static void the_order_is_that_of_requests_on_one_kept_connection(void **state)
{
  (void)state;
  for (const char *const *p = wire_providers; *p; p++) {
    struct wire_call c;
    call_open(&c, *p,
              "{\"fault\":\"status\",\"status\":500,\"attempts\":\"1-2\"},"
              "{\"reply\":\"message\",\"attempts\":\"3+\"}",
              false, "");
    assert_int_equal(status_of(&c), 500);
    assert_int_equal(status_of(&c), 500);
    assert_int_equal(status_of(&c), 200);
    assert_int_equal(status_of(&c), 200);
    call_close(&c);
  }
}

/* Every step of the table, none of them due, and a reply behind them. */
static char *steps_not_due(void)
{
  struct buf b;
  buf_init(&b, 1 << 20);
  for (size_t i = 0; i < COUNT(steps); i++)
    buf_addf(&b, "%.*s,\"from_s\":86400,\"optional\":true},",
             (int)strlen(steps[i]) - 1, steps[i]);
  buf_adds(&b, "{\"reply\":\"message\",\"times\":\"always\"}");
  return buf_detach(&b);
}

static void faults_that_are_not_due_do_nothing(void **state)
{
  struct wire_call c;
  char *all = steps_not_due();
  (void)state;
  call_open(&c, "anthropic", all, false, "");
  for (int i = 0; i < CALLS; i++)
    assert_int_equal(status_of(&c), 200);
  wire_stop(&c.w);
  assert_int_equal(journal_count(c.w.journal), CALLS);
  for (size_t i = 0; i < CALLS; i++) {
    const struct attempt *a = journal_get(c.w.journal, i);
    assert_true(a->complete && !a->injected && !a->delivered);
  }
  call_close(&c);
  free(all);
}

struct silence_row {
  const char *id, *events;
};

static const struct silence_row silences[] = {
    {"pings without end", "[\"start\",{\"pingloop\":0.5}]"},
    {"a pause before the rest", "[\"start\",{\"wait\":60},\"stop\"]"}};

/* A client that leaves in a silence has met the fault: what was to come
 * behind it never comes (B119). */
static void a_silence_somebody_left_was_delivered(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(silences); i++) {
    struct wire_call c;
    char *step = mem_format("{\"fault\":\"stream\",\"ending\":\"hold\","
                            "\"events\":%s}",
                            silences[i].events);
    call_open(&c, "anthropic", step, true, "");
    call_send(&c);
    wire_advance(&c.w, 2000);
    assert_int_equal(wire_take(c.fd, &c.got), WIRE_OPEN);
    call_reconnect(&c);
    wire_sync(&c.w);
    wire_stop(&c.w);
    if (!journal_get(c.w.journal, 0)->delivered)
      fail_msg("%s: not delivered", silences[i].id);
    call_close(&c);
    free(step);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reset_leaves_at_once_and_nothing_before_it),
      cmocka_unit_test(the_order_is_that_of_requests_on_one_kept_connection),
      cmocka_unit_test(faults_that_are_not_due_do_nothing),
      cmocka_unit_test(a_silence_somebody_left_was_delivered)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
