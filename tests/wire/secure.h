/*
 * secure.h - a TLS client for tests, on the socket of a wire_call.
 *
 * It never blocks: it asks, lets the server's loop run, and asks again until
 * nothing moves any more. What it sends may be cut into small pieces.
 */
#ifndef TESTS_SECURE_H
#define TESTS_SECURE_H

#include "tests/wire/call.h"

#include <gnutls/gnutls.h>

struct secure {
  struct wire_call call; /* its `fd` is the socket */
  gnutls_session_t session;
  gnutls_certificate_credentials_t trust;
  unsigned seed;     /* 0: whole writes */
  bool refuse;       /* the certificate, whatever it is */
  enum wire_end tcp; /* how the socket ended */
  struct buf raw;    /* what came on the socket, encrypted */
};

/* Scenario and connection as by call_open(); `tls`: the scenario's value. */
void secure_open(struct secure *s, const char *provider, const char *steps,
                 bool stream, const char *tls);
void secure_close(struct secure *s);
/* A new connection and session of the same client. */
void secure_again(struct secure *s);
/* Only these versions: a priority string. */
void secure_only(struct secure *s, const char *priority);
/* GnuTLS's code: 0 when up, GNUTLS_E_AGAIN when the server says nothing. */
int secure_shake(struct secure *s);
/* 0 when the certificate is good for `name` but for its dates: GnuTLS's bits
 * (gnutls_certificate_status_t). */
unsigned secure_verify(struct secure *s, const char *name);
void secure_send(struct secure *s, struct bytes b);

enum secure_end {
  SECURE_OPEN,
  SECURE_CLOSED, /* close_notify and FIN */
  SECURE_CUT,    /* FIN alone */
  SECURE_RST
};
/* Appends what is there to call.got. */
enum secure_end secure_take(struct secure *s);
/* The same until the end, or two quiet minutes of the server's clock. */
enum secure_end secure_collect(struct secure *s);

#endif
