/*
 * row.h - one question of `guard classify --jsonl` and the line that answers
 * any question.
 *
 * Rule: the fields are those of the test vectors' error_bodies.jsonl. Only
 * channel and body must be there; null means absent; fields of other names
 * are left alone, so that a line may carry its expectation or its source.
 */
#ifndef GUARD_COMMAND_ROW_H
#define GUARD_COMMAND_ROW_H

#include "base/json.h"
#include "guard/error_class.h"

/* "http", "sse", "stdout", "stderr", NULL: in the order of the enum. */
extern const char *const row_channels[];

/* 9999-12-31T23:59:59Z: the last instant RFC 3339 can write. */
#define ROW_MAX_EPOCH_S INT64_C(253402300799)
/* Parents write -N for a child that signal N ended (Python's subprocess). */
enum { ROW_MIN_EXIT = -128, ROW_MAX_EXIT = 255, ROW_MAX_STATUS = 999 };

struct row {
  const char *id; /* NULL: none */
  struct guard_answer answer;
  struct guard_header *headers; /* owned; |answer| points to them */
};

/* Reads the object; |now_epoch_ms| stands in when it has no now_epoch. The
 * row points into |doc|, which must outlive it; row_release() frees the rest,
 * after an error too. */
int row_read(const struct json_doc *doc, int64_t now_epoch_ms, struct row *ret,
             struct diag *diag);
void row_release(struct row *r);

/* {"id":...,"class":...,"retryable":...,"wait_ms":...,"reset_epoch":...,
 * "reason":...} and a line end; what is not known is null. */
void row_answer(const char *id, const struct guard_verdict *v, struct buf *ret);

#endif
