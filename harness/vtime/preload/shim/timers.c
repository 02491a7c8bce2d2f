/* alarm, setitimer and POSIX timers: the coordinator sends their signals. */
#include "harness/vtime/preload/shim/timers.h"

#include <linux/futex.h>
#include <sys/time.h>

bool timer_is_own(const struct board_timer *t, int kind, int pid)
{
  return t->state != TIMER_FREE && t->pid == pid && t->kind == kind;
}

struct board_timer *timer_find(int kind, int id)
{
  int pid = shim_pid();
  for (int i = 0; i < BOARD_TIMERS; i++) {
    struct board_timer *t = &shim_board->timer[i];
    if (timer_is_own(t, kind, pid) && t->id == id)
      return t;
  }
  return NULL;
}

/* A signal handler must not find a timer that is being written: it would wait
 * for the thread it interrupts. */
static unsigned long block_signals(void)
{
  unsigned long all = ~0UL, old = 0;
  S4(SYS_rt_sigprocmask, SIG_BLOCK, &all, &old, sizeof all);
  return old;
}

static void unblock_signals(unsigned long old)
{
  S4(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, sizeof old);
}

static struct board_timer *make(int kind, int id)
{
  for (int i = 0; i < BOARD_TIMERS; i++) {
    struct board_timer *t = &shim_board->timer[i];
    uint32_t none = TIMER_FREE;
    if (!atomic_compare_exchange_strong(&t->state, &none, TIMER_BUSY))
      continue;
    t->kind = kind;
    t->pid = shim_pid();
    t->id = id;
    t->tid = t->signo = t->clk = 0;
    t->due = 0;
    t->value = 0;
    t->deadline_ns = SHIM_EVER;
    t->interval_ns = t->asked_ns = 0;
    t->state = TIMER_OFF;
    return t;
  }
  return NULL;
}

struct board_timer *timer_make(int kind, int id)
{
  unsigned long old = block_signals();
  struct board_timer *t = make(kind, id);
  unblock_signals(old);
  if (!t)
    shim_give_up(GIVEN_UP_TIMERS);
  return t;
}

/* The coordinator keeps it for microseconds, or has freed it. */
static unsigned long take(struct board_timer *t)
{
  unsigned long old = block_signals();
  while (t->state != TIMER_FREE) {
    uint32_t on = TIMER_ON, off = TIMER_OFF;
    if (atomic_compare_exchange_strong(&t->state, &on, TIMER_BUSY) ||
        atomic_compare_exchange_strong(&t->state, &off, TIMER_BUSY))
      break;
    S3(SYS_sched_yield, 0, 0, 0);
  }
  return old;
}

static void give_back(struct board_timer *t, unsigned long old)
{
  if (t->state == TIMER_BUSY)
    t->state = t->deadline_ns == SHIM_EVER ? TIMER_OFF : TIMER_ON;
  unblock_signals(old);
}

void timer_free(struct board_timer *t)
{
  unsigned long old = take(t);
  t->state = TIMER_FREE;
  unblock_signals(old);
}

struct timer_left timer_get(struct board_timer *t)
{
  struct timer_left left = {0, 0};
  if (!t)
    return left;
  unsigned long old = take(t);
  if (t->deadline_ns != SHIM_EVER) {
    left.ns = t->deadline_ns - shim_now();
    left.ns = left.ns > 0 ? left.ns : 1000; /* 0 would say that it is off */
  }
  left.interval_ns = t->interval_ns;
  give_back(t, old);
  return left;
}

void timer_arm(struct board_timer *t, int64_t deadline_ns, int64_t interval_ns)
{
  unsigned long old = take(t);
  t->deadline_ns = deadline_ns;
  t->interval_ns = interval_ns;
  t->asked_ns = deadline_ns == SHIM_EVER ? 0 : deadline_ns - shim_now();
  t->due = 0;
  give_back(t, old);
}

int64_t timer_deadline(clockid_t id, bool absolute, const struct timespec *t)
{
  int64_t ns = shim_ns(t);
  if (ns == 0)
    return SHIM_EVER;
  return absolute ? shim_deadline(id, t) : shim_add(shim_now(), ns);
}

/* ---- alarm and setitimer ---- */

static int64_t of_timeval(const struct timeval *t)
{
  return shim_seconds(t->tv_sec, t->tv_usec * 1000);
}

static bool is_valid(const struct timeval *t)
{
  return t->tv_sec >= 0 && t->tv_usec >= 0 && t->tv_usec < 1000000;
}

static void put_interval(struct timer_left left, struct itimerval *ret)
{
  ret->it_value =
      (struct timeval){left.ns / NS_PER_S, left.ns % NS_PER_S / 1000};
  ret->it_interval = (struct timeval){left.interval_ns / NS_PER_S,
                                      left.interval_ns % NS_PER_S / 1000};
}

EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict v,
                     struct itimerval *restrict old)
{
  if (!shim_on() || which != ITIMER_REAL || !v)
    return (int)shim_result(S3(SYS_setitimer, which, v, old));
  if (!is_valid(&v->it_value) || !is_valid(&v->it_interval))
    return (int)shim_result(-EINVAL);
  struct board_timer *t = timer_find(TIMER_INTERVAL, 0);
  int64_t ns = of_timeval(&v->it_value);
  if (old)
    put_interval(timer_get(t), old);
  if (!t && ns)
    t = timer_make(TIMER_INTERVAL, 0);
  if (!t)
    return ns ? (int)shim_result(S3(SYS_setitimer, which, v, NULL)) : 0;
  timer_arm(t, ns ? shim_add(shim_now(), ns) : SHIM_EVER,
            of_timeval(&v->it_interval));
  return 0;
}

EXPORT int getitimer(__itimer_which_t which, struct itimerval *ret)
{
  if (!shim_on() || which != ITIMER_REAL)
    return (int)shim_result(S3(SYS_getitimer, which, ret, 0));
  put_interval(timer_get(timer_find(TIMER_INTERVAL, 0)), ret);
  return 0;
}

/* What is left to the nearest second, but not 0 (kernel/time/itimer.c). */
EXPORT unsigned alarm(unsigned s)
{
  struct itimerval v = {{0, 0}, {s, 0}}, old = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &v, &old);
  unsigned left = (unsigned)old.it_value.tv_sec;
  if (old.it_value.tv_usec >= 500000 || (left == 0 && old.it_value.tv_usec))
    left++;
  return left;
}

/* ---- POSIX timers ---- */

/* Ids of ours; the kernel's are small numbers, glibc's of threads have their
 * highest bit set. */
#define FIRST_ID 0x56540000L

static struct board_timer *by_id(timer_t id)
{
  long i = (long)id - FIRST_ID;
  if (!shim_on() || i < 0 || i >= BOARD_TIMERS ||
      !timer_is_own(&shim_board->timer[i], TIMER_POSIX, shim_pid()))
    return NULL;
  return &shim_board->timer[i];
}

static int set_end(struct board_timer *t, const struct sigevent *e, timer_t id)
{
  t->signo = SIGALRM;
  t->value = (uint64_t)id;
  if (!e)
    return 0;
  t->signo = e->sigev_notify == SIGEV_NONE ? 0 : e->sigev_signo;
  t->value = (uint64_t)e->sigev_value.sival_ptr;
  if (e->sigev_notify == SIGEV_THREAD_ID)
    t->tid = e->_sigev_un._tid; /* sigev_notify_thread_id of the kernel */
  return e->sigev_notify == SIGEV_THREAD ? timer_thread_begin(t, e) : 0;
}

EXPORT int timer_create(clockid_t id, struct sigevent *restrict e,
                        timer_t *restrict ret)
{
  bool ours = shim_on() && vtime_page_has(id);
  struct board_timer *t = ours ? timer_make(TIMER_POSIX, 0) : NULL;
  if (!t)
    return REAL(timer_create)(id, e, ret);
  *ret = (timer_t)(FIRST_ID + (t - shim_board->timer));
  t->clk = id;
  int error = set_end(t, e, *ret);
  if (error)
    timer_free(t);
  return (int)shim_result(-error);
}

static void put_spec(struct timer_left left, struct itimerspec *ret)
{
  shim_put(left.ns, &ret->it_value);
  shim_put(left.interval_ns, &ret->it_interval);
}

EXPORT int timer_settime(timer_t id, int flags,
                         const struct itimerspec *restrict v,
                         struct itimerspec *restrict old)
{
  struct board_timer *t = by_id(id);
  if (!t)
    return REAL(timer_settime)(id, flags, v, old);
  if (!shim_valid(&v->it_value) || !shim_valid(&v->it_interval))
    return (int)shim_result(-EINVAL);
  if (old)
    put_spec(timer_get(t), old);
  timer_arm(t, timer_deadline(t->clk, flags & TIMER_ABSTIME, &v->it_value),
            shim_ns(&v->it_interval));
  return 0;
}

EXPORT int timer_gettime(timer_t id, struct itimerspec *ret)
{
  struct board_timer *t = by_id(id);
  if (!t)
    return REAL(timer_gettime)(id, ret);
  put_spec(timer_get(t), ret);
  return 0;
}

EXPORT int timer_getoverrun(timer_t id)
{
  return by_id(id) ? 0 : REAL(timer_getoverrun)(id);
}

EXPORT int timer_delete(timer_t id)
{
  struct board_timer *t = by_id(id);
  if (!t)
    return REAL(timer_delete)(id);
  timer_thread_end(t);
  timer_free(t);
  return 0;
}
