/*
 * format.h - what a suite that is not faultwire may print: one file a format,
 * one line in formats.def. Pure.
 *
 * Any client's own tests can be the suite of a plan. The exit code must agree
 * with what is read: 0 when nothing is red, anything else up to 125 when
 * something is. 126 and 127 are a shell's "cannot be run", and above is death
 * by a signal: then nothing was judged.
 */
#ifndef MUTANTS_FORMAT_FORMAT_H
#define MUTANTS_FORMAT_FORMAT_H

#include "mutants/suite_read.h"

struct suite_format {
  const char *name; /* "junit" */
  const char *summary;
  /* -1 with the reason; `ret` then holds what could be read. */
  int (*read)(struct bytes output, int exit_code, struct verdicts *ret,
              struct diag *diag);
};

/* NULL-terminated by name; the first is what a plan means that names none. */
extern const struct suite_format SUITE_FORMATS[];
extern const char *const SUITE_FORMAT_NAMES[];
/* NULL when there is none of that name. */
const struct suite_format *suite_format_find(const char *name);

int suite_read_junit(struct bytes output, int exit_code, struct verdicts *ret,
                     struct diag *diag);
int suite_read_tap(struct bytes output, int exit_code, struct verdicts *ret,
                   struct diag *diag);
int suite_read_exit(struct bytes output, int exit_code, struct verdicts *ret,
                    struct diag *diag);

/* For the readers: adds a test, green until told otherwise; NULL, and an
 * error, when the name is empty or taken. */
struct test *suite_format_add(struct verdicts *v, const char *name,
                              struct diag *diag);
/* -1 when a test without verdicts, or this exit code, cannot be. */
int suite_format_check(const struct verdicts *v, int exit_code,
                       struct diag *diag);

#endif
