/*
 * run_program.h - runs a shell line and keeps what it printed.
 */
#ifndef TESTS_VTIME_RUN_PROGRAM_H
#define TESTS_VTIME_RUN_PROGRAM_H

#include "base/buf.h"

#include <stdio.h>
#include <sys/wait.h>

enum { MAX_OUTPUT = 1 << 20 };

/* The exit code; stdout into `ret`, which the caller releases. */
static inline int run_line(const char *line, struct buf *ret)
{
  char chunk[4096];
  buf_init(ret, MAX_OUTPUT);
  fflush(NULL);
  FILE *f = popen(line, "r");
  if (!f)
    return -1;
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
    buf_add(ret, chunk, n);
  int status = pclose(f);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Is there such a program on PATH? */
static inline bool has_program(const char *name)
{
  struct buf out;
  char *line = mem_format("command -v %s >/dev/null 2>&1", name);
  bool has = run_line(line, &out) == 0;
  buf_release(&out);
  free(line);
  return has;
}

#endif
