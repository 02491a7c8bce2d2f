/*
 * child.h - a child that does one thing for each letter it is sent, and what
 * /proc says of it: for tests that hold a state open instead of hoping to
 * meet it.
 */
#ifndef TESTS_VTIME_CHILD_H
#define TESTS_VTIME_CHILD_H

#include "tests/unit/unit.h"

#include "harness/vtime/proc.h"
#include "harness/vtime/table.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* In that call, and off every CPU: /proc shows the call only then. */
static inline bool is_in_call(pid_t pid, int nr)
{
  char path[48], room[256];
  struct table_call c;
  snprintf(path, sizeof path, "/proc/%d/syscall", pid);
  return table_call(proc_read(path, room, sizeof room), &c) && c.nr == nr;
}

static inline void await_call(pid_t pid, int nr)
{
  while (!is_in_call(pid, nr))
    assert_int_equal(kill(pid, 0), 0);
}

static inline char state_of(pid_t pid)
{
  char path[48], room[1024];
  struct table_stat st;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  return table_stat(proc_read(path, room, sizeof room), &st) ? st.state : 'X';
}

static inline void await_state(pid_t pid, char state)
{
  for (char now; (now = state_of(pid)) != state;)
    assert_int_not_equal(now, 'X');
}

struct child {
  pid_t pid;
  int fd; /* letters to it, and its answers */
};

/* It ends with its parent; for each letter it answers what `obey` gives. */
static inline struct child child_start(pid_t (*obey)(char letter))
{
  int p[2];
  char letter;
  pid_t parent = getpid();
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p), 0);
  struct child c = {fork(), p[0]};
  if (c.pid != 0) {
    close(p[1]);
    return c;
  }
  close(p[0]);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (getppid() == parent && read(p[1], &letter, 1) == 1) {
    pid_t answer = obey(letter);
    if (write(p[1], &answer, sizeof answer) != sizeof answer)
      break;
  }
  _exit(0);
}

/* When this returns the child sleeps again. */
static inline pid_t child_ask(const struct child *c, char letter)
{
  pid_t answer = 0;
  assert_int_equal(write(c->fd, &letter, 1), 1);
  assert_int_equal(read(c->fd, &answer, sizeof answer), sizeof answer);
  await_call(c->pid, SYS_read);
  return answer;
}

static inline void child_end(struct child *c)
{
  kill(c->pid, SIGKILL);
  close(c->fd);
  waitpid(c->pid, NULL, 0);
}

#endif
