/*
 * source.h - a source text as tokens, for the operators.
 *
 * Comments are gone, a text is one token, and brackets know their partner.
 * A token says "end of a line" only where a line may end a statement: not in
 * brackets, and in C only around preprocessor lines.
 */
#ifndef MUTANTS_GENERATE_SOURCE_H
#define MUTANTS_GENERATE_SOURCE_H

#include "mutants/generate/scan.h"

/* Ceiling of a source file, in bytes. */
#define SOURCE_MAX_BYTES ((size_t)1 << 20)

enum token_kind {
  TOKEN_NAME,
  TOKEN_NUMBER,
  TOKEN_TEXT,
  TOKEN_SIGN,
  TOKEN_LINE
};

struct token {
  enum token_kind kind;
  size_t start, end;             /* bytes */
  size_t inner_start, inner_end; /* as in struct span */
  int match;                     /* the other bracket, or -1 */
};

struct source {
  const struct language *lang;
  struct bytes text; /* somebody else's */
  struct spans spans;
  struct token *token;
  int n, cap;
};

/* A range of tokens or of bytes; `end` is behind the last one. */
struct range {
  int start, end;
};

/* `text` must outlive `ret`; the caller releases `ret`. */
void source_init(struct source *ret, const struct language *l,
                 struct bytes text);
void source_release(struct source *s);

/* All of these take any number for a token; outside there is nothing. */
struct bytes source_text(const struct source *s, int token);
/* The part between the quotes; empty for whatever is no plain text. */
struct bytes source_inner(const struct source *s, int token);
bool source_is(const struct source *s, int token, const char *text);
bool source_is_one_of(const struct source *s, int token,
                      const char *const *list);
bool source_is_name(const struct source *s, int token);
bool source_is_number(const struct source *s, int token);
/* The partner of a bracket, or -1. */
int source_match(const struct source *s, int token);
/* True when a name in the range has one of the words (names.h). */
bool source_names(const struct source *s, struct range r,
                  const char *const *words);
/* The bytes from the first to the last token of a range that is not empty. */
struct bytes source_slice(const struct source *s, struct range r);
/* The blanks at the beginning of the line that a byte is in. */
struct bytes source_indent(const struct source *s, size_t at);

#endif
