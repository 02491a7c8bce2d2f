/*
 * cmdline.h - command lines by table: one list of options makes the parser,
 * --help and the "did you mean". A program may take its options from the
 * environment as well; the command line wins.
 */
#ifndef BASE_CMDLINE_H
#define BASE_CMDLINE_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

enum option_type {
  OPTION_FLAG,    /* value: bool * */
  OPTION_STRING,  /* value: const char ** */
  OPTION_STRINGS, /* value: struct option_list *; may be given again */
  OPTION_INT,     /* value: int64_t *, within min..max */
  OPTION_NUMBER   /* value: double *, within min..max */
};

/* Texts of an option that may be given again; they point into argv. */
struct option_list {
  const char *item[64];
  int n;
};

struct option {
  const char *name; /* without the dashes; NULL ends the table */
  char letter;      /* short form, or 0 */
  enum option_type type;
  void *value;
  double min, max;
  const char *argument; /* name of the argument in --help, NULL for a flag */
  const char *summary;
};

struct cmdline {
  const char *usage; /* "faultwire serve [OPTIONS] [SCENARIO]" */
  const char *summary;
  const struct option *options;
  const char *footer; /* more text under the options, or NULL */
};

enum { CMDLINE_MAX_OPTIONS = 64 };

/* Which options have their value from a variable, by place in the table. */
struct cmdline_env {
  const char *prefix; /* "GUARD_": --max-backoff is GUARD_MAX_BACKOFF */
  bool used[CMDLINE_MAX_OPTIONS];
};

enum cmdline_result {
  CMDLINE_OK,
  CMDLINE_DONE, /* --help or --version was printed: exit 0 */
  CMDLINE_ERROR /* `diag` says what: exit 2 */
};

/*
 * Parses argv[1..], which ends with NULL. Words that are no options, and all
 * behind "--", stay in argv order in `ret_words` (room for as many pointers as
 * argv has); *ret_nwords is their number and *ret_dash the number of those
 * before "--" (equal to *ret_nwords without one). Every table has --help and
 * --version by itself.
 */
enum cmdline_result cmdline_parse(const struct cmdline *c, char **argv,
                                  char **ret_words, int *ret_nwords,
                                  int *ret_dash, struct diag *diag);

/*
 * After cmdline_parse(): options that |argv| does not have get the value of
 * their variable, an empty one counts as none. A flag takes a word (1, true,
 * yes, on; 0, false, no, off). OPTION_STRINGS are not read: nothing says
 * where one text ends. -1 with a sentence that names the variable.
 */
int cmdline_environment(const struct cmdline *c, char **argv,
                        struct cmdline_env *env, struct diag *diag);
/* To an error that speaks of "--name": "(--name is from GUARD_NAME)", when it
 * is. For errors found in the values later. */
void cmdline_blame(const struct cmdline *c, const struct cmdline_env *env,
                   struct diag *diag);

#endif
