/*
 * list.h - `faultwire list`: the tables of what there is, each thing with
 * its one-sentence summary.
 *
 * Everything comes from the lists the program itself works with (the X-macro
 * lists, the key tables, the scenario files), so the output cannot differ
 * from what runs; the README's tables are this output with --markdown.
 */
#ifndef HARNESS_LIST_H
#define HARNESS_LIST_H

#include "base/buf.h"
#include "base/diag.h"

enum list_format { LIST_TEXT, LIST_MARKDOWN, LIST_JSON };

/* Appends table `table` ("faults", "checks" ...). `argument` is the folder
 * for "scenarios", NULL for its default. An unknown table is an error that
 * names the nearest one. */
int list_table(const char *table, const char *argument, enum list_format format,
               struct buf *out, struct diag *diag);
/* argv[0] is "list". Prints; returns the exit code. */
int list_main(int argc, char **argv);

#endif
