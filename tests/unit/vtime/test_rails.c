#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include <string.h>

#define RAIL " -- " BUILD_DIR "/vtime_rails "
#define STALLED 124 /* vtime_run.c, EXIT_ENDED */

static const struct {
  const char *id, *why;
  const char *needs; /* program, NULL: none */
  const char *line;  /* options, and behind "--" the command */
  int code;
  const char *says; /* how the output begins */
} rows[] = {
    {"1", "a thread just made runnable has its old switch count", NULL,
     RAIL "handover", 0, "right"},
    {"1, no copies", "the same when the kernel waits", NULL,
     "--no-getfd" RAIL "handover", 0, "right"},
    {"2", "a killed sleeper is not asleep", NULL, RAIL "killed", 0, "right"},
    {"3", "a zombie does not keep the clock", NULL, RAIL "zombie", 0, "right"},
    {"5", "bytes in the kernel hold a long jump", NULL,
     "--port 48711" RAIL "nagle", 0, "right"},
    {"6", "SA_RESTART does not lengthen a poll", NULL, RAIL "restarted", 0,
     "right"},
    {"7", "a short wait while others compute", NULL, RAIL "computing", 0,
     "right"},
    {"kernel first", "its time-out may not come before ours", NULL,
     "--no-getfd" RAIL "kernel-first", 0, "right"},
    {"8", "a busy wait on the clock gets on", NULL, RAIL "busy-wait", 0,
     "right"},
    {"opaque", "a wait that is not emulated is right", NULL, RAIL "opaque", 0,
     "right"},
    {"stalled", "nothing armed is known at once", NULL, RAIL "stalled", STALLED,
     ""},
    {"virtual limit", "it ends there", NULL, "--limit 100 -- sleep 1000",
     STALLED, ""},
    {"real limit", "a loop moves no clock", NULL,
     "--real-limit 0.3 -- sh -c 'while :; do :; done'", STALLED, ""},
    {"date", "the wall clock begins where it is told", NULL,
     "--at 1772960340 -- sh -c 'date -u +%FT%T; sleep 3600; date -u +%T'", 0,
     "2026-03-08T08:59:00\n09:59:00\n"},
    {"12, timeout", "timer_create", NULL,
     "-- sh -c 'timeout 50 sleep 1000; echo $?'", 0, "124"},
    {"bash", "read -t, wait and SECONDS", "bash",
     "-- bash -c 'read -t 500 < <(sleep 1000); sleep 100 & wait $!; "
     "echo $SECONDS'",
     0, "600"},
    {"a daemon", "orphans stay in the tree", NULL,
     "-- sh -c '(sleep 5; echo late) & (exit 0); sleep 10; echo end'", 0,
     "late\nend\n"},
    {"python", "a sleep of an hour", "python3",
     "-- python3 -c 'import time; a = time.time(); time.sleep(3600); "
     "print(round(time.time() - a, 2))'",
     0, "3600.0\n"},
    {"python threads", "7: the interpreter's lock", "python3",
     "-- python3 -c 'import threading, time\n"
     "e = threading.Event()\n"
     "threading.Timer(0.1, e.set).start()\n"
     "while not e.is_set(): pass\n"
     "print(1)'",
     0, "1\n"},
    {"node", "a timer of ten minutes", "node",
     "-- node -e 'const a = Date.now(); setTimeout(() => "
     "console.log(Math.round((Date.now() - a) / 1000)), 600000)'",
     0, "600\n"},
};

static void every_rail_holds(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    char *line =
        mem_format("PORT=48711 " BUILD_DIR "/vtime_run -q %s", rows[i].line);
    print_message("%s: %s\n", rows[i].id, rows[i].why);
    if (!rows[i].needs || has_program(rows[i].needs)) {
      assert_int_equal(run_line(line, &out), rows[i].code);
      print_message("  %s", buf_str(&out));
      assert_true(bytes_starts(buf_bytes(&out), bytes_of(rows[i].says)));
      buf_release(&out);
    }
    free(line);
  }
}

/* The control of rail 5: unless the kernel is asked it goes wrong, so that
 * the row above proves something. */
static void nagle_goes_wrong_when_the_kernel_is_not_asked(void **state)
{
  struct buf out;
  (void)state;
  run_line("PORT=48712 " BUILD_DIR "/vtime_run -q" RAIL "nagle", &out);
  assert_true(bytes_starts(buf_bytes(&out), BYTES("wrong")));
  buf_release(&out);
}

static void jumps_are_told_with_their_thread_and_call(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(run_line(BUILD_DIR "/vtime_run -q --log /dev/stdout -- "
                                      "sleep 3600",
                            &out),
                   0);
  assert_non_null(strstr(buf_str(&out), "\"length_s\":3600.000000"));
  assert_non_null(strstr(buf_str(&out), "\"thread\":\"sleep\""));
  assert_non_null(strstr(buf_str(&out), "nanosleep\""));
  buf_release(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rail_holds),
      cmocka_unit_test(nagle_goes_wrong_when_the_kernel_is_not_asked),
      cmocka_unit_test(jumps_are_told_with_their_thread_and_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
