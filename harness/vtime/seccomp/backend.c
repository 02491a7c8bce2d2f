#include "harness/vtime/seccomp/backend.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- life ---- */

void backend_init(struct backend *b, struct vtime_page *page, int page_fd)
{
  *b = (struct backend){.page = page, .page_fd = page_fd, .killable = true};
}

void backend_release(struct backend *b)
{
  hold_table_release(&b->holds);
  timer_table_release(&b->timers);
  kernel_waits_release(&b->waits);
  vdso_table_release(&b->vdso);
  for (size_t i = 0; i < b->nlisteners; i++)
    close(b->listener[i]);
  free(b->listener);
  free(b->late);
  free(b->lost);
  free(b->poll);
}

void backend_add_listener(struct backend *b, int fd, bool killable)
{
  b->listener =
      mem_realloc(b->listener, (b->nlisteners + 1) * sizeof *b->listener);
  b->listener[b->nlisteners++] = fd;
  b->killable &= killable;
}

int64_t backend_now(const struct backend *b)
{
  return vtime_page_now_ns(b->page);
}

static bool is_of(int tgid, int tid)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d", tgid, tid);
  return access(path, F_OK) == 0;
}

static int tgid_of(struct backend *b, int tid)
{
  size_t i = (size_t)tid % BACKEND_TGIDS;
  if (b->tgid[i].tid != tid || !is_of(b->tgid[i].tgid, tid)) {
    b->tgid[i].tid = tid;
    b->tgid[i].tgid = proc_tgid(tid);
  }
  return b->tgid[i].tgid;
}

/* ---- for the handlers ---- */

struct hold *backend_hold(struct backend *b, const struct call *c,
                          enum hold_kind kind, int64_t ns)
{
  char comm[17] = "";
  struct hold *h = hold_add(&b->holds, c, kind);
  h->asked_ns = ns;
  h->deadline_ns = ns_add(backend_now(b), ns);
  if (ns >= RULE_SLACK_FROM_NS)
    proc_comm(c->tid, comm);
  h->slack_ns = rule_slack(b->housekeeping, comm, ns);
  b->counts.held++;
  return h;
}

/* Else it is that process that refuses, and not the machine. */
static bool lets_itself_be_read(int tgid)
{
  char path[48], room[256];
  snprintf(path, sizeof path, "/proc/%d/syscall", tgid);
  return proc_read(path, room, sizeof room).n > 0;
}

int backend_copy_fd(struct backend *b, int tgid, int fd)
{
  int pidfd = (int)syscall(SYS_pidfd_open, tgid, 0);
  int copy = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, fd, 0);
  int error = errno;
  if (pidfd >= 0)
    close(pidfd);
  if (copy < 0 && (error == EPERM || error == ENOSYS || error == EACCES) &&
      lets_itself_be_read(tgid))
    b->no_getfd = true;
  errno = error;
  return copy;
}

static int64_t real_now(void)
{
  return clock_now_ns(clock_real());
}

/* What the kernel's select leaves in the sets when it is interrupted is what
 * it was asked for: they have to be cleared. The time left it measures. */
static void take_sets(struct kernel_wait *k)
{
  const uint64_t *arg = k->call.arg;
  int n = (int)arg[0];
  if (k->call.nr == SYS_ppoll)
    k->left = arg[2];
  if ((k->call.nr != SYS_select && k->call.nr != SYS_pselect6) || n < 0)
    return;
  for (int i = 0; i < 3; i++)
    k->sets[i] = arg[1 + i];
  k->set_bytes = n < 65536 ? ((size_t)n + 63) / 64 * 8 : 0;
  k->left = arg[4];
}

struct reply backend_go_on(struct backend *b, const struct call *c, int64_t ns)
{
  struct kernel_wait *k = kernel_wait_add(&b->waits, c);
  k->asked_ns = ns;
  k->deadline_ns = ns_add(backend_now(b), ns);
  k->kernel_end_ns = ns_add(real_now(), ns);
  take_sets(k);
  return REPLY_GO_ON;
}

struct reply backend_go_on_until(struct backend *b, const struct call *c,
                                 int64_t ns, int64_t result)
{
  struct reply r = backend_go_on(b, c, ns);
  kernel_wait_of(&b->waits, c->tid)->result = result;
  return r;
}

void backend_end(struct backend *b, size_t i, struct reply r)
{
  call_answer(&b->holds.hold[i]->call, r);
  hold_drop(&b->holds, i);
}

void backend_pass_on(struct backend *b, size_t i)
{
  const struct hold *h = b->holds.hold[i];
  int64_t left = h->deadline_ns - backend_now(b);
  hold_put_left(h, backend_now(b));
  if (left > 0) {
    /* One that waits in milliseconds starts anew in the kernel. */
    backend_go_on(b, &h->call, h->asked_ns);
    struct kernel_wait *k = kernel_wait_of(&b->waits, h->call.tid);
    k->deadline_ns = h->deadline_ns;
    k->result = h->kind == HOLD_FDS ? h->end_result : -EAGAIN;
    if (h->left_form != LEFT_NONE)
      k->kernel_end_ns = ns_add(real_now(), left);
  }
  backend_end(b, i, REPLY_GO_ON);
}

bool backend_is_lost(const struct backend *b, int tgid)
{
  for (size_t i = 0; i < b->nlost; i++)
    if (b->lost[i] == tgid)
      return true;
  return false;
}

void backend_found(struct backend *b, int tgid)
{
  for (size_t i = b->nlost; i-- > 0;)
    if (b->lost[i] == tgid || (kill(b->lost[i], 0) != 0 && errno == ESRCH))
      b->lost[i] = b->lost[--b->nlost];
}

void backend_lost(struct backend *b, int tgid, const char *why)
{
  char comm[17];
  if (backend_is_lost(b, tgid))
    return;
  backend_found(b, tgid); /* forgets those that have ended */
  proc_comm(tgid, comm);
  opaque_note(&b->opaque, tgid, comm, "", why);
  b->lost = mem_realloc(b->lost, (b->nlost + 1) * sizeof *b->lost);
  b->lost[b->nlost++] = tgid;
}

/* ---- calls ---- */

static const struct {
  int nr;
  call_handler *handler;
} handlers[] = {
#define CALL(name, nr, when, arg, handler) {nr, handler},
#include "harness/vtime/seccomp/calls.def"
#undef CALL
};

static struct reply dispatch(struct backend *b, const struct call *c)
{
  for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
    if (handlers[i].nr == c->nr)
      return handlers[i].handler(b, c);
  return REPLY_GO_ON;
}

/* The wait goes on where it was; the handler has made a new record. */
static struct reply go_on_holding(struct backend *b, const struct call *c,
                                  int64_t deadline_ns)
{
  size_t i;
  struct reply r = dispatch(b, c);
  struct hold *h = r.word == REPLY_HELD ? hold_of(&b->holds, c->tid, &i) : NULL;
  if (h && !h->moment)
    h->deadline_ns = deadline_ns;
  return r;
}

/*
 * The thread had a wait that is over, and comes again. With a handler that
 * has SA_RESTART a call interrupted here is made again by itself, which the
 * kernel never does with these calls (signal(7)): the answer is EINTR. A
 * wait that was only stopped goes on.
 */
static struct reply handle(struct backend *b, const struct call *c)
{
  size_t i;
  const struct hold *h = hold_of(&b->holds, c->tid, &i);
  if (!h)
    return dispatch(b, c);
  bool same = call_same(&h->call, c); /* whether or not we saw it end */
  bool restarts = h->restarts;
  int64_t deadline = h->deadline_ns;
  if (same && !restarts)
    hold_put_left(h, backend_now(b));
  hold_drop(&b->holds, i);
  if (!same)
    return dispatch(b, c);
  return restarts ? go_on_holding(b, c, deadline) : REPLY_WITH(-EINTR);
}

/* Of x32 (asm/unistd.h, __X32_SYSCALL_BIT). */
#define X32_BIT 0x40000000

static struct reply answer_for(struct backend *b, struct call *c,
                               const struct seccomp_notif *q)
{
  if (q->data.arch == AUDIT_ARCH_X86_64 && !(q->data.nr & X32_BIT))
    return handle(b, c);
  if (q->data.arch == AUDIT_ARCH_X86_64 && q->data.nr == -1)
    return REPLY_GO_ON; /* no call of any set: ENOSYS */
  backend_lost(b, c->tgid, "it is a 32-bit program");
  return REPLY_GO_ON;
}

static size_t read_call(struct backend *b, int listener)
{
  struct seccomp_notif q = {0};
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &q) != 0)
    return 0;
  struct call c = {.listener = listener,
                   .id = q.id,
                   .tid = (int)q.pid,
                   .tgid = tgid_of(b, (int)q.pid),
                   .nr = q.data.nr};
  for (int i = 0; i < 6; i++)
    c.arg[i] = q.data.args[i];
  kernel_wait_over(&b->waits, c.tid);
  struct reply r = answer_for(b, &c, &q);
  b->counts.calls++;
  b->counts.passed_on += r.word == REPLY_CONTINUE;
  call_answer(&c, r);
  return 1;
}

/* ---- the poll ---- */

static void make_room(struct backend *b)
{
  size_t n = 1 + b->nlisteners;
  for (size_t i = 0; i < b->holds.n; i++)
    n += b->holds.hold[i]->nfds;
  if (n <= b->npoll_cap)
    return;
  b->npoll_cap = 2 * n;
  b->poll = mem_realloc(b->poll, b->npoll_cap * sizeof *b->poll);
}

static size_t fill(struct backend *b, const struct pollfd *own)
{
  size_t n = 0;
  make_room(b);
  b->poll[n++] = own ? *own : (struct pollfd){-1, 0, 0};
  for (size_t i = 0; i < b->nlisteners; i++)
    b->poll[n++] = (struct pollfd){b->listener[i], POLLIN, 0};
  for (size_t i = 0; i < b->holds.n; i++) {
    const struct hold *h = b->holds.hold[i];
    for (size_t k = 0; k < h->nfds; k++)
      b->poll[n++] = h->fd[k];
  }
  return n;
}

/* From the last to the first: those behind a dropped one, which move, were
 * looked at already. `n`: entries in all. */
static size_t pass_ready(struct backend *b, size_t n)
{
  size_t done = 0;
  for (size_t i = b->holds.n; i-- > 0;) {
    bool ready = false;
    for (size_t k = b->holds.hold[i]->nfds; k-- > 0;)
      ready |= b->poll[--n].revents != 0;
    if (!ready)
      continue;
    backend_pass_on(b, i);
    done++;
  }
  return done;
}

/* All programs with this filter have ended. */
static void drop_listener(struct backend *b, size_t i)
{
  close(b->listener[i]);
  b->listener[i] = b->listener[--b->nlisteners];
}

static size_t read_listeners(struct backend *b)
{
  size_t done = 0;
  for (size_t i = b->nlisteners; i-- > 0;) {
    short events = b->poll[1 + i].revents;
    if (events & POLLIN)
      done += read_call(b, b->listener[i]);
    else if (events)
      drop_listener(b, i);
  }
  return done;
}

size_t backend_poll(struct backend *b, struct pollfd *own, int64_t real_ns)
{
  size_t n = fill(b, own);
  struct timespec t = {real_ns / NS_PER_S, real_ns % NS_PER_S};
  if (ppoll(b->poll, n, &t, NULL) <= 0)
    return 0;
  if (own)
    own->revents = b->poll[0].revents;
  size_t done = pass_ready(b, n);
  return done + read_listeners(b) + (own && own->revents ? 1 : 0);
}
