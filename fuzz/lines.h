/*
 * lines.h - standard input of the forms of guard that answer questions, over
 * the bytes of a fuzz input (guard/command/input.h).
 */
#ifndef FUZZ_LINES_H
#define FUZZ_LINES_H

#include "fuzz/fuzz.h"
#include "guard/command/input.h"

struct fuzz_lines {
  char *copy;
  size_t n, seen; /* bytes of the input, and of the lines so far */
  int most;       /* lines the input has at most */
  struct input in;
};

static inline void fuzz_lines_init(struct fuzz_lines *l, const uint8_t *data,
                                   size_t size)
{
  *l = (struct fuzz_lines){.copy = fuzz_copy(data, size), .n = size};
  l->most = 1;
  for (size_t i = 0; i < size; i++)
    l->most += data[i] == '\n';
  input_init(&l->in, fmemopen(l->copy, size, "r"));
  if (!l->in.file)
    abort();
}

static inline void fuzz_lines_release(struct fuzz_lines *l)
{
  fclose(l->in.file);
  input_release(&l->in);
  free(l->copy);
}

/* The next line; false at the end. */
static inline bool fuzz_lines_next(struct fuzz_lines *l)
{
  struct diag diag = {0};
  int before = l->in.line;
  enum input_result r = input_line(&l->in, &diag);

  PROPERTY(r != INPUT_ERROR, "what fits is read");
  if (r == INPUT_END)
    return false;
  l->seen += l->in.text.n;
  PROPERTY(l->in.text.n > 0, "a line is not empty");
  PROPERTY(!memchr(l->in.text.p, '\n', l->in.text.n), "a line has no LF");
  PROPERTY(l->in.line > before && l->in.line <= l->most,
           "the number is one of the input's lines");
  PROPERTY(l->seen <= l->n, "nothing is read twice");
  return true;
}

#endif
