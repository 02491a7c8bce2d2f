/*
 * list_rows.h - the rows of one table of `faultwire list`, and the three
 * ways to print them.
 */
#ifndef HARNESS_LIST_ROWS_H
#define HARNESS_LIST_ROWS_H

#include "harness/list.h"

struct row {
  char *name, *detail, *summary;
};

struct rows {
  struct row *row;
  size_t n, cap;
};

/* Column titles; `detail` is NULL when the table has none. */
struct titles {
  const char *name, *detail, *summary;
};

/* Copies the texts; `detail` may be NULL. */
void rows_add(struct rows *r, const char *name, const char *detail,
              const char *summary);
void rows_release(struct rows *r);
/* Text: name and summary in columns; Markdown: a table; JSON: an array of
 * objects with `name`, `summary` and the title of the detail. */
void rows_print(const struct rows *r, const struct titles *t,
                enum list_format format, struct buf *out);

#endif
