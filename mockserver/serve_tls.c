#include "mockserver/serve_tls.h"

#include "base/file.h"

#include <stdio.h>

static int make_fleeting(struct serve_tls *t, const struct tls_config *config,
                         int64_t now_epoch_s, struct diag *diag)
{
  t->ca = tls_ca_new(now_epoch_s, config->names, diag);
  t->folder = t->ca ? file_temp_folder("faultwire-tls", diag) : NULL;
  if (!t->folder)
    return -1;
  t->fleeting = true;
  char *path = mem_format("%s/" TLS_CA_FILE, t->folder);
  int rc = tls_ca_write(t->ca, path, diag);
  free(path);
  return rc;
}

int serve_tls_open(struct serve_tls *ret, const char *folder,
                   const struct tls_config *config, int64_t now_epoch_s,
                   struct diag *diag)
{
  *ret = (struct serve_tls){0};
  if (!folder)
    return make_fleeting(ret, config, now_epoch_s, diag);
  ret->ca = tls_ca_open(folder, now_epoch_s, config->names, diag);
  if (!ret->ca)
    return -1;
  ret->folder = mem_strdup(folder);
  return 0;
}

void serve_tls_close(struct serve_tls *t)
{
  tls_ca_free(t->ca);
  if (t->fleeting)
    file_remove_tree(t->folder);
  free(t->folder);
  *t = (struct serve_tls){0};
}

void serve_tls_print(const struct serve_tls *t)
{
  if (t->ca)
    printf("faultwire serve: the same port speaks HTTPS; trust %s/" TLS_CA_FILE
           "\n",
           t->folder);
  fflush(stdout);
}
