/* Waits for descriptors, time-outs of sockets, calls by number. */
#include "tests/vtime/library/library.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

static int pair[2];

static bool make_pair(void)
{
  return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
}

static void write_one(void *arg)
{
  if (write(pair[1], "x", 1) != 1)
    perror("write");
  (void)arg;
}

static void nap_and_write(void *arg)
{
  nap(1);
  write_one(arg);
}

/* ---- by number ---- */

static const char *number_sleeps(int64_t begin)
{
  struct timespec t = units(1);
  const char *bad = gave(syscall(SYS_nanosleep, &t, NULL), 0, 0, begin, 1);
  return either(bad,
                gave(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &t, NULL),
                     0, 0, begin, 2));
}

static const char *number_waits(int64_t begin)
{
  int ms = (int)(unit_ns / NS_PER_MS);
  struct timespec t = units(1);
  struct timeval v = {unit_ns / NS_PER_S, unit_ns % NS_PER_S / 1000};
  struct epoll_event event;
  int fd = epoll_create1(0);
  const char *bad = gave(syscall(SYS_poll, NULL, 0, ms), 0, 0, begin, 3);
  bad = either(bad,
               gave(syscall(SYS_ppoll, NULL, 0, &t, NULL, 8), 0, 0, begin, 4));
  bad = either(
      bad, gave(syscall(SYS_select, 0, NULL, NULL, NULL, &v), 0, 0, begin, 5));
  bad = either(
      bad, gave(syscall(SYS_epoll_wait, fd, &event, 1, ms), 0, 0, begin, 6));
  bad = either(bad, gave(syscall(SYS_epoll_pwait, fd, &event, 1, ms, NULL, 8),
                         0, 0, begin, 7));
  t = units(1);
  return either(bad, gave(syscall(SYS_epoll_pwait2, fd, &event, 1, &t, NULL, 8),
                          0, 0, begin, 8));
}

const char *by_number(void)
{
  struct timespec t;
  struct timeval v;
  int64_t begin = now();
  const char *bad = number_sleeps(begin);
  bad = either(bad, number_waits(begin));
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  int64_t apart = now() - ((int64_t)t.tv_sec * NS_PER_S + t.tv_nsec);
  if (apart < 0 || apart > unit_ns / 4)
    return either(bad, "clock_gettime has another clock");
  syscall(SYS_gettimeofday, &v, NULL);
  long apart_s = (long)(time(NULL) - v.tv_sec);
  if (apart_s < 0 || apart_s > 1 ||
      syscall(SYS_time, NULL) - v.tv_sec > apart_s + 1)
    return either(bad, "gettimeofday or time has another clock");
  return bad;
}

/* ---- poll and select ---- */

const char *fd_poll(void)
{
  int ms = (int)(2 * unit_ns / NS_PER_MS);
  if (!make_pair())
    return "socketpair";
  struct pollfd f[2] = {{-1, POLLIN, 99}, {pair[0], POLLIN, 99}};
  int64_t begin = now();
  const char *bad = gave(poll(f, 2, ms), 0, 0, begin, 2);
  if (f[0].revents || f[1].revents)
    return "events of nothing";
  begin = now();
  later(write_one, NULL);
  bad = either(bad, gave(poll(f, 2, ms), 1, 0, begin, 1));
  later_join();
  return f[0].revents == 0 && f[1].revents == POLLIN ? bad : "other events";
}

/* As a daemon does it: as many as there could be (getdtablesize). */
const char *fd_select(void)
{
  fd_set in;
  struct timeval t = {2 * unit_ns / NS_PER_S, 2 * unit_ns % NS_PER_S / 1000};
  if (!make_pair())
    return "socketpair";
  FD_ZERO(&in);
  FD_SET(pair[0], &in);
  int64_t begin = now();
  const char *bad = gave(select(1 << 20, &in, NULL, NULL, &t), 0, 0, begin, 2);
  if (FD_ISSET(pair[0], &in))
    return "set by nothing";
  FD_SET(pair[0], &in);
  t.tv_sec = 4 * unit_ns / NS_PER_S + 1;
  begin = now();
  later(write_one, NULL);
  bad = either(bad, gave(select(1 << 20, &in, NULL, NULL, &t), 1, 0, begin, 1));
  later_join();
  return FD_ISSET(pair[0], &in) ? bad : "not set";
}

/* In ns a little more than 64 bits hold: 0.29 s, without care. */
#define CENTURIES ((time_t)18446744074)

const char *fd_long(void)
{
  struct timeval v = {CENTURIES, 0};
  struct timespec t = {CENTURIES, 0};
  fd_set in;
  char c;
  if (!make_pair())
    return "socketpair";
  FD_ZERO(&in);
  FD_SET(pair[0], &in);
  int64_t begin = now();
  later(write_one, NULL);
  const char *bad =
      gave(select(pair[0] + 1, &in, NULL, NULL, &v), 1, 0, begin, 1);
  later_join();
  if (read(pair[0], &c, 1) != 1)
    return "read";
  struct pollfd f = {pair[0], POLLIN, 0};
  later(write_one, NULL);
  bad = either(bad, gave(ppoll(&f, 1, &t, NULL), 1, 0, begin, 2));
  later_join();
  if (read(pair[0], &c, 1) != 1)
    return "read";
  v = (struct timeval){CENTURIES, 0};
  setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &v, sizeof v);
  later(write_one, NULL);
  bad = either(bad, gave(recv(pair[0], &c, 1, 0), 1, 0, begin, 3));
  later_join();
  return bad;
}

const char *fd_bad(void)
{
  struct timespec below = {-1, 0}, much = {0, NS_PER_S};
  struct timeval v = {-1, 0};
  int64_t begin = now();
  const char *bad = gave(ppoll(NULL, 0, &below, NULL), -1, EINVAL, begin, 0);
  bad = either(bad, gave(ppoll(NULL, 0, &much, NULL), -1, EINVAL, begin, 0));
  bad =
      either(bad, gave(select(0, NULL, NULL, NULL, &v), -1, EINVAL, begin, 0));
  bad = either(bad, gave(pselect(0, NULL, NULL, NULL, &much, NULL), -1, EINVAL,
                         begin, 0));
  bad = either(bad,
               gave(select(-1, NULL, NULL, NULL, NULL), -1, EINVAL, begin, 0));
  bad = either(bad, gave(nanosleep(&much, NULL), -1, EINVAL, begin, 0));
  return either(bad, gave(nanosleep(&below, NULL), -1, EINVAL, begin, 0));
}

/* ---- time-outs of sockets ---- */

static int set_timeout(int fd, int n)
{
  struct timeval v = {n * unit_ns / NS_PER_S, n * unit_ns % NS_PER_S / 1000};
  return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &v, sizeof v);
}

const char *fd_receive(void)
{
  char c;
  struct iovec v = {&c, 1};
  struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
  if (!make_pair() || set_timeout(pair[0], 1) != 0)
    return "socketpair";
  int64_t begin = now();
  const char *bad = gave(recv(pair[0], &c, 1, 0), -1, EAGAIN, begin, 1);
  bad = either(bad, gave(read(pair[0], &c, 1), -1, EAGAIN, begin, 2));
  bad = either(bad, gave(readv(pair[0], &v, 1), -1, EAGAIN, begin, 3));
  bad = either(bad, gave(recvmsg(pair[0], &m, 0), -1, EAGAIN, begin, 4));
  bad = either(
      bad, gave(recvfrom(pair[0], &c, 1, 0, NULL, NULL), -1, EAGAIN, begin, 5));
  bad = either(bad,
               gave(recv(pair[0], &c, 1, MSG_DONTWAIT), -1, EAGAIN, begin, 5));
  int l = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr any = {.sa_family = AF_UNIX};
  if (bind(l, &any, sizeof any.sa_family) != 0 || listen(l, 1) != 0 ||
      set_timeout(l, 1) != 0)
    return "listen";
  bad = either(bad, gave(accept(l, NULL, NULL), -1, EAGAIN, begin, 6));
  return either(bad, gave(accept4(l, NULL, NULL, 0), -1, EAGAIN, begin, 7));
}

const char *fd_option(void)
{
  int p[2];
  int64_t begin = now();
  struct timeval v = {1, 0}, much = {1, 1000000};
  if (pipe(p) != 0 || !make_pair())
    return "pipe";
  const char *bad = gave(set_timeout(p[0], 1), -1, ENOTSOCK, begin, 0);
  close(p[1]);
  bad = either(bad, gave(set_timeout(p[1], 1), -1, EBADF, begin, 0));
  bad = either(bad, gave(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &much,
                                    sizeof much),
                         -1, EDOM, begin, 0));
  bad = either(bad, gave(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &v, 4),
                         -1, EINVAL, begin, 0));
  socklen_t n = sizeof v;
  set_timeout(pair[0], 3);
  getsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &v, &n);
  if (v.tv_sec != 3 * unit_ns / NS_PER_S)
    return wrong("%ld s", (long)v.tv_sec);
  return bad;
}

/* The number is given to another socket, without a close() that the object
 * sees. */
const char *fd_again(void)
{
  char c;
  if (!make_pair() || set_timeout(pair[0], 1) != 0)
    return "socketpair";
  int number = pair[0], other = pair[1];
  FILE *f = fdopen(number, "r");
  if (!f)
    return "fdopen";
  fclose(f);
  if (!make_pair() || pair[0] != number)
    return "not the same number";
  int64_t begin = now();
  struct timespec none = {0, 0};
  socklen_t n = sizeof none;
  getsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &none, &n);
  if (none.tv_sec)
    return "it has the time-out of the one before";
  later(nap_and_write, NULL);
  const char *bad = gave(recv(number, &c, 1, 0), 1, 0, begin, 2);
  later_join();
  close(other);
  return bad;
}
