#include "mockserver/engine_priv.h"

/* The kernel's own header: libc's struct tcp_info ends before the counters
 * needed here, and the two headers cannot be included together. */
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifndef SOL_TCP
#define SOL_TCP 6 /* IANA protocol number of TCP */
#endif

static struct tcp_info info_of(int fd)
{
  struct tcp_info t = {0};
  socklen_t n = sizeof t;
  if (getsockopt(fd, SOL_TCP, TCP_INFO, &t, &n) != 0)
    t = (struct tcp_info){0};
  return t;
}

uint64_t tcp_read_bytes(int fd)
{
  int waiting = 0;
  uint64_t received = info_of(fd).tcpi_bytes_received;
  if (ioctl(fd, SIOCINQ, &waiting) != 0 || waiting < 0)
    waiting = 0;
  return received > (uint64_t)waiting ? received - (uint64_t)waiting : 0;
}

uint64_t tcp_sent_bytes(int fd)
{
  return info_of(fd).tcpi_bytes_sent;
}

uint64_t tcp_unsent_bytes(int fd)
{
  int waiting = 0;
  return ioctl(fd, SIOCOUTQNSD, &waiting) == 0 && waiting > 0
             ? (uint64_t)waiting
             : 0;
}
