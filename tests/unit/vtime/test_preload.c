/* Clients that load the shared object: what goes wrong without a rail. */
#include "tests/unit/unit.h"
#include "tests/unit/vtime/free_port.h"
#include "tests/unit/vtime/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A sanitised program wants to be the first that is loaded. */
#define ENVIRONMENT                                                            \
  "export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0; "
#define RUN                                                                    \
  ENVIRONMENT BUILD_DIR                                                        \
      "/vtime_run --preload --real-limit ${VTIME_REAL_LIMIT:-60} --no-getfd "
#define RAIL "-- " BUILD_DIR "/vtime_rails "
#define NAP BUILD_DIR "/vtime_static_nap "
#define ENDED 124 /* vtime_run.c, EXIT_ENDED */

/* A row is a test of its own, so that one can be run, and named, by itself. */
static const struct row {
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
     "--port $PORT " RAIL "nagle", 0, "right"},
    {"6", "SA_RESTART does not lengthen a poll", NULL, RAIL "restarted", 0,
     "right"},
    {"8", "a busy wait on the clock gets on", NULL, RAIL "busy-wait", 0,
     "right"},
    {"9", "a wait that is not emulated is right", NULL, RAIL "opaque", 0,
     "right"},
    {"static", "it keeps the real clock, and no jump passes it", NULL,
     "-- sh -c 'sleep 1000 & a=$(date +%s); " NAP "400; "
     "echo $(($(date +%s) - a < 3))'",
     0, "right\n1\n"},
    {"thread timer", "a timer that starts threads", NULL, RAIL "thread-timer",
     0, "right"},
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

static void rail_holds(void **state)
{
  const struct row *r = *state;
  struct buf out;
  bool theirs = strcmp(r->id, "preload") == 0;
  if (r->needs && !has_program(r->needs))
    skip();
  char *line =
      mem_format("export PORT=%d; %s" RUN "-q %s", free_port(),
                 theirs ? "export LD_PRELOAD=/nowhere.so; " : "", r->line);
  int code = run_line(line, &out);
  print_message("%s: %s: %s\n", r->id, r->why, buf_str(&out));
  assert_int_equal(code, r->code);
  assert_true(bytes_starts(buf_bytes(&out), bytes_of(r->says)));
  buf_release(&out);
  free(line);
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

/* The text of a file, at most eight seconds later. */
static bool comes(const char *dir, const char *name, char *ret, size_t size)
{
  static const struct timespec often = {0, 50000000};
  char path[128];
  ssize_t n = 0;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  for (int i = 0; n <= 0 && i < 160; i++) {
    int fd = open(path, O_RDONLY);
    n = read(fd, ret, size - 1);
    close(fd);
    nanosleep(&often, NULL);
  }
  ret[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/* It was ended, and whoever started it does not ask for its end: its number
 * is taken still, but its descriptors are gone. */
static void clients_outlive_one_that_nobody_buries(void **state)
{
  char dir[] = "/tmp/faultwire-XXXXXX", text[32], line[512];
  struct buf out;
  (void)state;
  assert_non_null(mkdtemp(dir));
  snprintf(line, sizeof line,
           ENVIRONMENT "exec " BUILD_DIR "/vtime_run -q --preload -- sh -c "
                       "'(while :; do :; done) & echo $! > %s/busy; "
                       "sleep 5000; echo over > %s/over'",
           dir, dir);
  pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(9);
  }
  assert_true(comes(dir, "busy", text, sizeof text));
  kill(pid, SIGKILL);
  bool over = comes(dir, "over", text, sizeof text);
  waitpid(pid, NULL, 0);
  snprintf(line, sizeof line, "kill $(cat %s/busy); rm -r %s", dir, dir);
  run_line(line, &out);
  buf_release(&out);
  assert_true(over);
}

static const struct CMUnitTest others[] = {
    cmocka_unit_test(a_static_program_is_named_with_its_call),
    cmocka_unit_test(clients_outlive_the_coordinator),
    cmocka_unit_test(clients_outlive_one_that_nobody_buries),
};

/* test_preload [PATTERN]: only the tests of that name, "*" stands for any. */
int main(int argc, char **argv)
{
  struct CMUnitTest tests[COUNT(rows) + COUNT(others)];
  size_t n = 0;
  for (; n < COUNT(rows); n++) {
    union {
      const void *in;
      void *out; /* not written to */
    } row = {&rows[n]};
    tests[n] = (struct CMUnitTest){
        .name = rows[n].id, .test_func = rail_holds, .initial_state = row.out};
  }
  for (size_t i = 0; i < COUNT(others); i++)
    tests[n++] = others[i];
  if (argc > 1)
    cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
