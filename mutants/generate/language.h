/*
 * language.h - what the scanner and the operators must know of a language:
 * how comments and texts are written, and three words for replacements.
 *
 * There is no grammar here. A suggestion that does not compile is found by
 * `faultwire mutate check`, which builds it; a suggestion inside a comment
 * would be found by nobody, so comments and texts are read exactly.
 */
#ifndef MUTANTS_GENERATE_LANGUAGE_H
#define MUTANTS_GENERATE_LANGUAGE_H

#include "base/diag.h"

enum syntax {
  SYNTAX_SLASH = 1,      /* line and block comments as in C */
  SYNTAX_HASH = 2,       /* comments from # to the end of the line */
  SYNTAX_NESTED = 4,     /* block comments nest */
  SYNTAX_TRIPLE = 8,     /* """texts""" of several lines */
  SYNTAX_FORMAT = 16,    /* f"{code}" */
  SYNTAX_TEMPLATE = 32,  /* `text ${code}` */
  SYNTAX_BACKTICK = 64,  /* `raw text` */
  SYNTAX_REGEX = 128,    /* /literal/ */
  SYNTAX_RUST = 256,     /* r#"raw"#, 'lifetime, texts of several lines */
  SYNTAX_CONTINUE = 512, /* \ at the end of a line joins the next one */
  SYNTAX_LINES = 1024,   /* the end of a line ends a statement */
  SYNTAX_INDENT = 2048   /* blocks by indentation */
};

enum language_id {
#define LANGUAGE(id, name, endings, syntax, no, yes, nothing) LANGUAGE_##id,
#include "mutants/generate/languages.def"
#undef LANGUAGE
  LANGUAGE_COUNT
};

/* A set of languages. */
#define LANG(id) (1u << LANGUAGE_##id)

struct language {
  enum language_id id;
  const char *name;
  const char *endings; /* of file names, a space between them */
  unsigned syntax;
  const char *no, *yes; /* the truth values */
  const char *nothing;  /* a statement that does nothing */
};

extern const struct language LANGUAGES[LANGUAGE_COUNT];

/* By its name; NULL with the nearest name in `diag`. */
const struct language *language_named(const char *name, struct diag *diag);
/* By the ending of a file's name; NULL with the known ones in `diag`. */
const struct language *language_of_file(const char *path, struct diag *diag);

#endif
