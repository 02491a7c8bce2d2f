/*
 * list_tables.h - the tables `faultwire list` knows.
 */
#ifndef HARNESS_LIST_TABLES_H
#define HARNESS_LIST_TABLES_H

#include "harness/list_rows.h"

struct list_source {
  const char *name, *summary;
  struct titles titles;
  /* Fills `ret`; `argument` may be NULL. */
  int (*fill)(struct rows *ret, const char *argument, struct diag *diag);
};

/* Ends with a NULL name. */
extern const struct list_source list_sources[];

#endif
