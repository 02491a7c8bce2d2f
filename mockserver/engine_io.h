/*
 * engine_io.h - reading and writing of a connection, encrypted or not.
 *
 * A plain connection pays one comparison. What TLS does differently is in
 * tls.h and engine_feed.c; results are those of recv() and send().
 */
#ifndef MOCKSERVER_ENGINE_IO_H
#define MOCKSERVER_ENGINE_IO_H

#include "mockserver/engine_priv.h"
#include "mockserver/tls.h"

#include <sys/socket.h>

/* What waits, left where it is. */
static inline ssize_t io_peek(struct conn *c, char *to, size_t n)
{
  return c->tls ? tls_peek(c->tls, to, n)
                : recv(c->fd, to, n, MSG_PEEK | MSG_DONTWAIT);
}

/* Thrown away without a copy: MSG_TRUNC on TCP, tcp(7). */
static inline ssize_t io_skip(struct conn *c, size_t n)
{
  return c->tls ? feed_skip(c, n)
                : recv(c->fd, NULL, n, MSG_DONTWAIT | MSG_TRUNC);
}

static inline ssize_t io_send(struct conn *c, const char *p, size_t n)
{
  return c->tls ? tls_send(c->tls, p, n)
                : send(c->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Bytes of requests taken from the connection so far. */
static inline uint64_t io_read_bytes(const struct conn *c)
{
  return c->tls ? feed_read_bytes(c) : tcp_read_bytes(c->fd);
}

#endif
