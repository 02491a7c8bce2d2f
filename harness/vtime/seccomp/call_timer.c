/* alarm, setitimer(ITIMER_REAL) and POSIX timers. */
#include "harness/vtime/seccomp/backend.h"

#include "harness/vtime/table.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

static void arm(struct backend *b, struct vtimer *t, int64_t ns,
                int64_t interval_ns)
{
  t->interval_ns = interval_ns;
  t->sent = false;
  t->overrun = 0;
  t->asked_ns = ns;
  t->deadline_ns = ns > 0 ? ns_add(backend_now(b), ns) : NO_DEADLINE;
}

/* ---- the interval timer of a process ---- */

static struct vtimer *interval_of(struct backend *b, int tgid)
{
  struct vtimer *t = timer_find(&b->timers, TIMER_INTERVAL, tgid, -1);
  return t ? t : timer_add(&b->timers, TIMER_INTERVAL, tgid);
}

struct reply call_alarm(struct backend *b, const struct call *c)
{
  struct vtimer *t = interval_of(b, c->tgid);
  int64_t left = timer_left(t, backend_now(b));
  arm(b, t, (int64_t)(uint32_t)c->arg[0] * NS_PER_S, 0);
  /* rounded, but never to 0 while armed: kernel/time/itimer.c */
  int64_t s = (left + NS_PER_S / 2) / NS_PER_S;
  return REPLY_WITH(left && s == 0 ? 1 : s);
}

static void put_itimerval(struct backend *b, const struct call *c,
                          uint64_t address, const struct vtimer *t)
{
  if (!address)
    return;
  memory_put_timeval(c->tid, address, t->interval_ns);
  memory_put_timeval(c->tid, address + sizeof(struct timeval),
                     timer_left(t, backend_now(b)));
}

struct reply call_setitimer(struct backend *b, const struct call *c)
{
  int64_t interval = 0, ns = 0;
  if (c->arg[0] != ITIMER_REAL)
    return REPLY_GO_ON; /* CPU time */
  if (c->arg[1] &&
      (!memory_timeval(c->tid, c->arg[1], &interval) ||
       !memory_timeval(c->tid, c->arg[1] + sizeof(struct timeval), &ns)))
    return REPLY_GO_ON;
  struct vtimer *t = interval_of(b, c->tgid);
  put_itimerval(b, c, c->arg[2], t);
  arm(b, t, ns, interval);
  return REPLY_WITH(0);
}

struct reply call_getitimer(struct backend *b, const struct call *c)
{
  if (c->arg[0] != ITIMER_REAL)
    return REPLY_GO_ON;
  put_itimerval(b, c, c->arg[1], interval_of(b, c->tgid));
  return REPLY_WITH(0);
}

/* ---- POSIX timers ---- */

/* struct sigevent as the kernel reads it (sigevent(3type)). */
struct event {
  uint64_t value;
  int32_t signo, notify, tid;
};

/* Its number outside. A client in a PID namespace of its own names threads
 * by theirs, which is the last of NSpid (proc(5)). */
static bool is_thread(int tgid, int tid, int named)
{
  char path[64], room[4096];
  struct bytes text;
  uint64_t last;
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", tgid, tid);
  text = proc_read(path, room, sizeof room);
  if (!table_last(text, "NSpid:", &last))
    return tid == named;
  return last == (uint64_t)named;
}

static int thread_of(int tgid, int named)
{
  char path[48];
  int tid, found = 0;
  snprintf(path, sizeof path, "/proc/%d/task", tgid);
  DIR *d = opendir(path);
  for (struct dirent *e; d && !found && (e = readdir(d)) != NULL;) {
    struct bytes name = bytes_of(e->d_name);
    if (table_child(&name, &tid) && is_thread(tgid, tid, named))
      found = tid;
  }
  if (d)
    closedir(d);
  return found;
}

/* As the kernel looks at it (good_sigevent of kernel/time/posix-timers.c).
 * False: the kernel says what is wrong. */
static bool take_event(const struct call *c, struct event *e)
{
  *e = (struct event){0, SIGALRM, SIGEV_SIGNAL, 0};
  if (c->arg[1] && !memory_get(c->tid, c->arg[1], e, sizeof *e))
    return false;
  int tid = e->notify == SIGEV_THREAD_ID ? thread_of(c->tgid, e->tid) : 0;
  bool known = e->notify == SIGEV_NONE || e->notify == SIGEV_SIGNAL ||
               e->notify == SIGEV_THREAD || tid;
  e->tid = tid;
  return known &&
         (e->notify == SIGEV_NONE || (e->signo > 0 && e->signo < NSIG));
}

struct reply call_timer_create(struct backend *b, const struct call *c)
{
  struct event e;
  if (!clock_can_wait((clockid_t)c->arg[0]) || !take_event(c, &e))
    return REPLY_GO_ON; /* CPU time, or the kernel says what is wrong */
  struct vtimer *t = timer_add(&b->timers, TIMER_POSIX, c->tgid);
  t->clk = (clockid_t)c->arg[0];
  t->signo = e.notify == SIGEV_NONE ? 0 : e.signo;
  t->tid = e.tid;
  t->value = c->arg[1] ? e.value : (uint64_t)t->id;
  int id = t->id;
  if (memory_put(c->tid, c->arg[2], &id, sizeof id))
    return REPLY_WITH(0);
  timer_drop(&b->timers, t);
  return REPLY_WITH(-EFAULT);
}

static struct vtimer *posix_of(struct backend *b, const struct call *c)
{
  return timer_find(&b->timers, TIMER_POSIX, c->tgid, (int)c->arg[0]);
}

static void put_itimerspec(struct backend *b, const struct call *c,
                           uint64_t address, const struct vtimer *t)
{
  if (!address)
    return;
  memory_put_timespec(c->tid, address, t->interval_ns);
  memory_put_timespec(c->tid, address + sizeof(struct timespec),
                      timer_left(t, backend_now(b)));
}

struct reply call_timer_settime(struct backend *b, const struct call *c)
{
  struct vtimer *t = posix_of(b, c);
  int64_t interval, ns;
  if (!t || !memory_timespec(c->tid, c->arg[2], &interval) ||
      !memory_timespec(c->tid, c->arg[2] + sizeof(struct timespec), &ns))
    return REPLY_GO_ON;
  put_itimerspec(b, c, c->arg[3], t);
  bool absolute = ns && ns != NO_DEADLINE && (c->arg[1] & TIMER_ABSTIME);
  if (absolute) {
    ns -= vtime_page_offset_ns(b->page, t->clk) + backend_now(b);
    ns = ns > 0 ? ns : 1; /* in the past: at once */
  }
  arm(b, t, ns, interval);
  return REPLY_WITH(0);
}

struct reply call_timer_gettime(struct backend *b, const struct call *c)
{
  struct vtimer *t = posix_of(b, c);
  if (!t)
    return REPLY_GO_ON;
  put_itimerspec(b, c, c->arg[1], t);
  return REPLY_WITH(0);
}

struct reply call_timer_getoverrun(struct backend *b, const struct call *c)
{
  const struct vtimer *t = posix_of(b, c);
  return t ? REPLY_WITH(t->overrun) : REPLY_GO_ON;
}

struct reply call_timer_delete(struct backend *b, const struct call *c)
{
  struct vtimer *t = posix_of(b, c);
  if (!t)
    return REPLY_GO_ON;
  timer_drop(&b->timers, t);
  return REPLY_WITH(0);
}
