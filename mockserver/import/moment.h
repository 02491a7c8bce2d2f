/*
 * moment.h - absolute times of a log as {{...}}, relative to the moment of
 * the answer, so that last night's incident replays today.
 *
 * Rule: docs/import.md, "Times". The moment is the answer's Date, unless the
 * log's own clock says it is more than a minute wrong. Replaced are times
 * within 40 days of it: HTTP dates, RFC 3339 in UTC, and whole epochs in
 * seconds and milliseconds; the longest window of any provider is a month.
 * All of them keep their length.
 */
#ifndef MOCKSERVER_IMPORT_MOMENT_H
#define MOCKSERVER_IMPORT_MOMENT_H

#include "base/buf.h"

struct moment {
  bool known;
  int64_t epoch_s;
};

/* "Mon, 01 Dec 2025 00:00:00 GMT", all of it. */
bool moment_http_date(struct bytes s, int64_t *ret_epoch_s);
/* "2025-12-01T00:00:00[.fff]Z" or with +hh:mm, all of it, in milliseconds. */
bool moment_rfc3339(struct bytes s, int64_t *ret_epoch_ms);

/* Both in milliseconds, -1: unknown. */
struct moment moment_of(int64_t log_ms, int64_t date_ms);

/* Appends a header's value as a scenario says it: the time of an absolute
 * one relative to `m`, bytes no text may hold as {{hex:..}}, "{{" as such. */
void moment_header(const struct moment *m, const char *name, struct bytes value,
                   struct buf *ret);
/* The same for a body of valid UTF-8, wherever a time stands in it. */
void moment_body(const struct moment *m, struct bytes text, struct buf *ret);

#endif
