#include "mockserver/timer.h"
#include "tests/unit/unit.h"

#define MANY 500

static void timers_come_out_by_time_then_by_order_of_setting(void **state)
{
  (void)state;
  static const int64_t due[] = {30, 10, 20, 10, 30, 10};
  static const size_t order[] = {1, 3, 5, 2, 0, 4};
  struct timer t[COUNT(due)] = {0};
  struct timers h;
  timers_init(&h);
  for (size_t i = 0; i < COUNT(due); i++)
    timers_set(&h, &t[i], due[i]);
  for (size_t i = 0; i < COUNT(order); i++)
    assert_ptr_equal(timers_take_due(&h, 100, UINT64_MAX), &t[order[i]]);
  assert_null(timers_take_due(&h, 100, UINT64_MAX));
  timers_release(&h);
}

static void a_timer_is_due_at_its_moment_and_not_before(void **state)
{
  (void)state;
  struct timer t = {0};
  struct timers h;
  timers_init(&h);
  assert_int_equal(timers_first_due_ns(&h), INT64_MAX);
  timers_set(&h, &t, 10);
  assert_int_equal(timers_first_due_ns(&h), 10);
  assert_null(timers_take_due(&h, 9, UINT64_MAX));
  assert_ptr_equal(timers_take_due(&h, 10, UINT64_MAX), &t);
  assert_int_equal(t.place, 0);
  timers_release(&h);
}

static void a_timer_set_again_moves_behind_its_equals(void **state)
{
  (void)state;
  struct timer a = {0}, b = {0};
  struct timers h;
  timers_init(&h);
  timers_set(&h, &a, 10);
  timers_set(&h, &b, 10);
  timers_set(&h, &a, 10);
  assert_int_equal(h.n, 2);
  assert_ptr_equal(timers_take_due(&h, 10, UINT64_MAX), &b);
  timers_drop(&h, &a);
  timers_drop(&h, &a); /* not set: nothing happens */
  assert_int_equal(h.n, 0);
  timers_release(&h);
}

static void timers_set_while_firing_wait_for_the_next_turn(void **state)
{
  (void)state;
  struct timer t = {0};
  struct timers h;
  timers_init(&h);
  timers_set(&h, &t, 5);
  uint64_t below = h.next_seq;
  assert_ptr_equal(timers_take_due(&h, 10, below), &t);
  timers_set(&h, &t, 5);
  assert_null(timers_take_due(&h, 10, below));
  assert_ptr_equal(timers_take_due(&h, 10, h.next_seq), &t);
  timers_release(&h);
}

static uint32_t next_random(uint32_t *x)
{
  *x = *x * 1664525u + 1013904223u; /* Numerical Recipes, ch. 7.1 */
  return *x >> 8;
}

/* Against the plainest model: the smallest of all that are set. */
static struct timer *smallest(struct timer *t, size_t n)
{
  struct timer *best = NULL;
  for (size_t i = 0; i < n; i++)
    if (t[i].place && (!best || t[i].due_ns < best->due_ns ||
                       (t[i].due_ns == best->due_ns && t[i].seq < best->seq)))
      best = &t[i];
  return best;
}

static void any_order_of_setting_and_dropping_keeps_the_heap(void **state)
{
  (void)state;
  static struct timer t[MANY];
  uint32_t x = 7;
  struct timers h;
  timers_init(&h);
  for (int i = 0; i < 20000; i++) {
    struct timer *one = &t[next_random(&x) % MANY];
    uint32_t what = next_random(&x) % 4;
    struct timer *first = smallest(t, MANY);
    if (what == 0)
      timers_drop(&h, one);
    else if (what == 1)
      assert_ptr_equal(timers_take_due(&h, INT64_MAX, UINT64_MAX), first);
    else
      timers_set(&h, one, next_random(&x) % 1000);
  }
  timers_release(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(timers_come_out_by_time_then_by_order_of_setting),
      cmocka_unit_test(a_timer_is_due_at_its_moment_and_not_before),
      cmocka_unit_test(a_timer_set_again_moves_behind_its_equals),
      cmocka_unit_test(timers_set_while_firing_wait_for_the_next_turn),
      cmocka_unit_test(any_order_of_setting_and_dropping_keeps_the_heap),
  };
  return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
