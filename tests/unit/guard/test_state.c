/*
 * test_state.c - the text of the shared state: what was written is read,
 * and nothing else is.
 */
#include "guard/command/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct shared sample(void)
{
  struct shared s = {.breaker = {.state = GUARD_BREAKER_OPEN,
                                 .until_ms = INT64_C(1796000060000),
                                 .cooldown_ms = 60000,
                                 .last_permit = 7,
                                 .nhits = 2,
                                 .hits_ms = {1, INT64_MAX}},
                     .budget = {.slot = 89800000,
                                .requests = {1, 2, 3, 4, 5, 6},
                                .retries = {6, 5, 4, 3, 2, 1}}};
  s.pace = (struct guard_pace){
      .throttle = {.slot = 3, .requests = {5}, .accepts = {1, 2}},
      .lanes = {.last_ticket = 9},
      .own = {{1, 2, -3, 4}, {5, 6, 7, 8}},
      .told = {{{1, 2, INT64_MIN + 1, 4}, 5, 6}},
      .not_before_ms = INT64_MAX,
      .spacing_ms = 1,
      .spacing_end_ms = 2};
  s.pace.lanes.place[GUARD_MAX_PLACES - 1] = (struct guard_place){8, 80, 800};
  s.pace.lanes.waiter[GUARD_MAX_WAITERS - 1] =
      (struct guard_waiter){9, GUARD_LANE_LOW, 3, 90};
  return s;
}

static void encode(const struct shared *s, struct buf *ret)
{
  buf_init(ret, 1 << 16);
  shared_encode(s, ret);
  assert_false(ret->full);
}

static void what_was_written_is_read(void **state)
{
  (void)state;
  struct shared want = sample(), got = {0};
  struct buf text;
  encode(&want, &text);
  assert_int_equal(shared_decode(buf_bytes(&text), &got), SHARED_OK);
  assert_memory_equal(&want, &got, sizeof want);
  buf_release(&text);
}

static void every_cut_is_torn_and_sets_nothing(void **state)
{
  (void)state;
  struct shared want = sample(), got;
  const struct shared untouched = {0};
  struct buf text;
  encode(&want, &text);
  for (size_t n = 1; n < text.n; n++) {
    memset(&got, 0, sizeof got);
    if (shared_decode((struct bytes){text.p, n}, &got) != SHARED_TORN)
      fail_msg("cut at %zu of %zu was not noticed", n, text.n);
    assert_memory_equal(&got, &untouched, sizeof got);
  }
  buf_release(&text);
}

static void every_changed_byte_is_noticed(void **state)
{
  (void)state;
  struct shared want = sample(), got;
  struct buf text;
  encode(&want, &text);
  for (size_t i = 0; i < text.n; i++) {
    text.p[i] ^= 1;
    if (shared_decode(buf_bytes(&text), &got) == SHARED_OK)
      fail_msg("byte %zu", i);
    text.p[i] ^= 1;
  }
  buf_release(&text);
}

static void numbers_out_of_range_are_refused(void **state)
{
  (void)state;
  struct shared bad[7], got;
  for (int i = 0; i < 7; i++)
    bad[i] = sample();
  bad[0].breaker.state = 3;
  bad[1].breaker.nhits = GUARD_MAX_HITS + 1; /* would be read out of bounds */
  bad[2].budget.slot = -1;                   /* so would a negative place */
  bad[3].budget.requests[0] = INT64_MAX;     /* the sum would overflow */
  bad[4].pace.throttle.slot = -1;
  bad[5].pace.lanes.last_ticket = INT64_MAX; /* the next one would overflow */
  bad[6].pace.lanes.place[0].ticket = -1;
  for (int i = 0; i < 7; i++) {
    struct buf text;
    encode(&bad[i], &text);
    if (shared_decode(buf_bytes(&text), &got) != SHARED_TORN)
      fail_msg("case %d was accepted", i);
    buf_release(&text);
  }
}

static void other_files_are_told_from_torn_ones(void **state)
{
  (void)state;
  struct shared got;
  assert_int_equal(shared_decode(BYTES(""), &got), SHARED_EMPTY);
  assert_int_equal(shared_decode(BYTES("my notes\n"), &got), SHARED_FOREIGN);
  assert_int_equal(shared_decode(BYTES("guard-state 3\n"), &got),
                   SHARED_FOREIGN);
  assert_int_equal(shared_decode(BYTES("guard-state 1\nstate 0\n"), &got),
                   SHARED_TORN);
  assert_int_equal(shared_decode(BYTES("guard-st"), &got), SHARED_TORN);
}

static void bytes_behind_the_sum_are_torn(void **state)
{
  (void)state;
  struct shared want = sample(), got;
  struct buf text;
  encode(&want, &text);
  buf_adds(&text, "x");
  assert_int_equal(shared_decode(buf_bytes(&text), &got), SHARED_TORN);
  buf_release(&text);
}

static void the_longest_text_fits_its_ceiling(void **state)
{
  (void)state;
  struct shared s;
  struct buf text;
  int64_t *number = (int64_t *)(void *)&s;
  for (size_t i = 0; i < sizeof s / sizeof *number; i++)
    number[i] = INT64_MIN + 1;
  buf_init(&text, STATE_MAX_BYTES);
  shared_encode(&s, &text);
  assert_false(text.full);
  buf_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_written_is_read),
      cmocka_unit_test(every_cut_is_torn_and_sets_nothing),
      cmocka_unit_test(every_changed_byte_is_noticed),
      cmocka_unit_test(numbers_out_of_range_are_refused),
      cmocka_unit_test(other_files_are_told_from_torn_ones),
      cmocka_unit_test(bytes_behind_the_sum_are_torn),
      cmocka_unit_test(the_longest_text_fits_its_ceiling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
