/* Clients that load the shared object: what goes wrong without a rail. */
#include "tests/unit/unit.h"
#include "tests/unit/vtime/run_program.h"

#include <string.h>

/* A sanitised program wants to be the first that is loaded. */
#define ENVIRONMENT                                                            \
  "export PORT=48721 "                                                         \
  "ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0; "
#define RUN                                                                    \
  ENVIRONMENT BUILD_DIR "/vtime_run --preload --real-limit 60 --no-getfd "
#define RAIL "-- " BUILD_DIR "/vtime_rails "
#define NAP BUILD_DIR "/vtime_static_nap "
#define ENDED 124 /* vtime_run.c, EXIT_ENDED */

static const struct {
  const char *id, *why;
  const char *needs; /* program, NULL: none */
  const char *line;
  int code;
  const char *says; /* how the output begins */
} rows[] = {
    {"1", "a thread just made runnable has its old switch count", NULL,
     RAIL "handover", 0, "right"},
    {"2", "a killed sleeper's slot says that it waits", NULL, RAIL "killed", 0,
     "right"},
    {"3", "a zombie does not keep the clock", NULL, RAIL "zombie", 0, "right"},
    {"5", "bytes in the kernel hold a long jump", NULL,
     "--port 48721 " RAIL "nagle", 0, "right"},
    {"6", "SA_RESTART does not lengthen a poll", NULL, RAIL "restarted", 0,
     "right"},
    {"8", "a busy wait on the clock gets on", NULL, RAIL "busy-wait", 0,
     "right"},
    {"9", "a wait that is not emulated is right", NULL, RAIL "opaque", 0,
     "right"},
    {"9, static", "it keeps the real clock, and no jump passes it", NULL,
     "-- sh -c 'sleep 1000 & a=$(date +%s); " NAP "400; "
     "echo $(($(date +%s) - a < 3))'",
     0, "right\n1\n"},
    {"12, threads", "a timer that starts threads", NULL, RAIL "thread-timer", 0,
     "right"},
    {"12", "timer_create", NULL, "-- sh -c 'timeout 50 sleep 1000; echo $?'", 0,
     "124"},
    {"stalled", "nothing armed is known at once", NULL, RAIL "stalled", ENDED,
     ""},
    {"environment", "a program that is given none has it again", NULL,
     "-- env -i sh -c 'a=$(date +%s); env -i sleep 900; "
     "echo $(($(date +%s) - a))'",
     0, "900\n"},
    {"preload", "what somebody else loads stays", NULL,
     "-- sh -c 'case $LD_PRELOAD in *clock.so:/nowhere.so) echo both; esac' "
     "2>/dev/null",
     0, "both\n"},
    {"bash", "read -t leaves its wait by longjmp", "bash",
     "-- bash -c 'read -t 500 < <(sleep 1000); sleep 100 & wait $!; "
     "echo $SECONDS'",
     0, "600"},
    {"a daemon", "orphans stay in the tree", NULL,
     "-- sh -c '(sleep 5; echo late) & (exit 0); sleep 10; echo end'", 0,
     "late\nend\n"},
    {"python", "every wait of the library", "python3",
     "-- python3 -c 'import queue, select, socket, subprocess, threading, "
     "time\n"
     "def took(f):\n"
     "  a = time.monotonic()\n"
     "  try: f()\n"
     "  except (queue.Empty, OSError, subprocess.TimeoutExpired): pass\n"
     "  print(round(time.monotonic() - a), end=\" \")\n"
     "a, b = socket.socketpair()\n"
     "a.settimeout(500)\n"
     "took(lambda: time.sleep(100))\n"
     "took(lambda: threading.Event().wait(200))\n"
     "took(lambda: queue.Queue().get(timeout=300))\n"
     "took(lambda: select.select([a], [], [], 400))\n"
     "took(lambda: a.recv(1))\n"
     "took(lambda: subprocess.run([\"sleep\", \"900\"], timeout=600))\n"
     "t = threading.Thread(target=time.sleep, args=(800,))\n"
     "t.start()\n"
     "took(lambda: t.join(700))'",
     0, "100 200 300 400 500 600 700 "},
    {"python threads", "7: the interpreter's lock", "python3",
     "-- python3 -c 'import threading, time\n"
     "e = threading.Event()\n"
     "threading.Timer(0.1, e.set).start()\n"
     "while not e.is_set(): pass\n"
     "print(1)'",
     0, "1\n"},
};

static void every_rail_holds(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    bool theirs = strcmp(rows[i].id, "preload") == 0;
    char *line = mem_format("%s" RUN "-q %s",
                            theirs ? "export LD_PRELOAD=/nowhere.so; " : "",
                            rows[i].line);
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

static void a_static_program_is_named_with_its_call(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(run_line(RUN "-- " NAP "300 2>&1", &out), 0);
  print_message("%s", buf_str(&out));
  assert_non_null(strstr(buf_str(&out), "opaque: vtime_static_na "));
  assert_non_null(
      strstr(buf_str(&out), "nanosleep: it does not load the shared object"));
  buf_release(&out);
}

/* Nobody moves the clock any more: at most two seconds later waits end, and
 * the real clock is the client's again. */
static void clients_outlive_the_coordinator(void **state)
{
  struct buf out;
  (void)state;
  assert_int_equal(
      run_line("sh -c '" BUILD_DIR "/vtime_run -q --preload --real-limit 60 -- "
               "sh -c \"(while :; do :; done) & echo \\$! > $0/busy; "
               "sleep 5000; echo over > $0/over\" & v=$!; sleep 0.5; "
               "kill -9 $v; n=0; while [ ! -s $0/over ] && [ $n -lt 80 ]; do "
               "sleep 0.1; n=$((n + 1)); done; kill $(cat $0/busy); "
               "cat $0/over; rm -r $0' $(mktemp -d)",
               &out),
      0);
  assert_string_equal(buf_str(&out), "over\n");
  buf_release(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rail_holds),
      cmocka_unit_test(a_static_program_is_named_with_its_call),
      cmocka_unit_test(clients_outlive_the_coordinator),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
