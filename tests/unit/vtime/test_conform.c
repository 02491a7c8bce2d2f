#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include <string.h>

/* An hour and more for each unit: only jumps get through this in a test. */
#define VIRTUAL_UNIT "4000000"
#define CONFORM BUILD_DIR "/vtime_conform "
#define RUN BUILD_DIR "/vtime_run -q --real-limit 100 "

/* What real time gives; tests/vtime/check_native holds it to that. Without
 * the calls this kernel does not have. */
#define NATIVE                                                                 \
  "grep -vE \"$(" CONFORM "1 missing)\" " SOURCE_DIR                           \
  "/tests/vtime/conform.native"
/* Without the time select says is left, where the kernel measures it. */
#define NO_LEFT " | sed 's/left [0-9]*//'"
/* Of what the preloaded object does not take (docs/virtual-time.md). */
#define NO_RARER                                                               \
  " | grep -vE '^(semtimedop|mq_|recvmmsg|io_|lock_pi|send|socket|"            \
  "futex2|futex_waitv|futex [^es]|odd)'"
/* A lock is given up by any signal then. */
#define NO_LOCKS " | sed '/^lock_pi2* signal:/d'"

static const struct row {
  const char *id, *options, *words, *wanted;
} rows[] = {
    {"by seccomp", "", "", ""},
    {"where descriptors cannot be copied", "--no-getfd", "", NO_LEFT},
    {"before Linux 5.19", "--old-signals", "", NO_LOCKS},
    {"by a preloaded object", "--preload", "library", NO_RARER},
    {"by one, without copies", "--preload --no-getfd", "library", NO_RARER},
};

static void every_wait_ends_as_in_real_time(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const struct row *r = &rows[i];
    struct buf out, want;
    /* a sanitised program wants to be the first that is loaded */
    char *line =
        mem_format("ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 " RUN
                   "%s -- " CONFORM VIRTUAL_UNIT " %s%s",
                   r->options, r->words, r->wanted);
    assert_int_equal(run_line(line, &out), 0);
    free(line);
    line = mem_format(NATIVE "%s", r->wanted);
    assert_int_equal(run_line(line, &want), 0);
    free(line);
    if (strcmp(buf_str(&out), buf_str(&want)) != 0)
      fail_msg("%s: %s", r->id, buf_str(&out));
    buf_release(&out);
    buf_release(&want);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_wait_ends_as_in_real_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
