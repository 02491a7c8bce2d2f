#include "harness/vtime/seccomp/kernel_wait.h"

#include "base/buf.h"
#include "base/number.h"

#include <errno.h>
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

void kernel_waits_release(struct kernel_waits *w)
{
  free(w->wait);
  free(w->timeout);
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

/* Looks for the stop by the registers: another thread of ours that waits for
 * children may take the notice of it. It comes, or the thread ends; let go
 * before, it would stay stopped for ever. */
static bool wait_stopped(const struct call *c, struct user_regs_struct *ret)
{
  static const struct timespec pause = {0, 50000};
  while (ptrace(PTRACE_GETREGS, c->tid, NULL, ret) != 0) {
    if (!exists(c))
      return false;
    waitpid(c->tid, NULL, __WALL | WNOHANG);
    ppoll(NULL, 0, &pause, NULL); /* real time: the kernel stops it */
  }
  return true;
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

static bool overwrite(const struct kernel_wait *k, struct user_regs_struct *r)
{
  if ((int)r->orig_rax != k->call.nr || !interrupted(r))
    return false;
  r->rax = (unsigned long long)k->result;
  r->orig_rax = ~0ULL; /* in no call: the kernel must not restart it */
  if (ptrace(PTRACE_SETREGS, k->call.tid, NULL, r) != 0)
    return false;
  clear_sets(k);
  return true;
}

bool kernel_wait_end(const struct kernel_wait *k)
{
  struct user_regs_struct r;
  int tid = k->call.tid;
  if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
    return false;
  ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
  bool done = wait_stopped(&k->call, &r) && overwrite(k, &r);
  ptrace(PTRACE_DETACH, tid, NULL, NULL);
  return done;
}

/* ---- time-outs of sockets ---- */

uint64_t socket_inode(int pid, int fd)
{
  char path[64], target[64];
  uint64_t inode = 0;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
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

void socket_timeout_set(struct kernel_waits *w, uint64_t inode, int64_t ns)
{
  for (size_t i = 0; i < w->ntimeouts; i++)
    if (w->timeout[i].inode == inode) {
      w->timeout[i].ns = ns;
      return;
    }
  if (w->ntimeouts == w->timeouts_cap) {
    w->timeouts_cap = w->timeouts_cap ? 2 * w->timeouts_cap : 16;
    w->timeout = mem_realloc(w->timeout, w->timeouts_cap * sizeof *w->timeout);
  }
  w->timeout[w->ntimeouts++] = (struct socket_timeout){inode, ns};
}

int64_t socket_timeout_of(const struct kernel_waits *w, uint64_t inode)
{
  for (size_t i = 0; inode && i < w->ntimeouts; i++)
    if (w->timeout[i].inode == inode)
      return w->timeout[i].ns;
  return 0;
}

int receiving_fd(const struct table_call *c)
{
  switch (c->nr) {
  case SYS_read:
  case SYS_readv:
  case SYS_recvfrom:
  case SYS_recvmsg:
  case SYS_accept:
  case SYS_accept4:
    return (int)c->arg[0];
  default:
    return -1;
  }
}
