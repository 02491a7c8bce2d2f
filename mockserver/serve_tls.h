/*
 * serve_tls.h - HTTPS of `faultwire serve`: the CA, and the file clients
 * are to trust.
 */
#ifndef MOCKSERVER_SERVE_TLS_H
#define MOCKSERVER_SERVE_TLS_H

#include "mockserver/tls_config.h"

struct serve_tls {
  struct tls_ca *ca; /* NULL: HTTP only */
  char *folder;      /* with TLS_CA_FILE in it */
  bool fleeting;     /* the folder goes with the server */
};

/* With `folder` NULL a private one is made for as long as the server runs. */
int serve_tls_open(struct serve_tls *ret, const char *folder,
                   const struct tls_config *config, int64_t now_epoch_s,
                   struct diag *diag);
void serve_tls_close(struct serve_tls *t);
/* Tells on stdout where the certificate is. */
void serve_tls_print(const struct serve_tls *t);

#endif
