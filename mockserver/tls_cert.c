#include "mockserver/tls_cert.h"

#include <arpa/inet.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <string.h>

/* Of a key identifier: SHA-1 (RFC 5280 4.2.1.2) is 20, SHA-256 is 32. */
#define KEY_ID_BYTES 32
/* RFC 5280 4.1.2.2: at most 20, and at least 64 random bits are good use. */
#define SERIAL_BYTES 16

/* The first error stays; the calls behind it do no harm. */
static void keep(int *rc, int now)
{
  if (*rc >= 0 && now < 0)
    *rc = now;
}

int cert_key(gnutls_x509_privkey_t *ret)
{
  int rc = gnutls_x509_privkey_init(ret);
  if (rc < 0)
    return rc;
  return gnutls_x509_privkey_generate(
      *ret, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1),
      0);
}

/* ---- fields ---- */

static void set_serial(gnutls_x509_crt_t crt, int *rc)
{
  unsigned char serial[SERIAL_BYTES];
  keep(rc, gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof serial));
  /* positive, and as long as it says: no leading zero byte */
  serial[0] = (unsigned char)((serial[0] & 0x3f) | 0x40);
  keep(rc, gnutls_x509_crt_set_serial(crt, serial, sizeof serial));
}

static void add_san(gnutls_x509_crt_t crt, gnutls_x509_subject_alt_name_t type,
                    const void *p, size_t n, int *rc)
{
  keep(rc, gnutls_x509_crt_set_subject_alt_name(crt, type, p, (unsigned)n,
                                                GNUTLS_FSAN_APPEND));
}

static void add_name(gnutls_x509_crt_t crt, const char *name, int *rc)
{
  unsigned char address[16];
  if (inet_pton(AF_INET, name, address) == 1)
    add_san(crt, GNUTLS_SAN_IPADDRESS, address, 4, rc);
  else if (inet_pton(AF_INET6, name, address) == 1)
    add_san(crt, GNUTLS_SAN_IPADDRESS, address, 16, rc);
  else
    add_san(crt, GNUTLS_SAN_DNSNAME, name, strlen(name), rc);
}

static void set_leaf(gnutls_x509_crt_t crt, const struct cert_wish *w, int *rc)
{
  static const char *const local[] = {"127.0.0.1", "::1", "localhost"};
  for (size_t i = 0; w->local && i < sizeof local / sizeof *local; i++)
    add_name(crt, local[i], rc);
  for (size_t i = 0; w->names && w->names[i]; i++)
    add_name(crt, w->names[i], rc);
  keep(rc, gnutls_x509_crt_set_basic_constraints(crt, 0, -1));
  keep(rc, gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_DIGITAL_SIGNATURE));
  keep(rc,
       gnutls_x509_crt_set_key_purpose_oid(crt, GNUTLS_KP_TLS_WWW_SERVER, 0));
}

static void set_ca(gnutls_x509_crt_t crt, int *rc)
{
  keep(rc, gnutls_x509_crt_set_basic_constraints(crt, 1, 0));
  keep(rc, gnutls_x509_crt_set_key_usage(crt, GNUTLS_KEY_KEY_CERT_SIGN |
                                                  GNUTLS_KEY_CRL_SIGN));
}

static void set_ids(gnutls_x509_crt_t crt, gnutls_x509_crt_t by, int *rc)
{
  unsigned char id[KEY_ID_BYTES];
  size_t n = sizeof id;
  keep(rc, gnutls_x509_crt_get_key_id(crt, 0, id, &n));
  if (*rc >= 0)
    keep(rc, gnutls_x509_crt_set_subject_key_id(crt, id, n));
  n = sizeof id;
  keep(rc, gnutls_x509_crt_get_key_id(by, 0, id, &n));
  if (*rc >= 0)
    keep(rc, gnutls_x509_crt_set_authority_key_id(crt, id, n));
}

/* ---- the certificate ---- */

/* A CA's name holds some of its key: two CAs never have the same. */
static void set_name(gnutls_x509_crt_t crt, const struct cert_wish *w, int *rc)
{
  unsigned char id[KEY_ID_BYTES] = {0};
  size_t n = sizeof id;
  keep(rc, gnutls_x509_crt_get_key_id(crt, 0, id, &n));
  char *name = w->is_ca ? mem_format("%s %02x%02x%02x%02x", w->name, id[0],
                                     id[1], id[2], id[3])
                        : mem_strdup(w->name);
  keep(rc, gnutls_x509_crt_set_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0,
                                         name, (unsigned)strlen(name)));
  free(name);
}

int cert_make(gnutls_x509_crt_t *ret, gnutls_x509_privkey_t key,
              const struct signer *by, const struct cert_wish *w)
{
  int rc = gnutls_x509_crt_init(ret);
  if (rc < 0)
    return rc;
  gnutls_x509_crt_t crt = *ret, issuer = by ? by->crt : crt;
  keep(&rc, gnutls_x509_crt_set_version(crt, 3));
  keep(&rc, gnutls_x509_crt_set_key(crt, key));
  set_serial(crt, &rc);
  set_name(crt, w, &rc);
  keep(&rc, gnutls_x509_crt_set_activation_time(crt, (time_t)w->from_epoch_s));
  keep(&rc, gnutls_x509_crt_set_expiration_time(crt, (time_t)w->until_epoch_s));
  if (w->is_ca)
    set_ca(crt, &rc);
  else
    set_leaf(crt, w, &rc);
  set_ids(crt, issuer, &rc);
  if (rc >= 0)
    keep(&rc, gnutls_x509_crt_sign2(crt, issuer, by ? by->key : key,
                                    GNUTLS_DIG_SHA256, 0));
  if (rc >= 0)
    return 0;
  gnutls_x509_crt_deinit(crt);
  *ret = NULL;
  return rc;
}

/* ---- signers ---- */

static gnutls_datum_t datum(struct bytes b)
{
  return (gnutls_datum_t){(unsigned char *)(uintptr_t)b.p, (unsigned)b.n};
}

static int same_key(const struct signer *s)
{
  unsigned char of_crt[KEY_ID_BYTES], of_key[KEY_ID_BYTES];
  size_t n = sizeof of_crt, k = sizeof of_key;
  int rc = gnutls_x509_crt_get_key_id(s->crt, 0, of_crt, &n);
  keep(&rc, gnutls_x509_privkey_get_key_id(s->key, 0, of_key, &k));
  if (rc < 0)
    return rc;
  return n == k && memcmp(of_crt, of_key, n) == 0
             ? 0
             : GNUTLS_E_CERTIFICATE_KEY_MISMATCH;
}

int signer_read(struct signer *ret, struct bytes crt_pem, struct bytes key_pem)
{
  gnutls_datum_t c = datum(crt_pem), k = datum(key_pem);
  int rc = gnutls_x509_crt_init(&ret->crt);
  if (rc >= 0)
    rc = gnutls_x509_privkey_init(&ret->key);
  if (rc >= 0)
    rc = gnutls_x509_crt_import(ret->crt, &c, GNUTLS_X509_FMT_PEM);
  if (rc >= 0)
    rc =
        gnutls_x509_privkey_import2(ret->key, &k, GNUTLS_X509_FMT_PEM, NULL, 0);
  return rc >= 0 ? same_key(ret) : rc;
}

void signer_release(struct signer *s)
{
  if (s->crt)
    gnutls_x509_crt_deinit(s->crt);
  if (s->key)
    gnutls_x509_privkey_deinit(s->key);
  *s = (struct signer){0};
}
