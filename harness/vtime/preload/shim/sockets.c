/* SO_RCVTIMEO: kept here and never set, so that the kernel does not end a
 * call by it. A send time-out (SO_SNDTIMEO) is left out. */
#include "harness/vtime/preload/shim/shim.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

void timerfd_closes(int fd);

/* By descriptor; later ones have none. */
static _Atomic int64_t timeout_ns[4096];
enum { NTIMEOUTS = sizeof timeout_ns / sizeof timeout_ns[0] };

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

EXPORT int setsockopt(int fd, int level, int name, const void *v, socklen_t n)
{
  const struct timeval *t = v;
  if (!shim_on() || level != SOL_SOCKET || n < sizeof *t || !in_range(fd) ||
      !(receives(name) || sends(name)) || t->tv_usec < 0 ||
      t->tv_usec >= 1000000)
    return (int)shim_result(S6(SYS_setsockopt, fd, level, name, v, n, 0));
  if (receives(name))
    timeout_ns[fd] = t->tv_sec < 0 ? 0
                                   : (int64_t)t->tv_sec * NS_PER_S +
                                         (int64_t)t->tv_usec * 1000;
  return 0;
}

EXPORT int getsockopt(int fd, int level, int name, void *restrict v,
                      socklen_t *restrict n)
{
  struct timeval *t = v;
  if (!shim_on() || level != SOL_SOCKET || !receives(name) || !in_range(fd) ||
      !timeout_ns[fd] || *n < sizeof *t)
    return (int)shim_result(S6(SYS_getsockopt, fd, level, name, v, n, 0));
  int64_t ns = timeout_ns[fd];
  *t = (struct timeval){ns / NS_PER_S, ns % NS_PER_S / 1000};
  *n = sizeof *t;
  return 0;
}

/* 0: the call may be made; else -errno. */
static long wait_first(int fd, int flags)
{
  if (!shim_on() || !in_range(fd) || !timeout_ns[fd] ||
      (flags & MSG_DONTWAIT) || (S3(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK))
    return 0;
  long r = shim_poll_one(fd, POLLIN, timeout_ns[fd]);
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

EXPORT int close(int fd)
{
  if (in_range(fd) && timeout_ns[fd])
    timeout_ns[fd] = 0;
  timerfd_closes(fd);
  return REAL(close)(fd);
}
