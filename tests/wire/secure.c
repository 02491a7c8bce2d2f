#include "tests/wire/secure.h"

#include <assert.h>
#include <errno.h>
#include <gnutls/x509.h>
#include <string.h>
#include <sys/socket.h>

/* Rounds without any progress after which nothing more will come. */
enum { QUIET = 3 };

static ssize_t pull(gnutls_transport_ptr_t p, void *to, size_t n)
{
  struct secure *s = p;
  ssize_t k = recv(s->call.fd, to, n, MSG_DONTWAIT);
  if (k > 0)
    buf_add(&s->raw, to, (size_t)k);
  else if (k == 0)
    s->tcp = WIRE_FIN;
  else if (errno == ECONNRESET)
    s->tcp = WIRE_RST;
  if (k < 0)
    gnutls_transport_set_errno(s->session, errno);
  return k;
}

static ssize_t push(gnutls_transport_ptr_t p, const void *from, size_t n)
{
  struct secure *s = p;
  const char *at = from;
  for (size_t done = 0; done < n;) {
    size_t k = n - done;
    s->seed = s->seed * 1103515245u + 12345u * (s->seed != 0);
    size_t piece = 1 + (s->seed >> 16) % 200;
    if (s->seed && piece < k)
      k = piece;
    ssize_t sent = send(s->call.fd, at + done, k, MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EPIPE || errno == ECONNRESET)
        s->tcp = WIRE_RST;
      gnutls_transport_set_errno(s->session, errno);
      return -1;
    }
    done += (size_t)sent;
    if (s->seed)
      wire_sync(&s->call.w);
  }
  return (ssize_t)n;
}

/* GnuTLS asks with the certificate in hand: the time to refuse it. */
static int on_certificate(gnutls_session_t session)
{
  const struct secure *s = gnutls_session_get_ptr(session);
  return s->refuse ? GNUTLS_E_CERTIFICATE_ERROR : 0;
}

static void new_session(struct secure *s)
{
  int rc = gnutls_init(&s->session, GNUTLS_CLIENT | GNUTLS_NONBLOCK);
  assert(rc == 0);
  gnutls_set_default_priority(s->session);
  gnutls_credentials_set(s->session, GNUTLS_CRD_CERTIFICATE, s->trust);
  gnutls_server_name_set(s->session, GNUTLS_NAME_DNS, "localhost", 9);
  gnutls_session_set_ptr(s->session, s);
  gnutls_transport_set_ptr(s->session, s);
  gnutls_transport_set_pull_function(s->session, pull);
  gnutls_transport_set_push_function(s->session, push);
  s->tcp = WIRE_OPEN;
  buf_reset(&s->raw);
}

void secure_open(struct secure *s, const char *provider, const char *steps,
                 bool stream, const char *tls)
{
  char *rest = mem_format(",\"tls\":%s", tls);
  memset(s, 0, sizeof *s);
  buf_init(&s->raw, (size_t)64 << 20);
  call_open(&s->call, provider, steps, stream, rest);
  free(rest);
  gnutls_certificate_allocate_credentials(&s->trust);
  struct bytes pem = tls_ca_pem(s->call.w.ca);
  gnutls_datum_t d = {(unsigned char *)(uintptr_t)pem.p, (unsigned)pem.n};
  int n =
      gnutls_certificate_set_x509_trust_mem(s->trust, &d, GNUTLS_X509_FMT_PEM);
  assert(n == 1);
  gnutls_certificate_set_verify_function(s->trust, on_certificate);
  new_session(s);
}

void secure_again(struct secure *s)
{
  gnutls_deinit(s->session);
  call_reconnect(&s->call);
  buf_reset(&s->call.got);
  new_session(s);
}

void secure_close(struct secure *s)
{
  gnutls_deinit(s->session);
  gnutls_certificate_free_credentials(s->trust);
  call_close(&s->call);
  buf_release(&s->raw);
}

void secure_only(struct secure *s, const char *priority)
{
  int rc = gnutls_priority_set_direct(s->session, priority, NULL);
  assert(rc == 0);
}

int secure_shake(struct secure *s)
{
  int rc = GNUTLS_E_AGAIN;
  for (int quiet = 0; quiet < QUIET; quiet++) {
    size_t before = s->raw.n;
    rc = gnutls_handshake(s->session);
    if (rc == 0)
      wire_sync(&s->call.w); /* the server has seen its end as well */
    if (rc == 0 || (rc != GNUTLS_E_AGAIN && gnutls_error_is_fatal(rc)))
      return rc;
    wire_sync(&s->call.w);
    if (s->raw.n != before)
      quiet = -1;
  }
  return rc;
}

unsigned secure_verify(struct secure *s, const char *name)
{
  unsigned status = 0;
  gnutls_certificate_set_verify_flags(s->trust,
                                      GNUTLS_VERIFY_DISABLE_TIME_CHECKS);
  int rc = gnutls_certificate_verify_peers3(s->session, name, &status);
  assert(rc == 0);
  return status;
}

void secure_send(struct secure *s, struct bytes b)
{
  for (size_t done = 0; done < b.n;) {
    ssize_t k = gnutls_record_send(s->session, b.p + done, b.n - done);
    if (k < 0)
      break; /* the server may have closed: the test looks at that */
    done += (size_t)k;
  }
  wire_sync(&s->call.w);
}

static enum secure_end ended(const struct secure *s, bool notified)
{
  if (s->tcp == WIRE_RST)
    return SECURE_RST;
  return notified ? SECURE_CLOSED : SECURE_CUT;
}

enum secure_end secure_take(struct secure *s)
{
  char block[16384];
  for (;;) {
    ssize_t k = gnutls_record_recv(s->session, block, sizeof block);
    if (k > 0)
      buf_add(&s->call.got, block, (size_t)k);
    else if (k == GNUTLS_E_AGAIN)
      return SECURE_OPEN;
    else if (k == 0 || gnutls_error_is_fatal((int)k))
      return ended(s, k == 0);
  }
}

enum secure_end secure_collect(struct secure *s)
{
  enum secure_end end = secure_take(s);
  for (int quiet = 0; quiet < 120 && end == SECURE_OPEN; quiet++) {
    size_t before = s->call.got.n;
    wire_advance(&s->call.w, 1000);
    end = secure_take(s);
    if (s->call.got.n != before)
      quiet = 0;
  }
  return end;
}
