/*
 * scanner.h - the state that scan.c and scan_text.c share.
 */
#ifndef MUTANTS_GENERATE_SCANNER_H
#define MUTANTS_GENERATE_SCANNER_H

#include "mutants/generate/scan.h"

/* Code inside texts inside code ...: deeper ones are read as text. */
enum { SCAN_DEPTH = 64 };

/* A text that was left for the code inside it. */
struct scan_hole {
  char quote;  /* '`', '"' or '\'' */
  bool triple; /* ends with three of them */
  int braces;  /* opened in the code and not closed yet */
};

struct scanner {
  const struct language *l;
  struct bytes t;
  size_t at;         /* the next byte */
  size_t code_start; /* of the code not yet written down */
  struct spans *ret;
  struct scan_hole hole[SCAN_DEPTH];
  int holes;
  bool value;            /* a value just ended: '/' would divide */
  bool head[SCAN_DEPTH]; /* for each open '(': of an if, while, for */
  int parens;            /* open '(' */
  struct bytes word;     /* the word just read, or empty */
};

/* The byte at `at` + `k`, or NUL behind the end. */
char scan_peek(const struct scanner *s, size_t k);
bool scan_syntax(const struct scanner *s, unsigned wanted);
/* Writes down the code up to `start` and one span from there to `at`. */
void scan_emit(struct scanner *s, enum span_kind kind, size_t start);

/* A text begins at `at` (a prefix such as r or f was read from `start`):
 * true and read up to its end, or to the code inside it. */
bool scan_text(struct scanner *s, size_t start, struct bytes prefix);
/* The code inside a text ended before `at`: goes on with the text. */
void scan_text_again(struct scanner *s);

#endif
