#include "harness/vtime/seccomp/kernel_wait.h"

#include "harness/vtime/proc.h"

#include "base/buf.h"
#include "base/number.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

void kernel_waits_release(struct kernel_waits *w)
{
  free(w->wait);
  free(w->timeout);
  free(w->stuck);
  *w = (struct kernel_waits){.n = 0};
}

struct kernel_wait *kernel_wait_of(const struct kernel_waits *w, int tid)
{
  for (size_t i = 0; i < w->n; i++)
    if (w->wait[i].call.tid == tid)
      return &w->wait[i];
  return NULL;
}

struct kernel_wait *kernel_wait_add(struct kernel_waits *w,
                                    const struct call *c)
{
  struct kernel_wait *k = kernel_wait_of(w, c->tid);
  if (!k && w->n == w->cap) {
    w->cap = w->cap ? 2 * w->cap : 16;
    w->wait = mem_realloc(w->wait, w->cap * sizeof *w->wait);
  }
  if (!k)
    k = &w->wait[w->n++];
  *k = (struct kernel_wait){
      .call = *c, .deadline_ns = NO_DEADLINE, .kernel_end_ns = NO_DEADLINE};
  return k;
}

void kernel_wait_drop(struct kernel_waits *w, size_t i)
{
  w->wait[i] = w->wait[--w->n];
}

void kernel_wait_over(struct kernel_waits *w, int tid)
{
  const struct kernel_wait *k = kernel_wait_of(w, tid);
  if (k)
    kernel_wait_drop(w, (size_t)(k - w->wait));
}

/* ---- the end ---- */

/* What an interrupted call has as its result inside the kernel: -EINTR or a
 * restart code (include/linux/errno.h: 512, 513, 514, 516). */
static bool interrupted(const struct user_regs_struct *r)
{
  int64_t rax = (int64_t)r->rax;
  return rax == -EINTR || (rax <= -512 && rax >= -516);
}

static bool exists(const struct call *c)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d", c->tgid, c->tid);
  return access(path, F_OK) == 0;
}

/* In steps of 50 us; a stop takes microseconds, on a loaded machine more. */
enum { STOP_STEPS = 20000 };

/* Looks for the stop by the registers: another thread of ours that waits for
 * children may take the notice of it. It comes, or the thread ends; only one
 * that sleeps uninterruptibly (vfork, a dead file server) keeps us waiting. */
static enum kernel_wait_word wait_stopped(const struct call *c,
                                          struct user_regs_struct *ret)
{
  static const struct timespec pause = {0, 50000};
  for (int i = 0; i < STOP_STEPS; i++) {
    if (ptrace(PTRACE_GETREGS, c->tid, NULL, ret) == 0)
      return KERNEL_WAIT_ENDED;
    if (!exists(c))
      return KERNEL_WAIT_OVER;
    waitpid(c->tid, NULL, __WALL | WNOHANG);
    ppoll(NULL, 0, &pause, NULL); /* real time: the kernel stops it */
  }
  return KERNEL_WAIT_STUCK;
}

static void clear_sets(const struct kernel_wait *k)
{
  static const char none[8192]; /* 65536 descriptors; backend.c takes less */
  if (k->left)
    memory_put(k->call.tid, k->left, none, sizeof(struct timespec));
  for (int i = 0; i < 3; i++)
    if (k->sets[i])
      memory_put(k->call.tid, k->sets[i], none, k->set_bytes);
}

/* Not the stop that was asked for, but on the way to a signal of its own,
 * which ended the wait and would be lost (ptrace(2), "Signal-delivery-stop");
 * 0: it is. */
static int signal_on_its_way(int tid)
{
  siginfo_t si;
  if (ptrace(PTRACE_GETSIGINFO, tid, NULL, &si) != 0 ||
      si.si_code >> 8 == PTRACE_EVENT_STOP)
    return 0;
  return si.si_signo;
}

static bool overwrite(const struct kernel_wait *k, struct user_regs_struct *r)
{
  int nr = (int)r->orig_rax;
  if ((nr != k->call.nr && nr != SYS_restart_syscall) || !interrupted(r))
    return false;
  r->rax = (unsigned long long)k->result;
  r->orig_rax = ~0ULL; /* in no call: the kernel must not restart it */
  if (ptrace(PTRACE_SETREGS, k->call.tid, NULL, r) != 0)
    return false;
  clear_sets(k);
  return true;
}

static bool is_traced(const struct call *c)
{
  char path[64], room[4096];
  uint64_t tracer = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", c->tgid, c->tid);
  return table_decimal(proc_read(path, room, sizeof room),
                       "TracerPid:", &tracer) &&
         tracer > 0;
}

bool kernel_wait_let_go(int tid)
{
  return ptrace(PTRACE_DETACH, tid, NULL, NULL) == 0 || kill(tid, 0) != 0;
}

enum kernel_wait_word kernel_wait_end(const struct kernel_wait *k)
{
  struct user_regs_struct r;
  int tid = k->call.tid;
  if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
    return is_traced(&k->call) ? KERNEL_WAIT_TRACED : KERNEL_WAIT_OVER;
  ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
  enum kernel_wait_word word = wait_stopped(&k->call, &r);
  int sig = word == KERNEL_WAIT_ENDED ? signal_on_its_way(tid) : 0;
  if (word == KERNEL_WAIT_ENDED && (sig || !overwrite(k, &r)))
    word = KERNEL_WAIT_OVER;
  if (word != KERNEL_WAIT_STUCK)
    ptrace(PTRACE_DETACH, tid, NULL, (long)sig);
  return word;
}

/* ---- time-outs of sockets ---- */

uint64_t socket_inode(int tid, int fd)
{
  char path[64], target[64];
  uint64_t inode = 0;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", tid, fd);
  ssize_t n = readlink(path, target, sizeof target);
  struct bytes b = {target, n > 0 ? (size_t)n : 0};
  if (!bytes_starts(b, BYTES("socket:[")))
    return 0;
  b.p += sizeof "socket:[" - 1;
  b.n -= sizeof "socket:[" - 1;
  if (number_take_u64(&b, INT64_MAX, &inode) != NUMBER_OK)
    return 0;
  return inode;
}

static struct socket_timeout *timeout_of(const struct kernel_waits *w,
                                         uint64_t inode)
{
  for (size_t i = 0; inode && i < w->ntimeouts; i++)
    if (w->timeout[i].inode == inode)
      return &w->timeout[i];
  return NULL;
}

void socket_timeout_set(struct kernel_waits *w, uint64_t inode, bool send,
                        int64_t ns)
{
  struct socket_timeout *t = timeout_of(w, inode);
  if (!t && w->ntimeouts == w->timeouts_cap) {
    w->timeouts_cap = w->timeouts_cap ? 2 * w->timeouts_cap : 16;
    w->timeout = mem_realloc(w->timeout, w->timeouts_cap * sizeof *w->timeout);
  }
  if (!t) {
    t = &w->timeout[w->ntimeouts++];
    *t = (struct socket_timeout){.inode = inode};
  }
  *(send ? &t->send_ns : &t->receive_ns) = ns;
}

int64_t socket_timeout_of(const struct kernel_waits *w, uint64_t inode,
                          bool send)
{
  const struct socket_timeout *t = timeout_of(w, inode);
  return !t ? 0 : send ? t->send_ns : t->receive_ns;
}

static const struct {
  int nr;
  const char *name;
  bool sends;
} socket_calls[] = {
    {SYS_read, "read", false},         {SYS_readv, "readv", false},
    {SYS_recvfrom, "recv", false},     {SYS_recvmsg, "recvmsg", false},
    {SYS_accept, "accept", false},     {SYS_accept4, "accept4", false},
    {SYS_write, "write", true},        {SYS_writev, "writev", true},
    {SYS_sendto, "send", true},        {SYS_sendmsg, "sendmsg", true},
    {SYS_sendfile, "sendfile", true},  {SYS_connect, "connect", true},
    {SYS_recvmmsg, "recvmmsg", false}, {SYS_sendmmsg, "sendmmsg", true},
};
enum { NSOCKET_CALLS = sizeof socket_calls / sizeof socket_calls[0] };

int socket_call_fd(const struct table_call *c, bool *ret_sends)
{
  for (int i = 0; i < NSOCKET_CALLS; i++)
    if (socket_calls[i].nr == c->nr) {
      *ret_sends = socket_calls[i].sends;
      return (int)c->arg[0];
    }
  return -1;
}

const char *kernel_wait_name(int nr)
{
  for (int i = 0; i < NSOCKET_CALLS; i++)
    if (socket_calls[i].nr == nr)
      return socket_calls[i].name;
  return opaque_call_name(nr);
}
