/* The timers of the board: signals, and descriptors that get readable. */
#include "harness/vtime/preload/preload.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* The first thread may have ended before the others: then it is a zombie in a
 * folder of more than one (proc(5); 2 for the folder itself). */
static bool process_alive(int pid)
{
  char path[48];
  struct stat st;
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  return preload_alive(pid, pid) ||
         (stat(path, &st) == 0 && st.st_nlink > 2 + 1);
}

void preload_offer_timers(struct preload *p, struct way_next *n)
{
  static const char *const name[] = {"setitimer", "timer_settime",
                                     "timerfd_settime"};
  for (int i = 0; i < BOARD_TIMERS; i++) {
    struct board_timer *t = &p->board->timer[i];
    if (t->state == TIMER_FREE || t->state == TIMER_BUSY)
      continue;
    if (!process_alive(t->pid))
      t->state = TIMER_FREE;
    else if (t->state == TIMER_ON && t->deadline_ns < n->deadline_ns)
      *n = (struct way_next){t->deadline_ns, t->asked_ns, t->pid,
                             t->tid ? t->tid : t->pid, name[t->kind]};
  }
}

/* ---- the end ---- */

static void send_signal(const struct board_timer *t)
{
  siginfo_t si;
  memset(&si, 0, sizeof si);
  si.si_signo = t->signo;
  si.si_code = SI_TIMER;
  si.si_value.sival_ptr = (void *)(uintptr_t)t->value;
  if (!t->signo)
    return;
  if (t->tid)
    syscall(SYS_rt_tgsigqueueinfo, t->pid, t->tid, t->signo, &si);
  else
    syscall(SYS_rt_sigqueueinfo, t->pid, t->signo, &si);
}

/* -1: its descriptors cannot be copied. */
static int arm_copy(struct preload *p, const struct board_timer *t)
{
  static const struct itimerspec at_once = {{0, 0}, {0, 1}};
  int pidfd = p->no_getfd ? -1 : (int)syscall(SYS_pidfd_open, t->pid, 0);
  int copy = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, t->id, 0);
  int rc = copy < 0 ? -1 : timerfd_settime(copy, 0, &at_once, NULL);
  if (copy >= 0)
    close(copy);
  else
    p->no_getfd = true;
  if (pidfd >= 0)
    close(pidfd);
  return rc;
}

/* Exec has deleted it, or closed it where nobody saw that; the program that
 * is there now would be ended by the signal. */
static bool is_over(const struct board_timer *t)
{
  bool tells = t->kind == TIMER_FD || (t->kind == TIMER_POSIX && t->signo);
  return tells && preload_alive(t->pid, t->pid) &&
         !preload_has_object(t->pid, t->pid);
}

static void fire(struct preload *p, struct board_timer *t)
{
  if (t->kind == TIMER_INTERVAL) {
    kill(t->pid, SIGALRM);
  } else if (t->kind == TIMER_POSIX) {
    send_signal(t);
  } else if (arm_copy(p, t) < 0) {
    t->due = 1; /* its process does it, in the handler */
    kill(t->pid, BOARD_KICK);
  }
}

static void next_end(struct board_timer *t, int64_t now)
{
  if (t->interval_ns <= 0) {
    t->deadline_ns = NO_DEADLINE;
    return;
  }
  int64_t periods = (now - t->deadline_ns) / t->interval_ns + 1;
  t->deadline_ns += periods * t->interval_ns;
  t->asked_ns = t->interval_ns;
}

void preload_fire_due(struct preload *p)
{
  int64_t now = vtime_page_now_ns(p->page);
  for (int i = 0; i < BOARD_TIMERS; i++) {
    struct board_timer *t = &p->board->timer[i];
    uint32_t on = TIMER_ON;
    if (t->state != TIMER_ON || t->deadline_ns > now ||
        !atomic_compare_exchange_strong(&t->state, &on, TIMER_BUSY))
      continue;
    bool over = t->deadline_ns <= now && is_over(t);
    if (t->deadline_ns <= now && !over) {
      fire(p, t);
      next_end(t, now);
    }
    t->state = over                            ? TIMER_FREE
               : t->deadline_ns == NO_DEADLINE ? TIMER_OFF
                                               : TIMER_ON;
  }
}
