/* SO_RCVTIMEO: kept here and never set, so that the kernel does not end a
 * call by it. A send time-out (SO_SNDTIMEO) is left out. */
#include "harness/vtime/preload/shim/shim.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>

/* By descriptor, and of which socket: the number may be given to another one
 * where nobody sees that. Later ones have none. */
static struct timeout {
  _Atomic int64_t ns;
  _Atomic uint64_t inode;
} timeouts[4096];
enum { NTIMEOUTS = sizeof timeouts / sizeof timeouts[0] };

static bool in_range(int fd)
{
  return fd >= 0 && fd < NTIMEOUTS;
}

/* The same layouts on x86-64 (asm-generic/socket.h: SO_RCVTIMEO_OLD, _NEW,
 * and those for sending). */
static bool receives(int name)
{
  return name == 20 || name == 66;
}
static bool sends(int name)
{
  return name == 21 || name == 67;
}

static uint64_t inode_of(int fd)
{
  struct stat st;
  return S3(SYS_fstat, fd, &st, 0) == 0 ? st.st_ino : 0;
}

/* 0: it has none. */
static int64_t timeout_of(int fd)
{
  if (!in_range(fd) || !timeouts[fd].ns)
    return 0;
  if (timeouts[fd].inode != inode_of(fd))
    timeouts[fd].ns = 0;
  return timeouts[fd].ns;
}

EXPORT int setsockopt(int fd, int level, int name, const void *v, socklen_t n)
{
  const struct timeval *t = v;
  if (!shim_on() || level != SOL_SOCKET || n < sizeof *t || !in_range(fd) ||
      !(receives(name) || sends(name)) || !t || t->tv_usec < 0 ||
      t->tv_usec >= 1000000)
    return (int)shim_result(S6(SYS_setsockopt, fd, level, name, v, n, 0));
  static const struct timeval none = {0, 0};
  long r = S6(SYS_setsockopt, fd, level, name, &none, sizeof none, 0);
  if (r == 0 && receives(name)) {
    timeouts[fd].inode = inode_of(fd);
    timeouts[fd].ns =
        t->tv_sec < 0 ? 0 : shim_seconds(t->tv_sec, t->tv_usec * 1000);
  }
  return (int)shim_result(r);
}

EXPORT int getsockopt(int fd, int level, int name, void *restrict v,
                      socklen_t *restrict n)
{
  struct timeval *t = v;
  int64_t ns = 0;
  if (shim_on() && level == SOL_SOCKET && receives(name) && *n >= sizeof *t)
    ns = timeout_of(fd);
  if (ns == 0)
    return (int)shim_result(S6(SYS_getsockopt, fd, level, name, v, n, 0));
  *t = (struct timeval){ns / NS_PER_S, ns % NS_PER_S / 1000};
  *n = sizeof *t;
  return 0;
}

/* 0: the call may be made; else -errno. */
static long wait_first(int fd, int flags)
{
  int64_t ns = shim_on() ? timeout_of(fd) : 0;
  if (ns == 0 || (flags & MSG_DONTWAIT) ||
      (S3(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK))
    return 0;
  long r = shim_poll_one(fd, POLLIN, ns);
  return r > 0 ? 0 : r == 0 ? -EAGAIN : r;
}

EXPORT ssize_t recv(int fd, void *p, size_t n, int flags)
{
  long r = wait_first(fd, flags);
  return r ? shim_result(r) : REAL(recv)(fd, p, n, flags);
}

EXPORT ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags);
ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags)
{
  if (n > room)
    __builtin_trap();
  return recv(fd, p, n, flags);
}

EXPORT ssize_t recvfrom(int fd, void *restrict p, size_t n, int flags,
                        __SOCKADDR_ARG from, socklen_t *restrict size)
{
  long r = wait_first(fd, flags);
  return r ? shim_result(r) : REAL(recvfrom)(fd, p, n, flags, from, size);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
  long r = wait_first(fd, flags);
  return r ? shim_result(r) : REAL(recvmsg)(fd, m, flags);
}

EXPORT ssize_t read(int fd, void *p, size_t n)
{
  long r = wait_first(fd, 0);
  return r ? shim_result(r) : REAL(read)(fd, p, n);
}

EXPORT ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
ssize_t __read_chk(int fd, void *p, size_t n, size_t room)
{
  if (n > room)
    __builtin_trap();
  return read(fd, p, n);
}

EXPORT ssize_t readv(int fd, const struct iovec *v, int n)
{
  long r = wait_first(fd, 0);
  return r ? shim_result(r) : REAL(readv)(fd, v, n);
}

EXPORT int accept(int fd, __SOCKADDR_ARG a, socklen_t *restrict n)
{
  long r = wait_first(fd, 0);
  return r ? (int)shim_result(r) : REAL(accept)(fd, a, n);
}

EXPORT int accept4(int fd, __SOCKADDR_ARG a, socklen_t *restrict n, int flags)
{
  long r = wait_first(fd, 0);
  return r ? (int)shim_result(r) : REAL(accept4)(fd, a, n, flags);
}

/* ---- what ends a descriptor ---- */

EXPORT int close(int fd)
{
  if (fd >= 0)
    timerfd_close((unsigned)fd, (unsigned)fd);
  return REAL(close)(fd);
}

EXPORT int dup2(int from, int to)
{
  if (from != to && to >= 0)
    timerfd_close((unsigned)to, (unsigned)to);
  return REAL(dup2)(from, to);
}

EXPORT int dup3(int from, int to, int flags)
{
  if (from != to && to >= 0)
    timerfd_close((unsigned)to, (unsigned)to);
  return REAL(dup3)(from, to, flags);
}

/* Of kernels newer than these headers (linux/close_range.h). */
enum { RANGE_CLOEXEC = 4 };

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
  if (!(flags & RANGE_CLOEXEC))
    timerfd_close(first, last);
  return (int)shim_result(S3(SYS_close_range, first, last, flags));
}

EXPORT void closefrom(int first)
{
  unsigned from = first < 0 ? 0 : (unsigned)first;
  timerfd_close(from, UINT32_MAX);
  if (REAL(closefrom))
    REAL(closefrom)(first);
  else /* musl has none */
    S3(SYS_close_range, from, UINT32_MAX, 0);
}
