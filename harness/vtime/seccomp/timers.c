#include "harness/vtime/seccomp/timers.h"

#include "base/buf.h"

#include <errno.h>
#include <linux/kcmp.h>
#include <signal.h>
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
  timer->deadline_ns += periods * timer->interval_ns;
  timer->asked_ns = timer->interval_ns;
}

static void fire_posix(const struct vtimer *timer)
{
  siginfo_t si = {.si_signo = timer->signo, .si_code = SI_TIMER};
  if (!timer->signo)
    return;
  si.si_value.sival_ptr = (void *)(uintptr_t)timer->value;
  if (timer->tid)
    syscall(SYS_rt_tgsigqueueinfo, timer->tgid, timer->tid, timer->signo, &si);
  else
    syscall(SYS_rt_sigqueueinfo, timer->tgid, timer->signo, &si);
}

void timer_fire(const struct vtimer *timer)
{
  struct itimerspec at_once = {{0, 0}, {0, 1}};
  if (timer->kind == TIMER_FD)
    timerfd_settime(timer->fd, 0, &at_once, NULL);
  else if (timer->kind == TIMER_POSIX)
    fire_posix(timer);
  else
    kill(timer->tgid, SIGALRM);
}

bool timer_is_alive(const struct vtimer *timer)
{
  if (kill(timer->tgid, 0) != 0 && errno == ESRCH)
    return false;
  if (timer->kind != TIMER_FD)
    return true;
  long same =
      syscall(SYS_kcmp, getpid(), timer->tgid, KCMP_FILE, timer->fd, timer->id);
  return same == 0 || (same < 0 && errno != EBADF);
}

int64_t timer_left(const struct vtimer *timer, int64_t now_ns)
{
  if (timer->deadline_ns == NO_DEADLINE)
    return 0;
  return timer->deadline_ns > now_ns ? timer->deadline_ns - now_ns : 1;
}
