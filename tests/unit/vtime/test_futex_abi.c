#include "tests/unit/unit.h"

#include "harness/vtime/seccomp/futex_abi.h"

#include <linux/futex.h>
#include <time.h>

static void only_words_of_32_bits_are_ours(void **state)
{
  static const struct {
    const char *id;
    uint64_t flags;
    bool ok, private;
  } rows[] = {{"32 bits", 2, true, false},
              {"private", 0x82, true, true},
              {"8 bits", 0, false, false},
              {"16 bits", 0x81, false, false},
              {"64 bits", 3, false, false},
              {"of a node", 6, false, false},
              {"by a policy", 0xa, false, false},
              {"upper half is junk", 0x700000002, true, false}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    bool private = false;
    print_message("%s\n", rows[i].id);
    assert_int_equal(futex2_flags(rows[i].flags, &private), rows[i].ok);
    assert_int_equal(private, rows[i].private);
  }
}

static void an_entry_is_whole_or_refused(void **state)
{
  static const struct {
    const char *id;
    struct waitv v;
    bool want;
  } rows[] = {{"good", {UINT32_MAX, 4, 2, 0}, true},
              {"a value of 33 bits", {UINT64_C(1) << 32, 4, 2, 0}, false},
              {"something behind", {0, 4, 2, 1}, false},
              {"flags", {0, 4, 3, 0}, false}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    bool private;
    print_message("%s\n", rows[i].id);
    assert_int_equal(futex2_entry(&rows[i].v, &private), rows[i].want);
  }
}

static void only_two_clocks_count(void **state)
{
  (void)state;
  assert_true(futex2_clock(CLOCK_REALTIME));
  assert_true(futex2_clock(CLOCK_MONOTONIC));
  assert_false(futex2_clock(CLOCK_BOOTTIME));
  assert_false(futex2_clock(UINT32_MAX));
}

static void each_wait_counts_its_time_in_its_own_way(void **state)
{
  static const struct {
    const char *id;
    uint64_t op;
    bool ok, moment, wall;
  } rows[] = {
      {"wait", FUTEX_WAIT_PRIVATE, true, false, false},
      {"wait, wall clock", FUTEX_WAIT | FUTEX_CLOCK_REALTIME, false, false,
       false},
      {"bits", FUTEX_WAIT_BITSET, true, true, false},
      {"bits, wall clock", FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME,
       true, true, true},
      {"lock", FUTEX_LOCK_PI_PRIVATE, true, true, true},
      {"lock, flag", FUTEX_LOCK_PI | FUTEX_CLOCK_REALTIME, false, true, true},
      {"lock 2", OP_LOCK_PI2, true, true, false},
      {"lock 2, wall clock", OP_LOCK_PI2 | FUTEX_CLOCK_REALTIME, true, true,
       true}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct futex_time t = {false, false};
    print_message("%s\n", rows[i].id);
    assert_int_equal(futex_time_of(rows[i].op, &t), rows[i].ok);
    assert_int_equal(t.moment, rows[i].moment);
    assert_int_equal(t.wall, rows[i].wall);
  }
}

/* Said by hand, so that the kernel's macro is not what is compared. */
static void an_operation_makes_what_the_kernel_makes(void **state)
{
  static const struct {
    const char *id;
    uint32_t code, old, made;
    bool wakes;
  } rows[] = {
      {"set 5, if it was 7", 0x00005007, 7, 5, true},
      {"set 5, if it was 7: not", 0x00005007, 8, 5, false},
      {"add -1, unless 0", 0x11fff000, 3, 2, true},
      {"add -1, unless 0: not", 0x11fff000, 0, UINT32_MAX, false},
      {"or 0x10, if below -1", 0x22010fff, (uint32_t)-2, 0xfffffffe, true},
      {"or, if below -1: not", 0x22010fff, (uint32_t)-1, UINT32_MAX, false},
      {"and not 6, if at most 6", 0x33006006, 6, 0, true},
      {"and not 6, at most 6: not", 0x33006006, 7, 1, false},
      {"xor 3, if above 0", 0x44003000, 1, 2, true},
      {"xor 3, above 0: a sign", 0x44003000, 0x80000000, 0x80000003, false},
      {"or 1 << 31, if at least 0", 0xa501f000, 0, 0x80000000, true},
      {"the shift is within a word", 0x80021000, 9, 2, false},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct futex_op o;
    print_message("%s\n", rows[i].id);
    assert_true(futex_op_read(rows[i].code, &o));
    assert_int_equal(futex_op_makes(&o, rows[i].old), rows[i].made);
    assert_int_equal(futex_op_wakes(&o, rows[i].old), rows[i].wakes);
  }
}

static void an_operation_that_there_is_not_is_refused(void **state)
{
  struct futex_op o;
  (void)state;
  assert_false(futex_op_read(0x50000000, &o));
  assert_false(futex_op_read(0x06000000, &o));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_words_of_32_bits_are_ours),
      cmocka_unit_test(an_entry_is_whole_or_refused),
      cmocka_unit_test(only_two_clocks_count),
      cmocka_unit_test(each_wait_counts_its_time_in_its_own_way),
      cmocka_unit_test(an_operation_makes_what_the_kernel_makes),
      cmocka_unit_test(an_operation_that_there_is_not_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
