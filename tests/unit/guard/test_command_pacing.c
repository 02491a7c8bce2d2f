/*
 * test_command_pacing.c - places, slow-down and their options in the program
 * guard, as a whole program: what answers tell is heard and obeyed, and no
 * place is lost to a signal or a killed process.
 */
#include "tests/unit/unit.h"

#include "tests/unit/guard/loopback.h"

#include <sys/stat.h>

#define LIMITS                                                                 \
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"                     \
  "x-ratelimit-limit-tokens: 40000\r\nx-ratelimit-remaining-tokens: 30000\r\n" \
  "x-ratelimit-limit-requests: 10\r\nx-ratelimit-remaining-requests: 0\r\n"    \
  "x-ratelimit-reset-requests: 2s\r\nconnection: close\r\n\r\n" BLOCK("text")

static void expect_said(const struct rig *r, const char *part, bool want)
{
  if ((strstr(buf_str(&r->err), part) != NULL) != want)
    fail_msg("'%s' is%s in: %s", part, want ? " not" : "", buf_str(&r->err));
}

static const struct {
  const char *id, *why;
  const char *more[4];
  bool slows, logs;
} heard[] = {
    {"default", "what slows down is always said", {NULL}, true, false},
    {"log", "every answer", {"--log", "limits"}, true, true},
    {"off", "nothing is obeyed", {"--slow-down", "off"}, false, false},
    {"off-log",
     "heard all the same",
     {"--slow-down", "off", "--log", "limits"},
     false,
     true},
};

static void the_limits_of_a_good_answer_are_heard(void **state)
{
  static const char *const answers[] = {LIMITS TEXT("a") STOP, NULL};
  (void)state;
  for (size_t i = 0; i < COUNT(heard); i++) {
    const char *args[9] = {"-p", "x", "-p", "y"};
    struct rig r;
    for (int k = 0; k < 4; k++)
      args[4 + k] = heard[i].more[k];
    rig_start(&r, answers);
    rig_expect(&r, heard[i].id, rig_http(&r, args), 0, "a\na\n");
    expect_said(&r,
                "guard: slows down 0.2 s: requests 0 of 10 left, full in "
                "2.0 s\n",
                heard[i].slows);
    expect_said(&r,
                "guard: limits requests 0/10 left, full in 2.0 s; tokens "
                "30000/40000 left\n",
                heard[i].logs);
    expect_said(&r, heard[i].slows ? " paced=1 " : " paced=0 ", true);
    rig_end(&r);
  }
}

/* Even of a stream that never ends: the head is enough. */
static void the_limits_are_heard_before_the_answer_is_whole(void **state)
{
  static const char *const answers[] = {LIMITS TEXT("a"), NULL};
  static const char *const args[] = {"-p", "x", "--attempts", "1", NULL};
  struct rig r;
  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "cut", rig_http(&r, args), 1, "");
  expect_said(&r, "guard: slows down 0.2 s: ", true);
  rig_end(&r);
}

static void a_slow_down_above_the_cap_degrades(void **state)
{
  static const char *const answers[] = {LIMITS TEXT("a") STOP, NULL};
  static const char *const args[] = {"-p",    "x",   "-p", "y",
                                     "--cap", "0.1", NULL};
  struct rig r;
  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "cap", rig_http(&r, args), 75, "a\n");
  expect_said(&r, "the slow-down is above the cap, 0 tries, ask again in 0.2 s",
              true);
  assert_int_equal(rig_asked(&r, "POST "), 1);
  rig_end(&r);
}

static void so_many_at_once_as_were_asked_for(void **state)
{
  static const char *const answers[] = {WHOLE("a"), NULL};
  static const char *const args[] = {"-p", "1", "-p",         "2", "-p", "3",
                                     "-p", "4", "--parallel", "4", NULL};
  struct rig r;
  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "parallel", rig_http(&r, args), 0, "a\na\na\na\n");
  expect_said(&r, " paced=0 ", true);
  rig_end(&r);
}

/* A guard whose command holds the only place until it is ended. */
struct holder {
  struct run run;
  pid_t command;
};

static struct holder hold(struct rig *r)
{
  static const char *const none[] = {SILENCE, NULL};
  struct holder h;
  uint64_t pid = 0;
  char text[32] = "";
  rig_start(r, none);
  char *pipe = rig_path(r, "pipe");
  char *script = mem_format("echo $$ >%s; exec sleep 60", pipe);
  const char *args[] = {"--places", "1", "--", "sh", "-c", script, NULL};
  assert_int_equal(mkfifo(pipe, 0600), 0);
  h.run = run_start(args);
  close(h.run.in);
  int fd = open(pipe, O_RDONLY); /* until it writes */
  ssize_t n = read(fd, text, sizeof text - 1);
  struct bytes digits = {text, n > 0 ? (size_t)n : 0};
  assert_int_equal(number_take_u64(&digits, INT32_MAX, &pid), NUMBER_OK);
  h.command = (pid_t)pid;
  close(fd);
  free(pipe), free(script);
  return h;
}

static int end_run(struct run *r, int sig)
{
  int status;
  kill(r->pid, sig);
  assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
  close(r->out), close(r->err);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static bool status_says(struct rig *r, const char *line)
{
  static const char *const args[] = {"status", NULL};
  assert_int_equal(rig_guard(r, args), 0);
  return strstr(buf_str(&r->out), line) != NULL;
}

static void a_killed_process_keeps_no_place(void **state)
{
  static const char *const next[] = {"--places", "1",    "--deadline", "1",
                                     "--",       "echo", "next",       NULL};
  struct rig r;
  (void)state;
  struct holder h = hold(&r);
  assert_true(status_says(&r, "places: 1 held, 0 waiting\n"));
  assert_int_equal(rig_guard(&r, next), 75); /* it lives, and is waited for */
  assert_int_equal(end_run(&h.run, SIGKILL), SIGKILL);
  rig_expect(&r, "next", rig_guard(&r, next), 0, "next\n");
  kill(h.command, SIGKILL);
  assert_true(status_says(&r, "places: 0 held, 0 waiting\n"));
  rig_end(&r);
}

static void a_signal_gives_place_and_rank_back(void **state)
{
  static const char *const args[] = {"--places", "1", "--", "echo", "x", NULL};
  struct rig r;
  (void)state;
  struct holder h = hold(&r);
  struct run waiter = run_start(args);
  close(waiter.in);
  while (!status_says(&r, "places: 1 held, 1 waiting\n"))
    assert_int_equal(waitpid(waiter.pid, NULL, WNOHANG), 0);
  assert_int_equal(end_run(&waiter, SIGTERM), SIGTERM);
  assert_true(status_says(&r, "places: 1 held, 0 waiting\n"));
  assert_int_equal(end_run(&h.run, SIGTERM), SIGTERM);
  assert_true(status_says(&r, "places: 0 held, 0 waiting\n"));
  rig_end(&r);
}

static void a_command_that_cannot_be_started_keeps_no_place(void **state)
{
  static const char *const none[] = {SILENCE, NULL};
  static const char *const args[] = {"--", "/no/such/command", NULL};
  struct rig r;
  (void)state;
  rig_start(&r, none);
  for (int i = 0; i < 4; i++)
    assert_int_equal(rig_guard(&r, args), 1);
  assert_true(status_says(&r, "places: 0 held, 0 waiting\n"));
  rig_end(&r);
}

static const struct line refused[] = {
    {"lane",
     "a word misspelt",
     {"--state", "-", "--lane", "hgh", "--", "true"},
     "",
     2,
     "",
     "did you mean 'high'"},
    {"slow",
     "a word misspelt",
     {"--state", "-", "--slow-down", "offf", "--", "true"},
     "",
     2,
     "",
     "did you mean 'off'"},
    {"log",
     "a word misspelt",
     {"--state", "-", "--log", "limit", "--", "true"},
     "",
     2,
     "",
     "did you mean 'limits'"},
    {"k",
     "would refuse a server that accepts all",
     {"--state", "-", "--throttle-k", "0.5", "--", "true"},
     "",
     2,
     "",
     "accepts once or more"},
    {"places",
     "more than the state keeps",
     {"--state", "-", "--places", "65", "--", "true"},
     "",
     2,
     "",
     "within 0..64"},
    {"stagger",
     "the first of many starts at once, and no step is no wait",
     {"--state", "-", "--stagger", "0", "--start", "1000", "--", "true"},
     "",
     0,
     "",
     " done=1 "},
    {"all",
     "numbers that fit",
     {"--state", "-", "--places", "0", "--lane", "low", "--rpm", "1", "--tpm",
      "1", "--throttle-k", "0", "--slow-down", "on", "--log", "limits", "--",
      "true"},
     "",
     0,
     "",
     " done=1 "},
};

static void options_are_checked(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(refused); i++)
    try_line(&refused[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_limits_of_a_good_answer_are_heard),
      cmocka_unit_test(the_limits_are_heard_before_the_answer_is_whole),
      cmocka_unit_test(a_slow_down_above_the_cap_degrades),
      cmocka_unit_test(so_many_at_once_as_were_asked_for),
      cmocka_unit_test(a_killed_process_keeps_no_place),
      cmocka_unit_test(a_signal_gives_place_and_rank_back),
      cmocka_unit_test(a_command_that_cannot_be_started_keeps_no_place),
      cmocka_unit_test(options_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
