/* The last look before a jump: has what somebody waits for come without a
 * word to us? */
#include "harness/vtime/seccomp/backend.h"

#include "harness/vtime/table.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- threads that are gone ---- */

static bool thread_exists(const struct call *c)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d", c->tgid, c->tid);
  return access(path, F_OK) == 0;
}

/* A signal that only stops it is no signal to its call. */
static bool is_stopped(const struct call *c)
{
  char path[64], room[1024];
  struct table_stat st;
  snprintf(path, sizeof path, "/proc/%d/task/%d/stat", c->tgid, c->tid);
  return table_stat(proc_read(path, room, sizeof room), &st) && st.state == 'T';
}

/* Its descriptors are closed at once: the other side of a dead client's
 * connection must see the end. */
static size_t sweep(struct backend *b)
{
  size_t done = 0;
  for (size_t i = b->holds.n; i-- > 0;) {
    struct hold *h = b->holds.hold[i];
    if (!h->gone && !call_is_valid(&h->call)) {
      h->gone = true;
      h->restarts |= is_stopped(&h->call);
      hold_close_fds(h);
      done++;
    }
    if (h->gone && !thread_exists(&h->call))
      hold_drop(&b->holds, i);
  }
  return done;
}

/* ---- signals ---- */

struct signals {
  uint64_t own, process, blocked, caught;
};

static bool read_signals(const struct call *c, struct signals *ret)
{
  char path[64], room[4096];
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", c->tgid, c->tid);
  struct bytes text = proc_read(path, room, sizeof room);
  return table_hex(text, "SigPnd:", &ret->own) &&
         table_hex(text, "ShdPnd:", &ret->process) &&
         table_hex(text, "SigBlk:", &ret->blocked) &&
         table_hex(text, "SigCgt:", &ret->caught);
}

#define BIT(sig) (UINT64_C(1) << ((sig)-1))
#define STOPS (BIT(SIGSTOP) | BIT(SIGTSTP) | BIT(SIGTTIN) | BIT(SIGTTOU))

static void interrupt(struct backend *b, size_t i)
{
  const struct hold *h = b->holds.hold[i];
  hold_put_left(h, backend_now(b));
  backend_end(b, i, REPLY_WITH(h->signal_result));
}

/* Lets the kernel have its way with the thread; then the call is made again
 * and goes on where it was. */
static void let_restart(struct hold *h)
{
  call_answer(&h->call, REPLY_WITH(-ERESTARTNOHAND_CODE));
  h->gone = h->restarts = true;
  hold_close_fds(h);
}

/* These end even when no handler runs (signal(7), "Interruption of system
 * calls and library functions by stop signals"). */
static bool never_restarts(int nr)
{
  return nr == SYS_epoll_wait || nr == SYS_epoll_pwait ||
         nr == SYS_epoll_pwait2 || nr == SYS_rt_sigtimedwait;
}

/* 1: something was done about it. Nothing came though the kernel woke the
 * thread: another thread of its process took the signal, or got the one that
 * stops them all. */
static size_t look_for_signal(struct backend *b, size_t i)
{
  struct hold *h = b->holds.hold[i];
  struct signals s;
  if ((!h->has_signals && !h->signalled) || !read_signals(&h->call, &s))
    return 0;
  if (h->has_signals && ((s.own | s.process) & h->signals)) {
    backend_pass_on(b, i);
    return 1;
  }
  uint64_t came = (s.own | s.process) & ~s.blocked;
  if (!b->killable || !h->signalled)
    return 0;
  if (came && h->has_signals && h->kind == HOLD_FDS)
    return 0; /* the mask of the call is the one that counts */
  if ((came & s.caught) || (came & ~STOPS) || never_restarts(h->call.nr))
    interrupt(b, i);
  else
    let_restart(h);
  return 1;
}

static size_t look_for_signals(struct backend *b)
{
  size_t done = 0;
  for (size_t i = b->holds.n; i-- > 0;)
    if (i < b->holds.n && !b->holds.hold[i]->gone)
      done += look_for_signal(b, i);
  return done;
}

size_t backend_settle(struct backend *b)
{
  size_t done = sweep(b) + backend_look_at_locks(b);
  done += backend_wake_late(b, true) + backend_look_at_words(b);
  done += look_for_signals(b);
  return done + backend_poll(b, NULL, 0);
}
