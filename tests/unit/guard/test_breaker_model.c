/*
 * test_breaker_model.c - the breaker against a reference of thirty lines,
 * over random histories in which many calls are out at the same time: they
 * end in any order, late, twice a moment or never.
 *
 * The reference is written the other way round: it keeps every hit ever
 * counted and every permit ever given, and works out from them what holds
 * now. It knows one clock that only goes forward.
 */
#include "guard/breaker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define T0 INT64_C(1796000000000) /* some moment in 2026 */
enum { LEASE = 40000, CALLS = 8, STEPS = 400, HISTORIES = 3000 };

/* ---- the reference ---- */

static struct {
  int64_t hits[STEPS], nhits; /* counted since it was last closed or opened */
  int64_t end;                /* of the opening; 0: closed */
  int64_t cooling;            /* the last one without a known end */
  int64_t probe, probe_end;   /* number and lease of the one that is out */
  int64_t probes;             /* given so far */
} ref;

static int64_t most(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static int64_t least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* -1: refused, 0: closed, n: the n-th probe. */
static int64_t ref_ask(int64_t now)
{
  if (ref.end == 0)
    return 0;
  if (now < ref.end || (ref.probe && now < ref.probe_end))
    return -1;
  ref.probe_end = now + LEASE;
  return ref.probe = ++ref.probes;
}

static void ref_open(const struct guard_policy *p, int64_t now, int64_t ms)
{
  bool was_open = ref.end > now;
  ref.end = most(was_open ? ref.end : 0, now + least(ms, p->max_hold_ms));
  ref.nhits = ref.probe = 0;
}

static void ref_cool(const struct guard_policy *p, int64_t now, int64_t cooling,
                     int64_t ends_in)
{
  ref.cooling = least(cooling, p->max_cooldown_ms);
  ref_open(p, now, most(ref.cooling, ends_in));
}

static int64_t recent(const struct guard_policy *p, int64_t now)
{
  int64_t n = 0;
  for (int64_t i = 0; i < ref.nhits; i++)
    n += now - ref.hits[i] < p->breaker_window_ms;
  return n;
}

enum report {
  OK,
  LIMIT,
  EXHAUSTED,
  FAILURE,
  CLIENT_ERROR,
  ABANDONED,
  NREPORTS
};

static void ref_report(const struct guard_policy *p, int64_t probe,
                       enum report what, int64_t now, int64_t ends_in)
{
  bool the_probe = probe > 0 && probe == ref.probe;
  int64_t last = most(ref.cooling, p->cooldown_ms);
  bool open = ref.end > now;
  if (what == EXHAUSTED)
    ref_open(p, now, ends_in < 0 ? p->max_cooldown_ms : ends_in);
  else if (the_probe && what == OK)
    ref.end = ref.cooling = ref.nhits = ref.probe = 0;
  else if (the_probe && what == CLIENT_ERROR)
    ref.probe = 0;
  else if (the_probe)
    ref_cool(p, now, what == ABANDONED ? last : 2 * last,
             what == LIMIT ? ends_in : -1);
  else if (what == LIMIT && open && ends_in > 0)
    ref_open(p, now, ends_in);
  else if (what == LIMIT && ref.end == 0) {
    ref.hits[ref.nhits++] = now;
    if (recent(p, now) >= p->breaker_hits)
      ref_cool(p, now, p->cooldown_ms, ends_in);
  }
}

/* ---- the histories ---- */

static uint64_t random_state;

/* splitmix64, as lib/guard/command/gate.c has it */
static int64_t pick(int64_t below)
{
  uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (int64_t)((z ^ (z >> 31)) % (uint64_t)below);
}

static void report(struct guard_breaker *b, const struct guard_policy *p,
                   struct guard_permit *permit, enum report what, int64_t now,
                   int64_t ends_in)
{
  ref_report(p, permit->probe, what, now, ends_in);
  switch (what) {
  case OK:
    guard_breaker_on_success(b, permit);
    break;
  case LIMIT:
    guard_breaker_on_limit(b, p, permit, now, ends_in);
    break;
  case EXHAUSTED:
    guard_breaker_on_exhausted(b, p, permit, now, ends_in);
    break;
  case CLIENT_ERROR:
    guard_breaker_on_client_error(b, permit);
    break;
  case FAILURE:
    guard_breaker_on_failure(b, p, permit, now);
    break;
  default:
    guard_breaker_on_abandoned(b, p, permit, now);
  }
}

/* The same question to both; the place of a call that got out. */
static void ask(struct guard_breaker *b, const struct guard_policy *p,
                struct guard_permit *permit, int64_t now)
{
  int64_t retry_in = -1, want = ref_ask(now);
  bool out = guard_breaker_before_call(b, p, now, LEASE, permit, &retry_in);
  assert_int_equal(out, want >= 0);
  if (out) {
    assert_true(permit->held);
    assert_int_equal(permit->probe, want);
    return;
  }
  assert_false(permit->held);
  assert_int_equal(now + retry_in, ref.probe ? ref.probe_end : ref.end);
  assert_true(retry_in > 0);
}

static void one_step(struct guard_breaker *b, const struct guard_policy *p,
                     struct guard_permit *permits, int64_t now)
{
  static const int64_t ends[] = {GUARD_UNKNOWN_MS, 5000, 90000, 700000};
  struct guard_permit *permit = &permits[pick(CALLS)];
  if (!permit->held)
    ask(b, p, permit, now);
  else if (pick(20) == 0) /* its process died: nobody reports, ever */
    *permit = (struct guard_permit){0};
  else
    report(b, p, permit, (enum report)pick(NREPORTS), now, ends[pick(4)]);
}

static void it_does_what_the_reference_does(void **state)
{
  (void)state;
  static const int64_t steps_ms[] = {0, 1, 900, 20000, 61000, 200000};
  struct guard_policy policy;
  guard_policy_default(&policy);
  policy.max_hold_ms = 650000; /* so that the longest end meets it */
  int64_t refused = 0;
  for (uint64_t seed = 0; seed < HISTORIES; seed++) {
    struct guard_breaker b = {0};
    struct guard_permit permits[CALLS] = {{0}};
    int64_t now = T0;
    random_state = seed;
    memset(&ref, 0, sizeof ref);
    policy.breaker_hits = 1 + (int)pick(4);
    for (int i = 0; i < STEPS; i++) {
      now += steps_ms[pick(6)];
      one_step(&b, &policy, permits, now);
      enum guard_breaker_state s = guard_breaker_state(&b, &policy, now);
      assert_int_equal(s == GUARD_BREAKER_CLOSED, ref.end == 0);
      assert_int_equal(s == GUARD_BREAKER_OPEN, ref.end > now);
      refused += s == GUARD_BREAKER_OPEN;
    }
  }
  /* the histories are no peaceful ones */
  assert_in_range(refused, HISTORIES * STEPS / 10, HISTORIES * STEPS * 9 / 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_does_what_the_reference_does),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
