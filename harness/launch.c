#include "harness/launch.h"

#include "mockserver/engine.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a client finds as its first own descriptor. */
enum { FIRST_CLOSED_FD = 3 };

struct pipes {
  int out[2], err[2], fail[2]; /* fail: errno of an exec that failed */
};

static bool may_run(const char *path)
{
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static char *find_on_path(const char *program)
{
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/bin:/bin"; p;) {
    int n = (int)strcspn(p, ":");
    char *candidate = mem_format("%.*s/%s", n, n ? p : ".", program);
    if (n == 0) {
      free(candidate);
      candidate = mem_format("./%s", program);
    }
    if (may_run(candidate))
      return candidate;
    free(candidate);
    p = p[n] ? p + n + 1 : NULL;
  }
  return NULL;
}

char *launch_find(const char *program, struct diag *diag)
{
  if (!strchr(program, '/')) {
    char *found = program[0] ? find_on_path(program) : NULL;
    if (!found)
      diag_set(diag, "the client '%s' is not on PATH", program);
    return found;
  }
  if (may_run(program))
    return mem_strdup(program);
  struct stat st;
  if (stat(program, &st) < 0)
    diag_set(diag, "the client '%s' cannot be started: %s", program,
             strerror(errno));
  else
    diag_set(diag, "the client '%s' cannot be started: %s", program,
             S_ISREG(st.st_mode) ? "it is not executable" : "it is no file");
  return NULL;
}

void launch_become_subreaper(void)
{
  int rc = prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  assert(rc == 0);
  (void)rc;
}

static void close_pair(int fd[2])
{
  for (int i = 0; i < 2; i++)
    if (fd[i] >= 0)
      close(fd[i]);
}

static void close_pipes(struct pipes *p)
{
  close_pair(p->out);
  close_pair(p->err);
  close_pair(p->fail);
}

static int open_pipes(struct pipes *p, struct diag *diag)
{
  *p = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
  if (pipe2(p->out, O_CLOEXEC) < 0 || pipe2(p->err, O_CLOEXEC) < 0 ||
      pipe2(p->fail, O_CLOEXEC) < 0) {
    diag_set(diag, "cannot make a pipe: %s", strerror(errno));
    close_pipes(p);
    return -1;
  }
  fcntl(p->out[0], F_SETFL, O_NONBLOCK);
  fcntl(p->err[0], F_SETFL, O_NONBLOCK);
  return 0;
}

/* Blocked and ignored signals are inherited over exec. */
static void default_signals(void)
{
  sigset_t none;
  for (int sig = 1; sig < NSIG; sig++)
    signal(sig, SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* What a child needs of its parent. */
struct birth {
  struct pipes p;
  struct way_birth *in; /* NULL: real time */
  long parent;
};

/* In the child: nothing but system calls, then exec. */
static void become_client(const struct birth *b, char *const *argv,
                          char *const *envp)
{
  const struct pipes *p = &b->p;
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  default_signals();
  engine_undo_in_child();
  if (getppid() == b->parent && null >= 0 && dup2(null, 0) >= 0 &&
      dup2(p->out[1], 1) >= 0 && dup2(p->err[1], 2) >= 0 &&
      close_range(FIRST_CLOSED_FD, ~0U, CLOSE_RANGE_CLOEXEC) == 0 &&
      (!b->in || vtime_launch_in_child(b->in) == 0))
    execvpe(argv[0], argv, envp);
  int error = errno;
  ssize_t n = write(p->fail[1], &error, sizeof error);
  _exit(n == (ssize_t)sizeof error ? 127 : 126);
}

/* 0 when exec succeeded: the pipe closed without a word. */
static int exec_error(int fd)
{
  int error = 0;
  ssize_t n;
  do
    n = read(fd, &error, sizeof error);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t)sizeof error ? error : 0;
}

static void take_ends(struct pipes *p, struct client *c)
{
  c->out_fd = p->out[0];
  c->err_fd = p->err[0];
  p->out[0] = p->err[0] = -1;
}

static int open_birth(struct birth *b, struct vtime *v, struct diag *diag)
{
  *b = (struct birth){.parent = (long)getpid()};
  if (open_pipes(&b->p, diag) < 0)
    return -1;
  if (!v || vtime_launch_open(v, &b->in, diag) == 0)
    return 0;
  close_pipes(&b->p);
  return -1;
}

/* 0 when the program runs, else an errno. */
static int await_program(struct birth *b, pid_t pid, struct vtime *v)
{
  setpgid(pid, pid); /* here too: a signal may come before the child ran */
  close(b->p.fail[1]);
  b->p.fail[1] = -1;
  int error = exec_error(b->p.fail[0]);
  if (b->in && vtime_launch_done(v, b->in) < 0 && !error) {
    kill(pid, SIGKILL);
    error = EPERM;
  }
  b->in = NULL;
  if (error)
    waitpid(pid, NULL, 0);
  return error;
}

int launch_client(struct client *ret, char *const *argv, char *const *envp,
                  struct diag *diag)
{
  struct birth b;
  if (open_birth(&b, ret->vtime, diag) < 0)
    return -1;
  if (b.in)
    envp = vtime_launch_environment(b.in, envp);
  pid_t pid = fork();
  if (pid == 0)
    become_client(&b, argv, envp);
  int error = pid < 0 ? errno : await_program(&b, pid, ret->vtime);
  if (b.in)
    vtime_launch_done(ret->vtime, b.in);
  if (error) {
    close_pipes(&b.p);
    return diag_set(diag, "the client '%s' cannot be started: %s", argv[0],
                    strerror(error));
  }
  ret->pid = (long)pid;
  ret->pidfd = pidfd_open(pid, 0);
  take_ends(&b.p, ret);
  close_pipes(&b.p);
  assert(ret->pidfd >= 0);
  return 0;
}

void client_signal(const struct client *c, int sig)
{
  if (c->pid <= 0)
    return;
  kill((pid_t)-c->pid, sig);
  kill((pid_t)c->pid, sig); /* it may have left its group */
}

bool client_reap(struct client *c, int *ret_exit_code, int *ret_signal)
{
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG) < 0 ||
      info.si_pid == 0)
    return false;
  bool exited = info.si_code == CLD_EXITED;
  *ret_exit_code = exited ? info.si_status : 0;
  *ret_signal = exited ? 0 : info.si_status;
  close(c->pidfd);
  c->pidfd = -1;
  return true;
}
