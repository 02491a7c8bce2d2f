/* What the engine counts about itself, and that waits end in time. */
#include "tests/unit/mockserver/rig.h"
#include "tests/unit/unit.h"

#include <unistd.h>

#define OK "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

static void keep(struct plan *p)
{
  plan_send(p, BYTES(OK));
  plan_keep(p);
}

static void delay(struct plan *p)
{
  plan_delay(p, 1000 * NS_PER_MS);
  plan_send(p, BYTES("b"));
  plan_fin(p);
}

static bool for_ever(void *arg, uint64_t i, struct buf *out)
{
  (void)arg;
  (void)i;
  buf_addc(out, '.');
  return true;
}

static void periodic(struct plan *p)
{
  plan_generate(p, for_ever, NULL, NULL, NS_PER_S, EVENT_CONTENT);
}

/* As if plans before it had taken long: the clock moves inside a turn. */
static struct clock_fake *slow_clock;

static bool slow_piece(void *arg, uint64_t i, struct buf *out)
{
  (void)arg;
  clock_fake_advance(slow_clock, 1000 * NS_PER_MS);
  buf_addc(out, 's');
  return i == 0;
}

static void slow(struct plan *p)
{
  plan_generate(p, slow_piece, NULL, NULL, 0, EVENT_CONTENT);
  plan_fin(p);
}

static const struct rig_route routes[] = {
    {"/unlogged", keep},     {"/keep", keep}, {"/delay", delay},
    {"/periodic", periodic}, {"/slow", slow}, {NULL, NULL}};

static void a_wait_counts_with_its_lateness(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/delay");
  rig_advance(&s.rig, 1250);
  scene_assert_now(&s, "b", CLIENT_FIN);
  struct engine_lateness l = engine_lateness(s.rig.engine);
  assert_int_equal(l.count, 1);
  assert_int_equal(l.p50_ns, 250 * NS_PER_MS);
  assert_int_equal(l.p99_ns, 250 * NS_PER_MS);
  assert_int_equal(l.max_ns, 250 * NS_PER_MS);
  /* the end of the drain is housekeeping */
  rig_advance(&s.rig, 5000);
  assert_int_equal(engine_lateness(s.rig.engine).count, 1);
  scene_close(&s);
}

static void every_period_counts(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_get(s.fd, "/periodic");
  rig_advance(&s.rig, 1000);
  rig_advance(&s.rig, 1700);
  rig_advance(&s.rig, 300);
  struct engine_lateness l = engine_lateness(s.rig.engine);
  assert_int_equal(l.count, 3);
  assert_int_equal(l.p50_ns, 0);
  assert_int_equal(l.max_ns, 700 * NS_PER_MS);
  scene_close(&s);
}

static void a_request_that_never_ends_is_no_late_event(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  client_send(s.fd, "GET /keep HTT");
  rig_advance(&s.rig, 40000);
  assert_int_equal(engine_lateness(s.rig.engine).count, 0);
  scene_close(&s);
}

static void attempts_are_counted_until_they_are_cleared(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  static const char *const paths[] = {"/keep", "/unlogged", "/keep"};
  for (size_t i = 0; i < COUNT(paths); i++) {
    client_get(s.fd, paths[i]);
    client_take(s.fd, strlen(OK), &s.got);
  }
  client_get(s.fd, "/delay");
  rig_advance(&s.rig, 1500);
  assert_int_equal(engine_requests(s.rig.engine), 3);
  assert_int_equal(engine_lateness(s.rig.engine).count, 1);
  engine_clear_counts(s.rig.engine);
  assert_int_equal(engine_requests(s.rig.engine), 0);
  assert_int_equal(engine_lateness(s.rig.engine).count, 0);
  assert_int_equal(engine_lateness(s.rig.engine).max_ns, 0);
  scene_close(&s);
}

/* Two slow plans of a second each stand in one turn; a stream's event comes
 * due after the first. It does not wait for the second. */
static void a_burst_of_requests_does_not_hold_up_a_stream(void **state)
{
  (void)state;
  struct scene s;
  scene_open(&s, routes, 0);
  slow_clock = &s.rig.clock;
  int busy[2] = {rig_connect(&s.rig), rig_connect(&s.rig)};
  client_get(s.fd, "/periodic");
  rig_sync(&s.rig);
  rig_hold(&s.rig);
  client_get(busy[0], "/slow");
  client_get(busy[1], "/slow");
  rig_go_on(&s.rig);
  rig_sync(&s.rig);
  /* each plan makes two pieces: 2 s, then 2 s more */
  struct engine_lateness l = engine_lateness(s.rig.engine);
  assert_int_equal(l.max_ns, NS_PER_S);
  close(busy[0]);
  close(busy[1]);
  scene_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wait_counts_with_its_lateness),
      cmocka_unit_test(every_period_counts),
      cmocka_unit_test(a_request_that_never_ends_is_no_late_event),
      cmocka_unit_test(attempts_are_counted_until_they_are_cleared),
      cmocka_unit_test(a_burst_of_requests_does_not_hold_up_a_stream)};
  return cmocka_run_group_tests_name("engine_stats", tests, NULL, NULL);
}
