/*
 * shape.h - statements, arguments, conditions, blocks and functions, found
 * by brackets, line ends and indentation alone.
 *
 * Each answers "yes, here" or "no"; what looks unusual is "no". A suggestion
 * less is nothing lost, a suggestion that cuts a statement in two is noise.
 */
#ifndef MUTANTS_GENERATE_SHAPE_H
#define MUTANTS_GENERATE_SHAPE_H

#include "mutants/generate/source.h"

struct statement {
  struct range tokens; /* without the ';' */
  size_t start, end;   /* bytes, with the ';' if there is one */
};

/* The simple statement that token `at` is in; false inside arguments, and in
 * a language with ';' for what has none. */
bool statement_at(const struct source *s, int at, struct statement *ret);
/* "a.b(...)", with await, ? and a chain of more calls. */
bool statement_is_call(const struct source *s, const struct statement *st);
/* The tokens from the statement's or line's beginning around `at`. */
struct range shape_around(const struct source *s, int at);
/* `reach` tokens on both sides. */
struct range shape_near(int at, int reach);

/* The first token of the path a.b::c that ends with the name `at`. */
int shape_path(const struct source *s, int at);
/* A call of the function or method whose name is token `at`: true for
 * NAME(...) that is no declaration. */
bool shape_is_call(const struct source *s, int at);

enum { SHAPE_ARGUMENTS = 8 };
struct arguments {
  struct range item[SHAPE_ARGUMENTS];
  int n;
  int close; /* the ')' */
};
/* The arguments of the call whose '(' is `open`; false for more than 8. */
bool shape_arguments(const struct source *s, int open, struct arguments *ret);

/* The condition behind `if` or `while` at `at`; false when there is none or
 * when it declares something. */
bool shape_condition(const struct source *s, int at, struct range *ret);
/* The tokens in the block that the statement beginning at `at` opens. */
bool shape_block(const struct source *s, int at, struct range *ret);

struct function {
  int name;          /* token */
  struct range body; /* tokens inside the block */
  bool yes_or_no;    /* declared to return a truth value */
};
/* The function whose name is token `at`. */
bool shape_function(const struct source *s, int at, struct function *ret);

#endif
