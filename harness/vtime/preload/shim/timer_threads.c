/*
 * Timers that start a thread at each end (SIGEV_THREAD). A helping thread
 * waits for the timer's signal, which is the one no client sees, and starts
 * the others; glibc does the same with signals of its own.
 */
#include "harness/vtime/preload/shim/timers.h"

#include <pthread.h>

/* Signals 32 and 33 are glibc's own (nptl(7)). */
#define LIBRARY_BITS (3UL << 31)
#define KICK_BIT (1UL << (BOARD_KICK - 1))

/* By the place of its timer on the board. */
static struct started {
  void (*function)(union sigval value);
  union sigval value;
  pthread_attr_t *attributes; /* NULL: the usual */
} started[BOARD_TIMERS];

static void *one_end(void *arg)
{
  const struct started *s = arg;
  unsigned long none = 0;
  S4(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
  s->function(s->value);
  return NULL;
}

static void start_one(struct started *s)
{
  pthread_t thread;
  if (REAL(pthread_create)(&thread, s->attributes, one_end, s) == 0)
    REAL(pthread_detach)(thread);
}

/* The coordinator's signal says SI_TIMER; that of timer_thread_end() does
 * not, and the timer is off the board by then. */
static void *help(void *arg)
{
  struct board_timer *t = arg;
  unsigned long kick = KICK_BIT;
  siginfo_t info;
  t->tid = (int32_t)S3(SYS_gettid, 0, 0, 0);
  for (;;) {
    long r = S4(SYS_rt_sigtimedwait, &kick, &info, NULL, sizeof kick);
    if (r == BOARD_KICK && info.si_code == SI_TIMER)
      start_one(&started[t - shim_board->timer]);
    else if (r == BOARD_KICK && info.si_code == SI_QUEUE)
      return NULL;
    else if (r == BOARD_KICK)
      shim_arm_due();
  }
}

int timer_thread_begin(struct board_timer *t, const struct sigevent *e)
{
  unsigned long all = ~LIBRARY_BITS, old;
  pthread_t thread;
  started[t - shim_board->timer] = (struct started){
      e->sigev_notify_function, e->sigev_value, e->sigev_notify_attributes};
  t->signo = BOARD_KICK;
  S4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof all);
  int rc = REAL(pthread_create)(&thread, NULL, help, t);
  S4(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, sizeof old);
  if (rc != 0)
    return rc;
  REAL(pthread_detach)(thread);
  while (__atomic_load_n(&t->tid, __ATOMIC_SEQ_CST) == 0)
    S3(SYS_sched_yield, 0, 0, 0);
  return 0;
}

void timer_thread_end(const struct board_timer *t)
{
  siginfo_t info = {.si_signo = BOARD_KICK, .si_code = SI_QUEUE};
  if (t->signo == BOARD_KICK)
    S4(SYS_rt_tgsigqueueinfo, t->pid, t->tid, BOARD_KICK, &info);
}
