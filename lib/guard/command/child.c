#include "child.h"

#include "stop.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
  OUTPUT_MAX_BYTES = 64 << 20, /* of one stream; far over any answer */
  TERM_GRACE_MS = 2000,        /* from SIGTERM to SIGKILL */
  LINGER_MS = 1000 /* outputs held open by others after the child's end */
};

struct run {
  struct clock *clock;
  const struct guard_limits *limits;
  struct child_result *result;
  pid_t pid;
  int pidfd;
  int fd[2]; /* out, err; -1 once ended */
  bool exited;
  bool ended_by_us, killed;
  bool seen; /* any output yet */
  int64_t start_ms, seen_ms, ended_ms, exited_ms;
};

static int64_t now_ms(const struct run *r)
{
  return clock_now_ns(r->clock) / NS_PER_MS;
}

static void close_fd(int *fd)
{
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static int spawn_attributes(posix_spawnattr_t *attr)
{
  sigset_t back;
  sigemptyset(&back);
  sigaddset(&back, SIGPIPE); /* ignored here, and that would be inherited */
  return posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP |
                                            POSIX_SPAWN_SETSIGDEF) ||
         posix_spawnattr_setpgroup(attr, 0) ||
         posix_spawnattr_setsigdefault(attr, &back);
}

static int spawn_files(posix_spawn_file_actions_t *files, int out, int err)
{
  return posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0) ||
         posix_spawn_file_actions_adddup2(files, out, 1) ||
         posix_spawn_file_actions_adddup2(files, err, 2);
}

/* Starts the command with outputs |out| and |err|; 0 or an errno. */
static int spawn(pid_t *ret_pid, char *const *argv, int out, int err)
{
  posix_spawnattr_t attr;
  posix_spawn_file_actions_t files;
  posix_spawnattr_init(&attr);
  posix_spawn_file_actions_init(&files);
  int e = ENOMEM;
  if (!spawn_attributes(&attr) && !spawn_files(&files, out, err))
    e = posix_spawnp(ret_pid, argv[0], &files, &attr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attr);
  return e;
}

static int start(struct run *r, char *const *argv, struct diag *diag)
{
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) < 0)
    return diag_set(diag, "no pipe: %s", strerror(errno));
  if (pipe2(err, O_CLOEXEC) < 0) {
    close(out[0]);
    close(out[1]);
    return diag_set(diag, "no pipe: %s", strerror(errno));
  }
  r->start_ms = r->seen_ms = now_ms(r);
  int e = spawn(&r->pid, argv, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  r->fd[0] = out[0];
  r->fd[1] = err[0];
  if (e == 0)
    return 0;
  close_fd(&r->fd[0]);
  close_fd(&r->fd[1]);
  return diag_set(diag, "cannot start '%s': %s", argv[0], strerror(e));
}

static void signal_group(const struct run *r, int number)
{
  kill(-r->pid, number);
}

/* Begins to end the group; the first reason stays. */
static void end_group(struct run *r, enum child_end end, const char *why)
{
  if (r->ended_by_us)
    return;
  r->ended_by_us = true;
  r->ended_ms = now_ms(r);
  r->result->end = end;
  r->result->why = why;
  signal_group(r, SIGTERM);
}

static void read_output(struct run *r, int i)
{
  char chunk[16384];
  struct buf *to = i == 0 ? &r->result->out : &r->result->err;
  ssize_t n = read(r->fd[i], chunk, sizeof chunk);
  if (n < 0 && errno == EINTR)
    return;
  if (n <= 0) {
    close_fd(&r->fd[i]);
    return;
  }
  r->seen = true;
  r->seen_ms = now_ms(r);
  buf_add(to, chunk, (size_t)n);
  if (to->full)
    end_group(r, CHILD_TOO_BIG, "output over the ceiling");
}

static void reap(struct run *r)
{
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
      info.si_pid != r->pid)
    return;
  r->exited = true;
  r->exited_ms = now_ms(r);
  if (r->ended_by_us)
    return;
  bool by_signal = info.si_code != CLD_EXITED;
  r->result->end = by_signal ? CHILD_KILLED : CHILD_EXITED;
  r->result->exit_code = by_signal ? 128 + info.si_status : info.si_status;
}

/* The time-out that strikes next, and its name. */
static int64_t timeout_at(const struct run *r, const char **ret_why)
{
  const struct guard_limits *l = r->limits;
  int64_t at = r->start_ms + l->total_ms;
  int64_t quiet = r->seen ? l->idle_ms : l->first_byte_ms;
  *ret_why = "time-out";
  if (quiet > 0 && r->seen_ms + quiet < at) {
    *ret_why = r->seen ? "idle time-out" : "first-byte time-out";
    at = r->seen_ms + quiet;
  }
  return at;
}

/* Acts on what is due at |now|; the moment of the next thing due. */
static int64_t act_on_time(struct run *r, int64_t now)
{
  const char *why;
  if (r->exited)
    return r->exited_ms + LINGER_MS;
  int64_t at = timeout_at(r, &why);
  if (!r->ended_by_us && now >= at)
    end_group(r, CHILD_TIMEOUT, why);
  if (!r->ended_by_us)
    return at;
  if (!r->killed && now >= r->ended_ms + TERM_GRACE_MS) {
    r->killed = true;
    signal_group(r, SIGKILL);
  }
  return r->killed ? INT64_MAX : r->ended_ms + TERM_GRACE_MS;
}

static bool finished(const struct run *r, int64_t now)
{
  bool outputs_ended = r->fd[0] < 0 && r->fd[1] < 0;
  return r->exited && (outputs_ended || now >= r->exited_ms + LINGER_MS);
}

static void wait_for_events(struct run *r, int64_t until_ms)
{
  struct pollfd p[4] = {
      {.fd = r->fd[0], .events = POLLIN},
      {.fd = r->fd[1], .events = POLLIN},
      {.fd = r->exited ? -1 : r->pidfd, .events = POLLIN},
      {.fd = r->ended_by_us ? -1 : stop_fd(), .events = POLLIN}};
  int64_t left = until_ms == INT64_MAX ? -1 : until_ms - now_ms(r);
  int timeout = left < 0 ? (until_ms == INT64_MAX ? -1 : 0)
                         : (int)(left > 3600000 ? 3600000 : left);
  if (poll(p, 4, timeout) <= 0)
    return;
  for (int i = 0; i < 2; i++)
    if (p[i].fd >= 0 && p[i].revents)
      read_output(r, i);
  if (p[2].revents)
    reap(r);
  if (p[3].revents)
    end_group(r, CHILD_STOPPED, "told to end");
}

/* The leader stays a zombie until here, so that its group's number cannot
 * have gone to anybody else. */
static void clear_up(struct run *r)
{
  if (r->ended_by_us || r->fd[0] >= 0 || r->fd[1] >= 0)
    signal_group(r, SIGKILL);
  while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  close_fd(&r->fd[0]);
  close_fd(&r->fd[1]);
  close_fd(&r->pidfd);
}

int child_run(char *const *argv, const struct guard_limits *limits,
              struct clock *clock, struct child_result *ret, struct diag *diag)
{
  struct run r = {.clock = clock, .limits = limits, .result = ret};
  memset(ret, 0, sizeof *ret);
  buf_init(&ret->out, OUTPUT_MAX_BYTES);
  buf_init(&ret->err, OUTPUT_MAX_BYTES);
  if (start(&r, argv, diag) < 0)
    return -1;
  r.pidfd = pidfd_open(r.pid, 0);
  if (r.pidfd < 0) {
    int e = errno;
    r.ended_by_us = true;
    signal_group(&r, SIGKILL);
    clear_up(&r);
    return diag_set(diag, "no pidfd: %s", strerror(e));
  }
  int64_t due = act_on_time(&r, now_ms(&r));
  while (!finished(&r, now_ms(&r))) {
    wait_for_events(&r, due);
    due = act_on_time(&r, now_ms(&r));
  }
  clear_up(&r);
  return 0;
}

void child_result_release(struct child_result *r)
{
  buf_release(&r->out);
  buf_release(&r->err);
}
