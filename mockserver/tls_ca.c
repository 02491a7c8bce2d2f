#include "mockserver/tls_ca.h"

#include "base/file.h"
#include "mockserver/tls_cert.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A certificate is a few hundred bytes, a folder's file is not more. */
#define MAX_PEM ((size_t)64 << 10)
#define DAY_S (24 * 3600)
/* Apple refuses leaves for more than 398 days; a year is enough. */
#define LEAF_DAYS 365
#define CA_DAYS 3650

struct tls_ca {
  struct signer own, other; /* `other`: the CA nobody knows, made when asked */
  gnutls_x509_privkey_t leaf_key;
  struct buf pem;
  const char *const *names;
  int64_t now_epoch_s;
  gnutls_certificate_credentials_t leaves[LEAVES];
};

static int failed(struct diag *diag, const char *what, int rc)
{
  return diag_set(diag, "cannot make %s: %s", what, gnutls_strerror(rc));
}

static int make_signer(struct tls_ca *ca, struct signer *s, const char *name)
{
  struct cert_wish w = {.name = name,
                        .is_ca = true,
                        .from_epoch_s = ca->now_epoch_s - DAY_S,
                        .until_epoch_s = ca->now_epoch_s + CA_DAYS * DAY_S};
  int rc = cert_key(&s->key);
  return rc < 0 ? rc : cert_make(&s->crt, s->key, NULL, &w);
}

static int export_pem(struct tls_ca *ca)
{
  gnutls_datum_t d;
  int rc = gnutls_x509_crt_export2(ca->own.crt, GNUTLS_X509_FMT_PEM, &d);
  if (rc < 0)
    return rc;
  buf_reset(&ca->pem);
  buf_add(&ca->pem, d.data, d.size);
  gnutls_free(d.data);
  return 0;
}

static struct tls_ca *prepare(int64_t now_epoch_s, const char *const *names)
{
  struct tls_ca *ca = mem_zalloc(sizeof *ca);
  ca->now_epoch_s = now_epoch_s;
  ca->names = names;
  buf_init(&ca->pem, MAX_PEM);
  return ca;
}

/* `ca` with what it signs; freed when that fails. */
static struct tls_ca *finish(struct tls_ca *ca, struct diag *diag)
{
  int rc = cert_key(&ca->leaf_key);
  if (rc == 0)
    rc = export_pem(ca);
  if (rc == 0 && tls_ca_leaf(ca, LEAF_GOOD, diag))
    return ca;
  if (rc < 0)
    failed(diag, "a key", rc);
  tls_ca_free(ca);
  return NULL;
}

struct tls_ca *tls_ca_new(int64_t now_epoch_s, const char *const *names,
                          struct diag *diag)
{
  struct tls_ca *ca = prepare(now_epoch_s, names);
  int rc = make_signer(ca, &ca->own, "faultwire local CA");
  if (rc == 0)
    return finish(ca, diag);
  failed(diag, "a CA", rc);
  tls_ca_free(ca);
  return NULL;
}

void tls_ca_free(struct tls_ca *ca)
{
  if (!ca)
    return;
  for (size_t i = 0; i < LEAVES; i++)
    if (ca->leaves[i])
      gnutls_certificate_free_credentials(ca->leaves[i]);
  signer_release(&ca->own);
  signer_release(&ca->other);
  if (ca->leaf_key)
    gnutls_x509_privkey_deinit(ca->leaf_key);
  buf_release(&ca->pem);
  free(ca);
}

struct bytes tls_ca_pem(const struct tls_ca *ca)
{
  return buf_bytes(&ca->pem);
}

int tls_ca_write(const struct tls_ca *ca, const char *path, struct diag *diag)
{
  return file_write(path, buf_bytes(&ca->pem), diag);
}

/* ---- the folder ---- */

/* Nobody else may read it from its first byte on; never over another. */
static int write_key(const char *path, gnutls_x509_privkey_t key,
                     struct diag *diag)
{
  gnutls_datum_t d;
  int rc = gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL,
                                             GNUTLS_PKCS_PLAIN, &d);
  if (rc < 0)
    return failed(diag, "the key's file", rc);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool whole = fd >= 0 && write(fd, d.data, d.size) == (ssize_t)d.size;
  int error = errno;
  gnutls_free(d.data);
  if (fd >= 0)
    close(fd);
  return whole ? 0 : diag_set(diag, "writing %s: %s", path, strerror(error));
}

static int read_signer(struct tls_ca *ca, const char *crt, const char *key,
                       struct diag *diag)
{
  struct buf c, k;
  buf_init(&c, MAX_PEM);
  buf_init(&k, MAX_PEM);
  int rc = file_read(crt, &c, diag) < 0 || file_read(key, &k, diag) < 0 ? 1 : 0;
  if (rc == 0)
    rc = signer_read(&ca->own, buf_bytes(&c), buf_bytes(&k));
  buf_release(&c);
  buf_release(&k);
  return rc < 0 ? diag_set(diag, "%s and %s are no CA and its key: %s", crt,
                           key, gnutls_strerror(rc))
                : -rc;
}

static int write_signer(struct tls_ca *ca, const char *folder, const char *crt,
                        const char *key, struct diag *diag)
{
  int rc = make_signer(ca, &ca->own, "faultwire local CA");
  if (rc == 0)
    rc = export_pem(ca);
  if (rc < 0)
    return failed(diag, "a CA", rc);
  return file_mkdirs(folder, diag) < 0 ||
                 write_key(key, ca->own.key, diag) < 0 ||
                 tls_ca_write(ca, crt, diag) < 0
             ? -1
             : 0;
}

struct tls_ca *tls_ca_open(const char *folder, int64_t now_epoch_s,
                           const char *const *names, struct diag *diag)
{
  struct tls_ca *ca = prepare(now_epoch_s, names);
  char *crt = mem_format("%s/" TLS_CA_FILE, folder);
  char *key = mem_format("%s/" TLS_CA_KEY_FILE, folder);
  int rc = file_exists(crt) || file_exists(key)
               ? read_signer(ca, crt, key, diag)
               : write_signer(ca, folder, crt, key, diag);
  free(crt);
  free(key);
  if (rc == 0)
    return finish(ca, diag);
  tls_ca_free(ca);
  return NULL;
}

/* ---- leaves ---- */

static const char *const no_names[] = {NULL};
static const char *const wrong_names[] = {"wrong-name.faultwire.invalid", NULL};

static struct cert_wish wish_of(const struct tls_ca *ca, enum tls_leaf leaf)
{
  struct cert_wish w = {.name = "faultwire",
                        .local = leaf != LEAF_WRONG_NAME,
                        .names = ca->names ? ca->names : no_names,
                        .from_epoch_s = ca->now_epoch_s - DAY_S,
                        .until_epoch_s = ca->now_epoch_s + LEAF_DAYS * DAY_S};
  if (leaf == LEAF_WRONG_NAME)
    w.names = wrong_names;
  if (leaf == LEAF_EXPIRED) {
    w.from_epoch_s = ca->now_epoch_s - 30 * DAY_S;
    w.until_epoch_s = ca->now_epoch_s - DAY_S;
  }
  if (leaf == LEAF_NOT_YET_VALID)
    w.from_epoch_s = ca->now_epoch_s + DAY_S;
  return w;
}

static int sign_leaf(struct tls_ca *ca, enum tls_leaf leaf,
                     gnutls_x509_crt_t *ret)
{
  struct cert_wish w = wish_of(ca, leaf);
  const struct signer *by = leaf == LEAF_SELF_SIGNED ? NULL : &ca->own;
  int rc = 0;
  if (leaf == LEAF_UNKNOWN_CA) {
    by = &ca->other;
    if (!ca->other.crt)
      rc = make_signer(ca, &ca->other, "a CA nobody knows");
  }
  return rc < 0 ? rc : cert_make(ret, ca->leaf_key, by, &w);
}

gnutls_certificate_credentials_t
tls_ca_leaf(struct tls_ca *ca, enum tls_leaf leaf, struct diag *diag)
{
  gnutls_x509_crt_t crt = NULL;
  gnutls_certificate_credentials_t made = NULL;
  if (ca->leaves[leaf])
    return ca->leaves[leaf];
  int rc = sign_leaf(ca, leaf, &crt);
  if (rc == 0)
    rc = gnutls_certificate_allocate_credentials(&made);
  if (rc == 0)
    rc = gnutls_certificate_set_x509_key(made, &crt, 1, ca->leaf_key);
  if (crt)
    gnutls_x509_crt_deinit(crt);
  if (rc < 0) {
    failed(diag, "a certificate", rc);
    if (made)
      gnutls_certificate_free_credentials(made);
    return NULL;
  }
  ca->leaves[leaf] = made;
  return made;
}
