/*
 * test_ledger_faults.c - kill -9 at every change of the disk, a full disk,
 * and many processes at the same time.
 */
#include "tests/unit/guard/ledger_rig.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { CHANGES_LIMIT = 1000 };

/* What the child says after each step. */
enum { OPENED = 'o', CLAIMED = 'c', FINISHED = 'f' };

static void say(int fd, char word)
{
  if (write(fd, &word, 1) != 1)
    _exit(2);
}

static void child_works(int fd, int64_t now_ms)
{
  struct guard_ledger *l;
  struct guard_entry e;
  if (!guard_ledger_open(path, GUARD_LEDGER_FILE_MAX, &l))
    _exit(3);
  say(fd, OPENED);
  if (begin(l, "k", now_ms, &e) != GUARD_LEDGER_RUN)
    _exit(4);
  say(fd, CLAIMED);
  if (finish(l, &e.claim, "the result") != GUARD_LEDGER_DONE)
    _exit(5);
  say(fd, FINISHED);
  guard_ledger_close(l);
  _exit(0);
}

/* Runs the child with a disk that kills it at change |n|; the last word it
 * said, or 0. *ret_killed: it met the fault. */
static int run_child(int n, bool half, int64_t now_ms, bool *ret_killed)
{
  int fd[2], status, last = 0;
  char word;
  assert_int_equal(pipe(fd), 0);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    close(fd[0]);
    disk.kill_at = n;
    disk.half = half;
    child_works(fd[1], now_ms);
  }
  close(fd[1]);
  while (read(fd[0], &word, 1) == 1)
    last = word;
  close(fd[0]);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  *ret_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (!*ret_killed)
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return last;
}

static void the_file_is_whole(void)
{
  sqlite3 *db;
  sqlite3_stmt *stmt;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(
      sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &stmt, NULL),
      SQLITE_OK);
  assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
  assert_string_equal((const char *)sqlite3_column_text(stmt, 0), "ok");
  sqlite3_finalize(stmt);
  sqlite3_close(db);
}

/* The next process finds what the dead one said, or one step more. */
static void next_process_finds(int last, int64_t now_ms, int n)
{
  struct guard_ledger *l = open_ledger();
  struct guard_entry e = {0};
  enum guard_ledger_step step = begin(l, "k", now_ms, &e);
  bool good = step == GUARD_LEDGER_DONE;
  if (last == 0 || last == OPENED)
    good = step == GUARD_LEDGER_RUN || step == GUARD_LEDGER_BUSY;
  if (last == CLAIMED)
    good = step == GUARD_LEDGER_BUSY || step == GUARD_LEDGER_DONE;
  if (!good)
    fail_msg("killed at change %d after '%c': step %d", n, last, step);
  if (step == GUARD_LEDGER_DONE)
    assert_string_equal(e.result.bytes, "the result");
  guard_ledger_close(l);
  the_file_is_whole();
}

static int kill_everywhere(bool half, bool takeover)
{
  bool killed = true;
  int n = 0;
  while (killed && n < CHANGES_LIMIT) {
    int64_t now_ms = T0;
    fresh(NULL);
    if (takeover) { /* a claim that is stale by now */
      struct guard_ledger *l = open_ledger();
      struct guard_entry e;
      begin(l, "k", T0, &e);
      guard_ledger_close(l);
      now_ms += LEASE;
      disk_heal();
    }
    int last = run_child(++n, half, now_ms, &killed);
    /* within the lease of the claim before and of the one just made */
    next_process_finds(last, now_ms + 1, n);
  }
  assert_false(killed);
  return n;
}

static void a_kill_at_any_change_leaves_before_or_after(void **state)
{
  (void)state;
  /* three transactions: journal, its header, pages, syncs, deletion */
  assert_in_range(kill_everywhere(false, false), 25, CHANGES_LIMIT);
  assert_in_range(kill_everywhere(true, false), 25, CHANGES_LIMIT);
}

static void a_kill_at_any_change_of_a_takeover_too(void **state)
{
  (void)state;
  assert_in_range(kill_everywhere(false, true), 15, CHANGES_LIMIT);
  assert_in_range(kill_everywhere(true, true), 15, CHANGES_LIMIT);
}

/* ---- a full disk ---- */

static void a_disk_full_at_any_change_changes_nothing(void **state)
{
  (void)state;
  int failures = 0;
  for (int n = 1; n < 30; n++) {
    struct guard_ledger *l;
    struct guard_entry e;
    fresh(NULL);
    l = open_ledger();
    disk.half = n % 2;
    disk.full_at = disk.changes + n;
    if (begin(l, "k", T0, &e) == GUARD_LEDGER_FAILED) {
      failures++;
      assert_non_null(strstr(guard_ledger_error(l), "disk is full"));
      disk_heal();
      assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_RUN);
    }
    assert_int_equal(e.claim.attempt, 1);
    disk.full_at = disk.changes + n;
    if (finish(l, &e.claim, "r") == GUARD_LEDGER_FAILED) {
      failures++;
      struct guard_entry other;
      assert_non_null(strstr(guard_ledger_error(l), "disk is full"));
      disk_heal();
      assert_int_equal(begin(l, "k", T0, &other), GUARD_LEDGER_BUSY);
      assert_int_equal(finish(l, &e.claim, "r"), GUARD_LEDGER_DONE);
    }
    disk_heal();
    guard_ledger_close(l);
    the_file_is_whole();
  }
  assert_in_range(failures, 6, 58);
}

static void a_full_disk_makes_no_ledger_and_says_so(void **state)
{
  (void)state;
  for (int n = 1; n < 12; n++) {
    struct guard_ledger *l;
    fresh(NULL);
    disk.full_at = n;
    bool opened = guard_ledger_open(path, GUARD_LEDGER_FILE_MAX, &l);
    if (!opened)
      assert_non_null(strstr(guard_ledger_error(l), "disk is full"));
    guard_ledger_close(l);
    disk_heal();
    guard_ledger_close(open_ledger());
  }
}

static void
a_file_at_the_size_limit_of_the_process_is_a_clear_error(void **state)
{
  (void)state;
  static const char big[200000];
  struct guard_ledger *l = open_ledger();
  struct guard_result r = {big, sizeof big};
  struct guard_entry e;
  struct rlimit before, tight;
  begin(l, "k", T0, &e);
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  tight = (struct rlimit){64 * 1024, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &tight);
  enum guard_ledger_step step = guard_ledger_finish(l, &e.claim, &r);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_int_equal(step, GUARD_LEDGER_FAILED);
  if (!strstr(guard_ledger_error(l), strerror(EFBIG)))
    fail_msg("%s", guard_ledger_error(l));
  assert_int_equal(guard_ledger_finish(l, &e.claim, &r), GUARD_LEDGER_DONE);
  guard_ledger_close(l);
  the_file_is_whole();
}

static void the_ledgers_own_ceiling_is_a_clear_error(void **state)
{
  (void)state;
  static const char big[200000];
  struct guard_ledger *l;
  struct guard_result r = {big, sizeof big};
  struct guard_entry e;
  assert_true(guard_ledger_open(path, 100000, &l));
  begin(l, "k", T0, &e);
  assert_int_equal(guard_ledger_finish(l, &e.claim, &r), GUARD_LEDGER_FAILED);
  assert_non_null(strstr(guard_ledger_error(l), "largest size"));
  assert_int_equal(finish(l, &e.claim, "small"), GUARD_LEDGER_DONE);
  guard_ledger_close(l);
}

/* ---- processes at the same time ---- */

enum { PROCESSES = 6, KEYS = 25 };

/* |doom|: dies at that change after its first claim; 0: lives. */
static void child_races(int start, int out, int doom)
{
  struct guard_ledger *l;
  char go;
  if (read(start, &go, 1) != 0) /* the end of the pipe is the start */
    _exit(6);
  if (!guard_ledger_open(path, GUARD_LEDGER_FILE_MAX, &l))
    _exit(3);
  for (int k = 0; k < KEYS; k++) {
    struct guard_entry e;
    char key[] = {(char)('A' + k), '\0'};
    enum guard_ledger_step step = begin(l, key, T0, &e);
    if (step == GUARD_LEDGER_FAILED)
      _exit(4);
    if (step != GUARD_LEDGER_RUN)
      continue;
    say(out, key[0]);
    if (doom && !disk.kill_at)
      disk.kill_at = disk.changes + doom;
    if (finish(l, &e.claim, key) != GUARD_LEDGER_DONE)
      _exit(5);
  }
  guard_ledger_close(l);
  _exit(0);
}

/* A racer that starts when the write end of |start| is closed everywhere. */
static void fork_racer(const int *start, const int *out, int doom)
{
  if (fork() > 0)
    return;
  close(start[1]);
  disk.half = doom % 2;
  child_races(start[0], out[1], doom);
}

/* A racer that begins alone; what it claimed first. */
static char fork_first(const int *out, int doom)
{
  int start[2];
  char key = 0;
  assert_int_equal(pipe(start), 0);
  fork_racer(start, out, doom);
  close(start[0]);
  close(start[1]);
  assert_int_equal(read(out[0], &key, 1), 1);
  return key;
}

static int reap(void)
{
  int status, dead = 0;
  while (wait(&status) > 0) {
    dead += WIFSIGNALED(status);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  }
  return dead;
}

/* Counts who ran each key. With a doom the first one claims alone, and every
 * second one dies after its first claim. Gives the number of dead ones. */
static int race(int doom, int *ret_runs)
{
  int out[2], start[2];
  char key;
  memset(ret_runs, 0, KEYS * sizeof *ret_runs);
  assert_int_equal(pipe(out), 0);
  if (doom)
    ret_runs[fork_first(out, doom) - 'A']++;
  assert_int_equal(pipe(start), 0);
  for (int i = 0; i < PROCESSES; i++)
    fork_racer(start, out, i % 2 ? doom : 0);
  close(start[0]);
  close(start[1]);
  close(out[1]);
  while (read(out[0], &key, 1) == 1)
    ret_runs[key - 'A']++;
  close(out[0]);
  return reap();
}

static void of_many_processes_exactly_one_runs_a_key(void **state)
{
  (void)state;
  int runs[KEYS];
  assert_int_equal(race(0, runs), 0);
  for (int k = 0; k < KEYS; k++)
    assert_int_equal(runs[k], 1);
}

static void with_half_of_them_killed_none_runs_twice_and_all_end(void **state)
{
  (void)state;
  int runs[KEYS], dead = 0;
  for (int round = 1; round <= 8; round++) {
    fresh(state);
    dead += race(round, runs);
    for (int k = 0; k < KEYS; k++)
      assert_in_range(runs[k], 0, 1);
    the_file_is_whole();
    struct guard_ledger *l = open_ledger();
    for (int k = 0; k < KEYS; k++) {
      char key[] = {(char)('A' + k), '\0'};
      struct guard_entry e;
      if (begin(l, key, T0 + LEASE, &e) == GUARD_LEDGER_RUN)
        assert_int_equal(finish(l, &e.claim, key), GUARD_LEDGER_DONE);
      assert_int_equal(begin(l, key, T0, &e), GUARD_LEDGER_DONE);
      assert_string_equal(e.result.bytes, key);
    }
    guard_ledger_close(l);
  }
  assert_in_range(dead, 8,
                  8 * (1 + PROCESSES / 2)); /* the first of each round */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_kill_at_any_change_leaves_before_or_after),
      TEST(a_kill_at_any_change_of_a_takeover_too),
      TEST(a_disk_full_at_any_change_changes_nothing),
      TEST(a_full_disk_makes_no_ledger_and_says_so),
      TEST(a_file_at_the_size_limit_of_the_process_is_a_clear_error),
      TEST(the_ledgers_own_ceiling_is_a_clear_error),
      TEST(of_many_processes_exactly_one_runs_a_key),
      TEST(with_half_of_them_killed_none_runs_twice_and_all_end),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
