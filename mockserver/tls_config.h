/*
 * tls_config.h - the scenario's `tls`: whether it is HTTPS, and what goes
 * wrong in handshakes.
 *
 * Rule: docs/tls.md. A handshake comes before any request, so its faults are
 * no steps: they are about TLS connections by number, counted from 1 in the
 * order of their ClientHellos, over all lanes. The first entry that names a
 * connection's number is meant.
 */
#ifndef MOCKSERVER_TLS_CONFIG_H
#define MOCKSERVER_TLS_CONFIG_H

#include "base/param.h"
#include "mockserver/tls_ca.h"

enum tls_act {
  TLS_STALL,
  TLS_RESET,
  TLS_FIN,
  TLS_ALERT,
  TLS_PLAIN_HTTP,
  TLS_GO_ON /* the handshake takes its course */
};

enum tls_versions { TLS_ALL, TLS_ONLY_1_2, TLS_ONLY_1_1 };

struct tls_kind {
  const char *name;
  enum tls_act act;
  enum tls_leaf leaf;
  enum tls_versions versions;
  const char *summary;
};

/* All of tls_faults.def; a name of NULL ends it. */
extern const struct tls_kind tls_kinds[];
extern const struct param tls_params[], tls_fault_params[];

struct tls_fault {
  size_t index;        /* place in the list, from 0 */
  int64_t first, last; /* numbers of connections */
  const struct tls_kind *kind;
  bool after_server_hello; /* else after the ClientHello */
  int64_t for_ns;          /* of a stall; INT64_MAX: for ever */
  unsigned char alert;     /* RFC 8446 6 */
  const char *alert_name;
};

struct tls_config {
  bool on;
  const char **names; /* more names of the certificate, NULL-terminated */
  struct tls_fault *faults;
  size_t nfaults;
};

/* The scenario's `tls`; nothing is on when it has none. */
int tls_config_read(struct tls_config *ret, const struct jval *root,
                    struct diag *diag);
void tls_config_release(struct tls_config *c);
/* NULL: that connection is well. */
const struct tls_fault *tls_config_fault(const struct tls_config *c,
                                         uint64_t connection);
/* RFC 8446's word for an alert, "unknown alert" for others. */
const char *tls_alert_name(int number);

#endif
