#include "tests/unit/unit.h"

#include "harness/vtime/jump_log.h"
#include "harness/vtime/seat.h"
#include "harness/vtime/seccomp/call.h"
#include "harness/vtime/seccomp/timers.h"

#include <poll.h>
#include <unistd.h>

static void a_page_begins_where_it_is_told(void **state)
{
  struct diag diag = {0};
  int fd = -1;
  struct vtime_page *p = vtime_page_new(1700000000 * NS_PER_S, &fd, &diag);
  (void)state;
  assert_non_null(p);
  int64_t now = vtime_page_now_ns(p);
  assert_int_equal(now, vtime_page_now_ns(p)); /* it stands */
  assert_int_equal(now + vtime_page_offset_ns(p, CLOCK_REALTIME),
                   1700000000 * NS_PER_S);
  assert_int_equal(vtime_page_read_ns(p), now + VTIME_TICK_NS);
  vtime_page_add(p, 5 * NS_PER_S);
  assert_int_equal(vtime_page_now_ns(p), now + VTIME_TICK_NS + 5 * NS_PER_S);
  assert_false(vtime_page_has(CLOCK_PROCESS_CPUTIME_ID));
  assert_true(vtime_page_has(CLOCK_BOOTTIME));
  vtime_page_free(p);
  close(fd);
}

static void a_seat_waits_until_it_is_woken(void **state)
{
  struct diag diag = {0};
  struct seat s;
  int fd = -1;
  struct vtime_page *p = vtime_page_new(-1, &fd, &diag);
  (void)state;
  assert_int_equal(seat_init(&s, p, &diag), 0);
  struct clock *c = &s.clock;
  int64_t now = clock_now_ns(c);
  struct pollfd wake = {s.wake_fd, POLLIN, 0};
  assert_int_equal(clock_block_ns(c, now), 0);
  assert_int_equal(s.state, SEAT_RUNS);
  assert_int_equal(clock_block_ns(c, now + NS_PER_S), -1);
  assert_int_equal(s.state, SEAT_WAITS);
  assert_int_equal(s.waits, 1);
  assert_int_equal(poll(&wake, 1, 0), 0);
  vtime_page_add(p, NS_PER_S);
  seat_wake(&s);
  assert_int_equal(s.state, SEAT_WOKEN);
  assert_int_equal(poll(&wake, 1, 0), 1);
  seat_woken(&s);
  assert_int_equal(poll(&wake, 1, 0), 0);
  assert_int_equal(clock_now_ns(c), now + NS_PER_S);
  assert_int_equal(s.state, SEAT_RUNS);
  seat_wake(&s); /* it runs: nothing to wake */
  assert_int_equal(poll(&wake, 1, 0), 0);
  seat_release(&s);
  vtime_page_free(p);
  close(fd);
}

static void jumps_are_summed_between_two_moments(void **state)
{
  struct jump_log l;
  struct jump client = {
      .at_ns = 100, .length_ns = 60, .asked_ns = 70, .pid = 7, .call = "poll"};
  struct jump server = {
      .at_ns = 120, .length_ns = 20, .asked_ns = 20, .call = "server"};
  (void)state;
  jump_log_init(&l);
  jump_log_add(&l, &client);
  jump_log_add(&l, &server);
  struct jump_sum s = jump_log_between(&l, 0, 200);
  assert_int_equal(s.slept_ns, 80);
  assert_int_equal(s.longest_ns, 70);
  assert_int_equal(jump_log_between(&l, 50, 80).slept_ns, 30);
  assert_int_equal(jump_log_between(&l, 100, 120).longest_ns, 0);
  assert_int_equal(l.sum_ns, 80);
  assert_int_equal(l.longest_ns, 70);
  jump_log_release(&l);
}

static void a_timer_comes_again_at_its_period(void **state)
{
  struct vtimer t = {.deadline_ns = 100, .interval_ns = 30};
  (void)state;
  timer_next(&t, 100);
  assert_int_equal(t.deadline_ns, 130);
  timer_next(&t, 199);
  assert_int_equal(t.deadline_ns, 220);
  assert_int_equal(timer_left(&t, 200), 20);
  assert_int_equal(timer_left(&t, 300), 1);
  t.interval_ns = 0;
  timer_next(&t, 220);
  assert_int_equal(t.deadline_ns, NO_DEADLINE);
  t = (struct vtimer){.deadline_ns = 100, .interval_ns = NO_DEADLINE};
  timer_next(&t, 100); /* an interval of centuries */
  assert_int_equal(t.deadline_ns, NO_DEADLINE);
  assert_int_equal(timer_left(&t, 300), 0);
}

static void times_out_of_range_are_the_kernels_affair(void **state)
{
  int64_t ns = -1;
  (void)state;
  assert_true(timespec_ns(1, 5, &ns));
  assert_int_equal(ns, NS_PER_S + 5);
  assert_true(timespec_ns(INT64_MAX, 0, &ns));
  assert_int_equal(ns, NO_DEADLINE);
  assert_false(timespec_ns(-1, 0, &ns));
  assert_false(timespec_ns(0, NS_PER_S, &ns));
  assert_false(timespec_ns(0, -1, &ns));
  assert_int_equal(ns_add(NO_DEADLINE, 1), NO_DEADLINE);
  assert_int_equal(ns_add(2, 1), 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_page_begins_where_it_is_told),
      cmocka_unit_test(a_seat_waits_until_it_is_woken),
      cmocka_unit_test(jumps_are_summed_between_two_moments),
      cmocka_unit_test(a_timer_comes_again_at_its_period),
      cmocka_unit_test(times_out_of_range_are_the_kernels_affair),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
