/* From waits to a kind of backoff. The random ones are drawn here by the
 * formulas of the AWS article, from a generator with a fixed seed. */
#include "harness/probe/curve.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

enum { SEEDS = 20 };

static uint64_t state;

/* xorshift64*, 0..1 */
static double draw(void)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return (double)((state * UINT64_C(2685821657736338717)) >> 11) /
         9007199254740992.0;
}

struct client {
  enum jitter jitter;
  double base_s, growth, cap_s, late_s; /* late_s: the machine's, drawn */
};

static double wait_of(const struct client *c, size_t k, double before)
{
  double full = fmin(c->cap_s, c->base_s * pow(c->growth, (double)k));
  switch (c->jitter) {
  case JITTER_FULL:
    return full * draw();
  case JITTER_EQUAL:
    return full / 2 + full / 2 * draw();
  case JITTER_PART:
    return full * (0.75 + 0.25 * draw());
  case JITTER_DECORRELATED:
    return fmin(c->cap_s, c->base_s + (3 * before - c->base_s) * draw());
  default:
    return full;
  }
}

static struct waits waits_of(const struct client *c, size_t copies,
                             size_t steps)
{
  struct waits w;
  memset(&w, 0, sizeof w);
  w.copies = copies;
  for (size_t i = 0; i < copies; i++) {
    double before = c->base_s;
    for (size_t k = 0; k < steps; k++) {
      before = wait_of(c, k, before);
      w.s[i][k] = before + c->late_s * draw();
    }
    w.n[i] = steps;
  }
  return w;
}

static void is_near(const char *id, const char *what, double got, double want,
                    double share)
{
  if (fabs(got - want) > want * share)
    fail_msg("%s: %s is %g, not %g", id, what, got, want);
}

static const struct {
  const char *id;
  struct client client;
  size_t steps;
  enum growth shape;
  double base_share;
} kind_rows[] = {
    {"none, doubling",
     {JITTER_NONE, 0.5, 2, 99, 0.01},
     4,
     SHAPE_EXPONENTIAL,
     0.03},
    {"none, tripling",
     {JITTER_NONE, 0.5, 3, 99, 0.01},
     4,
     SHAPE_EXPONENTIAL,
     0.03},
    {"fixed", {JITTER_NONE, 1, 1, 99, 0.02}, 3, SHAPE_FIXED, 0.03},
    {"full", {JITTER_FULL, 0.5, 2, 99, 0.01}, 4, SHAPE_EXPONENTIAL, 0.25},
    {"equal", {JITTER_EQUAL, 0.3, 2, 99, 0.005}, 4, SHAPE_EXPONENTIAL, 0.1},
    {"equal, large", {JITTER_EQUAL, 5, 2, 99, 0.01}, 2, SHAPE_EXPONENTIAL, 0.1},
    {"a quarter", {JITTER_PART, 0.5, 2, 99, 0.01}, 2, SHAPE_EXPONENTIAL, 0.08},
    {"decorrelated",
     {JITTER_DECORRELATED, 0.5, 0, 99, 0.005},
     4,
     SHAPE_UNKNOWN,
     0.25},
};

static void every_kind_of_backoff_is_told_with_its_numbers(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < COUNT(kind_rows); i++) {
    int told = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      state = seed * UINT64_C(0x9e3779b97f4a7c15);
      struct waits w = waits_of(&kind_rows[i].client, 10, kind_rows[i].steps);
      struct curve c = curve_of(&w);
      /* Ten draws may leave the kind open; they may never tell a wrong one. */
      if (c.jitter == JITTER_UNKNOWN && c.why)
        continue;
      told++;
      if (c.jitter != kind_rows[i].client.jitter)
        fail_msg("%s, seed %d: %s (low share %g)", kind_rows[i].id, (int)seed,
                 jitter_word(c.jitter), c.low_share);
      if (kind_rows[i].shape != SHAPE_UNKNOWN && c.shape != kind_rows[i].shape)
        fail_msg("%s, seed %d: %s", kind_rows[i].id, (int)seed,
                 shape_word(c.shape));
      is_near(kind_rows[i].id, "base", c.base_s, kind_rows[i].client.base_s,
              kind_rows[i].base_share);
      if (kind_rows[i].client.growth > 1)
        is_near(kind_rows[i].id, "growth", c.growth, kind_rows[i].client.growth,
                0.45);
    }
    if (told < SEEDS * 3 / 4)
      fail_msg("%s: told for %d of %d seeds", kind_rows[i].id, told, SEEDS);
  }
}

static struct curve curve_by_hand(size_t copies, size_t steps,
                                  const double *waits)
{
  struct waits w;
  memset(&w, 0, sizeof w);
  w.copies = copies;
  for (size_t i = 0; i < copies; i++) {
    w.n[i] = steps;
    memcpy(w.s[i], waits, steps * sizeof *waits);
  }
  return curve_of(&w);
}

static void a_linear_backoff_and_a_cap_are_seen(void **unused)
{
  (void)unused;
  struct curve c = curve_by_hand(6, 4, (double[]){1, 2, 3, 4});
  assert_int_equal(c.shape, SHAPE_LINEAR);
  assert_false(c.has_cap);
  c = curve_by_hand(6, 5, (double[]){0.5, 1, 2, 3, 3});
  assert_true(c.has_cap);
  assert_float_equal(c.cap_s, 3, 0.01);
  assert_float_equal(c.growth, 2, 0.01);
  assert_int_equal(c.shape, SHAPE_EXPONENTIAL);
}

static void a_first_repeat_at_once_is_no_base(void **unused)
{
  (void)unused;
  struct curve c = curve_by_hand(6, 4, (double[]){0.01, 2, 4, 8});
  assert_true(c.first_at_once);
  assert_float_equal(c.base_s, 2, 0.01);
  assert_float_equal(c.growth, 2, 0.01);
}

static void waits_that_are_none_are_not_called_a_backoff(void **unused)
{
  (void)unused;
  struct curve c = curve_by_hand(6, 3, (double[]){0.01, 0.02, 0.01});
  assert_true(c.at_once);
  assert_false(c.has_base);
}

static void what_cannot_be_told_says_why(void **unused)
{
  (void)unused;
  struct waits w;
  memset(&w, 0, sizeof w);
  struct curve c = curve_of(&w);
  assert_non_null(c.why);
  assert_int_equal(c.jitter, JITTER_UNKNOWN);
  assert_false(c.has_base);

  /* two copies that differ: of what kind nobody knows */
  w.copies = 2;
  w.n[0] = w.n[1] = 1;
  w.s[0][0] = 1;
  w.s[1][0] = 0.4;
  c = curve_of(&w);
  assert_non_null(c.why);
  assert_int_equal(c.jitter, JITTER_UNKNOWN);

  /* too short to tell jitter from delay */
  c = curve_by_hand(6, 1, (double[]){0.15});
  assert_non_null(c.why);
}

static void a_busy_machine_is_not_taken_for_jitter(void **unused)
{
  (void)unused;
  struct client fixed = {JITTER_NONE, 0.5, 1, 99, 0.25};
  state = 7;
  struct waits w = waits_of(&fixed, 10, 3);
  w.noise_s = 0.3;
  struct curve c = curve_of(&w);
  assert_int_equal(c.jitter, JITTER_UNKNOWN);
  assert_non_null(strstr(c.why, "busy"));
  /* jitter grows with the wait: a long step without any tells */
  struct client quick = {JITTER_NONE, 0.5, 4, 99, 0.25};
  struct waits grown = waits_of(&quick, 10, 3);
  grown.noise_s = 0.3;
  assert_int_equal(curve_of(&grown).jitter, JITTER_NONE);
  assert_float_equal(curve_of(&grown).base_s, 0.5, 0.06);
  /* the same waits on a machine that is known to be quiet are jitter */
  w.noise_s = 0.01;
  c = curve_of(&w);
  assert_int_equal(c.jitter, JITTER_PART);
}

static void steps_not_every_copy_made_are_left_out(void **unused)
{
  (void)unused;
  struct client doubling = {JITTER_NONE, 0.5, 2, 99, 0};
  struct waits w = waits_of(&doubling, 6, 4);
  w.n[3] = 2;
  struct curve c = curve_of(&w);
  assert_int_equal(c.steps, 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_backoff_is_told_with_its_numbers),
      cmocka_unit_test(a_linear_backoff_and_a_cap_are_seen),
      cmocka_unit_test(a_first_repeat_at_once_is_no_base),
      cmocka_unit_test(waits_that_are_none_are_not_called_a_backoff),
      cmocka_unit_test(what_cannot_be_told_says_why),
      cmocka_unit_test(a_busy_machine_is_not_taken_for_jitter),
      cmocka_unit_test(steps_not_every_copy_made_are_left_out),
  };
  return cmocka_run_group_tests_name("probe_curve", tests, NULL, NULL);
}
