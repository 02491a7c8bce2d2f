/*
 * command_run.h - runs the program guard with texts on its pipes, for the
 * tests of its command lines.
 */
#ifndef TESTS_UNIT_GUARD_COMMAND_RUN_H
#define TESTS_UNIT_GUARD_COMMAND_RUN_H

#include "base/buf.h"

#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGS = 24, RUN_BYTES = 1 << 22 };

struct run {
  pid_t pid;
  int in, out, err; /* our ends of its pipes */
};

static void run_child(const char *const *args, int in[2], int out[2],
                      int err[2])
{
  static char program[] = BUILD_DIR "/guard";
  char *argv[MAX_ARGS + 2] = {program};

  for (int i = 0; i < MAX_ARGS && args[i]; i++)
    argv[i + 1] = mem_strdup(args[i]);
  dup2(in[0], 0);
  dup2(out[1], 1);
  dup2(err[1], 2);
  close(in[0]), close(in[1]);
  close(out[0]), close(out[1]);
  close(err[0]), close(err[1]);
  execv(program, argv);
  _exit(126);
}

static struct run run_start(const char *const *args)
{
  int in[2], out[2], err[2];
  struct run r;

  assert_int_equal(pipe(in) | pipe(out) | pipe(err), 0);
  r.pid = fork();
  assert_true(r.pid >= 0);
  if (r.pid == 0)
    run_child(args, in, out, err);
  close(in[0]), close(out[1]), close(err[1]);
  r.in = in[1], r.out = out[0], r.err = err[0];
  return r;
}

/* A process of its own writes, so that reading never waits for it; what the
 * program does not read ends it by SIGPIPE. */
static pid_t run_feed(struct run *r, struct bytes text)
{
  pid_t pid = fork();

  assert_true(pid >= 0);
  if (pid == 0) {
    close(r->out), close(r->err);
    for (ssize_t n; text.n > 0; text.p += n, text.n -= (size_t)n)
      if ((n = write(r->in, text.p, text.n)) <= 0)
        _exit(1);
    _exit(0);
  }
  close(r->in);
  return pid;
}

static void run_read(int fd, struct buf *ret)
{
  char piece[8192];
  ssize_t n;

  while ((n = read(fd, piece, sizeof piece)) > 0)
    buf_add(ret, piece, (size_t)n);
  close(fd);
}

/* The exit code, -1 after a signal. What goes to stderr must fit into a pipe:
 * it is read last. */
static int run_guard(const char *const *args, struct bytes in, struct buf *out,
                     struct buf *err)
{
  struct run r = run_start(args);
  pid_t feeder = run_feed(&r, in);
  int status, fed;

  buf_init(out, RUN_BYTES);
  buf_init(err, RUN_BYTES);
  run_read(r.out, out);
  run_read(r.err, err);
  assert_int_equal(waitpid(r.pid, &status, 0), r.pid);
  assert_int_equal(waitpid(feeder, &fed, 0), feeder);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* One command line and what it must give. */
struct line {
  const char *id, *why;
  const char *args[MAX_ARGS];
  const char *in;
  int code;
  const char *out; /* the whole of it */
  const char *err; /* a part of it; "": nothing at all */
};

static inline void try_line(const struct line *l)
{
  struct buf out, err;
  int code = run_guard(l->args, bytes_of(l->in), &out, &err);
  bool said = l->err[0] ? strstr(buf_str(&err), l->err) != NULL : err.n == 0;

  if (code != l->code || strcmp(buf_str(&out), l->out) != 0 || !said)
    fail_msg("%s (%s): exit %d, out '%s', err '%s'", l->id, l->why, code,
             buf_str(&out), buf_str(&err));
  buf_release(&out);
  buf_release(&err);
}

#endif
