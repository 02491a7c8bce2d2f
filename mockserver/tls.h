/*
 * tls.h - one TLS session of the server over a socket that never blocks.
 *
 * GnuTLS does the protocol; the socket stays the engine's. Reading and
 * writing look like recv() and send() with MSG_DONTWAIT: the same results,
 * the same errno, so the engine treats both kinds of connection alike. One
 * write is one record, so a piece of a plan is a piece on the wire. Bytes
 * are counted as the caller gave them, before encryption.
 *
 * While it holds, what the handshake has to say is kept back and given to
 * the caller instead of the socket: handshake faults are made of that.
 */
#ifndef MOCKSERVER_TLS_H
#define MOCKSERVER_TLS_H

#include "mockserver/tls_config.h"

#include <sys/types.h>

struct tls;

/* NULL when GnuTLS has no memory. `leaf` must outlive it. */
struct tls *tls_new(int fd, gnutls_certificate_credentials_t leaf,
                    enum tls_versions versions);
void tls_free(struct tls *t);

enum tls_result {
  TLS_WAITS, /* for the client */
  TLS_UP,    /* the handshake is over */
  TLS_LEFT,  /* the client has gone, or has sent a fatal alert */
  TLS_FAILED /* we cannot go on; the alert that says so is sent */
};
enum tls_result tls_handshake(struct tls *t);
/* Why it was TLS_LEFT or TLS_FAILED, a few words. */
const char *tls_reason(const struct tls *t);
/* "TLS1.3" once it is up, else "". */
const char *tls_version(const struct tls *t);
/* The name the client asks for (SNI), "" when it named none. */
const char *tls_server_name(struct tls *t);

void tls_hold(struct tls *t, bool on);
/* What was kept back. */
struct bytes tls_held(const struct tls *t);
/* Its first record: the ServerHello. */
struct bytes tls_held_record(const struct tls *t);

/* As recv() with MSG_PEEK, as recv() with MSG_TRUNC into nothing, and as
 * send(); MSG_DONTWAIT each. Before the handshake is over, bytes are sent as
 * they are. */
ssize_t tls_peek(struct tls *t, char *to, size_t n);
ssize_t tls_skip(struct tls *t, size_t n);
ssize_t tls_send(struct tls *t, const char *p, size_t n);
/* Decrypted bytes that wait here; more may wait in the socket. */
struct bytes tls_waiting(const struct tls *t);
/* `n` of them are done with. */
void tls_drop(struct tls *t, size_t n);
/* Puts bytes back in front of them. */
void tls_unread(struct tls *t, struct bytes b);

/* No close_notify will be sent. */
void tls_set_silent(struct tls *t);
/* close_notify, once; false: the socket is full, ask again. */
bool tls_bye(struct tls *t);

#endif
