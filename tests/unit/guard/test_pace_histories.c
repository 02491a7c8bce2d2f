/* test_pace_histories.c - random histories and numbers: never more holders
 * than places, no place lost, nothing waits past its deadline, whoever obeys
 * the server is never refused. */
#include "tests/unit/guard/pace_rig.h"

static void a_clock_that_steps_back_ends_no_slow_down_late(void **state)
{
  (void)state;
  request.cap_ms = request.deadline_left_ms = INT64_MAX;
  struct guard_pace_ticket t = {0};
  learn(GUARD_RATE_REQUESTS, true, 1, 0, 3000, T0);
  int64_t back = T0 - INT64_C(1000) * 24 * 3600 * SECOND;
  assert_in_range(waits(&t, GUARD_PACE_SLOW, back), 1, pacing.max_slow_ms);
  go(back + pacing.max_slow_ms);
}

static void any_numbers_in_shared_memory_do_no_harm(void **state)
{
  (void)state;
  static const int64_t edge[] = {INT64_MIN, -1, 0, 1, T0, 2, 60, INT64_MAX};
  pacing.requests_per_minute = 10;
  pacing.tokens_per_minute = 10;
  request.cost.input_tokens = INT64_MAX;
  request.cost.output_tokens = INT64_MAX;
  request.random = 0.9999999;
  for (size_t i = 0; i < 20000; i++) {
    int64_t *number = (int64_t *)(void *)&pace;
    for (size_t k = 0; k < sizeof pace / sizeof *number; k++)
      number[k] = edge[(size_t)(chance() * 8)];
    pace.lanes.last_ticket = 0;
    struct guard_pace_ticket t = {0};
    struct guard_pace_decision d =
        guard_pace_ask(&pace, &pacing, &request, &t, T0);
    assert_true(d.step == GUARD_PACE_GO || d.wait_ms >= 0);
    assert_true(d.step != GUARD_PACE_WAIT ||
                d.wait_ms < request.deadline_left_ms);
    learn(GUARD_RATE_TOKENS, true, edge[i % 8], edge[i / 8 % 8],
          edge[i / 64 % 8], T0);
    if (t.out)
      guard_pace_report(&pace, &pacing, &t, GUARD_NONE, INT64_MAX, T0);
    guard_pace_leave(&pace, &t);
  }
}

enum { CALLERS = 12 };

struct caller {
  struct guard_pace_ticket t;
  int64_t next_ms, end_ms; /* asks again, or is done; its deadline */
  int64_t went_ms;
  int64_t lease_end_ms; /* of a place that will never be left */
};

/* One that counts again what pace.c must keep: who is out, and until when a
 * dead one's place is not free. */
static int count_out(const struct caller *c, int64_t now_ms)
{
  int n = 0;
  for (int i = 0; i < CALLERS; i++)
    n += c[i].t.out || c[i].lease_end_ms > now_ms;
  return n;
}

static void step(struct caller *c, int64_t now_ms)
{
  if (c->t.out) {
    double how = chance();
    if (how < 0.02) { /* killed: reports to nobody */
      c->lease_end_ms = c->went_ms + pacing.lease_ms;
      c->t = (struct guard_pace_ticket){0};
    } else if (how < 0.1) {
      guard_pace_leave(&pace, &c->t);
    } else {
      guard_pace_report(&pace, &pacing, &c->t,
                        how < 0.3 ? GUARD_RATE_LIMIT : GUARD_NONE, 7, now_ms);
    }
    c->next_ms = now_ms + (int64_t)(chance() * 3000);
    c->end_ms = 0;
    return;
  }
  if (c->end_ms == 0)
    c->end_ms = now_ms + 1 + (int64_t)(chance() * 30000);
  request.lane = (enum guard_lane)(chance() * GUARD_NLANES);
  request.deadline_left_ms = c->end_ms > now_ms ? c->end_ms - now_ms : 0;
  request.random = chance();
  struct guard_pace_decision d = ask(&c->t, now_ms);
  c->next_ms = now_ms + 1 + (int64_t)(chance() * 4000);
  c->went_ms = now_ms;
  if (d.step == GUARD_PACE_WAIT) {
    c->next_ms = now_ms + d.wait_ms;
    assert_true(c->next_ms < c->end_ms); /* nothing waits past its deadline */
    if (chance() < 0.05) {               /* a signal */
      guard_pace_leave(&pace, &c->t);
      c->end_ms = 0;
    }
  } else if (d.step == GUARD_PACE_REFUSE) {
    c->end_ms = 0;
  }
}

static void no_history_has_more_holders_than_places_or_loses_one(void **state)
{
  (void)state;
  struct caller c[CALLERS] = {0};
  int64_t now_ms = T0;
  int most = 0;
  for (int i = 0; i < 200000; i++) {
    struct caller *who = &c[(size_t)(chance() * CALLERS)];
    now_ms += (int64_t)(chance() * 300);
    if (who->lease_end_ms > now_ms || who->next_ms > now_ms)
      continue;
    step(who, now_ms);
    if (chance() < 0.05)
      learn(GUARD_RATE_REQUESTS, chance() < 0.5, 50, (int64_t)(chance() * 50),
            (int64_t)(chance() * 20000), now_ms);
    int out = count_out(c, now_ms);
    assert_int_equal(held(now_ms), out);
    assert_true(out <= pacing.places);
    most = out > most ? out : most;
  }
  assert_int_equal(most, pacing.places);
  /* all leave: every place is free */
  for (int i = 0; i < CALLERS; i++)
    guard_pace_leave(&pace, &c[i].t);
  assert_int_equal(held(now_ms + pacing.lease_ms), 0);
}

/* A server with a bucket of its own that tells the truth: whoever obeys it is
 * never refused. */
static void whoever_slows_down_is_never_refused(void **state)
{
  (void)state;
  struct guard_bucket server;
  int64_t now_ms = T0, wait_ms, sent = 0;
  guard_bucket_init(&server, 30, 30, T0);
  request.deadline_left_ms = request.cap_ms = INT64_MAX;
  for (int i = 0; i < 2000; i++) {
    struct guard_pace_ticket t = {0};
    struct guard_pace_decision d;
    while ((d = ask(&t, now_ms)).step == GUARD_PACE_WAIT)
      now_ms += d.wait_ms;
    assert_int_equal(d.step, GUARD_PACE_GO);
    assert_true(guard_bucket_take(&server, 1, now_ms, &wait_ms));
    sent++;
    int64_t full = server.capacity * MINUTE, missing = full - server.level;
    learn(GUARD_RATE_REQUESTS, true, 30, server.level / MINUTE,
          (missing + 29) / 30, now_ms);
    done(&t, now_ms);
    now_ms += (int64_t)(chance() * 200);
  }
  /* and nearly all of the quota is used */
  assert_true(sent >= (now_ms - T0) * 30 / MINUTE * 9 / 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_clock_that_steps_back_ends_no_slow_down_late),
      TEST(any_numbers_in_shared_memory_do_no_harm),
      TEST(no_history_has_more_holders_than_places_or_loses_one),
      TEST(whoever_slows_down_is_never_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
