/*
 * metrics_table.h - counters by two static texts and a number, with a
 * ceiling: what comes beyond it is counted in one cell called "other".
 */
#ifndef MOCKSERVER_METRICS_TABLE_H
#define MOCKSERVER_METRICS_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Native paths and endpoints times the statuses a test sends. */
enum { TABLE_CELLS = 1024, TABLE_SLOTS = 2048 };
/* The number of a rule that is a word. */
enum { RULE_WORD = -1 };

struct cell {
  const char *a, *b; /* told apart by their addresses: no copies */
  int number;
  uint64_t n;
};

/* All zero: empty. */
struct table {
  struct cell cells[TABLE_CELLS];
  size_t n;
  uint16_t slots[TABLE_SLOTS]; /* place in cells + 1; 0: free */
};

/* The cell, new at 0 when it was not there. */
struct cell *table_cell(struct table *t, const char *a, const char *b,
                        int number);
/* Counts to 0, cells stay. */
void table_clear(struct table *t);

#endif
