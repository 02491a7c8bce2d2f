/* test_ledger.c - a key's work is done once and keeps its result. */
#include "tests/unit/guard/ledger_rig.h"

#include <fcntl.h>
#include <sys/stat.h>

static void a_key_is_run_once_and_keeps_its_result(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry e;
  assert_int_equal(begin(l, "report/1", T0, &e), GUARD_LEDGER_RUN);
  assert_int_equal(e.claim.attempt, 1);
  struct guard_claim claim = e.claim;
  assert_int_equal(begin(l, "report/1", T0 + 1000, &e), GUARD_LEDGER_BUSY);
  assert_int_equal(e.busy_ms, LEASE - 1000);
  assert_int_equal(begin(l, "report/2", T0, &e), GUARD_LEDGER_RUN);
  struct guard_result bytes = {"a\0b", 3};
  assert_int_equal(guard_ledger_finish(l, &claim, &bytes), GUARD_LEDGER_DONE);
  guard_ledger_close(l);
  l = open_ledger();
  assert_int_equal(begin(l, "report/1", T0 + 10 * LEASE, &e),
                   GUARD_LEDGER_DONE);
  assert_int_equal(e.result.n, 3);
  assert_memory_equal(e.result.bytes, "a\0b", 3);
  guard_ledger_close(l);
}

static void an_empty_result_is_a_result(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry e;
  assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_RUN);
  assert_int_equal(finish(l, &e.claim, ""), GUARD_LEDGER_DONE);
  assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_DONE);
  assert_int_equal(e.result.n, 0);
  assert_non_null(e.result.bytes);
  guard_ledger_close(l);
}

static void a_stale_claim_is_taken_over_and_the_late_one_is_told(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry old, new, e;
  assert_int_equal(begin(l, "k", T0, &old), GUARD_LEDGER_RUN);
  assert_int_equal(begin(l, "k", T0 + LEASE - 1, &e), GUARD_LEDGER_BUSY);
  assert_int_equal(begin(l, "k", T0 + LEASE, &new), GUARD_LEDGER_RUN);
  assert_int_equal(new.claim.attempt, 2);
  assert_int_equal(finish(l, &old.claim, "late"), GUARD_LEDGER_LOST);
  assert_int_equal(guard_ledger_drop(l, &old.claim), GUARD_LEDGER_LOST);
  assert_int_equal(begin(l, "k", T0 + LEASE, &e), GUARD_LEDGER_BUSY);
  assert_int_equal(finish(l, &new.claim, "right"), GUARD_LEDGER_DONE);
  assert_int_equal(finish(l, &old.claim, "late"), GUARD_LEDGER_LOST);
  assert_int_equal(finish(l, &new.claim, "again"), GUARD_LEDGER_LOST);
  assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_DONE);
  assert_string_equal(e.result.bytes, "right");
  guard_ledger_close(l);
}

static void a_dropped_key_is_free_and_its_old_claim_is_void(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry old, new;
  assert_int_equal(begin(l, "k", T0, &old), GUARD_LEDGER_RUN);
  assert_int_equal(guard_ledger_drop(l, &old.claim), GUARD_LEDGER_DONE);
  assert_int_equal(begin(l, "k", T0, &new), GUARD_LEDGER_RUN);
  assert_int_equal(finish(l, &old.claim, "late"), GUARD_LEDGER_LOST);
  assert_int_equal(finish(l, &new.claim, "right"), GUARD_LEDGER_DONE);
  guard_ledger_close(l);
}

static void after_a_step_back_a_claim_lasts_one_lease(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry e;
  int64_t past = T0 - 1000 * (int64_t)LEASE;
  assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_RUN);
  assert_int_equal(begin(l, "k", past, &e), GUARD_LEDGER_BUSY);
  assert_int_equal(e.busy_ms, LEASE);
  assert_int_equal(begin(l, "k", past + LEASE, &e), GUARD_LEDGER_RUN);
  assert_int_equal(begin(l, "k", INT64_MIN, &e), GUARD_LEDGER_BUSY);
  assert_int_equal(begin(l, "k", INT64_MAX, &e), GUARD_LEDGER_RUN);
  guard_ledger_close(l);
}

static void old_results_are_pruned_and_claims_stay(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry e;
  begin(l, "old", T0, &e);
  finish(l, &e.claim, "x");
  begin(l, "new", T0 + 1, &e);
  finish(l, &e.claim, "y");
  begin(l, "open", T0, &e);
  assert_int_equal(guard_ledger_prune(l, T0 + 1), GUARD_LEDGER_DONE);
  assert_int_equal(begin(l, "old", T0 + 2, &e), GUARD_LEDGER_RUN);
  assert_int_equal(begin(l, "new", T0 + 2, &e), GUARD_LEDGER_DONE);
  assert_int_equal(begin(l, "open", T0 + 2, &e), GUARD_LEDGER_BUSY);
  guard_ledger_close(l);
}

static void the_key_is_unique_for_sqlite_too(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry e;
  sqlite3 *db;
  begin(l, "k", T0, &e);
  guard_ledger_close(l);
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(
      sqlite3_exec(db,
                   "INSERT INTO run (key, done, attempt, begun_ms, lease_ms)"
                   " VALUES (x'6b', 0, 1, 0, 1)",
                   NULL, NULL, NULL),
      SQLITE_CONSTRAINT);
  sqlite3_close(db);
}

static void sql(const char *text)
{
  sqlite3 *db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

static void a_failure_inside_leaves_no_lock_behind(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_entry e;
  sql("ALTER TABLE run RENAME TO away");
  assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_FAILED);
  assert_non_null(strstr(guard_ledger_error(l), "no such table"));
  sql("ALTER TABLE away RENAME TO run");
  assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_RUN);
  assert_string_equal(guard_ledger_error(l), "");
  guard_ledger_close(l);
}

static void write_file(const char *bytes, size_t n)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  assert_int_equal(write(fd, bytes, n), n);
  close(fd);
}

static void refused_with(const char *words)
{
  struct guard_ledger *l;
  struct guard_entry e;
  assert_false(guard_ledger_open(path, GUARD_LEDGER_FILE_MAX, &l));
  if (!strstr(guard_ledger_error(l), words))
    fail_msg("\"%s\" without \"%s\"", guard_ledger_error(l), words);
  assert_int_equal(begin(l, "k", T0, &e), GUARD_LEDGER_FAILED);
  guard_ledger_close(l);
}

static void what_is_no_ledger_is_refused_and_left_alone(void **state)
{
  (void)state;
  static const char text[] = "a letter to the bank, and no database at all";
  char back[sizeof text];
  sqlite3 *db;
  write_file(text, sizeof text);
  refused_with("not a database");
  int fd = open(path, O_RDONLY);
  assert_int_equal(read(fd, back, sizeof back), sizeof text);
  assert_memory_equal(back, text, sizeof text);
  close(fd);
  unlink(path);
  sqlite3_open(path, &db);
  sqlite3_exec(db, "CREATE TABLE other (x)", NULL, NULL, NULL);
  sqlite3_close(db);
  refused_with("something else");
  unlink(path);
  guard_ledger_close(open_ledger());
  sqlite3_open(path, &db);
  sqlite3_exec(db, "PRAGMA user_version=2", NULL, NULL, NULL);
  sqlite3_close(db);
  refused_with("newer version");
  unlink(path);
  mkdir(path, 0700);
  refused_with("cannot be opened");
  rmdir(path);
}

/* ---- one process runs once ---- */

struct work {
  int runs;
  enum guard_work end;
};

static enum guard_work do_work(void *arg, const struct guard_claim *claim,
                               struct guard_result *ret)
{
  struct work *w = arg;
  assert_true(claim->attempt > 0);
  w->runs++;
  *ret = (struct guard_result){"out", 3};
  return w->end;
}

static void run_once_ends_as_its_work_did(void **state)
{
  (void)state;
  struct guard_ledger *l = open_ledger();
  struct guard_job job = job_of("k");
  struct guard_result r = {NULL, 0};
  struct work w = {0, GUARD_WORK_NOTHING};
  assert_int_equal(guard_ledger_run_once(l, &job, T0, do_work, &w, &r),
                   GUARD_LEDGER_RUN);
  w.end = GUARD_WORK_UNKNOWN;
  assert_int_equal(guard_ledger_run_once(l, &job, T0, do_work, &w, &r),
                   GUARD_LEDGER_BUSY);
  assert_int_equal(guard_ledger_run_once(l, &job, T0 + 1, do_work, &w, &r),
                   GUARD_LEDGER_BUSY);
  assert_int_equal(w.runs, 2);
  w.end = GUARD_WORK_DONE;
  assert_null(r.bytes);
  for (int i = 0; i < 3; i++) {
    r = (struct guard_result){NULL, 0};
    assert_int_equal(
        guard_ledger_run_once(l, &job, T0 + LEASE + i, do_work, &w, &r),
        GUARD_LEDGER_DONE);
    assert_memory_equal(r.bytes, "out", 3);
  }
  assert_int_equal(w.runs, 3);
  guard_ledger_close(l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_key_is_run_once_and_keeps_its_result),
      TEST(an_empty_result_is_a_result),
      TEST(a_stale_claim_is_taken_over_and_the_late_one_is_told),
      TEST(a_dropped_key_is_free_and_its_old_claim_is_void),
      TEST(after_a_step_back_a_claim_lasts_one_lease),
      TEST(old_results_are_pruned_and_claims_stay),
      TEST(the_key_is_unique_for_sqlite_too),
      TEST(a_failure_inside_leaves_no_lock_behind),
      TEST(what_is_no_ledger_is_refused_and_left_alone),
      TEST(run_once_ends_as_its_work_did),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
