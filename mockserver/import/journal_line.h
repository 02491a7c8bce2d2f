/*
 * journal_line.h - a line of faultwire's own journal as a step.
 *
 * A journal has no answers in it, but what was done: kind, status, the error
 * by name, retry-after, events, ending, times. The same done again gives a
 * journal that says the same. What it does not hold is a note.
 */
#ifndef MOCKSERVER_IMPORT_JOURNAL_LINE_H
#define MOCKSERVER_IMPORT_JOURNAL_LINE_H

#include "mockserver/import/format.h"

bool journal_line_is(const struct jval *v);
int journal_line_read(struct draft *d, const struct jval *v, struct diag *diag);

#endif
