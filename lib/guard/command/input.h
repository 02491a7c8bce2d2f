/*
 * input.h - standard input of the forms that answer questions: whole, or
 * line by line.
 *
 * Rule: one question may have as many bytes as a JSON document of the tree
 * (base/json.h); more is an error and never cut in silence.
 */
#ifndef GUARD_COMMAND_INPUT_H
#define GUARD_COMMAND_INPUT_H

#include "base/buf.h"
#include "base/diag.h"

#include <stdio.h>

struct input {
  FILE *file;
  int line;        /* number of the line in |text|, from 1 */
  struct buf text; /* without its line end */
};

void input_init(struct input *in, FILE *file);
void input_release(struct input *in);

enum input_result { INPUT_OK, INPUT_END, INPUT_ERROR };

/* The next line that is not empty, without "\n" or "\r\n"; the last one needs
 * no line end. */
enum input_result input_line(struct input *in, struct diag *diag);
/* Everything up to the end. */
int input_whole(struct input *in, struct diag *diag);

/* Prints |diag| on stderr, under the number of the present line when there is
 * one, after all answers so far have gone out; returns exit code 2. */
int input_refuse(const struct input *in, struct diag *diag);
/* What was printed goes out; the exit code: 0, or 1 when that failed. */
int input_flush(void);

#endif
