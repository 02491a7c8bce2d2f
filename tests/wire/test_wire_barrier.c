/*
 * Calls that wait for each other, on real sockets: nobody gets a byte before
 * the gate opens, and then all of them do in one turn of the loop.
 */
#include "tests/unit/unit.h"

#include "tests/wire/wire.h"

#include <string.h>
#include <unistd.h>

enum { MANY = 64 };

struct crowd {
  struct wire w;
  int fd[MANY];
  size_t n;
};

static void crowd_open(struct crowd *c, const char *steps)
{
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"after_script\":"
                          "\"reply\",\"steps\":[%s]}",
                          steps);
  memset(c, 0, sizeof *c);
  wire_open(&c->w, json);
  free(json);
}

/* The number of the call. */
static size_t ask(struct crowd *c, const char *lane)
{
  static const char body[] = "{\"model\":\"m\"}";
  char *text = mem_format("POST %s%s/v1/messages HTTP/1.1\r\nhost: x\r\n"
                          "content-length: %zu\r\n\r\n%s",
                          *lane ? "/" : "", lane, sizeof body - 1, body);
  assert_true(c->n < MANY);
  c->fd[c->n] = wire_connect(&c->w);
  wire_send(c->fd[c->n], text);
  wire_sync(&c->w);
  free(text);
  return c->n++;
}

/* The status of what has come, 0: nothing. */
static int status_of(struct crowd *c, size_t i)
{
  struct buf got;
  int status = 0;
  buf_init(&got, 1 << 20);
  wire_take(c->fd[i], &got);
  if (got.n > 12)
    status = (got.p[9] - '0') * 100 + (got.p[10] - '0') * 10 + got.p[11] - '0';
  buf_release(&got);
  return status;
}

static void crowd_close(struct crowd *c)
{
  for (size_t i = 0; i < c->n; i++)
    if (c->fd[i] >= 0)
      close(c->fd[i]);
  wire_close(&c->w);
}

static void expect_status(struct crowd *c, size_t first, size_t n, int status)
{
  for (size_t i = first; i < first + n; i++) {
    int got = status_of(c, i);
    if (got != status)
      fail_msg("call %zu: %d instead of %d", i, got, status);
  }
}

static void the_last_call_lets_all_go(void **state)
{
  struct crowd c;
  (void)state;
  crowd_open(&c, "{\"fault\":\"rate_limit\",\"retry_after\":\"2\","
                 "\"barrier\":{\"requests\":5,\"for_s\":2}}");
  for (int i = 0; i < 4; i++)
    ask(&c, i % 2 ? "a" : "b");
  expect_status(&c, 0, 4, 0);
  wire_advance(&c.w, 1999);
  expect_status(&c, 0, 4, 0);
  ask(&c, "c");
  expect_status(&c, 0, 5, 429);
  wire_stop(&c.w);
  for (size_t i = 0; i < 5; i++) {
    const struct attempt *a = journal_get(c.w.journal, i);
    assert_int_equal(a->barrier_round, 1);
    assert_int_equal(a->barrier_came, 5);
    assert_int_equal(a->barrier_wanted, 5);
    assert_int_equal(a->status, 429);
    assert_true(a->delivered);
    /* the clock stands still within a turn: all at the same instant */
    assert_true(a->answer_first_ns == a->barrier_open_ns);
  }
  crowd_close(&c);
}

static void after_its_time_those_that_came_are_answered(void **state)
{
  struct crowd c;
  (void)state;
  crowd_open(&c, "{\"fault\":\"overloaded\",\"barrier\":{\"requests\":5,"
                 "\"for_s\":2}}");
  ask(&c, "a");
  wire_advance(&c.w, 500);
  ask(&c, "b");
  ask(&c, "a");
  wire_advance(&c.w, 1499);
  expect_status(&c, 0, 3, 0);
  wire_advance(&c.w, 1);
  expect_status(&c, 0, 3, 529);
  /* the places of the two that did not come are gone */
  ask(&c, "c");
  expect_status(&c, 3, 1, 200);
  wire_stop(&c.w);
  assert_int_equal(journal_get(c.w.journal, 2)->barrier_came, 3);
  assert_int_equal(journal_get(c.w.journal, 3)->barrier_round, 0);
  crowd_close(&c);
}

static void a_date_is_that_of_the_release(void **state)
{
  struct crowd c;
  struct buf got;
  (void)state;
  buf_init(&got, 1 << 16);
  crowd_open(&c, "{\"fault\":\"rate_limit\",\"retry_after\":"
                 "\"{{http_date:+1}}\",\"barrier\":{\"requests\":2,"
                 "\"for_s\":9}}");
  ask(&c, "");
  wire_advance(&c.w, 7000);
  ask(&c, "");
  wire_take(c.fd[0], &got);
  assert_non_null(
      strstr(buf_str(&got), "date: Mon, 01 Dec 2025 00:00:07 GMT\r\n"));
  assert_non_null(
      strstr(buf_str(&got), "retry-after: Mon, 01 Dec 2025 00:00:08 GMT\r\n"));
  buf_release(&got);
  crowd_close(&c);
}

static void rounds_follow_each_other(void **state)
{
  struct crowd c;
  (void)state;
  crowd_open(&c, "{\"fault\":\"overloaded\",\"times\":4,\"barrier\":"
                 "{\"requests\":2,\"for_s\":1}}");
  ask(&c, "a");
  ask(&c, "b");
  expect_status(&c, 0, 2, 529);
  ask(&c, "a");
  expect_status(&c, 2, 1, 0);
  wire_advance(&c.w, 1000);
  expect_status(&c, 2, 1, 529);
  ask(&c, "a");
  expect_status(&c, 3, 1, 200);
  wire_stop(&c.w);
  assert_int_equal(journal_get(c.w.journal, 2)->barrier_round, 2);
  crowd_close(&c);
}

static void a_lane_can_have_its_own_round(void **state)
{
  struct crowd c;
  (void)state;
  crowd_open(&c, "{\"fault\":\"overloaded\",\"barrier\":{\"requests\":2,"
                 "\"for_s\":1,\"across\":\"lane\"}}");
  ask(&c, "a");
  ask(&c, "b");
  expect_status(&c, 0, 2, 0);
  ask(&c, "b");
  expect_status(&c, 0, 1, 0);
  expect_status(&c, 1, 2, 529);
  wire_advance(&c.w, 1000);
  expect_status(&c, 0, 1, 529);
  crowd_close(&c);
}

static void leaves(size_t who)
{
  struct crowd c;
  crowd_open(&c, "{\"fault\":\"overloaded\",\"barrier\":{\"requests\":5,"
                 "\"for_s\":9}}");
  for (int i = 0; i < 3; i++)
    ask(&c, "");
  close(c.fd[who]);
  c.fd[who] = -1;
  wire_sync(&c.w);
  ask(&c, "");
  ask(&c, "");
  for (size_t i = 0; i < 5; i++)
    if (i != who)
      expect_status(&c, i, 1, 529);
  wire_stop(&c.w);
  const struct attempt *a = journal_get(c.w.journal, who);
  assert_int_equal(a->end, END_CLIENT);
  assert_false(a->delivered);
  assert_int_equal(journal_get(c.w.journal, 3)->barrier_came, 5);
  crowd_close(&c);
}

static void who_leaves_while_held_has_come_all_the_same(void **state)
{
  (void)state;
  for (size_t who = 0; who < 3; who++)
    leaves(who);
}

static void a_server_may_end_while_calls_are_held(void **state)
{
  struct crowd c;
  (void)state;
  crowd_open(&c, "{\"fault\":\"overloaded\",\"barrier\":{\"requests\":3,"
                 "\"for_s\":9}}");
  ask(&c, "");
  ask(&c, "");
  wire_stop(&c.w);
  assert_int_equal(journal_get(c.w.journal, 0)->end, END_OPEN);
  crowd_close(&c);
}

static void many_are_released_in_the_order_they_came(void **state)
{
  struct crowd c;
  (void)state;
  crowd_open(&c, "{\"reply\":\"message\",\"barrier\":{\"requests\":60,"
                 "\"for_s\":9}}");
  for (int i = 0; i < 59; i++)
    ask(&c, i % 3 ? "a" : "b");
  expect_status(&c, 0, 59, 0);
  ask(&c, "");
  expect_status(&c, 0, 60, 200);
  crowd_close(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_last_call_lets_all_go),
      cmocka_unit_test(after_its_time_those_that_came_are_answered),
      cmocka_unit_test(a_date_is_that_of_the_release),
      cmocka_unit_test(rounds_follow_each_other),
      cmocka_unit_test(a_lane_can_have_its_own_round),
      cmocka_unit_test(who_leaves_while_held_has_come_all_the_same),
      cmocka_unit_test(a_server_may_end_while_calls_are_held),
      cmocka_unit_test(many_are_released_in_the_order_they_came)};
  return cmocka_run_group_tests_name("wire_barrier", tests, NULL, NULL);
}
