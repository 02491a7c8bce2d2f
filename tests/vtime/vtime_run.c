/*
 * vtime_run [OPTIONS] -- COMMAND: runs a command in virtual time, without a
 * server, and says on stderr what time did. For tests and for the curious.
 * Exit code: the command's, 128 plus its signal, 125 for the tool's own
 * errors, 124 when the run was ended by a limit or was stalled.
 */
#include "base/cmdline.h"
#include "base/file.h"
#include "harness/vtime/proc.h"
#include "harness/vtime/table.h"
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

enum { EXIT_ENDED = 124, EXIT_OWN = 125 };

struct run {
  double at_s, limit_s, real_limit_s;
  int64_t port;
  const char *log;
  bool no_getfd, old_signals, preload, drain, quiet;
  char **command;
};

static int parse(struct run *r, char **argv, char **words, struct diag *diag)
{
  int n = 0, dash = 0;
  const struct option options[] = {
      {"at", 0, OPTION_NUMBER, &r->at_s, 0, 4e9, "EPOCH",
       "where the wall clock begins, in seconds since 1970"},
      {"limit", 0, OPTION_NUMBER, &r->limit_s, 0, 1e9, "S",
       "end after so many virtual seconds"},
      {"real-limit", 0, OPTION_NUMBER, &r->real_limit_s, 0, 1e6, "S",
       "end after so many real seconds (default 60)"},
      {"port", 0, OPTION_INT, &r->port, 0, 65535, "N",
       "of a server in the command: no long jump while the kernel holds its "
       "bytes"},
      {"log", 0, OPTION_STRING, &r->log, 0, 0, "FILE", "write the jumps"},
      {"no-getfd", 0, OPTION_FLAG, &r->no_getfd, 0, 0, NULL,
       "as if pidfd_getfd were refused"},
      {"preload", 0, OPTION_FLAG, &r->preload, 0, 0, NULL,
       "by the shared object, not by seccomp"},
      {"old-signals", 0, OPTION_FLAG, &r->old_signals, 0, 0, NULL,
       "as on Linux before 5.19: a signal ends a call that waits for us"},
      {"drain", 0, OPTION_FLAG, &r->drain, 0, 0, NULL,
       "read the command's stderr, slowly, and forget it"},
      {"quiet", 'q', OPTION_FLAG, &r->quiet, 0, 0, NULL, "say nothing"},
      {.name = NULL}};
  const struct cmdline c = {"vtime_run [OPTIONS] -- COMMAND",
                            "Runs a command in virtual time.", options, NULL};
  switch (cmdline_parse(&c, argv, words, &n, &dash, diag)) {
  case CMDLINE_DONE:
    return 1;
  case CMDLINE_ERROR:
    return -1;
  case CMDLINE_OK:
    break;
  }
  if (n == 0)
    return diag_set(diag, "which command?");
  r->command = words;
  return 0;
}

static void become(const struct way_birth *in, char **command,
                   char *const *envp, int err)
{
  if (err >= 0)
    dup2(err, STDERR_FILENO);
  if (vtime_launch_in_child(in) == 0)
    execvpe(command[0], command, envp);
  fprintf(stderr, "vtime_run: %s: %s\n", command[0], strerror(errno));
  _exit(EXIT_OWN);
}

/* `err`: its stderr, -1: ours. */
static pid_t start(struct vtime *v, char **command, int err, struct diag *diag)
{
  struct way_birth *in;
  if (vtime_launch_open(v, &in, diag) < 0)
    return -1;
  char *const *envp = vtime_launch_environment(in, environ);
  pid_t pid = fork();
  if (pid == 0)
    become(in, command, envp, err);
  vtime_launch_wait(in);
  if (vtime_launch_done(v, in) < 0)
    diag_set(diag, "the filter cannot be put on the command");
  return pid;
}

/* As a harness that has other things to do as well: asleep by all that /proc
 * says, but not waiting by its seat. */
static void drain(struct vtime *v, struct pollfd *f)
{
  static const struct timespec other_things = {0, 2000000};
  char chunk[65536];
  clock_now_ns(vtime_clock(v));
  nanosleep(&other_things, NULL);
  if (read(f->fd, chunk, sizeof chunk) <= 0)
    f->fd = -1;
}

/* True: ended by us. `err`: what to drain, -1: nothing. */
static bool watch(struct vtime *v, pid_t pid, int err)
{
  int pidfd = pidfd_open(pid, 0);
  struct pollfd f[3] = {
      {pidfd, POLLIN, 0}, {vtime_fd(v), POLLIN, 0}, {err, POLLIN, 0}};
  bool ended = false;
  while (!f[0].revents) {
    clock_block_ns(vtime_clock(v), NO_DEADLINE);
    if (poll(f, 3, -1) < 0)
      continue;
    if (f[2].revents)
      drain(v, &f[2]);
    enum coordinator_event e = f[1].revents ? vtime_woken(v) : EVENT_NONE;
    if (e == EVENT_NONE || ended)
      continue;
    fprintf(stderr, "vtime_run: %s\n",
            e == EVENT_STALLED         ? "stalled"
            : e == EVENT_TOO_FAR       ? "too far"
            : e == EVENT_VIRTUAL_LIMIT ? "virtual limit"
                                       : "real limit");
    kill(pid, SIGKILL);
    ended = true;
  }
  close(pidfd);
  return ended;
}

/* Whoever is left of the command: children come to us. */
static void end_rest(void)
{
  char path[64], room[4096];
  int pid = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  for (;;) {
    struct bytes rest = proc_read(path, room, sizeof room);
    if (!table_child(&rest, &pid))
      return;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
  }
}

static double seconds(int64_t ns)
{
  return (double)ns / (double)NS_PER_S;
}

static void tell(const struct run *r, const struct vtime *v)
{
  struct vtime_report p;
  struct buf text;
  struct diag diag = {0};
  vtime_report(v, &p);
  if (!r->quiet)
    fprintf(
        stderr,
        "vtime_run: virtual %.6f real %.3f jumps %llu crept %.3f "
        "real-rate %.3f forced %.3f calls %llu held %llu reads %llu "
        "ptrace %llu copies %d exact %d\n",
        seconds(p.virtual_ns), seconds(p.real_ns), (unsigned long long)p.jumps,
        seconds(p.crept_ns), seconds(p.real_rate_ns), seconds(p.forced_ns),
        (unsigned long long)p.counts.calls, (unsigned long long)p.counts.held,
        (unsigned long long)p.counts.clock_reads,
        (unsigned long long)p.counts.ended, p.counts.copies,
        p.counts.signals_exact);
  for (size_t i = 0; !r->quiet && i < p.opaque->n; i++)
    fprintf(stderr, "vtime_run: opaque: %s %s: %s\n", p.opaque->seen[i].comm,
            p.opaque->seen[i].call, p.opaque->seen[i].why);
  if (!r->log)
    return;
  buf_init(&text, (size_t)64 << 20);
  jump_log_write(p.log, p.start_ns, &text);
  file_write(r->log, buf_bytes(&text), &diag);
  buf_release(&text);
}

static int go(const struct run *r, struct diag *diag)
{
  int status = 0;
  struct vtime_options o = {
      .wall_ns = r->at_s >= 0 ? (int64_t)(r->at_s * (double)NS_PER_S) : -1,
      .virtual_limit_ns = (int64_t)(r->limit_s * (double)NS_PER_S),
      .real_limit_ns = (int64_t)(r->real_limit_s * (double)NS_PER_S),
      .port = (uint16_t)r->port,
      .way = r->preload ? WAY_PRELOAD : WAY_SECCOMP,
      .no_getfd = r->no_getfd,
      .old_signals = r->old_signals};
  int err[2] = {-1, -1};
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  struct vtime *v = vtime_new(&o, diag);
  if (!v || vtime_start(v, diag) < 0)
    return EXIT_OWN;
  vtime_explain_on_signal(v, STDERR_FILENO);
  if (r->drain && pipe2(err, O_CLOEXEC) != 0)
    return EXIT_OWN;
  pid_t pid = start(v, r->command, err[1], diag);
  if (r->drain)
    close(err[1]);
  bool ended = !diag->set && watch(v, pid, err[0]);
  kill(pid, SIGKILL); /* not reaped yet: it is this one */
  waitpid(pid, &status, 0);
  vtime_stop(v);
  end_rest();
  tell(r, v);
  vtime_free(v);
  if (diag->set)
    return EXIT_OWN;
  if (ended)
    return EXIT_ENDED;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
  struct run r = {.at_s = -1, .real_limit_s = 60};
  struct diag diag = {0};
  char text[1800];
  char **words = mem_zalloc(((size_t)argc + 2) * sizeof *words);
  int rc = parse(&r, argv, words, &diag);
  rc = rc == 0 ? go(&r, &diag) : rc > 0 ? 0 : EXIT_OWN;
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "vtime_run: %s\n", text);
  }
  free(words);
  return rc;
}
