#include "guard/ledger.h"

#include <sqlite3.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  ERROR_BYTES = 512,
  APPLICATION_ID = 0x47554c47, /* "GULG", own choice: marks our files */
  FORM = 1,                    /* of the table; a later form counts up */
  LOCK_WAIT_MS = 30000, /* own choice: many transactions on a slow disk; the
                           lock is not given in turn */
  LEAST_PAGES = 16      /* room for the empty table */
};

/* A key stands once: UNIQUE. AUTOINCREMENT: a dropped entry's number is not
 * given again, so that a late claim of it cannot hit another one. */
static const char table_sql[] =
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY AUTOINCREMENT,"
    " key BLOB NOT NULL UNIQUE,"
    " done INTEGER NOT NULL CHECK (done IN (0, 1)),"
    " attempt INTEGER NOT NULL CHECK (attempt > 0),"
    " begun_ms INTEGER NOT NULL,"
    " lease_ms INTEGER NOT NULL CHECK (lease_ms > 0),"
    " result BLOB,"
    " CHECK (done = 0 OR result IS NOT NULL))";

struct guard_ledger {
  sqlite3 *db; /* NULL: could not be opened */
  char *result;
  char error[ERROR_BYTES];
};

/* The system's own error behind "disk I/O error", 0: not told. SQLite notes
 * it for a statement, but not for a commit; the file then still knows it. */
static int system_error(struct guard_ledger *l)
{
  int error = sqlite3_system_errno(l->db);

  if (!error)
    sqlite3_file_control(l->db, "main", SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

/* Notes why |what| failed; always false. */
static bool fail(struct guard_ledger *l, const char *what)
{
  int code = l->db ? sqlite3_errcode(l->db) : SQLITE_NOMEM;
  const char *why = l->db ? sqlite3_errmsg(l->db) : "out of memory";

  if ((code & 0xff) == SQLITE_FULL)
    why = "the disk is full, or the ledger has reached its largest size";
  else if ((code & 0xff) == SQLITE_BUSY)
    why = "another process has kept it locked";
  else if ((code & 0xff) == SQLITE_IOERR && system_error(l))
    why = strerror(system_error(l));
  snprintf(l->error, sizeof(l->error), "the ledger %s: %s", what, why);
  return false;
}

static bool refuse(struct guard_ledger *l, const char *sentence)
{
  snprintf(l->error, sizeof(l->error), "%s", sentence);
  return false;
}

static bool run(struct guard_ledger *l, const char *sql, const char *what)
{
  return sqlite3_exec(l->db, sql, NULL, NULL, NULL) == SQLITE_OK ||
         fail(l, what);
}

/* The next function of the ledger begins: what the last one gave is gone. */
static void forget(struct guard_ledger *l)
{
  free(l->result);
  l->result = NULL;
  l->error[0] = '\0';
}

/* The write lock is taken first, so that what is read stays true. */
static bool transaction(struct guard_ledger *l)
{
  forget(l);
  if (!l->db)
    return refuse(l, "the ledger is not open");
  return run(l, "BEGIN IMMEDIATE", "cannot be locked");
}

/* Ends the transaction: with its changes, or as if it had never begun. */
static bool settle(struct guard_ledger *l, bool good)
{
  good = good && run(l, "COMMIT", "cannot be written");
  if (!good && !sqlite3_get_autocommit(l->db))
    sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
  return good;
}

static sqlite3_stmt *prepare(struct guard_ledger *l, const char *sql)
{
  sqlite3_stmt *stmt = NULL;

  if (sqlite3_prepare_v2(l->db, sql, -1, &stmt, NULL) != SQLITE_OK)
    fail(l, "cannot be read");
  return stmt;
}

/* One number, or |otherwise| with the error set. */
static int64_t number(struct guard_ledger *l, const char *sql,
                      int64_t otherwise)
{
  sqlite3_stmt *stmt = prepare(l, sql);
  int64_t n = otherwise;

  if (stmt && sqlite3_step(stmt) == SQLITE_ROW)
    n = sqlite3_column_int64(stmt, 0);
  else if (stmt)
    fail(l, "cannot be read");
  sqlite3_finalize(stmt);
  return n;
}

static bool make_table(struct guard_ledger *l)
{
  char sql[100];

  snprintf(sql, sizeof(sql), "PRAGMA application_id=%d; PRAGMA user_version=%d",
           APPLICATION_ID, FORM);
  return run(l, table_sql, "cannot be made") && run(l, sql, "cannot be made");
}

/* Ours, or a fresh file that becomes ours; anything else is left alone. */
static bool recognise(struct guard_ledger *l)
{
  int64_t application = number(l, "PRAGMA application_id", -1);
  int64_t form = number(l, "PRAGMA user_version", -1);
  int64_t objects = number(l, "SELECT count(*) FROM sqlite_master", -1);

  if (l->error[0])
    return false;
  if (application == 0 && form == 0 && objects == 0)
    return make_table(l);
  if (application != APPLICATION_ID)
    return refuse(l, "the ledger's file is a database of something else");
  if (form != FORM)
    return refuse(l, "the ledger's file was made by a newer version");
  return true;
}

static bool set_up(struct guard_ledger *l, int64_t max_bytes)
{
  int64_t page_bytes, pages;
  char sql[100];

  sqlite3_extended_result_codes(l->db, 1);
  sqlite3_busy_timeout(l->db, LOCK_WAIT_MS);
  /* EXTRA: the folder is synced too, the commit outlives a power cut */
  if (!run(l, "PRAGMA synchronous=EXTRA; PRAGMA trusted_schema=OFF",
           "cannot be opened"))
    return false;
  page_bytes = number(l, "PRAGMA page_size", 0);
  if (page_bytes <= 0)
    return false;
  pages = max_bytes / page_bytes;
  snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%lld",
           (long long)(pages < LEAST_PAGES ? LEAST_PAGES : pages));
  return run(l, sql, "cannot be opened");
}

bool guard_ledger_open(const char *path, int64_t max_bytes,
                       struct guard_ledger **ret)
{
  struct guard_ledger *l = calloc(1, sizeof(*l));
  int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;

  *ret = l;
  if (!l)
    return false;
  if (sqlite3_open_v2(path, &l->db, flags, NULL) != SQLITE_OK)
    fail(l, "cannot be opened");
  else if (set_up(l, max_bytes) && transaction(l) && settle(l, recognise(l)))
    return true;
  sqlite3_close(l->db);
  l->db = NULL;
  return false;
}

void guard_ledger_close(struct guard_ledger *l)
{
  if (!l)
    return;
  sqlite3_close(l->db);
  free(l->result);
  free(l);
}

const char *guard_ledger_error(const struct guard_ledger *l)
{
  return l ? l->error : "out of memory";
}

/* The row of a key. */
struct row {
  bool there, done;
  struct guard_claim claim;
  int64_t begun_ms, lease_ms;
};

static bool keep_result(struct guard_ledger *l, sqlite3_stmt *stmt, int column,
                        struct guard_result *ret)
{
  const void *blob = sqlite3_column_blob(stmt, column);
  size_t n = (size_t)sqlite3_column_bytes(stmt, column);

  l->result = malloc(n + 1);
  if (!l->result)
    return refuse(l, "the ledger cannot be read: out of memory");
  if (n > 0)
    memcpy(l->result, blob, n);
  l->result[n] = '\0';
  *ret = (struct guard_result){l->result, n};
  return true;
}

static bool take_row(struct guard_ledger *l, sqlite3_stmt *stmt,
                     struct row *ret, struct guard_entry *entry)
{
  int step = sqlite3_step(stmt);

  *ret = (struct row){0};
  if (step == SQLITE_DONE)
    return true;
  if (step != SQLITE_ROW)
    return fail(l, "cannot be read");
  ret->there = true;
  ret->done = sqlite3_column_int(stmt, 0) != 0;
  ret->claim.id = sqlite3_column_int64(stmt, 1);
  ret->claim.attempt = sqlite3_column_int64(stmt, 2);
  ret->begun_ms = sqlite3_column_int64(stmt, 3);
  ret->lease_ms = sqlite3_column_int64(stmt, 4);
  return !ret->done || keep_result(l, stmt, 5, &entry->result);
}

static bool look_up(struct guard_ledger *l, const struct guard_job *job,
                    struct row *ret, struct guard_entry *entry)
{
  sqlite3_stmt *stmt =
      prepare(l, "SELECT done, id, attempt, begun_ms, lease_ms, result"
                 " FROM run WHERE key = ?");
  bool good;

  if (!stmt)
    return false;
  sqlite3_bind_blob(stmt, 1, job->key, (int)job->key_n, SQLITE_STATIC);
  good = take_row(l, stmt, ret, entry);
  sqlite3_finalize(stmt);
  return good;
}

/* Runs a change; *ret_rows is how many rows it met. */
static bool change(struct guard_ledger *l, sqlite3_stmt *stmt, int *ret_rows)
{
  bool good = sqlite3_step(stmt) == SQLITE_DONE;

  if (good)
    *ret_rows = sqlite3_changes(l->db);
  else
    fail(l, "cannot be written");
  sqlite3_finalize(stmt);
  return good;
}

static bool claim_new(struct guard_ledger *l, const struct guard_job *job,
                      int64_t now_ms, struct guard_claim *ret)
{
  sqlite3_stmt *stmt =
      prepare(l, "INSERT INTO run (key, done, attempt, begun_ms, lease_ms)"
                 " VALUES (?, 0, 1, ?, ?)");
  int rows;

  if (!stmt)
    return false;
  sqlite3_bind_blob(stmt, 1, job->key, (int)job->key_n, SQLITE_STATIC);
  sqlite3_bind_int64(stmt, 2, now_ms);
  sqlite3_bind_int64(stmt, 3, job->lease_ms);
  if (!change(l, stmt, &rows))
    return false;
  *ret = (struct guard_claim){sqlite3_last_insert_rowid(l->db), 1};
  return true;
}

/* Writes the beginning and the attempt of an entry in progress. */
static bool set_claim(struct guard_ledger *l, const struct guard_claim *claim,
                      int64_t begun_ms, int64_t lease_ms)
{
  sqlite3_stmt *stmt = prepare(l, "UPDATE run SET attempt = ?, begun_ms = ?,"
                                  " lease_ms = ? WHERE id = ? AND done = 0");
  int rows;

  if (!stmt)
    return false;
  sqlite3_bind_int64(stmt, 1, claim->attempt);
  sqlite3_bind_int64(stmt, 2, begun_ms);
  sqlite3_bind_int64(stmt, 3, lease_ms);
  sqlite3_bind_int64(stmt, 4, claim->id);
  return change(l, stmt, &rows);
}

/* Somebody began it: busy within the lease, else taken over. */
static enum guard_ledger_step meet(struct guard_ledger *l,
                                   const struct guard_job *job, int64_t now_ms,
                                   struct row row, struct guard_entry *ret)
{
  int64_t passed_ms;

  if (row.begun_ms > now_ms) { /* the clock stepped back */
    row.begun_ms = now_ms;
    if (!set_claim(l, &row.claim, now_ms, row.lease_ms))
      return GUARD_LEDGER_FAILED;
  }
  passed_ms = row.begun_ms < 0 && now_ms > INT64_MAX + row.begun_ms
                  ? INT64_MAX
                  : now_ms - row.begun_ms;
  if (passed_ms < row.lease_ms) {
    ret->busy_ms = row.lease_ms - passed_ms;
    return GUARD_LEDGER_BUSY;
  }
  row.claim.attempt++;
  if (!set_claim(l, &row.claim, now_ms, job->lease_ms))
    return GUARD_LEDGER_FAILED;
  ret->claim = row.claim;
  return GUARD_LEDGER_RUN;
}

static enum guard_ledger_step claim(struct guard_ledger *l,
                                    const struct guard_job *job, int64_t now_ms,
                                    struct guard_entry *ret)
{
  struct row row;

  if (!look_up(l, job, &row, ret))
    return GUARD_LEDGER_FAILED;
  if (row.done)
    return GUARD_LEDGER_DONE;
  if (row.there)
    return meet(l, job, now_ms, row, ret);
  return claim_new(l, job, now_ms, &ret->claim) ? GUARD_LEDGER_RUN
                                                : GUARD_LEDGER_FAILED;
}

enum guard_ledger_step guard_ledger_begin(struct guard_ledger *l,
                                          const struct guard_job *job,
                                          int64_t now_ms,
                                          struct guard_entry *ret)
{
  struct guard_entry entry = {0};
  enum guard_ledger_step step;

  assert(job->key_n > 0 && job->key_n <= GUARD_LEDGER_KEY_MAX);
  assert(job->lease_ms > 0);
  if (!transaction(l))
    return GUARD_LEDGER_FAILED;
  step = claim(l, job, now_ms, &entry);
  if (!settle(l, step != GUARD_LEDGER_FAILED))
    return GUARD_LEDGER_FAILED;
  *ret = entry;
  return step;
}

/* A change of the one entry of a claim that still stands; the statement has
 * id and attempt as its first two parameters. */
static enum guard_ledger_step close_claim(struct guard_ledger *l,
                                          sqlite3_stmt *stmt,
                                          const struct guard_claim *claim)
{
  int rows = 0;
  bool good = stmt != NULL;

  if (good) {
    sqlite3_bind_int64(stmt, 1, claim->id);
    sqlite3_bind_int64(stmt, 2, claim->attempt);
    good = change(l, stmt, &rows);
  }
  if (!settle(l, good))
    return GUARD_LEDGER_FAILED;
  return rows == 1 ? GUARD_LEDGER_DONE : GUARD_LEDGER_LOST;
}

enum guard_ledger_step guard_ledger_finish(struct guard_ledger *l,
                                           const struct guard_claim *claim,
                                           const struct guard_result *result)
{
  sqlite3_stmt *stmt;

  assert(result->n <= GUARD_LEDGER_RESULT_MAX);
  if (!transaction(l))
    return GUARD_LEDGER_FAILED;
  stmt = prepare(l, "UPDATE run SET done = 1, result = ?3"
                    " WHERE id = ?1 AND attempt = ?2 AND done = 0");
  if (stmt && result->n > 0)
    sqlite3_bind_blob(stmt, 3, result->bytes, (int)result->n, SQLITE_STATIC);
  else if (stmt)
    sqlite3_bind_zeroblob(stmt, 3, 0);
  return close_claim(l, stmt, claim);
}

enum guard_ledger_step guard_ledger_drop(struct guard_ledger *l,
                                         const struct guard_claim *claim)
{
  if (!transaction(l))
    return GUARD_LEDGER_FAILED;
  return close_claim(
      l,
      prepare(l, "DELETE FROM run WHERE id = ? AND attempt = ? AND done = 0"),
      claim);
}

enum guard_ledger_step guard_ledger_prune(struct guard_ledger *l,
                                          int64_t before_ms)
{
  sqlite3_stmt *stmt;
  int rows;
  bool good;

  if (!transaction(l))
    return GUARD_LEDGER_FAILED;
  stmt = prepare(l, "DELETE FROM run WHERE done = 1 AND begun_ms < ?");
  good = stmt != NULL;
  if (good) {
    sqlite3_bind_int64(stmt, 1, before_ms);
    good = change(l, stmt, &rows);
  }
  return settle(l, good) ? GUARD_LEDGER_DONE : GUARD_LEDGER_FAILED;
}
