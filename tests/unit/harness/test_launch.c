#include "tests/unit/unit.h"

#include "harness/capture.h"
#include "harness/launch.h"

#include "base/file.h"
#include "mockserver/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct launch_words words = {.base = "http://127.0.0.1:8080/one",
                                          .port = 8080,
                                          .run = "run-1",
                                          .lane = "one",
                                          .home = "/h",
                                          .shared = "/s",
                                          .tmp = "/t",
                                          .provider = "anthropic",
                                          .mode = "stream",
                                          .scenario = "a/b",
                                          .shim = "/bin-1",
                                          .command = "claude",
                                          .work = "work-1",
                                          .after_cut = "restart",
                                          .lane_number = 12,
                                          .seed = 7};

static void words_in_braces_are_replaced(void **state)
{
  static const struct {
    const char *text, *wanted;
  } rows[] = {{"{BASE}/v1", "http://127.0.0.1:8080/one/v1"},
              {"{PORT}{PORT}", "80808080"},
              {"{RUN} {LANE} {HOME} {SHARED}", "run-1 one /h /s"},
              {"{PROVIDER}/{MODE}/{SCENARIO}/{SEED}", "anthropic/stream/a/b/7"},
              {"{SHIM}/{COMMAND}", "/bin-1/claude"},
              {"{WORK} {AFTER_CUT}", "work-1 restart"},
              {"{LANE_NUMBER}", "12"},
              {"{UNKNOWN} {base} {} {", "{UNKNOWN} {base} {} {"},
              {"{{BASE}}", "{http://127.0.0.1:8080/one}"},
              {"{\"a\": {\"b\": 1}}", "{\"a\": {\"b\": 1}}"},
              {"", ""}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *got = launch_replace(rows[i].text, &words);
    assert_string_equal(got, rows[i].wanted);
    free(got);
  }
}

static bool has(char *const *list, const char *entry)
{
  for (; *list; list++)
    if (strcmp(*list, entry) == 0)
      return true;
  return false;
}

static void the_environment_holds_nothing_of_the_callers(void **state)
{
  const struct spec spec = {
      .env = cJSON_Parse("{\"X\":\"{PORT}\",\"OPENAI_API_KEY\":\"mine\"}")};
  (void)state;
  setenv("FAULTWIRE_SECRET", "1", 1);
  char **env = launch_env(&spec, &words);
  assert_true(has(env, "ANTHROPIC_BASE_URL=http://127.0.0.1:8080/one"));
  assert_true(has(env, "OPENAI_BASE_URL=http://127.0.0.1:8080/one/v1"));
  assert_true(has(env, "HOME=/h"));
  assert_true(has(env, "TMPDIR=/t"));
  assert_true(has(env, "X=8080"));
  assert_true(has(env, "OPENAI_API_KEY=mine"));
  assert_false(has(env, "OPENAI_API_KEY=sk-faultwire-dummy"));
  assert_false(has(env, "FAULTWIRE_SECRET=1"));
  launch_free_list(env);
  cJSON_Delete((cJSON *)(uintptr_t)spec.env);
}

/* Runs a shell line to its end; the output is the caller's. */
static char *shell(const char *line, int *ret_code, int *ret_signal)
{
  char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, mem_strdup(line), NULL};
  char *env[] = {(char[]){"PATH=/usr/bin:/bin"}, NULL};
  struct client c = {0};
  struct capture out;
  struct diag diag = {0};
  if (launch_client(&c, argv, env, &diag) < 0)
    fail_msg("%s", diag.text);
  struct pollfd p = {c.pidfd, POLLIN, 0};
  assert_int_equal(poll(&p, 1, -1), 1);
  assert_true(client_reap(&c, ret_code, ret_signal));
  capture_init(&out, c.out_fd);
  capture_finish(&out);
  close(c.err_fd);
  char *text = mem_strdup(buf_str(&out.kept));
  capture_release(&out);
  free(argv[2]);
  return text;
}

static const char *value_of(char *const *list, const char *name)
{
  size_t n = strlen(name);
  for (; *list; list++)
    if (strncmp(*list, name, n) == 0 && (*list)[n] == '=')
      return *list + n + 1;
  return NULL;
}

/* A real program of the name must not be found when it is to be absent. */
static void the_stand_ins_come_first_and_the_real_ones_not_at_all(void **state)
{
  const struct spec spec = {.channel = CHANNEL_COMMAND};
  struct launch_words w = words;
  char *old = mem_strdup(getenv("PATH"));
  (void)state;
  setenv("PATH", "/nowhere:/usr/bin:/elsewhere", 1);
  char **env = launch_env(&spec, &w);
  assert_string_equal(value_of(env, "PATH"),
                      "/bin-1:/nowhere:/usr/bin:/elsewhere");
  launch_free_list(env);
  w.without = "env"; /* is in /usr/bin */
  env = launch_env(&spec, &w);
  assert_string_equal(value_of(env, "PATH"), "/bin-1:/nowhere:/elsewhere");
  launch_free_list(env);
  setenv("PATH", old, 1);
  free(old);
}

static void an_exit_code_and_a_signal_are_told_apart(void **state)
{
  int code = -1, sig = -1;
  (void)state;
  free(shell("exit 42", &code, &sig));
  assert_int_equal(code, 42);
  assert_int_equal(sig, 0);
  free(shell("kill -SEGV $$", &code, &sig));
  assert_int_equal(sig, SIGSEGV);
}

static void a_client_has_an_empty_stdin_and_no_other_descriptor(void **state)
{
  int code = -1, sig = -1;
  (void)state;
  int extra = dup(0), full[2];
  assert_int_equal(pipe(full), 0);
  assert_int_equal(write(full[1], "not for the client\n", 19), 19);
  dup2(full[0], 0);
  char *got = shell("cat; ls /proc/self/fd | tr '\\n' ' '", &code, &sig);
  dup2(extra, 0);
  close(full[0]);
  close(full[1]);
  close(extra);
  /* 3 is the folder that ls itself reads */
  assert_string_equal(got, "0 1 2 3 ");
  free(got);
}

static void a_client_has_its_own_group_and_default_signals(void **state)
{
  int code = -1, sig = -1;
  sigset_t set, old;
  (void)state;
  signal(SIGPIPE, SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, &old);
  char *got = shell("ps -o pgid= -p $$ | tr -d ' \\n'; echo \" $$\";"
                    "grep -E 'SigBlk|SigIgn' /proc/self/status | cut -f2",
                    &code, &sig);
  sigprocmask(SIG_SETMASK, &old, NULL);
  signal(SIGPIPE, SIG_DFL);
  char *blank = strchr(got, ' ');
  assert_non_null(blank);
  assert_int_equal(strncmp(got, blank + 1, (size_t)(blank - got)), 0);
  assert_non_null(strstr(got, "0000000000000000\n0000000000000000\n"));
  free(got);
}

static void no_request(void *arg, const struct request *r, struct plan *plan,
                       struct attempt *a, bool *ret_unlogged)
{
  (void)arg, (void)r, (void)plan, (void)a, (void)ret_unlogged;
}

static void a_client_has_the_limits_from_before_the_engine(void **state)
{
  int code = -1, sig = -1;
  struct diag diag = {0};
  struct rlimit files;
  (void)state;
  getrlimit(RLIMIT_NOFILE, &files);
  rlim_t soft = files.rlim_cur, hard = files.rlim_max;
  files.rlim_cur = hard > 300 ? 300 : hard - 1;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
  char *before = shell("ulimit -Sn; cat /proc/self/timerslack_ns", &code, &sig);
  struct journal *j = journal_open(NULL, clock_real(), 0, &diag);
  const struct engine_options o = {
      .clock = clock_real(), .journal = j, .handler = no_request};
  struct engine *e = engine_new(&o, &diag);
  assert_non_null(e);
  char *after = shell("ulimit -Sn; cat /proc/self/timerslack_ns", &code, &sig);
  getrlimit(RLIMIT_NOFILE, &files);
  assert_int_equal(files.rlim_cur, hard); /* the engine's own process */
  assert_string_equal(after, before);
  engine_free(e);
  journal_close(j);
  files.rlim_cur = soft;
  setrlimit(RLIMIT_NOFILE, &files);
  free(before);
  free(after);
}

static void what_cannot_be_started_says_why(void **state)
{
  char *argv[] = {(char[]){"/nowhere/client"}, NULL}, *env[] = {NULL};
  struct client c = {0};
  struct diag diag = {0};
  (void)state;
  assert_int_equal(launch_client(&c, argv, env, &diag), -1);
  assert_non_null(strstr(diag.text, strerror(ENOENT)));
  assert_int_equal(c.pid, 0);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no zombie is left */
  diag_clear(&diag);
  assert_null(launch_find("no-such-client-at-all", &diag));
  assert_non_null(strstr(diag.text, "PATH"));
  diag_clear(&diag);
  assert_null(launch_find("/etc/passwd", &diag));
  assert_non_null(strstr(diag.text, "not executable"));
  diag_clear(&diag);
  assert_null(launch_find("/etc", &diag));
  assert_non_null(strstr(diag.text, "no file"));
  char *found = launch_find("sh", &diag);
  assert_non_null(found);
  free(found);
}

/* A double fork out of the group, as a daemon does it. */
static void a_daemon_left_behind_is_ended(void **state)
{
  int code = -1, sig = -1;
  (void)state;
  launch_become_subreaper();
  char *got = shell("setsid -w sh -c 'sleep 600 & echo $!' 2>&1", &code, &sig);
  char *path = mem_format("/proc/%.*s", (int)strspn(got, "0123456789"), got);
  assert_true(file_is_folder(path));
  assert_true(launch_end_children(NULL, 0));
  assert_false(file_is_folder(path));
  assert_false(launch_end_children(NULL, 0));
  free(path);
  free(got);
}

/* In another home: looking at it takes a moment and ends nothing. */
static void begin_bystander(void)
{
  char *envp[] = {(char[]){"HOME=/other"}, NULL};
  if (fork() == 0) {
    execle("/bin/sleep", "sleep", "600", (char *)NULL, envp);
    _exit(127);
  }
}

/* It ends by itself when the write end is closed, and leaves a child. */
static void begin_parent(int stdin_fd, int ready)
{
  char *envp[] = {(char[]){"HOME=/one"}, NULL};
  if (fork() == 0) {
    dup2(stdin_fd, 0);
    dup2(ready, 1);
    execle("/bin/sh", "sh", "-c",
           "/bin/sleep 600 >/dev/null & echo; exec >/dev/null; read x",
           (char *)NULL, envp);
    _exit(127);
  }
}

/* The parent dies after the list of children was read and before its turn: it
 * is only reaped, and its child was not in the list. */
static void what_a_dead_one_hands_over_is_ended_too(void **state)
{
  enum { BYSTANDERS = 40, ROUNDS = 20 };
  (void)state;
  launch_become_subreaper();
  for (int i = 0; i < BYSTANDERS; i++)
    begin_bystander();
  for (int i = 0; i < ROUNDS; i++) {
    int hold[2], ready[2];
    char byte;
    assert_int_equal(pipe2(hold, O_CLOEXEC), 0);
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    begin_parent(hold[0], ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(hold[1]);
    assert_true(launch_end_orphans_of("/one", NULL, 0));
    assert_false(launch_end_orphans_of("/one", NULL, 0));
    close(hold[0]);
    close(ready[0]);
    close(ready[1]);
  }
  assert_true(launch_end_children(NULL, 0));
}

static void only_orphans_of_that_home_are_ended(void **state)
{
  int code = -1, sig = -1;
  (void)state;
  launch_become_subreaper();
  /* The substitution ends when the orphan, HOME already set, lets go. */
  free(shell("x=$(HOME=/one setsid sh -c "
             "'exec >/dev/null 2>&1; kill -STOP $$' &)",
             &code, &sig));
  assert_false(launch_end_orphans_of("/on", NULL, 0));
  assert_false(launch_end_orphans_of("/two", NULL, 0));
  assert_true(launch_end_orphans_of("/one", NULL, 0));
  assert_false(launch_end_children(NULL, 0));
}

static void files_are_written_below_home(void **state)
{
  struct diag diag = {0};
  struct launch_words w = words;
  struct buf text;
  char *root = file_temp_folder("files", &diag);
  char *home = mem_format("%s/home", root), *tmp = mem_format("%s/tmp", root);
  const struct spec spec = {
      .files = cJSON_Parse("{\".x/settings.json\":\"url={BASE}\"}")};
  (void)state;
  w.home = home;
  w.tmp = tmp;
  w.shared = tmp;
  assert_int_equal(launch_files(&spec, &w, &diag), 0);
  char *path = mem_format("%s/.x/settings.json", home);
  buf_init(&text, 1000);
  assert_int_equal(file_read(path, &text, &diag), 0);
  assert_string_equal(buf_str(&text), "url=http://127.0.0.1:8080/one");
  assert_true(file_is_folder(tmp));
  buf_release(&text);
  cJSON_Delete((cJSON *)(uintptr_t)spec.files);
  file_remove_tree(root);
  free(path);
  free(tmp);
  free(home);
  free(root);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_in_braces_are_replaced),
      cmocka_unit_test(the_environment_holds_nothing_of_the_callers),
      cmocka_unit_test(the_stand_ins_come_first_and_the_real_ones_not_at_all),
      cmocka_unit_test(an_exit_code_and_a_signal_are_told_apart),
      cmocka_unit_test(a_client_has_an_empty_stdin_and_no_other_descriptor),
      cmocka_unit_test(a_client_has_its_own_group_and_default_signals),
      cmocka_unit_test(a_client_has_the_limits_from_before_the_engine),
      cmocka_unit_test(what_cannot_be_started_says_why),
      cmocka_unit_test(a_daemon_left_behind_is_ended),
      cmocka_unit_test(what_a_dead_one_hands_over_is_ended_too),
      cmocka_unit_test(only_orphans_of_that_home_are_ended),
      cmocka_unit_test(files_are_written_below_home)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
