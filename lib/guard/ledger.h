/*
 * ledger.h - a piece of work is done once, whatever dies in between.
 *
 * Rule (third article): the providers have no idempotency key, so the caller
 * keeps a ledger by business key ("report/2026-11-30"): in progress, then
 * done with its result. A claim whose owner died is taken over once it is
 * older than its lease, which must be well over the longest call; a time-out
 * may have been processed, so a takeover is a repetition and the work itself
 * must bear one. SQLite enforces that a key stands once.
 *
 * Each step is one transaction that is on the disk when the function returns
 * (rollback journal, synchronous FULL). Two processes, kill -9 at any point
 * and a full disk leave either the state before or the state after. When the
 * claim could not be written the work must not begin; when the result could
 * not be written the claim stays and guard_ledger_finish() may be tried again.
 *
 * This is the only part of lib/guard that does I/O and may sleep (up to half
 * a minute for other processes' transactions): library guard_ledger. A ledger
 * belongs to one thread and must not be carried over a fork().
 */
#ifndef GUARD_LEDGER_H
#define GUARD_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Own choice: keys are names, not documents. */
enum { GUARD_LEDGER_KEY_MAX = 512 };
/* Own choice: the most one result may be. */
#define GUARD_LEDGER_RESULT_MAX ((size_t)64 << 20)

/* Own choice: the most the whole file may grow to, when nothing is said. */
#define GUARD_LEDGER_FILE_MAX (INT64_C(1) << 30)

enum guard_ledger_step {
  GUARD_LEDGER_RUN,   /* claimed: do the work, then finish or drop the claim */
  GUARD_LEDGER_DONE,  /* it stands in the ledger */
  GUARD_LEDGER_BUSY,  /* another claim is within its lease */
  GUARD_LEDGER_LOST,  /* the claim was taken over by somebody else */
  GUARD_LEDGER_FAILED /* nothing was changed; guard_ledger_error() says why */
};

struct guard_ledger;

/* What is to be done once. */
struct guard_job {
  const char *key; /* any bytes, 1..GUARD_LEDGER_KEY_MAX */
  size_t key_n;
  int64_t lease_ms; /* more than 0, well over the longest call */
};

struct guard_claim {
  int64_t id;      /* of the entry */
  int64_t attempt; /* 1: the first; more: somebody began it before */
};

struct guard_result {
  const char *bytes; /* any bytes */
  size_t n;          /* at most GUARD_LEDGER_RESULT_MAX */
};

struct guard_entry {
  struct guard_claim claim;   /* RUN */
  struct guard_result result; /* DONE; belongs to the ledger until its next
                                 function is called */
  int64_t busy_ms;            /* BUSY: the claim's lease lasts that long */
};

/*
 * Opens or makes the file, which may grow to |max_bytes|. |ret| is always set
 * and must be closed, also after a failure (false), when it only serves
 * guard_ledger_error(); NULL: no memory. A file that is no ledger, or one of
 * a newer form, is refused and left alone.
 */
bool guard_ledger_open(const char *path, int64_t max_bytes,
                       struct guard_ledger **ret);
void guard_ledger_close(struct guard_ledger *l);
/* The last failure as a sentence, "" without one; belongs to the ledger. */
const char *guard_ledger_error(const struct guard_ledger *l);

/*
 * Claims the key: RUN, DONE, BUSY or FAILED, with |ret| as said there.
 * |now_ms| counts from 1970 on a clock all processes share; after a step back
 * no claim lasts longer than a whole lease from now.
 */
enum guard_ledger_step guard_ledger_begin(struct guard_ledger *l,
                                          const struct guard_job *job,
                                          int64_t now_ms,
                                          struct guard_entry *ret);
/* The work is done: DONE, LOST (the other one's result counts) or FAILED (try
 * again: the claim stands). */
enum guard_ledger_step guard_ledger_finish(struct guard_ledger *l,
                                           const struct guard_claim *claim,
                                           const struct guard_result *result);
/* The work was surely not done, the key is free at once: DONE, LOST or
 * FAILED. Not for a time-out: that may have been processed. */
enum guard_ledger_step guard_ledger_drop(struct guard_ledger *l,
                                         const struct guard_claim *claim);

/* How the work of guard_ledger_run_once() ended. */
enum guard_work {
  GUARD_WORK_DONE,    /* |ret| is the result, its bytes stay the work's */
  GUARD_WORK_NOTHING, /* surely nothing happened: the claim is dropped */
  GUARD_WORK_UNKNOWN  /* may have happened: the claim stays for its lease */
};
typedef enum guard_work guard_ledger_work(void *arg,
                                          const struct guard_claim *claim,
                                          struct guard_result *ret);

/*
 * Begin, work, finish. DONE: |ret| is the result, of now or of before. BUSY:
 * somebody else is at it, or the work ended unknown. RUN: nothing happened
 * and the key is free. FAILED before the work: |ret| is untouched; after it:
 * |ret| is the work's result, which is not in the ledger, and the claim
 * stands for its lease. LOST: |ret| is the work's, but another's counts.
 */
enum guard_ledger_step guard_ledger_run_once(struct guard_ledger *l,
                                             const struct guard_job *job,
                                             int64_t now_ms,
                                             guard_ledger_work *work, void *arg,
                                             struct guard_result *ret);

/* Forgets what is done and was begun before |before_ms|: DONE or FAILED. */
enum guard_ledger_step guard_ledger_prune(struct guard_ledger *l,
                                          int64_t before_ms);

#endif
