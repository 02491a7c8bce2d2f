/*
 * suggest.h - collects what the operators propose, and turns each change of
 * bytes into an edit of a plan: a text to find that is in the file exactly
 * once, and what stands there instead.
 */
#ifndef MUTANTS_GENERATE_SUGGEST_H
#define MUTANTS_GENERATE_SUGGEST_H

#include "mutants/generate/shape.h"

struct operator;

struct suggestion {
  const struct operator* operator_;
  size_t start, end; /* the bytes that are replaced */
  char *with;
  int line; /* from 1 */
  /* Filled by suggestions_finish: the edit. */
  char *find, *replace;
};

struct suggestions {
  const struct source *source;
  const struct operator* operator_; /* who is proposing */
  struct suggestion *item;
  int n, cap;
};

/* Replaces bytes start..end. What changes nothing, or lies in a line that
 * only logs, is left out. */
void suggest(struct suggestions *s, size_t start, size_t end,
             const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Replaces the tokens of a range / one token. */
void suggest_range(struct suggestions *s, struct range r, const char *with);
void suggest_token(struct suggestions *s, int token, const char *with);
/* Removes a statement; what stays is the language's empty one. */
void suggest_removal(struct suggestions *s, const struct statement *st);
/* `x` becomes `never && (x)`: nothing in it becomes unused. */
void suggest_never(struct suggestions *s, struct range condition);

/*
 * Sorts by place, drops what is there twice and what goes over `per_line`
 * suggestions for one line, and writes the edits. A change whose
 * surroundings are the same in several places is dropped as well.
 */
void suggestions_finish(struct suggestions *s, int per_line);
void suggestions_release(struct suggestions *s);

#endif
