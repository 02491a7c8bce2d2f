#include "tests/unit/unit.h"

#include "harness/vtime/table.h"

#include <string.h>

static void a_thread_is_read_whatever_its_name_holds(void **state)
{
  static const struct {
    const char *id, *text, *comm;
    char st;
    bool good;
  } rows[] = {
      {"plain", "12 (cat) S 1 12", "cat", 'S', true},
      {"blanks", "12 (a b) R 1", "a b", 'R', true},
      {"brackets", "12 (a) S (b)) D 1", "a) S (b)", 'D', true},
      {"nothing in it", "12 () Z 1", "", 'Z', true},
      {"cut", "12 (cat", "", 0, false},
      {"no state", "12 (cat)", "", 0, false},
      {"empty", "", "", 0, false},
      {"reversed", "12 )cat( S", "", 0, false},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct table_stat s = {"", 0};
    print_message("%s\n", rows[i].id);
    assert_int_equal(table_stat(bytes_of(rows[i].text), &s), rows[i].good);
    if (!rows[i].good)
      continue;
    assert_string_equal(s.comm, rows[i].comm);
    assert_int_equal(s.state, rows[i].st);
  }
}

static void the_third_number_is_the_switch_count(void **state)
{
  int64_t n = -5;
  (void)state;
  assert_true(table_switches(BYTES("123 456 789\n"), &n));
  assert_int_equal(n, 789);
  assert_false(table_switches(BYTES("123 456"), &n));
  assert_false(table_switches(BYTES("a b c"), &n));
  assert_int_equal(n, 789);
}

static void children_are_read_one_after_the_other(void **state)
{
  struct bytes rest = BYTES("12 345 6 ");
  int pid = 0, sum = 0, n = 0;
  (void)state;
  while (table_child(&rest, &pid)) {
    sum += pid;
    n++;
  }
  assert_int_equal(n, 3);
  assert_int_equal(sum, 363);
  rest = BYTES("99999999999");
  assert_false(table_child(&rest, &pid));
}

static void a_blocked_call_has_a_number_and_six_arguments(void **state)
{
  struct table_call c;
  (void)state;
  assert_true(table_call(
      BYTES("232 0x6 0x7fe6 0x400 0xbb8 0x0 0xffffffffffffffff 0x7f 0x8\n"),
      &c));
  assert_int_equal(c.nr, 232);
  assert_int_equal(c.arg[0], 6);
  assert_int_equal(c.arg[3], 3000);
  assert_true(c.arg[5] == UINT64_MAX);
  assert_false(table_call(BYTES("running\n"), &c));
  assert_false(table_call(BYTES("-1 0x7ffe 0x7f00\n"), &c));
  assert_false(table_call(BYTES("232 0x6 0x7\n"), &c));
}

static void fields_are_found_at_line_beginnings(void **state)
{
  struct bytes t = BYTES("Name:\tSigPnd:\nTgid:\t42\nSigPnd:\t"
                         "0000000000000200\nShdPnd:\t8000000000000000\n");
  uint64_t n = 0;
  (void)state;
  assert_true(table_hex(t, "SigPnd:", &n));
  assert_int_equal(n, 0x200);
  assert_true(table_hex(t, "ShdPnd:", &n));
  assert_true(n == UINT64_C(1) << 63);
  assert_true(table_decimal(t, "Tgid:", &n));
  assert_int_equal(n, 42);
  assert_false(table_hex(t, "SigBlk:", &n));
}

static void the_innermost_number_is_the_last_of_its_line(void **state)
{
  struct bytes t = BYTES("Pid:\t900\nNSpid:\t900\t31\t1\nNSpgid:\t7\t8\n"
                         "NSsid:\n");
  uint64_t n = 0;
  (void)state;
  assert_true(table_last(t, "NSpid:", &n));
  assert_int_equal(n, 1);
  assert_true(table_last(t, "Pid:", &n));
  assert_int_equal(n, 900);
  assert_false(table_last(t, "NSsid:", &n));
  assert_false(table_last(t, "NStgid:", &n));
}

static void maps_tell_shared_memory_and_the_vdso(void **state)
{
  struct bytes t =
      BYTES("7f10-7f20 rw-s 00001000 00:01 77 /dev/zero (deleted)\n"
            "7f30-7f40 rw-p 00000000 00:00 0 \n"
            "7ffe00-7ffe10 r-xp 00000000 00:00 0   [vdso]\n");
  struct table_map m;
  (void)state;
  assert_true(table_map(&t, &m));
  assert_true(m.shared && !m.vdso);
  assert_int_equal(m.start, 0x7f10);
  assert_int_equal(m.offset, 0x1000);
  assert_int_equal(m.inode, 77);
  assert_int_equal(m.device, 1);
  assert_true(table_map(&t, &m));
  assert_true(!m.shared && !m.vdso);
  assert_true(table_map(&t, &m));
  assert_true(m.vdso);
  assert_false(table_map(&t, &m));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thread_is_read_whatever_its_name_holds),
      cmocka_unit_test(the_third_number_is_the_switch_count),
      cmocka_unit_test(children_are_read_one_after_the_other),
      cmocka_unit_test(a_blocked_call_has_a_number_and_six_arguments),
      cmocka_unit_test(fields_are_found_at_line_beginnings),
      cmocka_unit_test(the_innermost_number_is_the_last_of_its_line),
      cmocka_unit_test(maps_tell_shared_memory_and_the_vdso),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
