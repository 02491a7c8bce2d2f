/* Calls of the C library in clients that load the shared object: each case of
 * tests/vtime/library is a test. */
#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include <string.h>

static const struct one {
  const char *name, *options, *why;
} ones[] = {
#define CASE(name, options, function, why) {name, options, why},
#include "tests/vtime/library/library.def"
#undef CASE
};

/* Of real time; a program that is not followed would sleep a thousand
 * seconds. */
static const char *real_limit(void)
{
  const char *s = getenv("VTIME_REAL_LIMIT");
  return s ? s : "60";
}

static void it_is_as_in_real_time(void **state)
{
  const struct one *o = *state;
  struct buf out;
  bool refused = strstr(o->name, "refused") != NULL;
  /* a sanitised program wants to be the first that is loaded */
  char *line = mem_format(
      "export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0; "
      "exec timeout -k 1 %s %s" BUILD_DIR
      "/vtime_run -q --preload %s -- " BUILD_DIR "/vtime_library '%s'",
      real_limit(), refused ? BUILD_DIR "/vtime_refuse futex_waitv " : "",
      o->options, o->name);
  int code = run_line(line, &out);
  print_message("%s: %s: %d %s\n", o->name, o->why, code, buf_str(&out));
  assert_true(bytes_starts(buf_bytes(&out), BYTES("right\n")));
  assert_int_equal(code, 0);
  buf_release(&out);
  free(line);
}

/* test_library [PATTERN]: only the tests of that name, "*" stands for any. */
int main(int argc, char **argv)
{
  struct CMUnitTest tests[COUNT(ones)];
  for (size_t i = 0; i < COUNT(ones); i++) {
    union {
      const void *in;
      void *out; /* not written to */
    } row = {&ones[i]};
    tests[i] = (struct CMUnitTest){.name = ones[i].name,
                                   .test_func = it_is_as_in_real_time,
                                   .initial_state = row.out};
  }
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
