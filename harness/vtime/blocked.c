#include "harness/vtime/blocked.h"

#include "harness/vtime/proc.h"
#include "harness/vtime/seccomp/futex_abi.h"
#include "harness/vtime/table.h"

#include <dirent.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Deeper and more is a program that nobody reads about in a line. */
enum { MAX_DEPTH = 8, MAX_ONE = 96 };

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
    {NR_FUTEX_WAITV, "futex_waitv", false},
    {NR_FUTEX_WAIT, "futex_wait", false},
    {SYS_pause, "pause", false},
    {SYS_rt_sigsuspend, "rt_sigsuspend", false},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", false},
    {SYS_epoll_pwait2, "epoll_pwait2", false},
    {SYS_recvmmsg, "recvmmsg", true},
    {SYS_splice, "splice", true},
    {SYS_nanosleep, "nanosleep", false},
    {SYS_clock_nanosleep, "clock_nanosleep", false},
    {SYS_futex_waitv, "futex_waitv", false},
    {SYS_semop, "semop", false},
    {SYS_semtimedop, "semtimedop", false},
    {SYS_msgrcv, "msgrcv", false},
    {SYS_msgsnd, "msgsnd", false},
    {SYS_mq_timedreceive, "mq_timedreceive", true},
    {SYS_mq_timedsend, "mq_timedsend", true},
    {SYS_io_getevents, "io_getevents", false},
    {SYS_wait4, "wait4", false},
    {SYS_waitid, "waitid", false},
};
enum { NCALLS = sizeof calls / sizeof calls[0] };

/* "socket:[123]" and "pipe:[7]" are said without their numbers, and
 * "anon_inode:[eventfd]" by what is in the brackets. */
static void add_target(int pid, uint64_t fd, struct buf *ret)
{
  char path[64], target[48];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, (int)fd);
  ssize_t n = readlink(path, target, sizeof target - 1);
  if (n <= 0)
    return;
  target[n] = '\0';
  char *kind = target, *bracket = strchr(target, '[');
  if (strncmp(target, "anon_inode:", 11) == 0)
    kind = bracket ? bracket + 1 : target + 11;
  kind[strcspn(kind, ":]")] = '\0';
  kind = target[0] == '/' ? mem_strdup("file") : mem_strdup(kind);
  buf_addf(ret, " on a%s %s", strchr("aeiou", kind[0]) ? "n" : "", kind);
  free(kind);
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

/* Of a list with ", " between: "sh in read" is no part of "bash in read". */
static bool has_item(struct bytes list, struct bytes one)
{
  while (list.n) {
    ptrdiff_t comma = bytes_find(list, BYTES(", "));
    size_t n = comma < 0 ? list.n : (size_t)comma;
    if (bytes_equal((struct bytes){list.p, n}, one))
      return true;
    n += comma < 0 ? 0 : 2;
    list = (struct bytes){list.p + n, list.n - n};
  }
  return false;
}

/* Added once. */
static void add_once(struct bytes one, struct buf *ret)
{
  if (!one.n || has_item(buf_bytes(ret), one))
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
