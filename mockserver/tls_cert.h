/*
 * tls_cert.h - one X.509 certificate, as asked for.
 *
 * Fields by RFC 5280; what the verifiers in the field insist on is set in
 * every certificate: version 3, a random positive serial number, subject and
 * authority key identifiers, basicConstraints, keyUsage and, in leaves,
 * subjectAltName and serverAuth. Functions return 0 or GnuTLS's error.
 */
#ifndef MOCKSERVER_TLS_CERT_H
#define MOCKSERVER_TLS_CERT_H

#include "base/buf.h"

#include <gnutls/x509.h>

/* A CA: certificate and key. */
struct signer {
  gnutls_x509_crt_t crt;
  gnutls_x509_privkey_t key;
};

struct cert_wish {
  const char *name; /* common name */
  bool is_ca;
  bool local;               /* 127.0.0.1, ::1 and localhost are in it */
  const char *const *names; /* more of it: names or addresses, NULL ends */
  int64_t from_epoch_s, until_epoch_s;
};

/* A fresh P-256 key. */
int cert_key(gnutls_x509_privkey_t *ret);
/* Signed by `by`, NULL: by itself. */
int cert_make(gnutls_x509_crt_t *ret, gnutls_x509_privkey_t key,
              const struct signer *by, const struct cert_wish *w);
/* From PEM; a key that is not the certificate's is an error. */
int signer_read(struct signer *ret, struct bytes crt_pem, struct bytes key_pem);
void signer_release(struct signer *s);

#endif
