/* The table behind the counters: one cell a key, and a ceiling. */
#include "tests/unit/unit.h"

#include "mockserver/metrics_table.h"

static struct table t;
static const char a[] = "a", b[] = "b";

static void a_key_has_one_cell_and_starts_at_zero(void **state)
{
  (void)state;
  t = (struct table){.n = 0};
  assert_int_equal(table_cell(&t, a, b, 200)->n, 0);
  table_cell(&t, a, b, 200)->n += 2;
  table_cell(&t, b, a, 200)->n += 3;
  table_cell(&t, a, b, 201)->n += 4;
  assert_int_equal(t.n, 3);
  assert_int_equal(table_cell(&t, a, b, 200)->n, 2);
  assert_int_equal(table_cell(&t, b, a, 200)->n, 3);
  assert_int_equal(table_cell(&t, a, b, 201)->n, 4);
}

static void clearing_keeps_the_cells(void **state)
{
  (void)state;
  t = (struct table){.n = 0};
  table_cell(&t, a, b, 1)->n = 7;
  table_clear(&t);
  assert_int_equal(t.n, 1);
  assert_int_equal(table_cell(&t, a, b, 1)->n, 0);
}

static void what_is_too_much_is_counted_in_one_cell(void **state)
{
  (void)state;
  t = (struct table){.n = 0};
  for (int i = 0; i < TABLE_CELLS + 100; i++)
    table_cell(&t, a, b, i)->n++;
  assert_int_equal(t.n, TABLE_CELLS);
  assert_string_equal(t.cells[TABLE_CELLS - 1].a, "other");
  assert_int_equal(t.cells[TABLE_CELLS - 1].n, 101);
  for (int i = 0; i < TABLE_CELLS - 1; i++)
    assert_int_equal(table_cell(&t, a, b, i)->n, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_key_has_one_cell_and_starts_at_zero),
      cmocka_unit_test(clearing_keeps_the_cells),
      cmocka_unit_test(what_is_too_much_is_counted_in_one_cell)};
  return cmocka_run_group_tests_name("metrics_table", tests, NULL, NULL);
}
