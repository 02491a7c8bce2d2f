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

/* Of the helping thread: its timer's place may be another's by then. */
struct started {
  struct board_timer *timer;
  void (*function)(union sigval value);
  union sigval value;
  pthread_attr_t *attributes; /* NULL: the usual */
  _Atomic int read;           /* the copy is made */
};

static void *one_end(void *arg)
{
  struct started *s = arg, copy = *s;
  unsigned long none = 0;
  s->read = 1;
  S4(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
  copy.function(copy.value);
  return NULL;
}

static void start_one(struct started *s)
{
  pthread_t thread;
  s->read = 0;
  if (REAL(pthread_create)(&thread, s->attributes, one_end, s) != 0)
    return;
  REAL(pthread_detach)(thread);
  while (!s->read)
    S3(SYS_sched_yield, 0, 0, 0);
}

/* The coordinator's signal says SI_TIMER; that of timer_thread_end() does
 * not. */
static void *help(void *arg)
{
  struct started own = *(const struct started *)arg;
  struct board_timer *t = own.timer;
  unsigned long kick = KICK_BIT;
  siginfo_t info;
  t->tid = (int32_t)S3(SYS_gettid, 0, 0, 0);
  for (;;) {
    long r = S4(SYS_rt_sigtimedwait, &kick, &info, NULL, sizeof kick);
    if (r == BOARD_KICK && info.si_code == SI_TIMER)
      start_one(&own);
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
  struct started s = {t, e->sigev_notify_function, e->sigev_value,
                      e->sigev_notify_attributes, 0};
  t->signo = BOARD_KICK;
  S4(SYS_rt_sigprocmask, SIG_SETMASK, &all, &old, sizeof all);
  int rc = REAL(pthread_create)(&thread, NULL, help, &s);
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
