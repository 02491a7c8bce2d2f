#include "mockserver/tls.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* RFC 8446 5.1: plaintext of one record, and its header. */
#define RECORD_BYTES 16384
#define HEADER_BYTES 5
/* A record with a fatal alert that is not encrypted. */
#define ALERT_BYTES 7
/* What may wait decrypted: a request's head and some of its body. */
#define WAITING_BYTES ((size_t)256 << 10)
/* A flight of ServerHello ... Finished with one certificate is under 2 KiB. */
#define HELD_BYTES ((size_t)64 << 10)
/* A host name (RFC 1035 2.3.4) and its NUL. */
#define NAME_BYTES 256

struct tls {
  gnutls_session_t session;
  int fd;
  bool up, holding, silent, said_bye;
  bool unsent;                     /* a record the socket has not taken */
  bool ended;                      /* the client will send nothing more */
  unsigned char tail[ALERT_BYTES]; /* last bytes of the client's handshake */
  struct buf waiting, held;
  char reason[64], server_name[NAME_BYTES];
};

/* ---- what GnuTLS calls ---- */

static void keep_tail(struct tls *t, const unsigned char *p, size_t n)
{
  size_t k = n < ALERT_BYTES ? n : ALERT_BYTES;
  memmove(t->tail, t->tail + k, ALERT_BYTES - k);
  memcpy(t->tail + ALERT_BYTES - k, p + n - k, k);
}

static ssize_t pull(gnutls_transport_ptr_t p, void *to, size_t n)
{
  struct tls *t = p;
  ssize_t k = recv(t->fd, to, n, MSG_DONTWAIT);
  if (k > 0 && !t->up)
    keep_tail(t, to, (size_t)k);
  if (k < 0)
    gnutls_transport_set_errno(t->session, errno);
  return k;
}

static ssize_t keep_back(struct tls *t, const giovec_t *v, int n)
{
  ssize_t sum = 0;
  for (int i = 0; i < n; i++) {
    buf_add(&t->held, v[i].iov_base, v[i].iov_len);
    sum += (ssize_t)v[i].iov_len;
  }
  return sum;
}

static ssize_t push(gnutls_transport_ptr_t p, const giovec_t *v, int n)
{
  struct tls *t = p;
  if (t->holding)
    return keep_back(t, v, n);
  struct msghdr m = {.msg_iov = (struct iovec *)(uintptr_t)v,
                     .msg_iovlen = (size_t)n};
  ssize_t k = sendmsg(t->fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (k < 0)
    gnutls_transport_set_errno(t->session, errno);
  return k;
}

/* ---- life ---- */

static const char *priority_of(enum tls_versions v)
{
  switch (v) {
  case TLS_ONLY_1_2:
    return "NORMAL:-VERS-ALL:+VERS-TLS1.2";
  case TLS_ONLY_1_1: /* its signatures are of SHA-1 */
    return "NORMAL:-VERS-ALL:+VERS-TLS1.1:+SIGN-ECDSA-SHA1:%VERIFY_ALLOW_SIGN_"
           "WITH_SHA1";
  default:
    return "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
  }
}

static int set_up(struct tls *t, gnutls_certificate_credentials_t leaf,
                  enum tls_versions versions)
{
  static const unsigned char http_1_1[] = "http/1.1";
  gnutls_datum_t alpn = {(unsigned char *)(uintptr_t)http_1_1,
                         sizeof http_1_1 - 1};
  int rc = gnutls_priority_set_direct(t->session, priority_of(versions), NULL);
  if (rc >= 0)
    rc = gnutls_credentials_set(t->session, GNUTLS_CRD_CERTIFICATE, leaf);
  if (rc >= 0) /* a client that offers h2 as well gets what we speak */
    rc = gnutls_alpn_set_protocols(t->session, &alpn, 1, 0);
  gnutls_transport_set_ptr(t->session, t);
  gnutls_transport_set_pull_function(t->session, pull);
  gnutls_transport_set_vec_push_function(t->session, push);
  return rc;
}

struct tls *tls_new(int fd, gnutls_certificate_credentials_t leaf,
                    enum tls_versions versions)
{
  struct tls *t = mem_zalloc(sizeof *t);
  t->fd = fd;
  buf_init(&t->waiting, WAITING_BYTES + RECORD_BYTES);
  buf_init(&t->held, HELD_BYTES);
  /* no tickets: each connection shows a whole handshake */
  int rc = gnutls_init(&t->session, GNUTLS_SERVER | GNUTLS_NONBLOCK |
                                        GNUTLS_NO_SIGNAL | GNUTLS_NO_TICKETS);
  if (rc < 0)
    t->session = NULL;
  if (rc >= 0)
    rc = set_up(t, leaf, versions);
  if (rc >= 0)
    return t;
  tls_free(t);
  return NULL;
}

void tls_free(struct tls *t)
{
  if (!t)
    return;
  if (t->session)
    gnutls_deinit(t->session);
  buf_release(&t->waiting);
  buf_release(&t->held);
  free(t);
}

/* ---- the handshake ---- */

/* OpenSSL's clients refuse a certificate with an alert in the clear, where
 * RFC 8446 wants it encrypted and GnuTLS sees nonsense: -1, or its number. */
static int alert_in_the_clear(const struct tls *t)
{
  static const unsigned char head[] = {0x15, 3, 3, 0, 2, 2};
  return memcmp(t->tail, head, sizeof head) == 0 ? t->tail[sizeof head] : -1;
}

static enum tls_result broken(struct tls *t, int rc)
{
  int alert = rc == GNUTLS_E_FATAL_ALERT_RECEIVED
                  ? (int)gnutls_alert_get(t->session)
                  : alert_in_the_clear(t);
  if (alert >= 0) {
    snprintf(t->reason, sizeof t->reason, "the client sent the alert %s",
             tls_alert_name(alert));
    return TLS_LEFT;
  }
  if (rc == GNUTLS_E_PREMATURE_TERMINATION || rc == GNUTLS_E_PULL_ERROR ||
      rc == GNUTLS_E_PUSH_ERROR) {
    snprintf(t->reason, sizeof t->reason, "the client left");
    return TLS_LEFT;
  }
  snprintf(t->reason, sizeof t->reason, "%.60s", gnutls_strerror(rc));
  t->holding = false; /* this alert is for the client */
  gnutls_alert_send_appropriate(t->session, rc);
  return TLS_FAILED;
}

enum tls_result tls_handshake(struct tls *t)
{
  int rc;
  do
    rc = gnutls_handshake(t->session);
  while (rc < 0 && rc != GNUTLS_E_AGAIN && gnutls_error_is_fatal(rc) == 0);
  if (rc == GNUTLS_E_AGAIN)
    return TLS_WAITS;
  if (rc < 0)
    return broken(t, rc);
  t->up = true;
  return TLS_UP;
}

const char *tls_reason(const struct tls *t)
{
  return t->reason;
}

const char *tls_version(const struct tls *t)
{
  return t->up
             ? gnutls_protocol_get_name(gnutls_protocol_get_version(t->session))
             : "";
}

const char *tls_server_name(struct tls *t)
{
  size_t n = sizeof t->server_name - 1;
  unsigned type = GNUTLS_NAME_DNS;
  if (gnutls_server_name_get(t->session, t->server_name, &n, &type, 0) < 0)
    t->server_name[0] = '\0';
  return t->server_name;
}

void tls_hold(struct tls *t, bool on)
{
  t->holding = on;
}

struct bytes tls_held(const struct tls *t)
{
  return buf_bytes(&t->held);
}

struct bytes tls_held_record(const struct tls *t)
{
  struct bytes b = buf_bytes(&t->held);
  if (b.n < HEADER_BYTES)
    return b;
  size_t n = HEADER_BYTES + ((size_t)(unsigned char)b.p[3] << 8) +
             (size_t)(unsigned char)b.p[4];
  return (struct bytes){b.p, n < b.n ? n : b.n};
}

/* ---- data ---- */

/* One record more; 0: the end, -1: errno. */
static ssize_t read_record(struct tls *t)
{
  char record[RECORD_BYTES];
  ssize_t k;
  do
    k = gnutls_record_recv(t->session, record, sizeof record);
  while (k == GNUTLS_E_INTERRUPTED || k == GNUTLS_E_WARNING_ALERT_RECEIVED);
  if (k > 0) {
    buf_add(&t->waiting, record, (size_t)k);
    return k;
  }
  if (k == GNUTLS_E_AGAIN) {
    errno = EAGAIN;
    return -1;
  }
  t->ended = true;
  errno = ECONNRESET;
  return k == 0 || k == GNUTLS_E_PREMATURE_TERMINATION ? 0 : -1;
}

/* Until `n` bytes wait or nothing more comes; as recv(). */
static ssize_t gather(struct tls *t, size_t n)
{
  ssize_t k = 1;
  assert(n <= WAITING_BYTES);
  while (t->waiting.n < n && k > 0 && !t->ended)
    k = read_record(t);
  if (t->waiting.n)
    return (ssize_t)(t->waiting.n < n ? t->waiting.n : n);
  return t->ended ? 0 : k;
}

ssize_t tls_peek(struct tls *t, char *to, size_t n)
{
  ssize_t k = gather(t, n);
  if (k > 0)
    memcpy(to, t->waiting.p, (size_t)k);
  return k;
}

ssize_t tls_skip(struct tls *t, size_t n)
{
  ssize_t k = gather(t, n < RECORD_BYTES ? n : RECORD_BYTES);
  if (k > 0)
    buf_consume(&t->waiting, (size_t)k);
  return k;
}

struct bytes tls_waiting(const struct tls *t)
{
  return buf_bytes(&t->waiting);
}

void tls_drop(struct tls *t, size_t n)
{
  buf_consume(&t->waiting, n);
}

void tls_unread(struct tls *t, struct bytes b)
{
  struct buf old = t->waiting;
  if (!b.n)
    return;
  buf_init(&t->waiting, old.max);
  buf_addb(&t->waiting, b);
  buf_addb(&t->waiting, buf_bytes(&old));
  buf_release(&old);
}

/* A record the socket would not take is asked for again without its bytes:
 * GnuTLS has them, and tells how many of ours they were. */
ssize_t tls_send(struct tls *t, const char *p, size_t n)
{
  if (!t->up)
    return send(t->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (n > RECORD_BYTES)
    n = RECORD_BYTES;
  ssize_t k =
      gnutls_record_send(t->session, t->unsent ? NULL : p, t->unsent ? 0 : n);
  t->unsent = k == GNUTLS_E_AGAIN || k == GNUTLS_E_INTERRUPTED;
  if (k >= 0)
    return k;
  errno = t->unsent ? EAGAIN : EPIPE;
  return -1;
}

void tls_set_silent(struct tls *t)
{
  t->silent = true;
}

bool tls_bye(struct tls *t)
{
  if (!t->up || t->silent || t->said_bye)
    return true;
  int rc = gnutls_bye(t->session, GNUTLS_SHUT_WR);
  t->said_bye = rc != GNUTLS_E_AGAIN && rc != GNUTLS_E_INTERRUPTED;
  return t->said_bye;
}
