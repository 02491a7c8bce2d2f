#include "harness/jobs.h"

#include "harness/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* A result with all its attempts; more is cut and then no result at all. */
#define MAX_RESULT_BYTES ((size_t)256 << 20)
/* From SIGTERM to SIGKILL for a job: it has to end its clients. */
#define GRACE_NS (5 * NS_PER_S)

struct slot {
  pid_t pid; /* 0: free */
  size_t job;
  int fd;
  int64_t deadline_ns;
};

struct pool {
  const struct jobs *j;
  struct job_result *results;
  struct slot *slots;
  size_t next, ndone;
  int running, signal_fd, signal;
  int64_t tick_ns; /* of the next tick */
  sigset_t old_mask;
};

/* --- in the child ----------------------------------------------------------
 */

static int open_stop_fd(void)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void become_job(const struct pool *p, size_t job, int fd, pid_t parent)
{
  /* Its own group: a Ctrl-C reaches the caller, who tells the jobs. */
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  int stop_fd = open_stop_fd();
  if (getppid() != parent || stop_fd < 0)
    _exit(1);
  close(p->signal_fd);
  for (int i = 0; i < p->j->at_once; i++)
    if (p->slots[i].pid)
      close(p->slots[i].fd);
  _exit(p->j->work(p->j->arg, job, fd, stop_fd));
}

/* --- in the caller ---------------------------------------------------------
 */

static int start(struct pool *p, struct slot *s, struct diag *diag)
{
  int fd[2];
  pid_t parent = getpid();
  if (pipe2(fd, O_CLOEXEC) < 0)
    return diag_set(diag, "cannot make a pipe: %s", strerror(errno));
  pid_t pid = fork();
  if (pid == 0) {
    close(fd[0]);
    become_job(p, p->next, fd[1], parent);
  }
  close(fd[1]);
  if (pid < 0) {
    close(fd[0]);
    return diag_set(diag, "cannot fork: %s", strerror(errno));
  }
  int64_t limit = p->j->limit_ns(p->j->arg, p->next);
  *s = (struct slot){pid, p->next++, fd[0], clock_now_ns(p->j->clock) + limit};
  p->results[s->job].stopped = false;
  p->running++;
  if (p->j->watch.started)
    p->j->watch.started(p->j->watch.arg, s->job);
  return 0;
}

static int fill(struct pool *p, struct diag *diag)
{
  for (int i = 0; i < p->j->at_once && !p->signal; i++)
    if (!p->slots[i].pid && p->next < p->j->n &&
        start(p, &p->slots[i], diag) < 0)
      return -1;
  return 0;
}

static void describe_end(struct job_result *r, int status)
{
  if (WIFSIGNALED(status))
    snprintf(r->why, sizeof r->why, "the worker was ended by signal %d (%s)",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) != 0)
    snprintf(r->why, sizeof r->why, "the worker ended with code %d",
             WEXITSTATUS(status));
  else if (r->bytes.full)
    snprintf(r->why, sizeof r->why, "the worker's result is too large");
  else
    r->done = true;
}

/* Its pipe is closed: it has ended or is about to. */
static void finish(struct pool *p, struct slot *s)
{
  int status = 0;
  while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  close(s->fd);
  struct job_result *r = &p->results[s->job];
  if (r->why[0] == '\0')
    describe_end(r, status);
  r->stopped = p->signal && !r->done;
  s->pid = 0;
  p->running--;
  p->ndone++;
  if (p->j->ended && !p->signal)
    p->j->ended(p->j->arg, s->job, p->ndone);
  if (p->j->watch.ended && !r->stopped)
    p->j->watch.ended(p->j->watch.arg, s->job, r);
}

static void read_slot(struct pool *p, struct slot *s)
{
  char chunk[65536];
  ssize_t n = read(s->fd, chunk, sizeof chunk);
  if (n > 0)
    buf_add(&p->results[s->job].bytes, chunk, (size_t)n);
  else if (n == 0 || errno != EINTR)
    finish(p, s);
}

static void signal_all(struct pool *p, int sig)
{
  for (int i = 0; i < p->j->at_once; i++)
    if (p->slots[i].pid)
      kill(p->slots[i].pid, sig);
}

static void take_signal(struct pool *p)
{
  struct signalfd_siginfo info;
  if (read(p->signal_fd, &info, sizeof info) != (ssize_t)sizeof info)
    return;
  bool again = p->signal != 0;
  p->signal = (int)info.ssi_signo;
  /* Whoever asks twice means now; what a job leaves behind comes to us. */
  signal_all(p, again ? SIGKILL : SIGTERM);
  for (int i = 0; i < p->j->at_once; i++)
    p->slots[i].deadline_ns = clock_now_ns(p->j->clock) + GRACE_NS;
}

static void tick(struct pool *p)
{
  const struct jobs_watch *w = &p->j->watch;
  int64_t now = clock_now_ns(p->j->clock);
  if (!w->tick || !w->tick_ns || now < p->tick_ns)
    return;
  p->tick_ns = now + w->tick_ns;
  w->tick(w->arg);
}

static void check_deadlines(struct pool *p)
{
  int64_t now = clock_now_ns(p->j->clock);
  for (int i = 0; i < p->j->at_once; i++) {
    struct slot *s = &p->slots[i];
    if (!s->pid || now < s->deadline_ns)
      continue;
    struct job_result *r = &p->results[s->job];
    snprintf(r->why, sizeof r->why, "the worker took too long");
    kill(s->pid, SIGKILL);
    s->deadline_ns = NO_DEADLINE;
  }
}

/* Milliseconds until the next deadline or tick. */
static int poll_ms(struct pool *p)
{
  bool ticks = p->j->watch.tick && p->j->watch.tick_ns;
  int64_t next = ticks ? p->tick_ns : NO_DEADLINE;
  for (int i = 0; i < p->j->at_once; i++)
    if (p->slots[i].pid && p->slots[i].deadline_ns < next)
      next = p->slots[i].deadline_ns;
  if (next == NO_DEADLINE)
    return -1;
  int64_t ns = clock_block_ns(p->j->clock, next);
  int64_t ms = ns < 0 ? -1 : ns / NS_PER_MS + 1;
  return ms > 60000 ? 60000 : (int)ms;
}

static void step(struct pool *p, struct pollfd *fds)
{
  int n = p->j->at_once;
  for (int i = 0; i < n; i++)
    fds[i] = (struct pollfd){p->slots[i].pid ? p->slots[i].fd : -1, POLLIN, 0};
  fds[n] = (struct pollfd){p->signal_fd, POLLIN, 0};
  if (poll(fds, (nfds_t)n + 1, poll_ms(p)) > 0) {
    if (fds[n].revents)
      take_signal(p);
    for (int i = 0; i < n; i++)
      if (fds[i].revents && p->slots[i].pid)
        read_slot(p, &p->slots[i]);
  }
  check_deadlines(p);
  tick(p);
}

static int loop(struct pool *p, struct diag *diag)
{
  struct pollfd *fds = mem_zalloc(((size_t)p->j->at_once + 1) * sizeof *fds);
  int rc = fill(p, diag);
  while (p->running) {
    if (rc < 0)
      signal_all(p, SIGTERM);
    step(p, fds);
    if (rc == 0)
      rc = fill(p, diag);
  }
  free(fds);
  return rc;
}

static void open_signals(struct pool *p)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  sigprocmask(SIG_BLOCK, &set, &p->old_mask);
  p->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int jobs_run(const struct jobs *j, struct job_result *results,
             struct diag *diag)
{
  struct pool p = {.j = j, .results = results};
  p.slots = mem_zalloc((size_t)j->at_once * sizeof *p.slots);
  for (size_t i = 0; i < j->n; i++) {
    memset(&results[i], 0, sizeof results[i]);
    results[i].stopped = true;
    buf_init(&results[i].bytes, MAX_RESULT_BYTES);
  }
  launch_become_subreaper();
  open_signals(&p);
  int rc = p.signal_fd < 0 ? diag_set(diag, "cannot watch for signals")
                           : loop(&p, diag);
  launch_end_children(NULL, 0);
  close(p.signal_fd);
  if (!p.signal)
    sigprocmask(SIG_SETMASK, &p.old_mask, NULL);
  free(p.slots);
  return rc < 0 ? -1 : p.signal;
}
