/*
 * journal_read.h - a journal's JSON Lines, back as attempts.
 *
 * The other half of attempt_json(): what that writes is read here without a
 * loss, so that evidence can be judged again on another day. Lines stand in
 * the order in which attempts ended; they come back in order of arrival.
 * These are bytes from outside: every key and value is checked, and an error
 * names file and line. docs/evidence.md lists the keys.
 */
#ifndef MOCKSERVER_JOURNAL_READ_H
#define MOCKSERVER_JOURNAL_READ_H

#include "mockserver/journal.h"

struct journal_copy {
  struct attempt *attempts; /* by seq; `route` is always NULL */
  size_t n;
};

/* Lines of `text`; `name` is for messages. The caller releases. */
int journal_read(struct journal_copy *ret, const char *name, struct bytes text,
                 struct diag *diag);
void journal_copy_release(struct journal_copy *c);

/* One attempt from a line's object; on an error nothing is left behind. The
 * caller releases. */
struct jval;
int attempt_read(struct attempt *ret, const struct jval *v, struct diag *diag);
void attempt_release(struct attempt *a);

#endif
