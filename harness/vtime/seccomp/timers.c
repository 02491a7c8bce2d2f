#include "harness/vtime/seccomp/timers.h"

#include "base/buf.h"
#include "harness/vtime/proc.h"
#include "harness/vtime/seccomp/call.h"
#include "harness/vtime/table.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void close_copy(const struct vtimer *timer)
{
  if (timer->fd >= 0)
    close(timer->fd);
}

void timer_table_release(struct timer_table *t)
{
  for (size_t i = 0; i < t->n; i++)
    close_copy(&t->timer[i]);
  free(t->timer);
  *t = (struct timer_table){.n = 0};
}

struct vtimer *timer_add(struct timer_table *t, enum timer_kind kind, int tgid)
{
  if (t->n == t->cap) {
    t->cap = t->cap ? 2 * t->cap : 16;
    t->timer = mem_realloc(t->timer, t->cap * sizeof *t->timer);
  }
  struct vtimer *timer = &t->timer[t->n++];
  *timer = (struct vtimer){
      .kind = kind,
      .tgid = tgid,
      .id = kind == TIMER_POSIX ? TIMER_FIRST_ID + t->next_id++ : -1,
      .fd = -1,
      .deadline_ns = NO_DEADLINE};
  return timer;
}

void timer_drop(struct timer_table *t, struct vtimer *timer)
{
  close_copy(timer);
  *timer = t->timer[--t->n];
}

struct vtimer *timer_find(const struct timer_table *t, enum timer_kind kind,
                          int tgid, int id)
{
  for (size_t i = 0; i < t->n; i++)
    if (t->timer[i].kind == kind && t->timer[i].tgid == tgid &&
        t->timer[i].id == id)
      return &t->timer[i];
  return NULL;
}

void timer_exec(struct timer_table *t, int tgid)
{
  for (size_t i = t->n; i-- > 0;)
    if (t->timer[i].kind == TIMER_POSIX && t->timer[i].tgid == tgid)
      timer_drop(t, &t->timer[i]);
}

void timer_next(struct vtimer *timer, int64_t now_ns)
{
  if (timer->interval_ns <= 0) {
    timer->deadline_ns = NO_DEADLINE;
    return;
  }
  int64_t late = now_ns - timer->deadline_ns;
  int64_t periods = late > 0 ? late / timer->interval_ns + 1 : 1;
  timer->deadline_ns = ns_add(timer->deadline_ns, periods * timer->interval_ns);
  timer->asked_ns = timer->interval_ns;
}

/* A timer has one signal at a time (timer_getoverrun(2)). Another timer's of
 * the same number would be taken for it, which hardly anybody has. */
static bool is_pending(const struct vtimer *timer)
{
  char path[64], room[4096];
  uint64_t pending;
  if (timer->tid)
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", timer->tgid,
             timer->tid);
  else
    snprintf(path, sizeof path, "/proc/%d/status", timer->tgid);
  return table_hex(proc_read(path, room, sizeof room),
                   timer->tid ? "SigPnd:" : "ShdPnd:", &pending) &&
         (pending >> (timer->signo - 1) & 1);
}

static void fire_posix(struct vtimer *timer)
{
  siginfo_t si = {.si_signo = timer->signo, .si_code = SI_TIMER};
  if (!timer->signo)
    return;
  if (timer->sent && is_pending(timer)) {
    timer->overrun += timer->overrun < INT_MAX;
    return;
  }
  timer->sent = true;
  timer->overrun = 0;
  si.si_value.sival_ptr = (void *)(uintptr_t)timer->value;
  if (timer->tid)
    syscall(SYS_rt_tgsigqueueinfo, timer->tgid, timer->tid, timer->signo, &si);
  else
    syscall(SYS_rt_sigqueueinfo, timer->tgid, timer->signo, &si);
}

/* linux/timerfd.h: so many expirations are to be read. */
#define SET_TICKS _IOW('T', 0, uint64_t)

/* Nobody may have read the one before. A kernel that cannot be told the number
 * (CONFIG_CHECKPOINT_RESTORE) has one. */
static void fire_fd(const struct vtimer *timer)
{
  struct itimerspec at_once = {{0, 0}, {0, 1}};
  char path[48], room[1024];
  uint64_t ticks = 0;
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", timer->fd);
  table_decimal(proc_read(path, room, sizeof room), "ticks:", &ticks);
  ticks++;
  if (ioctl(timer->fd, SET_TICKS, &ticks) != 0)
    timerfd_settime(timer->fd, 0, &at_once, NULL);
}

void timer_fire(struct vtimer *timer)
{
  if (timer->kind == TIMER_FD)
    fire_fd(timer);
  else if (timer->kind == TIMER_POSIX)
    fire_posix(timer);
  else
    kill(timer->tgid, SIGALRM);
}

/* Timers end with their process, which may be a zombie for long. Its first
 * thread may be one while others run: `task` has a link more for each. */
static bool process_exists(int tgid)
{
  char path[48], room[1024];
  struct table_stat is;
  struct stat st;
  snprintf(path, sizeof path, "/proc/%d/stat", tgid);
  if (!table_stat(proc_read(path, room, sizeof room), &is))
    return false;
  snprintf(path, sizeof path, "/proc/%d/task", tgid);
  return is.state != 'Z' || (stat(path, &st) == 0 && st.st_nlink > 3);
}

static bool same_file(int tgid, int fd, int copy)
{
  return syscall(SYS_kcmp, getpid(), tgid, KCMP_FILE, copy, fd) == 0;
}

/* True when the kernel does not say. */
static bool still_means(const struct vtimer *timer)
{
  long rc =
      syscall(SYS_kcmp, getpid(), timer->tgid, KCMP_FILE, timer->fd, timer->id);
  return rc == 0 || (rc < 0 && errno != EBADF && errno != ESRCH);
}

/* Which of its descriptors is our copy's file; -1: none. */
static int descriptor_in(int tgid, int copy)
{
  char path[48], target[32];
  int fd, found = -1;
  snprintf(path, sizeof path, "/proc/%d/fd", tgid);
  DIR *d = opendir(path);
  for (struct dirent *e; d && found < 0 && (e = readdir(d)) != NULL;) {
    struct bytes name = bytes_of(e->d_name);
    ssize_t n = readlinkat(dirfd(d), e->d_name, target, sizeof target);
    struct bytes is = {target, n > 0 ? (size_t)n : 0};
    if (bytes_equal(is, BYTES("anon_inode:[timerfd]")) &&
        table_child(&name, &fd) && same_file(tgid, fd, copy))
      found = fd;
  }
  if (d)
    closedir(d);
  return found;
}

/* Rare, so that all processes may be asked; strangers do not let us. */
static bool find_owner(struct vtimer *timer)
{
  DIR *d = opendir("/proc");
  int tgid, fd = -1;
  for (struct dirent *e; d && fd < 0 && (e = readdir(d)) != NULL;) {
    struct bytes name = bytes_of(e->d_name);
    if (!table_child(&name, &tgid) || tgid == getpid())
      continue;
    fd = descriptor_in(tgid, timer->fd);
    if (fd >= 0) {
      timer->tgid = tgid;
      timer->id = fd;
    }
  }
  if (d)
    closedir(d);
  return fd >= 0;
}

bool timer_is_alive(struct vtimer *timer)
{
  bool there = process_exists(timer->tgid);
  if (timer->kind != TIMER_FD)
    return there;
  return (there && still_means(timer)) || find_owner(timer);
}

struct vtimer *timer_of_file(const struct timer_table *t, int copy)
{
  for (size_t i = 0; i < t->n; i++)
    if (t->timer[i].kind == TIMER_FD &&
        same_file(getpid(), t->timer[i].fd, copy))
      return &t->timer[i];
  return NULL;
}

int64_t timer_left(const struct vtimer *timer, int64_t now_ns)
{
  if (timer->deadline_ns == NO_DEADLINE)
    return 0;
  return timer->deadline_ns > now_ns ? timer->deadline_ns - now_ns : 1;
}
