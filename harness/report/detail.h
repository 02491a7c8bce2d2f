/*
 * detail.h - what a report says about one scenario that did not pass: the
 * checks, the transcript, how to run it again.
 *
 * The shape is that of docs/reports.md; the text report prints it under the
 * scenario's line, the JUnit report puts it into the failure.
 */
#ifndef HARNESS_REPORT_DETAIL_H
#define HARNESS_REPORT_DETAIL_H

#include "harness/report/report.h"

/* One check of a result; texts are never NULL and belong to the result. */
struct check_line {
  const char *check, *verdict, *text, *expected, *actual, *lane;
  int line; /* of the scenario's file, 0: not known */
};

/* A text of a result's object, "" when it is absent or no text. */
const char *detail_text(const cJSON *object, const char *key);
/* The i-th check, from 0; false when there are no more. */
bool detail_check(const struct result *r, int i, struct check_line *ret);
/* Calls of the scenario that arrived; side traffic is none. */
size_t detail_calls(const struct result *r);
/* The checks that made the verdict and those that warn, and the reason if
 * none of them says it. */
void detail_checks(const struct result *r, struct buf *out);
typedef void detail_line_fn(const char *text, struct buf *out);
/* The transcript as people read it, `add` called for each line: of more than
 * 60 the first 30 and the last 10, and between them how many are not shown. */
void detail_lines(const struct result *r, detail_line_fn *add, struct buf *out);
/* The last line on stderr of the first start that ended badly, often the
 * cause; NULL: there is none, or the scenario passed. The caller frees. */
char *detail_last_words(const struct result *r);
/* These as a line. */
void detail_stderr(const struct result *r, struct buf *out);
/* The transcript's lines, indented, with their heading; nothing if empty. */
void detail_transcript(const struct result *r, struct buf *out);
/* What is worth a line whatever the verdict: `notes`. */
void detail_notes(const struct result *r, struct buf *out);
/* What virtual time did, behind `before`; nothing in real time. */
void detail_time(const struct result *r, const char *before, struct buf *out);
/* All of it, with the line that runs the scenario again. */
void detail_print(const struct result *r, struct buf *out);

#endif
