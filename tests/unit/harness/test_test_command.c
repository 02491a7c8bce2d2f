/*
 * `faultwire test` as a program, against clients that are bad on purpose.
 * This binary is those clients too: `test_test_command client KIND MARKER`.
 */
#include "tests/unit/unit.h"

#include "tests/unit/harness/bad_client.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/param.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the program under test ------------------------------------------------
 */

static char *root; /* holds the scenario, reports and faultwire's TMPDIR */
static char self[4096];

#define SCENARIO                                                               \
  "{\"name\":\"good\",\"why\":\"a bad client is told from a good one\","       \
  "\"steps\":[{\"reply\":\"message\",\"times\":\"always\"}],"                  \
  "\"client\":{\"limit_s\":1},"                                                \
  "\"expect\":[{\"check\":\"exit_code\",\"in\":[0]},"                          \
  "{\"check\":\"attempts\",\"at_least\":1}]}"

static int set_up(void **state)
{
  struct diag diag = {0};
  (void)state;
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  assert_true(n > 0);
  root = file_temp_folder("command", &diag);
  char *path = mem_format("%s/area", root), *tmp = mem_format("%s/tmp", root);
  assert_int_equal(file_mkdirs(path, &diag), 0);
  assert_int_equal(file_mkdirs(tmp, &diag), 0);
  free(path);
  path = mem_format("%s/area/good.json", root);
  assert_int_equal(file_write(path, BYTES(SCENARIO), &diag), 0);
  free(path);
  free(tmp);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  file_remove_tree(root);
  free(root);
  return 0;
}

struct ran {
  int code;    /* exit code of faultwire, -1: it was ended by a signal */
  char *err;   /* its stderr */
  cJSON *json; /* its report, NULL: none */
};

static void ran_release(struct ran *r)
{
  free(r->err);
  cJSON_Delete(r->json);
}

static pid_t start(char *const *argv, const char *err)
{
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  char *tmp = mem_format("%s/tmp", root);
  int fd = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  char *out = mem_format("%s/stdout", root);
  int out_fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  setenv("TMPDIR", tmp, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  dup2(out_fd, 1);
  dup2(fd, 2);
  execv(argv[0], argv);
  _exit(125);
}

static char *read_text(const char *path)
{
  struct buf b;
  struct diag diag = {0};
  buf_init(&b, (size_t)64 << 20);
  if (file_read(path, &b, &diag) < 0) {
    buf_release(&b);
    return mem_strdup("");
  }
  char *text = mem_strdup(buf_str(&b));
  buf_release(&b);
  return text;
}

static void finish(pid_t pid, const char *err, const char *report,
                   struct ran *ret)
{
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  ret->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ret->err = read_text(err);
  char *json = read_text(report);
  ret->json = cJSON_Parse(json);
  free(json);
}

/* Seconds as text, more than the scenario's 1; NULL: those. */
static const char *longer;

/* faultwire test area/good.json -- COMMAND [client KIND MARKER] */
static pid_t start_test(const char *command, const char *kind, char *err,
                        char *report)
{
  char *program = mem_format("%s/faultwire", BUILD_DIR);
  char *scenario = mem_format("%s/area/good.json", root);
  char *option = mem_format("--report=json=%s", report);
  char *limit = mem_format("--limit=%s", longer ? longer : "1");
  char *cmd = mem_strdup(command), *k = mem_strdup(kind ? kind : "");
  char *argv[] = {program,  (char[]){"test"},
                  option,   limit,
                  scenario, (char[]){"--"},
                  cmd,      kind ? (char[]){"client"} : NULL,
                  k,        root,
                  NULL};
  pid_t pid = start(argv, err);
  free(program);
  free(scenario);
  free(option);
  free(limit);
  free(cmd);
  free(k);
  return pid;
}

static void run_faultwire(const char *command, const char *kind,
                          struct ran *ret)
{
  char *err = mem_format("%s/stderr", root);
  char *report = mem_format("%s/report.json", root);
  unlink(report);
  pid_t pid = start_test(command, kind, err, report);
  finish(pid, err, report, ret);
  free(err);
  free(report);
}

/* Processes other than this one whose command line holds the marker. */
static int left_over(void)
{
  DIR *proc = opendir("/proc");
  int n = 0;
  for (struct dirent *d = readdir(proc); d; d = readdir(proc)) {
    uint64_t pid = 0;
    struct buf b;
    char path[64];
    struct diag diag = {0};
    if (number_u64(bytes_of(d->d_name), INT32_MAX, &pid) != NUMBER_OK ||
        (pid_t)pid == getpid())
      continue;
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    buf_init(&b, 1 << 20);
    if (file_read(path, &b, &diag) == 0 &&
        bytes_find(buf_bytes(&b), bytes_of(root)) >= 0)
      n++;
    buf_release(&b);
  }
  closedir(proc);
  return n;
}

/* Entries of faultwire's TMPDIR. */
static int left_files(void)
{
  char *tmp = mem_format("%s/tmp", root);
  DIR *dir = opendir(tmp);
  int n = -2; /* . and .. */
  while (readdir(dir))
    n++;
  closedir(dir);
  free(tmp);
  return n;
}

static const cJSON *first_scenario(const struct ran *r)
{
  return cJSON_GetArrayItem(param_node(r->json, "scenarios"), 0);
}

static const cJSON *first_start(const struct ran *r)
{
  return cJSON_GetArrayItem(param_node(first_scenario(r), "starts"), 0);
}

static const struct row {
  const char *kind;
  int code;
  const char *verdict, *word;
} rows[] = {
    {"good", 0, "pass", "none"},
    {"crash", 1, "fail", "crash"},
    {"hang", 1, "fail", "hang"},
    {"leave-children", 0, "pass", "none"},
    {"flood", 0, "pass", "none"},
    {"close-outputs", 0, "pass", "none"},
    {"read-stdin", 0, "pass", "none"},
    {"no-request", 3, "inconclusive", "no-contact"},
    {"wait-without-a-call", 3, "inconclusive", "no-contact"},
    {"kill-the-harness", 3, "inconclusive", "harness"},
};

static void check_row(const struct row *row, struct ran *r)
{
  const char *verdict = "", *kind = "", *reason = "";
  param_string(first_scenario(r), "verdict", &verdict);
  param_string(first_scenario(r), "kind", &kind);
  param_string(first_scenario(r), "reason", &reason);
  if (r->code != row->code || strcmp(verdict, row->verdict) != 0 ||
      strcmp(kind, row->word) != 0)
    fail_msg("%s: exit %d, %s/%s: %s\n%s", row->kind, r->code, verdict, kind,
             reason, r->err);
  if (left_over())
    fail_msg("%s: %d processes are left", row->kind, left_over());
  if (left_files())
    fail_msg("%s: %d temporary files are left", row->kind, left_files());
}

static void every_bad_client_gets_its_word_and_leaves_nothing(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct ran r = {0};
    run_faultwire(self, rows[i].kind, &r);
    check_row(&rows[i], &r);
    ran_release(&r);
  }
}

static void left_children_are_noted(void **state)
{
  struct ran r = {0};
  bool left = false;
  (void)state;
  run_faultwire(self, "leave-children", &r);
  assert_true(param_bool(first_start(&r), "left_children", &left) && left);
  ran_release(&r);
  run_faultwire(self, "good", &r);
  assert_true(param_bool(first_start(&r), "left_children", &left) && !left);
  ran_release(&r);
}

static void all_of_a_flood_is_counted(void **state)
{
  struct ran r = {0};
  double n = 0;
  (void)state;
  run_faultwire(self, "flood", &r);
  assert_true(param_number(first_start(&r), "out_bytes", &n));
  assert_true(n >= FLOOD_BYTES && n <= FLOOD_BYTES);
  ran_release(&r);
}

static void a_client_that_cannot_be_started_is_one_clear_error(void **state)
{
  struct ran r = {0};
  char *scenario = mem_format("%s/area/good.json", root);
  (void)state;
  run_faultwire("no-such-client-at-all", NULL, &r);
  assert_int_equal(r.code, 3);
  assert_non_null(strstr(r.err, "no-such-client-at-all"));
  ran_release(&r);
  run_faultwire(scenario, NULL, &r);
  assert_int_equal(r.code, 3);
  assert_non_null(strstr(r.err, "not executable"));
  ran_release(&r);
  free(scenario);
  assert_int_equal(left_files(), 0);
}

static void a_script_without_its_interpreter_is_a_harness_error(void **state)
{
  struct ran r = {0};
  struct diag diag = {0};
  char *path = mem_format("%s/script", root);
  const struct row wanted = {"script", 3, "inconclusive", "harness"};
  (void)state;
  assert_int_equal(file_write(path, BYTES("#!/nowhere/shell\n"), &diag), 0);
  chmod(path, 0755);
  run_faultwire(path, NULL, &r);
  check_row(&wanted, &r);
  ran_release(&r);
  free(path);
}

/* Waits until the client runs, by the only sign from outside. */
static void wait_for_client(void)
{
  struct clock *c = clock_real();
  while (left_over() < 2) /* faultwire's own line holds the marker as well */
    clock_wait_until(c, clock_now_ns(c) + 10 * NS_PER_MS);
}

static void check_empty_report(const cJSON *report)
{
  double code = 0;
  assert_true(param_number(report, "exit", &code));
  assert_int_equal((int)code, 130);
  assert_int_equal(cJSON_GetArraySize(param_node(report, "scenarios")), 0);
}

static void an_interrupt_ends_all_and_says_130(void **state)
{
  static const int signals[] = {SIGINT, SIGTERM};
  char *err = mem_format("%s/stderr", root);
  char *report = mem_format("%s/report.json", root);
  (void)state;
  longer = "60"; /* a busy machine must not end it before the signal does */
  for (size_t i = 0; i < COUNT(signals); i++) {
    struct ran r = {0};
    unlink(report);
    pid_t pid = start_test(self, "wait-without-a-call", err, report);
    wait_for_client();
    kill(pid, signals[i]);
    finish(pid, err, report, &r);
    assert_int_equal(r.code, 130);
    check_empty_report(r.json); /* what had ended by then: nothing */
    assert_int_equal(left_over(), 0);
    assert_int_equal(left_files(), 0);
    ran_release(&r);
  }
  longer = NULL;
  free(err);
  free(report);
}

static void a_report_that_cannot_be_written_loses_no_verdict(void **state)
{
  char *err = mem_format("%s/stderr", root), *out = NULL;
  char *path = mem_format("%s/stdout", root);
  struct ran r = {0};
  (void)state;
  finish(start_test("true", NULL, err, (char[]){"/dev/full"}), err, "", &r);
  assert_int_equal(r.code, 3);
  assert_non_null(strstr(r.err, "No space left"));
  out = read_text(path);
  assert_non_null(strstr(out, "1 inconclusive"));
  ran_release(&r);
  free(out);
  free(path);
  free(err);
}

static void usage_errors_are_2(void **state)
{
  static const char *const lines[][4] = {{NULL},
                                         {"nowhere.json", "--", "true", NULL},
                                         {"--formt", "tap", NULL},
                                         {"--report", "tap", "x.json", NULL}};
  char *err = mem_format("%s/stderr", root);
  char *program = mem_format("%s/faultwire", BUILD_DIR);
  (void)state;
  for (size_t i = 0; i < COUNT(lines); i++) {
    char *argv[8] = {program, (char[]){"test"}};
    struct ran r = {0};
    int n = 2;
    for (size_t k = 0; k < 4 && lines[i][k]; k++)
      argv[n++] = mem_strdup(lines[i][k]);
    finish(start(argv, err), err, "", &r);
    if (r.code != 2 || r.err[0] == '\0')
      fail_msg("line %zu: exit %d: %s", i, r.code, r.err);
    ran_release(&r);
    while (n > 2)
      free(argv[--n]);
  }
  free(program);
  free(err);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bad_client_gets_its_word_and_leaves_nothing),
      cmocka_unit_test(left_children_are_noted),
      cmocka_unit_test(all_of_a_flood_is_counted),
      cmocka_unit_test(a_client_that_cannot_be_started_is_one_clear_error),
      cmocka_unit_test(a_script_without_its_interpreter_is_a_harness_error),
      cmocka_unit_test(a_report_that_cannot_be_written_loses_no_verdict),
      cmocka_unit_test(an_interrupt_ends_all_and_says_130),
      cmocka_unit_test(usage_errors_are_2)};
  if (argc > 2 && strcmp(argv[1], "client") == 0)
    return client_main(argv[2]);
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
