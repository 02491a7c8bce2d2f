#include "mutants/program.h"

#include "base/clock.h"
#include "mutants/descend.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Held while a child is started, and for ever once no more may be. */
static pthread_mutex_t spawn_lock = PTHREAD_MUTEX_INITIALIZER;

struct running {
  pid_t pid;
  int pidfd, out, err;
};

extern char **environ;

/* The environment with the additions in front, so that they win. The texts
 * "NAME=value" are freed by free_environment. */
static char **make_environment(const struct program *c)
{
  int n = 0, at = 0;
  while (environ[n])
    n++;
  char **env = mem_alloc((size_t)(n + c->nenv + 1) * sizeof *env);
  for (int i = 0; i < c->nenv; i++)
    env[at++] = mem_format("%s=%s", c->env[i].name, c->env[i].value);
  for (int i = 0; i < n; i++) {
    bool replaced = false;
    for (int k = 0; k < c->nenv; k++) {
      size_t length = strlen(c->env[k].name);
      replaced |= strncmp(environ[i], c->env[k].name, length) == 0 &&
                  environ[i][length] == '=';
    }
    if (!replaced)
      env[at++] = environ[i];
  }
  env[at] = NULL;
  return env;
}

static void free_environment(char **env, const struct program *c)
{
  for (int i = 0; i < c->nenv; i++)
    free(env[i]);
  free(env);
}

static void complain(const char *what, const char *name)
{
  const char *parts[] = {
      "cannot ", what, " '", name, "': ", strerrordesc_np(errno), "\n"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (write(STDERR_FILENO, parts[i], strlen(parts[i])) < 0)
      return;
}

/* In the child. 127 is what a shell says for "no such program". */
__attribute__((noreturn)) static void
become(const struct program *c, char **env, int out, int err, pid_t gate)
{
  sigset_t none;
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != gate)
    _exit(127);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (null > STDERR_FILENO)
    close(null);
  if (chdir(c->folder) < 0) {
    complain("enter folder", c->folder);
    _exit(127);
  }
  union {
    const char *const *from;
    char *const *to;
  } argv = {c->argv};
  execvpe(c->argv[0], argv.to, env);
  complain("start", c->argv[0]);
  _exit(127);
}

static int start_in(const struct program *c, struct running *ret,
                    struct diag *diag, int out[2], int err[2])
{
  char **env = make_environment(c);
  pid_t gate = getpid();
  pthread_mutex_lock(&spawn_lock);
  pid_t pid = fork();
  if (pid == 0)
    become(c, env, out[1], err[1], gate);
  pthread_mutex_unlock(&spawn_lock);
  free_environment(env, c);
  if (pid < 0)
    return diag_set(diag, "cannot fork: %s", strerror(errno));
  int pidfd = pidfd_open(pid, 0);
  if (pidfd < 0) {
    diag_set(diag, "cannot watch a child: %s", strerror(errno));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return -1;
  }
  *ret = (struct running){pid, pidfd, out[0], err[0]};
  return 0;
}

static int start(const struct program *c, struct running *ret,
                 struct diag *diag)
{
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) < 0)
    return diag_set(diag, "cannot make a pipe: %s", strerror(errno));
  if (pipe2(err, O_CLOEXEC) < 0) {
    close(out[0]);
    close(out[1]);
    return diag_set(diag, "cannot make a pipe: %s", strerror(errno));
  }
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  fcntl(err[0], F_SETFL, O_NONBLOCK);
  int rc = start_in(c, ret, diag, out, err);
  close(out[1]);
  close(err[1]);
  if (rc < 0) {
    close(out[0]);
    close(err[0]);
  }
  return rc;
}

/* Takes what is there; closes the pipe and sets it to -1 at its end. */
static void take(int *fd, struct buf *ret)
{
  char chunk[65536];
  for (;;) {
    ssize_t n = *fd < 0 ? -1 : read(*fd, chunk, sizeof chunk);
    if (n > 0) {
      buf_add(ret, chunk, (size_t)n);
      continue;
    }
    if (*fd >= 0 && (n == 0 || (errno != EAGAIN && errno != EINTR))) {
      close(*fd);
      *fd = -1;
    }
    if (n >= 0 || *fd < 0 || errno != EINTR)
      return;
  }
}

/* Until the program has ended (true) or its time is up. */
static bool watch(struct running *r, int64_t deadline_ns,
                  struct program_end *end)
{
  for (;;) {
    struct pollfd p[3] = {
        {r->pidfd, POLLIN, 0}, {r->out, POLLIN, 0}, {r->err, POLLIN, 0}};
    int64_t left_ms =
        (deadline_ns - clock_now_ns(clock_real()) + NS_PER_MS - 1) / NS_PER_MS;
    if (left_ms <= 0)
      return false;
    poll(p, 3, (int)(left_ms < 60000 ? left_ms : 60000));
    take(&r->out, &end->out);
    take(&r->err, &end->err);
    if (p[0].revents)
      return true;
  }
}

/* When the gate is being ended, whoever ends it killed this child as well;
 * what its death looks like must not become a verdict, or an exit code. */
static void stop_here_when_ending(void)
{
  pthread_mutex_lock(&spawn_lock);
  pthread_mutex_unlock(&spawn_lock);
}

/* The leader is not reaped yet, so its number and that of its group cannot
 * have been given to anybody else. */
static void finish(struct running *r, struct program_end *end)
{
  int status = 0;
  if (end->timed_out)
    descend_kill(r->pid);
  kill(-r->pid, SIGKILL);
  kill(r->pid, SIGKILL);
  while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
    ;
  stop_here_when_ending();
  take(&r->out, &end->out);
  take(&r->err, &end->err);
  close(r->pidfd);
  if (r->out >= 0)
    close(r->out);
  if (r->err >= 0)
    close(r->err);
  end->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int program_run(const struct program *c, struct program_end *ret,
                struct diag *diag)
{
  struct running r = {.pidfd = -1, .out = -1, .err = -1};
  *ret = (struct program_end){0};
  buf_init(&ret->out, PROGRAM_OUTPUT_MAX_BYTES);
  buf_init(&ret->err, PROGRAM_OUTPUT_MAX_BYTES);
  int64_t start_ns = clock_now_ns(clock_real());
  if (start(c, &r, diag) < 0)
    return -1;
  ret->timed_out = !watch(&r, start_ns + c->limit_ms * NS_PER_MS, ret);
  ret->ms = (clock_now_ns(clock_real()) - start_ns) / NS_PER_MS;
  finish(&r, ret);
  return 0;
}

void program_end_release(struct program_end *e)
{
  buf_release(&e->out);
  buf_release(&e->err);
}

struct bytes program_last_words(const struct program_end *e)
{
  enum { KEPT = 400 };
  struct bytes b = buf_bytes(e->err.n ? &e->err : &e->out);
  while (b.n && strchr(" \n\r\t", b.p[b.n - 1]))
    b.n--;
  if (b.n > KEPT)
    b = (struct bytes){b.p + b.n - KEPT, KEPT};
  return b;
}

void children_begin(void)
{
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  descend_spare_present();
}

void children_end_all(bool for_good)
{
  if (for_good)
    pthread_mutex_lock(&spawn_lock);
  descend_end_all();
}
