/*
 * scan.h - splits a source text into code, texts, comments and regular
 * expressions. Pure.
 *
 * Rule: the spans partition the text, in order, without gaps, whatever its
 * bytes are. What is not ended (a quote, a comment) ends with its line or
 * with the text, so that one slip does not turn a whole file over.
 */
#ifndef MUTANTS_GENERATE_SCAN_H
#define MUTANTS_GENERATE_SCAN_H

#include "base/buf.h"
#include "mutants/generate/language.h"

enum span_kind { SPAN_CODE, SPAN_TEXT, SPAN_COMMENT, SPAN_REGEX };

struct span {
  enum span_kind kind;
  size_t start, end; /* bytes; end is behind the last one */
  /* Of a whole text in one line, without code inside: the part between the
   * quotes. Of all others both are 0. */
  size_t inner_start, inner_end;
};

struct spans {
  struct span *item;
  int n, cap;
};

/* The caller releases `ret`. */
void scan(const struct language *l, struct bytes text, struct spans *ret);
void spans_release(struct spans *s);

#endif
