/* `time` and `at` as the command line, a scenario and a project say them;
 * what the reports say of it; and the answer to SIGUSR1. */
#include "tests/unit/harness/virtual_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* The client prints its wall clock; within a format. */
#define CLOCK "date +%%s; curl -s -o /dev/null -d {} '{BASE}/v1/messages'"
#define SCENARIO(client)                                                       \
  "{ \"name\": \"it\", \"why\": \"a date\",\n"                                 \
  "  \"steps\": [{ \"reply\": \"message\" }],\n"                               \
  "  \"client\": {" client "},\n"                                              \
  "  \"expect\": [{ \"check\": \"attempts\", \"exactly\": 1 }] }"
#define AT(date) "\"at\": \"" date "\""

static const struct row {
  const char *id, *options, *client, *project; /* project: keys, or NULL */
  int exit;
  const char *verdict, *mode; /* mode "": there is no object `time` */
  const char *out;            /* of the client, or NULL */
  const char *says;
} rows[] = {
    {"nobody says anything", "", "", NULL, 0, "pass", "", NULL, "1 passed"},
    {"the scenario", "",
     "\"time\": \"virtual\"," AT("2026-03-08T01:59:00-08:00"), NULL, 0, "pass",
     "virtual", "1772963940\n", "in virtual time"},
    {"a number", "", "\"time\": \"auto\", \"at\": 1772963940", NULL, 0, "pass",
     "virtual", "1772963940\n", ""},
    {"the project", "", "", "\"time\": \"virtual\", \"at\": 1000000000", 0,
     "pass", "virtual", "1000000000\n", ""},
    {"the scenario before the project", "", AT("2026-03-08T01:59:00-08:00"),
     "\"time\": \"virtual\", \"at\": 1000000000", 0, "pass", "virtual",
     "1772963940\n", ""},
    {"the command line before both", "--time virtual --at 2001-09-09T01:46:41Z",
     "\"time\": \"auto\"," AT("2026-03-08T01:59:00-08:00"),
     "\"time\": \"real\", \"at\": 5", 0, "pass", "virtual", "1000000001\n", ""},
    {"a scenario of real time", "--time virtual", "\"time\": \"real\"", NULL, 0,
     "pass", "", NULL, "1 passed"},
    {"a scenario of virtual time", "--time real", "\"time\": \"virtual\"", NULL,
     0, "skip", "", NULL,
     "# skip: the scenario is for virtual time, and --time real was asked"},
    {"no date in real time", "", AT("2026-03-08T01:59:00-08:00"), NULL, 0,
     "pass", "real", NULL, "'at' had no effect in 1: real time"},
};

static void write_project(const char *keys)
{
  char *text = mem_format("{ \"client\": [\"sh\", \"-c\", \"true\"], %s }",
                          keys ? keys : "\"strict\": false");
  put("p.json", text);
  free(text);
}

static const char *client_wrote(const cJSON *o)
{
  const cJSON *starts = cJSON_GetObjectItem(o, "starts");
  return starts && starts->child ? word_of(starts->child, "stdout") : "";
}

static void run_row(const struct row *r)
{
  struct buf out;
  char *scenario = mem_format(SCENARIO("%s"), r->client);
  char *words = mem_format("test %s --project p.json --report json=r.json "
                           "it.json -- sh -c \"" CLOCK "\"",
                           r->options);
  put("it.json", scenario);
  write_project(r->project);
  int code = faultwire(words, &out);
  if (code != r->exit || !strstr(buf_str(&out), r->says))
    fail_msg("%s: %d: %s", r->id, code, buf_str(&out));
  cJSON *o = scenario_of("r.json");
  if (strcmp(word_of(o, "verdict"), r->verdict) != 0 ||
      strcmp(word_of(cJSON_GetObjectItem(o, "time"), "mode"), r->mode) != 0 ||
      (r->out && strcmp(client_wrote(o), r->out) != 0))
    fail_msg("%s: %s, client: %s", r->id, buf_str(&out), client_wrote(o));
  cJSON_Delete(o);
  buf_release(&out);
  free(words);
  free(scenario);
}

static void command_line_scenario_and_project_say_when_it_is(void **state)
{
  (void)state;
  if (!has_program("curl"))
    return;
  for (size_t i = 0; i < COUNT(rows); i++)
    run_row(&rows[i]);
}

static const struct {
  const char *id, *options, *client, *project, *says;
} bad[] = {
    {"no such word", "--time virtul", "", NULL,
     "unknown time 'virtul'; did you mean 'virtual'"},
    {"no limit of its own", "--time real --real-limit 5", "", NULL,
     "--real-limit goes with --time virtual, scaled or auto"},
    {"scaled alone", "--time virtual --scale 5", "", NULL,
     "--scale goes with --time scaled or auto"},
    {"a unit", "--time virtual --limit 5s", "", NULL,
     "--limit needs a number without a unit, not '5s'"},
    {"no folder", "--evidence ''", "", NULL, "the folder has no name"},
    {"a range", "--time scaled --scale 0", "", NULL,
     "--scale must be within 1..1000000, is '0'"},
    {"no zone", "--at 2026-03-08T01:59:00", "", NULL,
     "--at: '2026-03-08T01:59:00' has no zone; did you mean "
     "'2026-03-08T01:59:00Z'"},
    {"the scenario's word", "", "\"time\": \"virtul\"", NULL,
     "it.json:3:22: $.client.time: "},
    {"the scenario's date", "", "\"at\": \"2026-02-30T00:00:00Z\"", NULL,
     "it.json:3:20: $.client.at: '2026-02-30T00:00:00Z': there is no such "
     "day"},
    {"the scenario's key", "", "\"att\": 5", NULL, "did you mean 'at'"},
    {"the project's date", "", "", "\"at\": \"soon\"",
     "p.json:1:41: $.at: 'soon' is no moment"},
    {"the project's word", "", "", "\"time\": \"automatic\"",
     "known: real, virtual, scaled, auto"},
};

static void a_slip_of_the_pen_is_placed(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct buf out;
    char *scenario = mem_format(SCENARIO("%s"), bad[i].client);
    char *words =
        mem_format("test %s --project p.json it.json -- true", bad[i].options);
    put("it.json", scenario);
    write_project(bad[i].project);
    int code = faultwire(words, &out);
    if (code != 2 || !strstr(buf_str(&out), bad[i].says))
      fail_msg("%s: %d: %s", bad[i].id, code, buf_str(&out));
    buf_release(&out);
    free(words);
    free(scenario);
  }
}

/* A hundred waits a second is housekeeping that costs a jump each. */
static void a_thread_that_wakes_up_all_the_time_is_named(void **state)
{
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  put("it.json", SCENARIO(""));
  put("ask.py", ask_py);
  put("c.py", "import ask, time\nask.call()\n"
              "for i in range(300): time.sleep(0.001)\n");
  write_project(NULL);
  faultwire("test --time virtual --project p.json --report html=r.html "
            "--report json=r.json it.json -- python3 c.py '{BASE}'",
            &out);
  assert_non_null(
      strstr(buf_str(&out), "; in 1 a thread wakes up all the time"));
  cJSON *o = scenario_of("r.json");
  const cJSON *busiest =
      cJSON_GetObjectItem(cJSON_GetObjectItem(o, "time"), "busiest");
  assert_string_equal(word_of(busiest, "thread"), "python3");
  assert_int_equal(cJSON_GetObjectItem(busiest, "jumps")->valueint, 300);
  cJSON_Delete(o);
  buf_release(&out);
  char *line =
      mem_format("grep 'which waits 1 ms and looks again: the run is faster' "
                 "%s/r.html",
                 folder);
  assert_int_equal(run_line(line, &out), 0);
  buf_release(&out);
  free(line);
}

/* No clock moves for a client that only computes: real time ends it, and the
 * report says that it was that. */
static void real_time_has_a_limit_of_its_own(void **state)
{
  struct buf out;
  (void)state;
  put("it.json", SCENARIO(""));
  write_project(NULL);
  int code = faultwire("test --time virtual --real-limit 1 --project p.json "
                       "it.json -- sh -c 'while :; do :; done'",
                       &out);
  assert_int_equal(code, 3); /* it made no call */
  assert_non_null(strstr(buf_str(&out), "still ran when the real time of the "
                                        "run was over (--real-limit 1)"));
  assert_non_null(strstr(buf_str(&out), "--time virtual --real-limit 1 "
                                        "it.json -- sh -c"));
  buf_release(&out);
}

/* As docs/virtual-time.md has it. */
static void
the_example_of_a_reset_at_midnight_tells_two_clients_apart(void **state)
{
  static const char words[] =
      "test " SOURCE_DIR "/docs/examples/midnight/midnight.json -- " SOURCE_DIR
      "/docs/examples/midnight/client.py";
  struct buf out;
  (void)state;
  if (!has_program("python3"))
    return;
  int code = faultwire(words, &out);
  if (code != 0)
    fail_msg("%d: %s", code, buf_str(&out));
  buf_release(&out);
  char *naive = mem_format("%s naive", words);
  code = faultwire(naive, &out);
  if (code != 1 || !strstr(buf_str(&out), "actual    79259.999 s"))
    fail_msg("naive, %d: %s", code, buf_str(&out));
  buf_release(&out);
  free(naive);
}

/* --- SIGUSR1 -------------------------------------------------------------- */

static pid_t start_faultwire(void)
{
  char *busy = mem_format("touch %s/started; while :; do :; done", folder);
  fflush(NULL);
  pid_t pid = fork();
  if (pid != 0) {
    free(busy);
    return pid;
  }
  if (chdir(folder) < 0 || !freopen("err", "w", stderr) ||
      !freopen("out", "w", stdout))
    _exit(1);
  execl(FAULTWIRE, "faultwire", "test", "--time", "virtual", "--real-limit",
        "120", "it.json", "--", "sh", "-c", busy, (char *)NULL);
  _exit(1);
}

/* True as soon as the line succeeds; two minutes are a broken program. */
static bool comes_true(const char *line)
{
  struct timespec pause = {0, 20000000};
  struct buf out;
  for (int i = 0; i < 6000; i++) {
    int code = run_line(line, &out);
    buf_release(&out);
    if (code == 0)
      return true;
    nanosleep(&pause, NULL);
  }
  return false;
}

/* Only children of the worker are clients; the worker is the one child that
 * faultwire has by then. */
static pid_t worker_of(pid_t parent)
{
  struct buf out;
  char *line =
      mem_format("cat /proc/%d/task/%d/children", (int)parent, (int)parent);
  int pid = 0;
  run_line(line, &out);
  for (const char *p = buf_str(&out); *p >= '0' && *p <= '9'; p++)
    pid = pid * 10 + (*p - '0');
  buf_release(&out);
  free(line);
  return pid;
}

static void end(pid_t pid)
{
  int status = 0;
  kill(pid, SIGTERM);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 130);
}

static const char *const told_words[] = {
    "virtual time 0.", "last look: ", " (ours)\n", " sh R, call running\n"};

/* A client that only computes: why does the clock stand? */
static void a_signal_asks_why_the_clock_stands(void **state)
{
  (void)state;
  put("it.json", SCENARIO(""));
  pid_t pid = start_faultwire();
  assert_true(pid > 0);
  char *told = mem_format("grep -q '^  own thread' %s/err", folder);
  char *started = mem_format("test -e %s/started", folder);
  bool began = comes_true(started);
  if (began)
    kill(worker_of(pid), SIGUSR1);
  bool answered = began && comes_true(told);
  end(pid);
  assert_true(began && answered);
  struct buf text;
  char *line = mem_format("cat %s/err", folder);
  run_line(line, &text);
  for (size_t i = 0; i < COUNT(told_words); i++)
    if (!strstr(buf_str(&text), told_words[i]))
      fail_msg("'%s' is not in %s", told_words[i], buf_str(&text));
  buf_release(&text);
  free(line);
  free(told);
  free(started);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(command_line_scenario_and_project_say_when_it_is),
      cmocka_unit_test(a_slip_of_the_pen_is_placed),
      cmocka_unit_test(a_thread_that_wakes_up_all_the_time_is_named),
      cmocka_unit_test(
          the_example_of_a_reset_at_midnight_tells_two_clients_apart),
      cmocka_unit_test(real_time_has_a_limit_of_its_own),
      cmocka_unit_test(a_signal_asks_why_the_clock_stands),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
