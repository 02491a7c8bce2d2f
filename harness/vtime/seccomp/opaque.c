#include "harness/vtime/seccomp/kernel_wait.h"

#include "harness/vtime/proc.h"
#include "harness/vtime/seccomp/futex_abi.h"

#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>

/* IORING_ENTER_EXT_ARG (linux/io_uring.h): the argument holds a time-out. */
#define RING_EXT_ARG 8U

enum shape { ANY, INT_ABOVE_0, NOT_NULL, FUTEX_OP, RING };

static const struct {
  int nr;
  const char *name;
  enum shape shape;
  int arg;
} timed[] = {
    {SYS_nanosleep, "nanosleep", ANY, 0},
    {SYS_clock_nanosleep, "clock_nanosleep", ANY, 0},
    {SYS_restart_syscall, "restart_syscall", ANY, 0},
    {SYS_poll, "poll", INT_ABOVE_0, 2},
    {SYS_epoll_wait, "epoll_wait", INT_ABOVE_0, 3},
    {SYS_epoll_pwait, "epoll_pwait", INT_ABOVE_0, 3},
    {SYS_epoll_pwait2, "epoll_pwait2", NOT_NULL, 3},
    {SYS_ppoll, "ppoll", NOT_NULL, 2},
    {SYS_select, "select", NOT_NULL, 4},
    {SYS_pselect6, "pselect6", NOT_NULL, 4},
    {SYS_futex, "futex", FUTEX_OP, 3},
    {NR_FUTEX_WAITV, "futex_waitv", NOT_NULL, 3},
    {NR_FUTEX_WAIT, "futex_wait", NOT_NULL, 4},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", NOT_NULL, 2},
    {SYS_semtimedop, "semtimedop", NOT_NULL, 3},
    {SYS_mq_timedsend, "mq_timedsend", NOT_NULL, 4},
    {SYS_mq_timedreceive, "mq_timedreceive", NOT_NULL, 4},
    {SYS_recvmmsg, "recvmmsg", NOT_NULL, 4},
    {SYS_io_getevents, "io_getevents", NOT_NULL, 4},
    {SYS_io_pgetevents, "io_pgetevents", NOT_NULL, 4},
    {SYS_io_uring_enter, "io_uring_enter", RING, 3},
};
enum { NTIMED = sizeof timed / sizeof timed[0] };

static bool futex_op_waits(uint64_t op)
{
  switch ((int)op & FUTEX_CMD_MASK) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
  case FUTEX_LOCK_PI:
  case FUTEX_WAIT_REQUEUE_PI:
  case OP_LOCK_PI2:
    return true;
  default:
    return false;
  }
}

bool opaque_call(const struct table_call *c)
{
  for (int i = 0; i < NTIMED; i++) {
    if (timed[i].nr != c->nr)
      continue;
    uint64_t a = c->arg[timed[i].arg];
    switch (timed[i].shape) {
    case ANY:
      return true;
    case INT_ABOVE_0:
      return (int)a > 0;
    case NOT_NULL:
      return a != 0;
    case FUTEX_OP:
      return a != 0 && futex_op_waits(c->arg[1]);
    case RING:
      return (a & RING_EXT_ARG) != 0;
    }
  }
  return false;
}

const char *opaque_call_name(int nr)
{
  for (int i = 0; i < NTIMED; i++)
    if (timed[i].nr == nr)
      return timed[i].name;
  return "?";
}

void opaque_note(struct opaque_list *l, int pid, const char *comm,
                 const char *call, const char *why)
{
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->seen[i].comm, comm) == 0 &&
        strcmp(l->seen[i].call, call) == 0)
      return;
  if (l->n == OPAQUE_MAX)
    return;
  struct opaque_seen *s = &l->seen[l->n++];
  *s = (struct opaque_seen){.pid = pid, .call = call, .why = why};
  snprintf(s->comm, sizeof s->comm, "%s", comm);
}

/* CLONE_VFORK is in the flags, which clone3 has in memory (clone(2)). */
bool waits_for_vfork(int tid)
{
  struct table_call now;
  char path[48], room[256];
  uint64_t flags = 0;
  snprintf(path, sizeof path, "/proc/%d/syscall", tid);
  if (!table_call(proc_read(path, room, sizeof room), &now))
    return false;
  if (now.nr == SYS_clone)
    flags = now.arg[0];
  else if (now.nr == SYS_clone3)
    memory_get(tid, now.arg[0], &flags, sizeof flags);
  return now.nr == SYS_vfork || (flags & CLONE_VFORK);
}
