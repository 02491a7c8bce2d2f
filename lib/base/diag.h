/*
 * diag.h - one placed error: where, and a sentence.
 *
 * Programs return 0 or -1 with a filled struct diag; only main prints it.
 * The first error wins: diag_set on a set diag does nothing.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>

struct diag {
  bool set;
  char file[512];   /* empty: no file */
  int line, column; /* from 1; 0: unknown */
  char path[256];   /* JSON path such as $.steps[0].times; may be empty */
  char text[768];
};

void diag_clear(struct diag *d);
/* Returns -1 always, so that `return diag_set(...)` reads well. */
int diag_set(struct diag *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int diag_vset(struct diag *d, const char *format, va_list ap)
    __attribute__((format(printf, 2, 0)));
/* Adds the file's name to an error that has none yet. */
void diag_in_file(struct diag *d, const char *file);
/* "file:line:column: $.path: sentence" with the parts that are known. */
void diag_format(const struct diag *d, char *ret, unsigned long size);

#endif
