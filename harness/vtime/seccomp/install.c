#include "harness/vtime/seccomp/install.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

int install_open(struct install *in, struct diag *diag)
{
  in->n = filter_make(in->filter);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in->pair) == 0)
    return 0;
  in->pair[0] = in->pair[1] = -1;
  return diag_set(diag, "cannot make a pair of sockets: %s", strerror(errno));
}

void install_close(struct install *in)
{
  for (int i = 0; i < 2; i++) {
    if (in->pair[i] >= 0)
      close(in->pair[i]);
    in->pair[i] = -1;
  }
}

static int put_filter(const struct install *in, unsigned long flags)
{
  struct sock_fprog p = {(unsigned short)in->n, NULL};
  union {
    const struct sock_filter *in;
    struct sock_filter *out; /* the kernel does not write to it */
  } u = {in->filter};
  p.filter = u.out;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      SECCOMP_FILTER_FLAG_NEW_LISTENER | flags, &p);
}

/* Room for one descriptor, aligned as the macros want it. */
union control {
  char room[CMSG_SPACE(sizeof(int))];
  struct cmsghdr align;
};

static int send_fd(int to, int fd, char word)
{
  union control control = {.room = {0}};
  struct iovec v = {&word, 1};
  struct msghdr m = {.msg_iov = &v,
                     .msg_iovlen = 1,
                     .msg_control = control.room,
                     .msg_controllen = sizeof control.room};
  struct cmsghdr *h = CMSG_FIRSTHDR(&m);
  h->cmsg_level = SOL_SOCKET;
  h->cmsg_type = SCM_RIGHTS;
  h->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(h), &fd, sizeof fd);
  return sendmsg(to, &m, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

int install_in_child(const struct install *in)
{
  char word = 'k';
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  int fd = in->old_signals
               ? -1
               : put_filter(in, SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  if (in->old_signals || (fd < 0 && errno == EINVAL)) {
    word = 'i';
    fd = put_filter(in, 0);
  }
  if (fd < 0)
    return -1;
  int rc = send_fd(in->pair[1], fd, word);
  close(fd); /* else the client would hold its own listener open */
  return rc;
}

void install_wait(struct install *in)
{
  struct pollfd sent = {in->pair[0], POLLIN, 0};
  if (in->pair[1] >= 0)
    close(in->pair[1]); /* else its end would not be seen */
  in->pair[1] = -1;
  while (poll(&sent, 1, -1) < 0 && errno == EINTR)
    continue;
}

int install_take(struct install *in, bool *ret_killable)
{
  union control control = {.room = {0}};
  char word = 0;
  int fd = -1;
  struct iovec v = {&word, 1};
  struct msghdr m = {.msg_iov = &v,
                     .msg_iovlen = 1,
                     .msg_control = control.room,
                     .msg_controllen = sizeof control.room};
  ssize_t n = recvmsg(in->pair[0], &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  const struct cmsghdr *h = n == 1 ? CMSG_FIRSTHDR(&m) : NULL;
  if (h && h->cmsg_type == SCM_RIGHTS)
    memcpy(&fd, CMSG_DATA(h), sizeof fd);
  *ret_killable = word == 'k';
  install_close(in);
  return fd;
}
