/*
 * test_command_once.c - `guard --once KEY` as a whole program: what is done
 * is not done again, what somebody is at is left to them, and a claim is
 * given back only when surely nothing happened.
 */
#include "tests/unit/unit.h"

#include "tests/unit/guard/loopback.h"

#include <sqlite3.h>
#include <time.h>

static void a_done_key_is_printed_again_without_an_attempt(void **state)
{
  static const char *const answers[] = {WHOLE("first"), WHOLE("second"), NULL};
  static const char *const args[] = {"-p", "x", "--once", "report/1", NULL};
  static const char *const live[] = {"-p",       "x",      "--once",
                                     "report/1", "--live", NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "first", rig_http(&r, args), 0, "first\n");
  rig_expect(&r, "again", rig_http(&r, args), 0, "first\n");
  rig_expect(&r, "live", rig_http(&r, live), 0, "first\n");
  assert_non_null(strstr(buf_str(&r.err), " calls=0 attempts=0 "));
  assert_int_equal(rig_asked(&r, "POST "), 1);
  rig_end(&r);
}

static void every_prompt_has_a_key_of_its_own(void **state)
{
  static const char *const answers[] = {WHOLE("one"), WHOLE("two"),
                                        WHOLE("three"), NULL};
  static const char *const two[] = {"-p",     "x",     "-p", "y",
                                    "--once", "k/{N}", NULL};
  static const char *const one[] = {"-p", "y", "--once", "k/2", NULL};
  static const char *const none[] = {"-p", "x", "-p", "y", "--once", "k", NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "both", rig_http(&r, two), 0, "one\ntwo\n");
  rig_expect(&r, "the second alone", rig_http(&r, one), 0, "two\n");
  rig_expect(&r, "one key for two", rig_http(&r, none), 2, "");
  assert_non_null(strstr(buf_str(&r.err), "{N}"));
  rig_end(&r);
}

/* How one call ends, and what a second start with the same key then does. */
static const struct second {
  const char *id, *why;
  const char *answers[4]; /* of the first start; the second gets "later" */
  const char *more[3];
  int code;
  int second; /* exit code of the second start */
} seconds[] = {
    {"limit", "a 429 is a refusal", {LIMITED}, {"--retries", "0"}, 1, 0},
    {"refused", "so is a 400", {REFUSED}, {NULL}, 1, 0},
    {"broken",
     "a 500 may have been processed",
     {BROKEN},
     {"--retries", "0"},
     1,
     75},
    {"cut",
     "a cut stream was being processed",
     {EVENTS TEXT("half")},
     {"--retries", "0"},
     1,
     75},
    {"cut, then limited",
     "the last answer does not undo the one before",
     {EVENTS TEXT("half"), LIMITED},
     {"--retries", "1"},
     1,
     75},
    {"time-out",
     "a time-out may have been processed",
     {SILENCE},
     {"--timeout", "1"},
     1,
     75},
};

static void try_second(const struct second *s)
{
  const char *answers[MAX_ANSWERS] = {NULL};
  const char *args[12] = {"-p", "x", "--once", "k", "--timeout-retries", "0"};
  struct rig r;
  int n = 0, k = 6;

  while (s->answers[n])
    answers[n] = s->answers[n], n++;
  answers[n] = WHOLE("later");
  for (int i = 0; i < 2 && s->more[i]; i++)
    args[k++] = s->more[i];
  rig_start(&r, answers);
  rig_expect(&r, s->id, rig_http(&r, args), s->code, "");
  rig_expect(&r, s->id, rig_http(&r, args), s->second,
             s->second ? "" : "later\n");
  if (s->second && !strstr(buf_str(&r.err), "is being done by another start, "
                                            "for at most 1"))
    fail_msg("%s: %s", s->id, buf_str(&r.err));
  assert_int_equal(rig_asked(&r, "POST "), n + !s->second);
  rig_end(&r);
}

static void a_claim_is_given_back_only_when_nothing_happened(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(seconds); i++)
    try_second(&seconds[i]);
}

static void without_a_connection_the_key_is_free(void **state)
{
  static const char *const answers[] = {WHOLE("late"), NULL};
  static const char *const nobody[] = {
      "http",      "-p", "x",      "--base-url", "http://127.0.0.1:1",
      "--retries", "0",  "--once", "k",          NULL};
  static const char *const refused[] = {"-p",        "x",    "--once", "k",
                                        "--breaker", "open", NULL};
  static const char *const args[] = {"-p", "x", "--once", "k", NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "nobody", rig_guard(&r, nobody), 1, "");
  rig_expect(&r, "the breaker", rig_http(&r, refused), 75, "");
  rig_expect(&r, "now", rig_http(&r, args), 0, "late\n");
  rig_end(&r);
}

/* Commands, with the state of one folder. */
static void a_command_is_run_once(void **state)
{
  static const char *const answers[] = {SILENCE, NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  char *script = mem_format("echo run >>'%s/runs'; printf 'a\\nb'", r.folder);
  const char *const args[] = {"--once", "k", "--", "sh", "-c", script, NULL};
  const char *const missing[] = {"--once", "m", "--", "/no/such/file", NULL};
  const char *const there[] = {"--once", "m", "--", "echo", "there", NULL};
  const char *const fails[] = {"--once", "f", "--", "false", NULL};
  rig_expect(&r, "first", rig_guard(&r, args), 0, "a\nb");
  rig_expect(&r, "again", rig_guard(&r, args), 0, "a\nb");
  char *runs = rig_read(&r, "runs");
  assert_string_equal(runs, "run\n");
  rig_expect(&r, "could not be started", rig_guard(&r, missing), 1, "");
  rig_expect(&r, "so the key is free", rig_guard(&r, there), 0, "there\n");
  rig_expect(&r, "an unknown failure", rig_guard(&r, fails), 1, "");
  rig_expect(&r, "may have done something", rig_guard(&r, fails), 75, "");
  free(runs);
  free(script);
  rig_end(&r);
}

/* Until a file is there; a test that waits for ever is ended by ctest. */
static void await_file(const struct rig *r, const char *name)
{
  char *path = rig_path(r, name);

  while (!file_exists(path))
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  free(path);
}

/* What was begun was begun an hour earlier: no test waits for a lease. */
static void age_claims(const struct rig *r)
{
  char *path = rig_path(r, "guard/ledger.db");
  sqlite3 *db;

  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, "UPDATE run SET begun_ms=begun_ms-3600000",
                                NULL, NULL, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_changes(db), 1);
  sqlite3_close(db);
  free(path);
}

static void a_killed_start_is_taken_over_after_its_lease(void **state)
{
  static const char *const answers[] = {SILENCE, NULL};
  struct rig r;
  int status;

  (void)state;
  rig_start(&r, answers);
  /* the file ends the command too, which outlives guard */
  char *hang = mem_format("echo >'%s/begun'; while [ -e '%s/begun' ]; do "
                          "sleep 0.05; done",
                          r.folder, r.folder);
  const char *const slow[] = {"--once", "k", "--", "sh", "-c", hang, NULL};
  const char *const args[] = {"--once", "k", "--", "echo", "new", NULL};
  struct run first = run_start(slow);
  await_file(&r, "begun");
  kill(first.pid, SIGKILL);
  assert_int_equal(waitpid(first.pid, &status, 0), first.pid);
  close(first.in), close(first.out), close(first.err);
  rig_expect(&r, "within the lease", rig_guard(&r, args), 75, "");
  age_claims(&r);
  rig_expect(&r, "after it", rig_guard(&r, args), 0, "new\n");
  assert_non_null(strstr(buf_str(&r.err), "guard: 'k': attempt 2, "));
  char *begun = rig_path(&r, "begun");
  unlink(begun);
  free(begun);
  free(hang);
  rig_end(&r);
}

static void a_ledger_that_cannot_be_used_stops_the_work(void **state)
{
  static const char *const answers[] = {WHOLE("no"), NULL};
  struct rig r;
  struct diag diag = {0};

  (void)state;
  rig_start(&r, answers);
  char *path = rig_path(&r, "diary");
  const char *const args[] = {"-p", "x", "--once", "k", "--ledger", path, NULL};
  assert_int_equal(file_write(path, BYTES("my diary, no database\n"), &diag),
                   0);
  rig_expect(&r, "a diary", rig_http(&r, args), 1, "");
  assert_non_null(strstr(buf_str(&r.err), "not begun, "));
  assert_int_equal(rig_asked(&r, "POST "), 0);
  free(path);
  rig_end(&r);
}

static const struct line refused_lines[] = {
    {"short lease",
     "a call could outlive it",
     {"--once", "k", "--deadline", "30", "--lease", "30", "--", "true"},
     "",
     2,
     "",
     "--lease of 30 s is not longer than the --deadline of 30 s"},
    {"ledger alone",
     "it does nothing without a key",
     {"--ledger", "x", "--", "true"},
     "",
     2,
     "",
     "need --once"},
    {"empty key", "no name", {"--once", "", "--", "true"}, "", 2, "", "1 to"},
};

static void what_cannot_be_meant_is_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(refused_lines); i++)
    try_line(&refused_lines[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_done_key_is_printed_again_without_an_attempt),
      cmocka_unit_test(every_prompt_has_a_key_of_its_own),
      cmocka_unit_test(a_claim_is_given_back_only_when_nothing_happened),
      cmocka_unit_test(without_a_connection_the_key_is_free),
      cmocka_unit_test(a_command_is_run_once),
      cmocka_unit_test(a_killed_start_is_taken_over_after_its_lease),
      cmocka_unit_test(a_ledger_that_cannot_be_used_stops_the_work),
      cmocka_unit_test(what_cannot_be_meant_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
