#include "harness/vtime/check.h"

#include "harness/vtime/clockcheck.h"
#include "harness/vtime/vtime.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit codes of the child before it is the probe. */
enum { NO_FILTER = 120, NO_EXEC = 121 };
/* The probe takes milliseconds; a loaded machine may need a while. */
#define REAL_LIMIT_NS (20 * NS_PER_S)

static void become_probe(const struct way_birth *in, char *const *argv,
                         char *const *envp)
{
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++)
    dup2(null, fd);
  if (vtime_launch_in_child(in) != 0)
    _exit(NO_FILTER);
  execve(argv[0], argv, envp);
  _exit(NO_EXEC);
}

/* Also of a probe that is not followed, which the run's own limit lets live:
 * it would sleep at the real rate. */
static int left_ms(int64_t end_ns)
{
  int64_t left = end_ns - clock_now_ns(clock_real());
  return left > 0 ? (int)(left / NS_PER_MS) + 1 : 0;
}

/* True when it had to be ended. */
static bool wait_for(struct vtime *v, pid_t pid, int *ret_status)
{
  int pidfd = pidfd_open(pid, 0);
  struct pollfd f[2] = {{pidfd, POLLIN, 0}, {vtime_fd(v), POLLIN, 0}};
  int64_t end_ns = clock_now_ns(clock_real()) + REAL_LIMIT_NS;
  bool ended = pidfd < 0;
  while (!ended && !f[0].revents) {
    clock_block_ns(vtime_clock(v), NO_DEADLINE);
    if (poll(f, 2, left_ms(end_ns)) > 0 && f[1].revents)
      ended = vtime_woken(v) != EVENT_NONE;
    ended |= left_ms(end_ns) == 0;
  }
  if (ended)
    kill(pid, SIGKILL);
  waitpid(pid, ret_status, 0);
  if (pidfd >= 0)
    close(pidfd);
  return ended;
}

static int judge(bool ended, int status, struct diag *diag)
{
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (ended)
    return diag_set(diag, "a small program did not get on in it");
  if (code == 0)
    return 0;
  if (code == NO_FILTER)
    return diag_set(diag, "seccomp user notification is refused");
  if (code == NO_EXEC)
    return diag_set(diag, "the probe cannot be started");
  const char *why = clockcheck_sentence(code);
  return why ? diag_set(diag, "%s", why)
             : diag_set(diag, "the probe ended with status %d", status);
}

static int probe(struct vtime *v, char *const *argv, struct diag *diag)
{
  struct way_birth *in;
  int status = 0;
  if (vtime_launch_open(v, &in, diag) < 0)
    return -1;
  char *const *envp = vtime_launch_environment(in, environ);
  pid_t pid = fork();
  if (pid == 0)
    become_probe(in, argv, envp);
  if (pid > 0)
    vtime_launch_wait(in);
  int rc = vtime_launch_done(v, in);
  if (pid < 0)
    return diag_set(diag, "cannot fork: %s", strerror(errno));
  if (rc < 0)
    kill(pid, SIGKILL);
  bool ended = wait_for(v, pid, &status);
  if (rc < 0)
    return diag_set(diag, "seccomp user notification is refused");
  return judge(ended, status, diag);
}

static int check_way(enum vtime_way way, char *const *argv, struct diag *diag)
{
  struct vtime_options o = {
      .way = way, .wall_ns = -1, .real_limit_ns = REAL_LIMIT_NS};
  struct vtime *v = vtime_new(&o, diag);
  if (!v)
    return -1;
  int rc = vtime_start(v, diag);
  if (rc == 0)
    rc = probe(v, argv, diag);
  vtime_free(v);
  return rc;
}

int vtime_check(char *const *argv, struct vtime_choice *ret, struct diag *diag)
{
  struct diag why[NWAYS] = {0};
  /* Else both ways name what they miss there first, which tells nobody. */
  if (access("/proc/self/stat", R_OK) < 0)
    return diag_set(diag, "/proc is not mounted, and the rule looks there "
                          "(mount -t proc proc /proc)");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  for (int way = 0; way < NWAYS; way++) {
    if (check_way((enum vtime_way)way, argv, &why[way]) < 0)
      continue;
    ret->way = (enum vtime_way)way;
    snprintf(ret->why_not, sizeof ret->why_not, "%s",
             way ? why[WAY_SECCOMP].text : "");
    return 0;
  }
  return diag_set(diag, "%s; nor by a preloaded object: %s",
                  why[WAY_SECCOMP].text, why[WAY_PRELOAD].text);
}
