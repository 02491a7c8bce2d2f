#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include <string.h>

/* Long enough that a loaded machine does not move a wait by half of it. */
#define REAL_UNIT "200"
/* An hour and more for each unit: only jumps get through this in a test. */
#define VIRTUAL_UNIT "4000000"
#define CONFORM BUILD_DIR "/vtime_conform "
#define RUN BUILD_DIR "/vtime_run -q --real-limit 100 "

/* Without the time select says is left, where the kernel measures it. */
#define NO_LEFT " | sed 's/left [0-9]*//'"

static struct buf real; /* what real time gives; once, it takes seconds */

static int run_in_real_time(void **state)
{
  (void)state;
  return run_line(CONFORM REAL_UNIT, &real) == 0 && real.n > 1000 ? 0 : -1;
}

static int forget(void **state)
{
  (void)state;
  buf_release(&real);
  return 0;
}

static void every_wait_ends_as_in_real_time(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(run_line(RUN "-- " CONFORM VIRTUAL_UNIT, &out), 0);
  assert_string_equal(buf_str(&out), buf_str(&real));
  buf_release(&out);
}

static void also_where_descriptors_cannot_be_copied(void **state)
{
  struct buf out, want;
  (void)state;
  char *line = mem_format("cat <<'END'" NO_LEFT "\n%sEND\n", buf_str(&real));
  assert_int_equal(run_line(line, &want), 0);
  assert_int_equal(
      run_line(RUN "--no-getfd -- " CONFORM VIRTUAL_UNIT NO_LEFT, &out), 0);
  assert_string_equal(buf_str(&out), buf_str(&want));
  buf_release(&out);
  buf_release(&want);
  free(line);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_wait_ends_as_in_real_time),
      cmocka_unit_test(also_where_descriptors_cannot_be_copied),
  };
  return cmocka_run_group_tests(tests, run_in_real_time, forget);
}
