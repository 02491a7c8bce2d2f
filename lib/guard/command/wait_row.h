/*
 * wait_row.h - the rows of `guard retry-after --tsv`.
 *
 * Rule: tab separated, the first line names the columns and may begin with
 * "#"; those of tests/fixtures/vectors/retry_after.tsv. Needed are id, header,
 * raw and now_epoch, in any place; others are not read. In raw, \\ \t \r \n
 * and \xHH stand for one byte each, and \N alone for an absent field. The
 * header "combo" means several fields: "name=value;name=value".
 */
#ifndef GUARD_COMMAND_WAIT_ROW_H
#define GUARD_COMMAND_WAIT_ROW_H

#include "base/buf.h"
#include "base/diag.h"
#include "guard/retry_after.h"

enum { WAIT_ID, WAIT_HEADER, WAIT_RAW, WAIT_NOW, WAIT_COLUMNS };

/* Which cell of a line each needed column is. */
struct wait_columns {
  int place[WAIT_COLUMNS];
};

struct wait_row {
  char *cell[WAIT_COLUMNS]; /* inside the line */
};

/* Both cut |line| up in place; the row lives in it. */
int wait_columns_read(char *line, struct wait_columns *ret, struct diag *diag);
int wait_row_read(char *line, const struct wait_columns *columns,
                  struct wait_row *ret, struct diag *diag);

/* What the row's fields ask for; |now_epoch_ms| stands in for an empty
 * now_epoch. |ret_wait_ms| is set only for GUARD_HINT_WAIT. Undoes the
 * escapes in place: once per row. */
int wait_row_answer(struct wait_row *row, int64_t now_epoch_ms,
                    enum guard_hint *ret, int64_t *ret_wait_ms,
                    struct diag *diag);

#endif
