/* test_lanes.c - never more places than there are, none lost to the dead,
 * nobody waits for ever. */
#include "guard/lanes.h"
#include "tests/unit/unit.h"

#include <string.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */

static struct guard_pacing pacing;
static struct guard_lanes lanes;

static int fresh(void **state)
{
  (void)state;
  guard_pacing_default(&pacing);
  memset(&lanes, 0, sizeof lanes);
  return 0;
}

static bool ask(enum guard_lane lane, int64_t now_ms, int64_t *ticket)
{
  int64_t in_ms = 0;
  bool got = guard_lanes_ask(&lanes, &pacing, lane, now_ms, ticket, &in_ms);
  if (!got)
    assert_int_equal(in_ms, pacing.ask_ms);
  return got;
}

static int64_t get(enum guard_lane lane, int64_t now_ms)
{
  int64_t ticket = 0;
  assert_true(ask(lane, now_ms, &ticket));
  return ticket;
}

static int64_t queue(enum guard_lane lane, int64_t now_ms)
{
  int64_t ticket = 0;
  assert_false(ask(lane, now_ms, &ticket));
  assert_true(ticket > 0);
  return ticket;
}

static void three_run_and_the_fourth_waits(void **state)
{
  (void)state;
  int64_t first = get(GUARD_LANE_NORMAL, T0);
  get(GUARD_LANE_NORMAL, T0);
  get(GUARD_LANE_NORMAL, T0);
  int64_t fourth = queue(GUARD_LANE_NORMAL, T0);
  assert_int_equal(guard_lanes_held(&lanes, T0), 3);
  assert_true(guard_lanes_leave(&lanes, &first));
  assert_int_equal(first, 0);
  assert_true(ask(GUARD_LANE_NORMAL, T0, &fourth));
  /* asking again with a place in hand is no second place */
  assert_true(ask(GUARD_LANE_NORMAL, T0, &fourth));
  assert_int_equal(guard_lanes_held(&lanes, T0), 3);
}

static void a_dead_holders_place_is_free_after_its_lease(void **state)
{
  (void)state;
  pacing.places = 1;
  int64_t dead = get(GUARD_LANE_HIGH, T0);
  int64_t next = 0;
  assert_false(ask(GUARD_LANE_LOW, T0 + pacing.lease_ms - 1, &next));
  assert_true(ask(GUARD_LANE_LOW, T0 + pacing.lease_ms, &next));
  /* and if it was only slow, it is told so */
  assert_false(guard_lanes_renew(&lanes, &pacing, T0 + pacing.lease_ms, dead));
  assert_false(guard_lanes_leave(&lanes, &dead));
  assert_true(guard_lanes_leave(&lanes, &next));
}

static bool is_seven(int64_t owner)
{
  return owner == 7;
}

static void a_dead_owners_place_is_free_at_once(void **state)
{
  (void)state;
  int64_t a = get(GUARD_LANE_NORMAL, T0), b = get(GUARD_LANE_NORMAL, T0);
  guard_lanes_own(&lanes, a, 7);
  guard_lanes_own(&lanes, b, 8);
  get(GUARD_LANE_NORMAL, T0); /* nobody can be asked */
  guard_lanes_free_dead(&lanes, is_seven);
  assert_int_equal(guard_lanes_held(&lanes, T0), 2);
  assert_false(guard_lanes_leave(&lanes, &a));
  int64_t next = get(GUARD_LANE_NORMAL, T0);
  /* the place has forgotten its owner */
  guard_lanes_free_dead(&lanes, is_seven);
  assert_true(guard_lanes_leave(&lanes, &next));
  guard_lanes_own(&lanes, next + 100, 7); /* nobody's place */
}

static void a_living_holder_renews_its_lease(void **state)
{
  (void)state;
  pacing.places = 1;
  int64_t holder = get(GUARD_LANE_NORMAL, T0), other = 0;
  for (int64_t t = T0; t < T0 + 50 * pacing.lease_ms; t += pacing.lease_ms / 2)
    assert_true(guard_lanes_renew(&lanes, &pacing, t, holder));
  assert_false(ask(GUARD_LANE_HIGH, T0 + 50 * pacing.lease_ms, &other));
}

static void a_dead_waiter_keeps_nobody_out(void **state)
{
  (void)state;
  pacing.places = 1;
  int64_t holder = get(GUARD_LANE_NORMAL, T0);
  queue(GUARD_LANE_HIGH, T0); /* never asks again */
  int64_t alive = queue(GUARD_LANE_LOW, T0 + 1);
  assert_true(guard_lanes_leave(&lanes, &holder));
  assert_false(ask(GUARD_LANE_LOW, T0 + 2, &alive));
  assert_false(ask(GUARD_LANE_LOW, T0 + pacing.wait_ms - 1, &alive));
  assert_true(ask(GUARD_LANE_LOW, T0 + pacing.wait_ms, &alive));
}

static void high_goes_before_low_and_first_before_second(void **state)
{
  (void)state;
  pacing.places = 1;
  int64_t holder = get(GUARD_LANE_LOW, T0);
  int64_t low = queue(GUARD_LANE_LOW, T0);
  int64_t normal = queue(GUARD_LANE_NORMAL, T0);
  int64_t high = queue(GUARD_LANE_HIGH, T0);
  int64_t second = queue(GUARD_LANE_HIGH, T0);
  int64_t *order[] = {&high, &second, &normal, &low};
  for (size_t i = 0; i < COUNT(order); i++) {
    guard_lanes_leave(&lanes, &holder);
    for (size_t k = COUNT(order); k-- > i + 1;)
      assert_false(ask(GUARD_LANE_LOW, T0, order[k]));
    assert_true(ask(GUARD_LANE_LOW, T0, order[i]));
    holder = *order[i];
  }
}

static void low_is_overtaken_eight_times_and_then_goes(void **state)
{
  (void)state;
  pacing.places = 1;
  int64_t holder = get(GUARD_LANE_HIGH, T0);
  int64_t low = queue(GUARD_LANE_LOW, T0);
  int n = 0;
  for (; n < 100; n++) {
    int64_t high = queue(GUARD_LANE_HIGH, T0);
    guard_lanes_leave(&lanes, &holder);
    if (ask(GUARD_LANE_LOW, T0, &low))
      break;
    assert_true(ask(GUARD_LANE_HIGH, T0, &high));
    holder = high;
  }
  assert_int_equal(n, pacing.most_overtakes);
}

static void who_came_later_is_not_overtaken_by_those_before(void **state)
{
  (void)state;
  pacing.places = 1;
  int64_t holder = get(GUARD_LANE_HIGH, T0), high[12], low;
  for (size_t i = 0; i < COUNT(high); i++)
    high[i] = queue(GUARD_LANE_HIGH, T0);
  low = queue(GUARD_LANE_LOW, T0);
  for (size_t i = 0; i < COUNT(high); i++) {
    guard_lanes_leave(&lanes, &holder);
    assert_false(ask(GUARD_LANE_LOW, T0, &low));
    assert_true(ask(GUARD_LANE_HIGH, T0, &high[i]));
    holder = high[i];
  }
  int64_t late = queue(GUARD_LANE_HIGH, T0);
  guard_lanes_leave(&lanes, &holder);
  assert_false(ask(GUARD_LANE_LOW, T0, &low));
  assert_true(ask(GUARD_LANE_HIGH, T0, &late));
}

static void a_full_queue_says_so_and_takes_the_next_one_later(void **state)
{
  (void)state;
  pacing.places = 1;
  get(GUARD_LANE_NORMAL, T0);
  int64_t first = queue(GUARD_LANE_NORMAL, T0);
  for (int i = 1; i < GUARD_MAX_WAITERS; i++)
    queue(GUARD_LANE_NORMAL, T0);
  int64_t late = 0;
  assert_false(ask(GUARD_LANE_HIGH, T0, &late));
  assert_int_equal(late, 0);
  assert_true(guard_lanes_leave(&lanes, &first));
  assert_false(ask(GUARD_LANE_HIGH, T0, &late));
  assert_true(late > 0);
}

static void after_a_step_back_no_lease_outlasts_a_whole_one(void **state)
{
  (void)state;
  pacing.places = 1;
  get(GUARD_LANE_NORMAL, T0);
  int64_t past = T0 - INT64_C(365) * 24 * 3600 * 1000, other = 0;
  assert_false(ask(GUARD_LANE_NORMAL, past, &other));
  assert_true(ask(GUARD_LANE_NORMAL, past + pacing.lease_ms, &other));
  assert_int_equal(guard_lanes_held(&lanes, INT64_MAX), 0);
}

static void a_ticket_of_a_lost_state_is_a_new_comer(void **state)
{
  (void)state;
  int64_t ticket = 4711;
  assert_true(ask(GUARD_LANE_NORMAL, T0, &ticket));
  assert_int_equal(ticket, 1);
}

static void
fewer_places_than_before_let_nobody_in_until_they_are_left(void **state)
{
  (void)state;
  int64_t a = get(GUARD_LANE_NORMAL, T0), b = get(GUARD_LANE_NORMAL, T0);
  pacing.places = 1;
  int64_t c = queue(GUARD_LANE_NORMAL, T0);
  guard_lanes_leave(&lanes, &a);
  assert_false(ask(GUARD_LANE_NORMAL, T0, &c));
  guard_lanes_leave(&lanes, &b);
  assert_true(ask(GUARD_LANE_NORMAL, T0, &c));
}

/* One process of the random histories. */
struct actor {
  enum guard_lane lane;
  int64_t ticket, next_ms, lease_end_ms, overtaken;
  bool holds, dead;
};
enum { ACTORS = 40 };
static struct actor actor[ACTORS];
static uint64_t seed;
static int64_t most_seen, last_death_ms;

static int64_t below(int64_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((seed >> 33) % (uint64_t)n);
}

static int living_holders(int64_t now_ms)
{
  int n = 0;
  for (int i = 0; i < ACTORS; i++)
    n += actor[i].holds && actor[i].lease_end_ms > now_ms;
  return n;
}

/* The rule told again, without the library's order: who took the last place
 * went before everybody living who had come earlier to a lower lane. */
static void count_overtakes(const struct actor *me, int64_t now_ms)
{
  if (living_holders(now_ms) < pacing.places)
    return; /* the others can go as well */
  for (int i = 0; i < ACTORS; i++) {
    struct actor *a = &actor[i];
    if (!a->dead && !a->holds && a->ticket && a->ticket < me->ticket &&
        a->lane > me->lane)
      a->overtaken++;
    assert_true(a->overtaken <= pacing.most_overtakes);
    most_seen = a->overtaken > most_seen ? a->overtaken : most_seen;
  }
}

static void come(struct actor *a, int64_t now_ms)
{
  if (!a->ticket)
    *a = (struct actor){.lane = (enum guard_lane)below(GUARD_NLANES)};
  a->next_ms = now_ms + 1 + below(pacing.ask_ms);
  if (!ask(a->lane, now_ms, &a->ticket))
    return;
  a->holds = true;
  a->lease_end_ms = now_ms + pacing.lease_ms;
  a->next_ms = now_ms + 1 + below(2000);
  count_overtakes(a, now_ms);
  a->overtaken = 0;
}

static void act(struct actor *a, int64_t now_ms)
{
  if (below(200) == 0) { /* dies where it stands, and is born again later */
    last_death_ms = now_ms;
    a->dead = true;
    a->next_ms = now_ms + pacing.lease_ms + pacing.wait_ms;
  } else if (a->dead) {
    *a = (struct actor){.next_ms = now_ms};
  } else if (a->holds) {
    assert_true(guard_lanes_leave(&lanes, &a->ticket));
    *a = (struct actor){.next_ms = now_ms + below(3000)};
  } else {
    come(a, now_ms);
  }
}

static void in_any_history_places_and_overtakes_keep_their_bounds(void **state)
{
  (void)state;
  for (uint64_t round = 1; round <= 8; round++) {
    int64_t idle_since = T0;
    seed = round;
    memset(&lanes, 0, sizeof lanes);
    memset(actor, 0, sizeof actor);
    pacing.places = 1 + (int)(round % 4);
    pacing.lease_ms = 20000;
    for (int64_t now = T0; now < T0 + 400000; now += 7) {
      bool wanted = false;
      for (int i = 0; i < ACTORS; i++) {
        if (actor[i].next_ms <= now)
          act(&actor[i], now);
        wanted |= !actor[i].dead && actor[i].ticket && !actor[i].holds;
      }
      assert_true(living_holders(now) <= pacing.places);
      assert_int_equal(guard_lanes_held(&lanes, now), living_holders(now));
      /* no place stays free while somebody living waits, but for the dead
       * waiters' time */
      if (!wanted || living_holders(now) == pacing.places ||
          last_death_ms == now)
        idle_since = now;
      assert_true(now - idle_since <= pacing.wait_ms + 2 * pacing.ask_ms);
    }
  }
  assert_int_equal(most_seen, pacing.most_overtakes); /* it was put to use */
}

static void starts_are_spread_and_none_waits_beyond_the_longest(void **state)
{
  (void)state;
  assert_int_equal(guard_stagger_ms(&pacing, 0, 0), 0);
  assert_int_equal(guard_stagger_ms(&pacing, 1, 0), 60000);
  assert_int_equal(guard_stagger_ms(&pacing, 2, 0.5), 150000);
  assert_int_equal(guard_stagger_ms(&pacing, 9, 0), 540000);
  assert_int_equal(guard_stagger_ms(&pacing, 10, 0), 540000);
  assert_int_equal(guard_stagger_ms(&pacing, INT64_MAX, 0.5), 570000);
  assert_int_equal(guard_stagger_ms(&pacing, -1, 0), 0);
  for (int64_t n = 0; n < 1000; n++)
    assert_in_range(guard_stagger_ms(&pacing, n, 0.999999), 0, 599999);
  pacing.max_stagger_ms = 1000; /* shorter than a step */
  assert_in_range(guard_stagger_ms(&pacing, 5, 0.999999), 0, 999);
  pacing.step_ms = 0;
  assert_int_equal(guard_stagger_ms(&pacing, 5, 0.5), 0);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(three_run_and_the_fourth_waits),
      TEST(a_dead_holders_place_is_free_after_its_lease),
      TEST(a_dead_owners_place_is_free_at_once),
      TEST(a_living_holder_renews_its_lease),
      TEST(a_dead_waiter_keeps_nobody_out),
      TEST(high_goes_before_low_and_first_before_second),
      TEST(low_is_overtaken_eight_times_and_then_goes),
      TEST(who_came_later_is_not_overtaken_by_those_before),
      TEST(a_full_queue_says_so_and_takes_the_next_one_later),
      TEST(after_a_step_back_no_lease_outlasts_a_whole_one),
      TEST(a_ticket_of_a_lost_state_is_a_new_comer),
      TEST(fewer_places_than_before_let_nobody_in_until_they_are_left),
      TEST(in_any_history_places_and_overtakes_keep_their_bounds),
      TEST(starts_are_spread_and_none_waits_beyond_the_longest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
