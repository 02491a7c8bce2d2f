/* Deadlines: whose is the next, and what to do when it has come. */
#include "harness/vtime/seccomp/backend.h"

#include "harness/vtime/table.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- threads in the kernel ---- */

static bool read_in(const struct call *c, const char *file, char *room,
                    size_t size, struct bytes *ret)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", c->tgid, c->tid, file);
  *ret = proc_read(path, room, size);
  return ret->n > 0;
}

/* Having been stopped it may be there under another number. */
static bool is_wait(const struct kernel_wait *k, int nr, const uint64_t arg[6])
{
  return (nr == k->call.nr || nr == SYS_restart_syscall) &&
         memcmp(arg, k->call.arg, sizeof k->call.arg) == 0;
}

static bool in_call(const struct kernel_wait *k)
{
  char room[256];
  struct bytes text;
  struct table_call now;
  return read_in(&k->call, "syscall", room, sizeof room, &text) &&
         table_call(text, &now) && is_wait(k, now.nr, now.arg);
}

static bool is_stopped(const struct kernel_wait *k)
{
  char room[1024];
  struct bytes text;
  struct table_stat st;
  return read_in(&k->call, "stat", room, sizeof room, &text) &&
         table_stat(text, &st) && st.state == 'T';
}

/* It was told to us: the thread has made no other such call since. Those of a
 * socket are not told. */
static bool is_told(const struct kernel_wait *k)
{
  return k->call.id != 0;
}

/* It ran, but to be stopped, or was woken for nothing: the wait is not over. */
static bool goes_on(const struct kernel_wait *k)
{
  return (is_told(k) || is_stopped(k)) && in_call(k);
}

static bool still_asleep(const struct kernel_wait *k)
{
  char room[128];
  struct bytes text;
  int64_t switches;
  return k->asleep &&
         read_in(&k->call, "schedstat", room, sizeof room, &text) &&
         table_switches(text, &switches) && switches == k->switches;
}

static struct call call_of(int pid, int tid, const struct table_call *t)
{
  struct call c = {.tid = tid, .tgid = pid, .nr = t->nr};
  memcpy(c.arg, t->arg, sizeof c.arg);
  return c;
}

static void fell_asleep(struct kernel_wait *k, int64_t switches)
{
  k->asleep = true;
  k->switches = switches;
}

/* A call we let go on, now asleep. */
static bool is_known(struct backend *b, const struct call *c, int64_t switches)
{
  struct kernel_wait *k = kernel_wait_of(&b->waits, c->tid);
  if (!k || !is_wait(k, c->nr, c->arg) ||
      (k->asleep && k->switches != switches && c->nr == k->call.nr &&
       !is_told(k)))
    return false;
  fell_asleep(k, switches);
  return true;
}

/* A call on a socket with a time-out we keep. */
static bool is_on_socket(struct backend *b, const struct call *c,
                         const struct table_call *t, int64_t switches)
{
  bool sends = false;
  int fd = b->waits.ntimeouts ? socket_call_fd(t, &sends) : -1;
  int64_t ns =
      fd < 0 ? 0
             : socket_timeout_of(&b->waits, socket_inode(c->tid, fd), sends);
  if (ns <= 0)
    return false;
  struct kernel_wait *k = kernel_wait_add(&b->waits, c);
  k->asked_ns = ns;
  k->deadline_ns = ns_add(backend_now(b), ns);
  /* socket(7), SO_RCVTIMEO and SO_SNDTIMEO */
  k->result = c->nr == SYS_connect ? -EINPROGRESS : -EAGAIN;
  fell_asleep(k, switches);
  return true;
}

static struct hold *held(const struct backend *b, int tid)
{
  size_t i;
  struct hold *h = hold_of(&b->holds, tid, &i);
  return h && !h->gone ? h : NULL;
}

bool backend_sees_signal(void *arg, int tid)
{
  struct hold *h = held(arg, tid);
  if (h)
    h->signalled = true;
  return h || waits_for_vfork(tid);
}

bool backend_is_opaque(void *arg, int pid, const struct proc_thread *t)
{
  struct backend *b = arg;
  struct table_call now;
  char path[64], room[256];
  if (backend_is_lost(b, pid))
    return true;
  if (held(b, t->tid))
    return false;
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, t->tid);
  struct bytes text = proc_read(path, room, sizeof room);
  if (text.n == 0 && access(path, F_OK) == 0) {
    backend_lost(b, pid, "it does not let itself be looked into");
    return true;
  }
  if (!table_call(text, &now))
    return false;
  struct call c = call_of(pid, t->tid, &now);
  if (is_known(b, &c, t->switches) || is_on_socket(b, &c, &now, t->switches))
    return false;
  return opaque_call(&now);
}

void backend_note_opaque(struct backend *b, int pid, int tid)
{
  struct table_call now;
  char path[64], room[256], comm[17];
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, tid);
  proc_comm(tid, comm);
  if (table_call(proc_read(path, room, sizeof room), &now))
    opaque_note(&b->opaque, pid, comm, opaque_call_name(now.nr),
                "a wait that is not emulated");
}

/* Before the kernel's own end of a wait by so much, virtual time is taken to
 * the deadline: a coordinator that waits for a CPU must not be late. */
#define FLOOR_AHEAD_NS (20 * NS_PER_MS)

int64_t backend_floor(struct backend *b, int64_t real_ns)
{
  int64_t floor = 0;
  for (size_t i = b->waits.n; i-- > 0;) {
    const struct kernel_wait *k = &b->waits.wait[i];
    if (k->kernel_end_ns == NO_DEADLINE ||
        k->kernel_end_ns - FLOOR_AHEAD_NS > real_ns)
      continue;
    if (!in_call(k))
      kernel_wait_drop(&b->waits, i);
    else if (k->deadline_ns > floor)
      floor = k->deadline_ns;
  }
  return floor;
}

/* ---- the next deadline ---- */

static void offer(struct backend_next *n, int64_t deadline_ns, int64_t asked_ns,
                  const struct call *c, const char *name)
{
  if (deadline_ns >= n->deadline_ns)
    return;
  *n = (struct backend_next){deadline_ns, asked_ns, c->tgid, c->tid, name};
}

static void offer_timers(struct backend *b, struct backend_next *n)
{
  static const char *const name[] = {"setitimer", "timer_settime",
                                     "timerfd_settime"};
  for (size_t i = b->timers.n; i-- > 0;) {
    struct vtimer *t = &b->timers.timer[i];
    struct call owner = {.tid = t->tid ? t->tid : t->tgid, .tgid = t->tgid};
    if (t->deadline_ns == NO_DEADLINE || t->deadline_ns >= n->deadline_ns)
      continue;
    if (timer_is_alive(t))
      offer(n, t->deadline_ns, t->asked_ns, &owner, name[t->kind]);
    else
      timer_drop(&b->timers, t);
  }
}

struct backend_next backend_first(struct backend *b)
{
  struct backend_next n = {.deadline_ns = NO_DEADLINE};
  const char *name;
  for (size_t i = 0; i < b->holds.n; i++) {
    const struct hold *h = b->holds.hold[i];
    name = opaque_call_name(h->call.nr);
    if (!h->gone)
      offer(&n, ns_add(h->deadline_ns, h->slack_ns), h->asked_ns, &h->call,
            name);
  }
  offer_timers(b, &n);
  for (size_t i = b->waits.n; i-- > 0;) {
    const struct kernel_wait *k = &b->waits.wait[i];
    name = kernel_wait_name(k->call.nr);
    if (!k->asleep)
      continue;
    if (still_asleep(k))
      offer(&n, k->deadline_ns, k->asked_ns, &k->call, name);
    else if (goes_on(k))
      b->waits.wait[i].asleep = false;
    else
      kernel_wait_drop(&b->waits, i);
  }
  return n;
}

static bool is_housekeeping(const struct backend *b, int tid)
{
  char comm[17];
  proc_comm(tid, comm);
  return rule_is_housekeeping(b->housekeeping, comm);
}

int64_t backend_ends(struct backend *b)
{
  struct backend_next first = {.deadline_ns = NO_DEADLINE};
  for (size_t i = 0; i < b->holds.n; i++) {
    const struct hold *h = b->holds.hold[i];
    if (!h->gone && h->deadline_ns < first.deadline_ns &&
        !is_housekeeping(b, h->call.tid))
      first.deadline_ns = h->deadline_ns;
  }
  for (size_t i = 0; i < b->waits.n; i++) {
    const struct kernel_wait *k = &b->waits.wait[i];
    if (k->asleep && k->deadline_ns < first.deadline_ns &&
        !is_housekeeping(b, k->call.tid))
      first.deadline_ns = k->deadline_ns;
  }
  offer_timers(b, &first);
  return first.deadline_ns;
}

/* ---- the end ---- */

/* Housekeepers wake together, at the first jump that finds one of them late
 * by half of what it may be: waking all that are due at every jump costs more
 * than the jump, and at their own time they would need one for themselves. */
static bool housekeepers_wake(const struct backend *b, int64_t now)
{
  for (size_t i = 0; i < b->holds.n; i++) {
    const struct hold *h = b->holds.hold[i];
    if (h->slack_ns && !h->gone &&
        ns_add(h->deadline_ns, h->slack_ns / 2) <= now)
      return true;
  }
  return false;
}

static size_t end_holds(struct backend *b, int64_t now)
{
  size_t done = 0;
  bool all = housekeepers_wake(b, now);
  for (size_t i = b->holds.n; i-- > 0;) {
    const struct hold *h = b->holds.hold[i];
    if (h->gone || h->deadline_ns > now || (h->slack_ns && !all))
      continue;
    backend_end(b, i, hold_expired(h));
    done++;
  }
  return done;
}

static size_t fire_timers(struct backend *b, int64_t now)
{
  size_t done = 0;
  for (size_t i = b->timers.n; i-- > 0;) {
    struct vtimer *t = &b->timers.timer[i];
    if (t->deadline_ns > now)
      continue;
    timer_fire(t);
    timer_next(t, now);
    done++;
  }
  return done;
}

static void end_one(struct backend *b, const struct kernel_wait *k)
{
  struct kernel_waits *w = &b->waits;
  switch (kernel_wait_end(k)) {
  case KERNEL_WAIT_ENDED:
    b->counts.ended++;
    break;
  case KERNEL_WAIT_OVER:
    break;
  case KERNEL_WAIT_TRACED:
    backend_lost(b, k->call.tgid,
                 "a debugger has it, so that a wait could not be ended");
    break;
  case KERNEL_WAIT_STUCK:
    w->stuck = mem_realloc(w->stuck, (w->nstuck + 1) * sizeof *w->stuck);
    w->stuck[w->nstuck++] = k->call.tid;
    backend_lost(b, k->call.tgid, "a wait of it could not be ended");
    break;
  }
}

static void let_go(struct kernel_waits *w)
{
  for (size_t i = w->nstuck; i-- > 0;)
    if (kernel_wait_let_go(w->stuck[i]))
      w->stuck[i] = w->stuck[--w->nstuck];
}

static size_t end_kernel_waits(struct backend *b, int64_t now)
{
  size_t done = 0;
  for (size_t i = b->waits.n; i-- > 0;) {
    struct kernel_wait k = b->waits.wait[i];
    if (!k.asleep || k.deadline_ns > now)
      continue;
    if (still_asleep(&k)) {
      end_one(b, &k);
    } else if (goes_on(&k)) {
      b->waits.wait[i].asleep = false; /* until it is seen asleep again */
      continue;
    }
    kernel_wait_drop(&b->waits, i);
    done++;
  }
  return done;
}

size_t backend_due(struct backend *b)
{
  int64_t now = backend_now(b);
  let_go(&b->waits);
  size_t done = end_kernel_waits(b, now) + backend_look_at_locks(b);
  done += backend_wake_late(b, false) + end_holds(b, now);
  return done + fire_timers(b, now);
}

void backend_jumped(struct backend *b)
{
  int64_t now = backend_now(b);
  for (size_t i = 0; i < b->holds.n; i++) {
    const struct hold *h = b->holds.hold[i];
    if (h->left_always && !h->gone && h->deadline_ns > now)
      hold_put_left(h, now);
  }
}
