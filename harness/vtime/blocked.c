#include "harness/vtime/blocked.h"

#include "harness/vtime/proc.h"
#include "harness/vtime/table.h"

#include <dirent.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Deeper and more is a program that nobody reads about in a line. */
enum { MAX_DEPTH = 8, MAX_ONE = 80 };

/* Calls that wait; `fd`: the first argument is a descriptor. */
static const struct {
  int nr;
  const char *name;
  bool fd;
} calls[] = {
    {SYS_read, "read", true},
    {SYS_readv, "readv", true},
    {SYS_write, "write", true},
    {SYS_writev, "writev", true},
    {SYS_recvfrom, "recvfrom", true},
    {SYS_recvmsg, "recvmsg", true},
    {SYS_sendto, "sendto", true},
    {SYS_sendmsg, "sendmsg", true},
    {SYS_connect, "connect", true},
    {SYS_accept, "accept", true},
    {SYS_accept4, "accept4", true},
    {SYS_flock, "flock", true},
    {SYS_fcntl, "fcntl", true},
    {SYS_poll, "poll", false},
    {SYS_ppoll, "ppoll", false},
    {SYS_select, "select", false},
    {SYS_pselect6, "pselect6", false},
    {SYS_epoll_wait, "epoll_wait", false},
    {SYS_epoll_pwait, "epoll_pwait", false},
    {SYS_futex, "futex", false},
    {SYS_pause, "pause", false},
    {SYS_rt_sigsuspend, "rt_sigsuspend", false},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", false},
    {SYS_wait4, "wait4", false},
    {SYS_waitid, "waitid", false},
};
enum { NCALLS = sizeof calls / sizeof calls[0] };

/* "socket:[123]" and "pipe:[7]" are said without their numbers. */
static void add_target(int pid, uint64_t fd, struct buf *ret)
{
  char path[64], target[48];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, (int)fd);
  ssize_t n = readlink(path, target, sizeof target - 1);
  if (n <= 0)
    return;
  target[n] = '\0';
  target[strcspn(target, ":")] = '\0';
  buf_addf(ret, " on a %s", target[0] == '/' ? "file" : target);
}

static void add_call(int pid, const char *comm, const struct table_call *c,
                     struct buf *ret)
{
  for (int i = 0; i < NCALLS; i++)
    if (calls[i].nr == c->nr) {
      buf_addf(ret, "%s in %s", comm, calls[i].name);
      if (calls[i].fd)
        add_target(pid, c->arg[0], ret);
      return;
    }
  buf_addf(ret, "%s in call %d", comm, c->nr);
}

static bool waits_for_child(const struct table_call *c)
{
  return c->nr == SYS_wait4 || c->nr == SYS_waitid;
}

/* Added once. */
static void add_once(struct bytes one, struct buf *ret)
{
  if (!one.n || bytes_find(buf_bytes(ret), one) >= 0)
    return;
  if (ret->n)
    buf_adds(ret, ", ");
  buf_addb(ret, one);
}

static void add_process(int pid, int depth, struct buf *ret);

static void add_children(int pid, int tid, int depth, struct buf *ret)
{
  char path[64], room[1024];
  int child;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, tid);
  struct bytes list = proc_read(path, room, sizeof room);
  while (table_child(&list, &child))
    add_process(child, depth + 1, ret);
}

static void add_thread(int pid, int tid, int depth, struct buf *ret)
{
  char path[64], room[256], comm[17];
  struct table_call call;
  struct buf one;
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, tid);
  buf_init(&one, MAX_ONE);
  proc_comm(tid, comm);
  if (table_call(proc_read(path, room, sizeof room), &call) &&
      !waits_for_child(&call))
    add_call(pid, comm, &call, &one);
  add_once(buf_bytes(&one), ret);
  buf_release(&one);
  add_children(pid, tid, depth, ret);
}

static void add_process(int pid, int depth, struct buf *ret)
{
  char path[64];
  struct dirent *d;
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *dir = depth < MAX_DEPTH ? opendir(path) : NULL;
  while (dir && (d = readdir(dir)) != NULL) {
    uint64_t tid = 0;
    for (const char *p = d->d_name; *p >= '0' && *p <= '9'; p++)
      tid = tid * 10 + (uint64_t)(*p - '0');
    if (tid)
      add_thread(pid, (int)tid, depth, ret);
  }
  if (dir)
    closedir(dir);
}

void blocked_in(int pid, struct buf *ret)
{
  add_process(pid, 0, ret);
}
