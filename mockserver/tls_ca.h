/*
 * tls_ca.h - a certificate authority of our own, and the certificates the
 * server shows.
 *
 * Made when the server starts, or read from a folder: an ECDSA P-256 key, a
 * CA with basicConstraints CA:TRUE and keyUsage keyCertSign (RFC 5280 4.2.1.3
 * and 4.2.1.9; OpenSSL and Python's strict mode ask for both), and a leaf for
 * 127.0.0.1, ::1, localhost and the names asked for. Certificates that are
 * wrong on purpose are made when a connection first needs one.
 */
#ifndef MOCKSERVER_TLS_CA_H
#define MOCKSERVER_TLS_CA_H

#include "base/buf.h"
#include "base/diag.h"

#include <gnutls/gnutls.h>

#define TLS_CA_FILE "ca.pem"
#define TLS_CA_KEY_FILE "ca-key.pem"

enum tls_leaf {
  LEAF_GOOD,
  LEAF_WRONG_NAME,    /* for a name nobody calls */
  LEAF_EXPIRED,       /* since yesterday */
  LEAF_NOT_YET_VALID, /* before tomorrow */
  LEAF_UNKNOWN_CA,    /* signed by another CA */
  LEAF_SELF_SIGNED,   /* signed by itself */
  LEAVES
};

struct tls_ca;

/* A fresh one, valid from yesterday of `now_epoch_s`. `names`: more names of
 * the leaf, NULL-terminated, or NULL; they must stay. */
struct tls_ca *tls_ca_new(int64_t now_epoch_s, const char *const *names,
                          struct diag *diag);
/* The one in `folder`, which is made when it is not there: ca.pem and
 * ca-key.pem. A key without its certificate or the other way round is an
 * error. */
struct tls_ca *tls_ca_open(const char *folder, int64_t now_epoch_s,
                           const char *const *names, struct diag *diag);
void tls_ca_free(struct tls_ca *ca);
/* Its certificate, for clients to trust. */
struct bytes tls_ca_pem(const struct tls_ca *ca);
int tls_ca_write(const struct tls_ca *ca, const char *path, struct diag *diag);
/* Belongs to `ca`; NULL and a sentence when it cannot be made. */
gnutls_certificate_credentials_t
tls_ca_leaf(struct tls_ca *ca, enum tls_leaf leaf, struct diag *diag);

#endif
