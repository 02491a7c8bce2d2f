#include "tests/unit/unit.h"
#include "tests/unit/vtime/free_port.h"
#include "tests/unit/vtime/run_program.h"

#include "base/clock.h"

#include <string.h>
#include <unistd.h>

#define RAIL " -- " BUILD_DIR "/vtime_rails "
#define ENDED 124 /* vtime_run.c, EXIT_ENDED */

/* A row is a test of its own, so that one can be run, and named, by itself. */
static const struct rail {
  const char *
      id; /* a number: one of the twelve ways it once broke; what it is about */
  const char *why;
  const char *needs; /* program, NULL: none */
  const char *line;  /* options, and behind "--" the command */
  int code;
  const char *says; /* how the output begins */
  int real_ms;      /* it may not be faster */
} rails[] = {
    {"1", "a thread just made runnable has its old switch count", NULL,
     RAIL "handover", 0, "right", 0},
    {"1 short", "the same for jumps that are not made sure of", NULL,
     RAIL "handover-short", 0, "right", 0},
    {"1 unseen", "the same where nothing can be watched", NULL,
     RAIL "handover-unseen", 0, "right", 0},
    {"1 without copies", "the same when the kernel waits", NULL,
     "--no-getfd" RAIL "handover", 0, "right", 0},
    {"2", "a killed sleeper is not asleep", NULL, RAIL "killed", 0, "right", 0},
    {"3", "a zombie does not keep the clock", NULL, RAIL "zombie", 0, "right",
     0},
    {"4", "a housekeeper's short waits are not late", NULL, RAIL "handshakes",
     0, "right", 0},
    {"5", "bytes in the kernel hold a long jump", NULL,
     "--port $PORT" RAIL "nagle", 0, "right", 0},
    {"6", "SA_RESTART does not lengthen a poll", NULL, RAIL "restarted", 0,
     "right", 0},
    {"6 before Linux 5.19", "it restarts the call, which gets EINTR", NULL,
     "--old-signals" RAIL "restarted", 0, "right", 0},
    {"in place", "the rest of a sleep goes into what was asked for", NULL,
     RAIL "in-place", 0, "right", 0},
    {"in place before Linux 5.19", "by a signal alone", NULL,
     "--old-signals" RAIL "in-place", 0, "right", 0},
    {"7", "a short wait while others compute", NULL, RAIL "computing", 0,
     "right", 0},
    {"7 alone", "seconds of computing that nobody waits for", NULL,
     RAIL "computing-alone", 0, "right", 0},
    {"8", "a busy wait on the clock gets on, and back", NULL, RAIL "busy-wait",
     0, "right", 0},
    {"9", "a wait that is not emulated is right, and slow", NULL, RAIL "opaque",
     0, "right", 500},
    {"9 lost", "a process that cannot be followed is slow", NULL, RAIL "lost",
     0, "right", 250},
    {"10", "output that nobody has read yet", NULL, "--drain" RAIL "output", 0,
     "right", 0},
    {"11", "housekeepers may be late", NULL, RAIL "housekeeping", 0, "right",
     0},
    {"11 together", "they are not woken at every jump", NULL,
     RAIL "housekeepers", 0, "right", 0},
    {"12 alarm", "no wait of a thread", NULL, RAIL "alarm", 0, "right", 0},
    {"12 timeout", "timer_create", NULL,
     "-- sh -c 'timeout 50 sleep 1000; echo $?'", 0, "124", 0},
    {"12 timerfd", "read without a time-out", NULL, RAIL "timerfd", 0, "right",
     0},
    {"12 timerfd passed on", "its owner has closed it", NULL,
     RAIL "timer-passed-on", 0, "right", 0},
    {"12 receive", "a time-out of a socket", NULL, RAIL "receive", 0, "right",
     0},
    {"many", "300 descriptors in one call", NULL, RAIL "many", 0, "right", 0},
    {"stopped", "in the middle of its waits", NULL, RAIL "stopped", 0, "right",
     0},
    {"stopped shortly", "its waits last no longer", NULL,
     RAIL "stopped-shortly", 0, "right", 0},
    {"stopped before Linux 5.19", "the same", NULL,
     "--old-signals" RAIL "stopped-shortly", 0, "right", 0},
    {"stopped without copies", "in the kernel", NULL,
     "--no-getfd" RAIL "stopped-shortly", 0, "right", 0},
    {"new process", "known by its parent's list alone", NULL,
     RAIL "new-process", 0, "right", 0},
    {"orphan", "given to a process that did not run", NULL, RAIL "orphan", 0,
     "right", 0},
    {"new thread", "known by the folder alone", NULL, RAIL "new-thread", 0,
     "right", 0},
    {"lost after many", "each of them is slow", NULL, RAIL "lost-after-many", 0,
     "right", 250},
    {"zombie's timer", "it has ended with its process", NULL,
     RAIL "zombie-timer 2>&1", ENDED, "vtime_run: stalled", 0},
    {"inner thread", "a timer for a thread in a PID namespace", "unshare",
     "-- sh -c 'unshare -Urpf true 2>/dev/null || { echo right; exit; }; "
     "exec unshare -Urpf " BUILD_DIR "/vtime_rails inner-thread'",
     0, "right", 0},
    {"woken for nothing", "a wait in the kernel goes on", NULL,
     "--no-getfd" RAIL "woken-for-nothing", 0, "right", 0},
    {"first thread gone", "the others have its files", NULL,
     RAIL "first-thread-gone", 0, "right", 0},
    {"kernel first", "its time-out may not come before ours", NULL,
     "--no-getfd" RAIL "kernel-first", 0, "right", 0},
    {"stalled", "nothing armed is known at once", NULL, RAIL "stalled 2>&1",
     ENDED, "vtime_run: stalled", 0},
    {"24 hours", "the largest jump", NULL, "-- sleep 90000 2>&1", ENDED,
     "vtime_run: too far", 0},
    {"nearly 24 hours", "is jumped to", NULL, "-- sleep 86000", 0, "", 0},
    {"virtual limit", "it ends there", NULL, "--limit 100 -- sleep 1000 2>&1",
     ENDED, "vtime_run: virtual limit", 0},
    {"real limit", "a loop moves no clock", NULL,
     "--real-limit 0.3 -- sh -c 'while :; do :; done' 2>&1", ENDED,
     "vtime_run: real limit", 0},
    {"date", "the wall clock begins where it is told", NULL,
     "--at 1772960340 -- sh -c 'date -u +%FT%T; sleep 3600; date -u +%T'", 0,
     "2026-03-08T08:59:00\n09:59:00\n", 0},
    {"bash", "read -t, wait and SECONDS", "bash",
     "-- bash -c 'read -t 500 < <(sleep 1000); sleep 100 & wait $!; "
     "echo $SECONDS'",
     0, "600", 0},
    {"daemon", "orphans stay in the tree", NULL,
     "-- sh -c '(sleep 5; echo late) & (exit 0); sleep 10; echo end'", 0,
     "late\nend\n", 0},
    {"python", "a sleep of an hour", "python3",
     "-- python3 -c 'import time; a = time.time(); time.sleep(3600); "
     "print(round(time.time() - a, 2))'",
     0, "3600.0\n", 0},
    {"python threads", "7: the interpreter's lock", "python3",
     "-- python3 -c 'import threading, time\n"
     "e = threading.Event()\n"
     "threading.Timer(0.1, e.set).start()\n"
     "while not e.is_set(): pass\n"
     "print(1)'",
     0, "1\n", 0},
    {"node", "a timer of ten minutes", "node",
     "-- node -e 'const a = Date.now(); setTimeout(() => "
     "console.log(Math.round((Date.now() - a) / 1000)), 600000)'",
     0, "600\n", 0},
};

/* The same in a shell where something is scarce, or where we are not root. */
static const struct scarce {
  const char *shell;
  bool as_user;
  struct rail rail;
} scarce[] = {
    {"ulimit -Sn 64;",
     false,
     {"last of many", "more threads than we may open files", NULL,
      RAIL "last-of-many", 0, "right", 0}},
    {"ulimit -n 64;",
     false,
     {"no room", "a thread that cannot be looked at forbids each jump", NULL,
      "--real-limit 1" RAIL "last-of-many 2>&1", ENDED, "vtime_run: real limit",
      0}},
    {"ulimit -Sn 64;",
     false,
     {"its own limit", "the client has that from before", NULL,
      "-- sh -c 'ulimit -n'", 0, "64\n", 0}},
    {"ulimit -n 64;",
     false,
     {"negatives", "descriptors below 0 do not count for us", NULL,
      RAIL "negatives", 0, "right", 0}},
    {"",
     true,
     {"one unreachable", "descriptors of the others are copied", NULL,
      RAIL "one-unreachable", 0, "right", 0}},
    {"",
     true,
     {"not looked into", "a program that does not let us", NULL,
      RAIL "not-looked-into", 0, "right", 400}},
};

static const char *real_limit(void)
{
  const char *s = getenv("VTIME_REAL_LIMIT");
  return s ? s : "30";
}

static int run_rail(const char *shell, const char *rest, struct buf *ret)
{
  char *line = mem_format("export PORT=%d; %s " BUILD_DIR
                          "/vtime_run -q --real-limit %s %s",
                          free_port(), shell, real_limit(), rest);
  int code = run_line(line, ret);
  free(line);
  return code;
}

static void run_row(const char *shell, const struct rail *r)
{
  struct buf out;
  int64_t begin = clock_now_ns(clock_real());
  int code = run_rail(shell, r->line, &out);
  int64_t took = clock_now_ns(clock_real()) - begin;
  print_message("%s: %s: %s\n", r->id, r->why, buf_str(&out));
  assert_int_equal(code, r->code);
  assert_true(bytes_starts(buf_bytes(&out), bytes_of(r->says)));
  assert_true(took >= r->real_ms * NS_PER_MS);
  buf_release(&out);
}

static void rail_holds(void **state)
{
  const struct rail *r = *state;
  if (r->needs && !has_program(r->needs))
    skip();
  run_row("exec", r);
}

#define NOBODY "setpriv --reuid 65534 --regid 65534 --clear-groups "

/* Another user may not get at the programs: then they do not end with the code
 * for wrong usage. */
static bool nobody_can(void)
{
  struct buf out;
  int code = run_line(NOBODY BUILD_DIR "/vtime_refuse", &out);
  buf_release(&out);
  return code == 125;
}

static void rail_holds_where_it_is_scarce(void **state)
{
  const struct scarce *s = *state;
  bool change = s->as_user && geteuid() == 0;
  if (change && !nobody_can())
    skip();
  char *shell = mem_format("%s exec %s", s->shell, change ? NOBODY : "");
  run_row(shell, &s->rail);
  free(shell);
}

/* The control of rail 5: unless the kernel is asked it goes wrong, so that
 * the row above proves something. */
static void nagle_goes_wrong_when_the_kernel_is_not_asked(void **state)
{
  struct buf out;
  (void)state;
  run_rail("exec", RAIL "nagle", &out);
  assert_true(bytes_starts(buf_bytes(&out), BYTES("wrong")));
  buf_release(&out);
}

static void jumps_are_told_with_their_thread_and_call(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(run_rail("exec", "--log /dev/stdout -- sleep 3600", &out),
                   0);
  assert_non_null(strstr(buf_str(&out), "\"length_s\":3600.000000"));
  assert_non_null(strstr(buf_str(&out), "\"thread\":\"sleep\""));
  assert_non_null(strstr(buf_str(&out), "nanosleep\""));
  buf_release(&out);
}

static const struct CMUnitTest others[] = {
    cmocka_unit_test(nagle_goes_wrong_when_the_kernel_is_not_asked),
    cmocka_unit_test(jumps_are_told_with_their_thread_and_call),
};

static struct CMUnitTest row_test(const char *name, CMUnitTestFunction how,
                                  const void *row)
{
  union {
    const void *in;
    void *out; /* not written to */
  } u = {row};
  return (struct CMUnitTest){
      .name = name, .test_func = how, .initial_state = u.out};
}

/* test_rails [PATTERN]: only the tests of that name, "*" stands for any. */
int main(int argc, char **argv)
{
  struct CMUnitTest tests[COUNT(rails) + COUNT(scarce) + COUNT(others)];
  size_t n = 0;
  for (; n < COUNT(rails); n++)
    tests[n] = row_test(rails[n].id, rail_holds, &rails[n]);
  for (size_t i = 0; i < COUNT(scarce); i++)
    tests[n++] =
        row_test(scarce[i].rail.id, rail_holds_where_it_is_scarce, &scarce[i]);
  for (size_t i = 0; i < COUNT(others); i++)
    tests[n++] = others[i];
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
