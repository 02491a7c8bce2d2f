/*
 * The request as it goes on: the client's own lines but for those that are
 * about its connection (RFC 9110 7.6.1).
 */
#include "mockserver/upstream/transfer.h"

#include "mockserver/call.h"
#include "mockserver/request.h"

#include <string.h>

/* As long as a browser tries; nothing else of a call has a limit. */
#define CONNECT_TIMEOUT_S 30L
enum { MAX_URL = 64 << 10, MAX_BODY = 1 << 30, MAX_HEAD = 1 << 20 };

static bool stays_behind(struct bytes name, bool identity)
{
  static const char *const names[] = {"host",
                                      "connection",
                                      "content-length",
                                      "transfer-encoding",
                                      "keep-alive",
                                      "te",
                                      "trailer",
                                      "upgrade",
                                      "expect",
                                      "proxy-connection",
                                      "proxy-authorization",
                                      "x-faultwire-lane",
                                      "x-faultwire-force",
                                      NULL};
  for (const char *const *n = names; *n; n++)
    if (bytes_equal_nocase(name, bytes_of(*n)))
      return true;
  return identity && bytes_equal_nocase(name, BYTES("accept-encoding"));
}

static void add_line(struct transfer *t, struct bytes name, struct bytes value)
{
  /* libcurl's form of a header without a value */
  char *line = value.n ? mem_format("%.*s: %.*s", (int)name.n, name.p,
                                    (int)value.n, value.p)
                       : mem_format("%.*s;", (int)name.n, name.p);
  t->headers = curl_slist_append(t->headers, line);
  free(line);
}

static void add_headers(struct transfer *t, const struct request *r)
{
  bool identity = t->u->o.taken != NULL;
  static const char *const own[] = {"accept", "content-type", "user-agent",
                                    NULL};
  struct bytes found;
  for (size_t i = 0; i < r->nheaders; i++)
    if (!stays_behind(r->headers[i].name, identity))
      add_line(t, r->headers[i].name, r->headers[i].value);
  for (const char *const *n = own; *n; n++)
    if (!request_header(r, *n, &found)) {
      char *line = mem_format("%s:", *n); /* libcurl adds none of its own */
      t->headers = curl_slist_append(t->headers, line);
      free(line);
    }
  t->headers = curl_slist_append(t->headers, "Expect:");
  if (identity)
    t->headers = curl_slist_append(t->headers, "accept-encoding: identity");
}

/* The target without the lane in front. */
static struct bytes without_lane(const struct call *call, struct bytes target)
{
  size_t n = strlen(call->lane), at = 0;
  while (at < target.n && target.p[at] == '/')
    at++;
  if (n && target.n > at + n && memcmp(target.p + at, call->lane, n) == 0 &&
      target.p[at + n] == '/')
    return (struct bytes){target.p + at + n, target.n - at - n};
  return target;
}

static void set_method(struct transfer *t, const struct request *r)
{
  char *method = bytes_dup(r->method);
  bool head = strcmp(method, "HEAD") == 0;
  t->no_body = head;
  if (head)
    curl_easy_setopt(t->easy, CURLOPT_NOBODY, 1L);
  if (r->body.n || strcmp(method, "POST") == 0) {
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                     (curl_off_t)t->body.n);
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, buf_str(&t->body));
  }
  if (!head)
    curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, method);
  free(method);
}

static void set_options(struct transfer *t)
{
  CURL *e = t->easy;
  curl_easy_setopt(e, CURLOPT_PRIVATE, t);
  curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->error);
  curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(e, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT, CONNECT_TIMEOUT_S);
  curl_easy_setopt(e, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(e, CURLOPT_HTTPHEADER, t->headers);
  curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, transfer_header);
  curl_easy_setopt(e, CURLOPT_HEADERDATA, t);
  curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, transfer_body);
  curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
  if (t->u->loopback)
    curl_easy_setopt(e, CURLOPT_PROXY, "");
}

static void take_down(struct transfer *t, struct bytes target,
                      const struct call *call, const struct request *r)
{
  struct taken *k = &t->taken;
  const char *host = strstr(t->u->url, "://");
  taken_init(k);
  k->number = ++t->u->passed;
  k->at_ms = clock_wall_ns(t->u->o.clock) / NS_PER_MS;
  k->has_request = true;
  buf_addb(&k->method, r->method);
  buf_addb(&k->target, target);
  buf_adds(&k->host, host ? host + 3 : "");
  if (t->u->o.taken)
    buf_addb(&k->request, r->body);
  snprintf(k->lane, sizeof k->lane, "%s", call->lane);
}

bool transfer_set_up(struct transfer *t, const struct call *call,
                     const struct request *r)
{
  struct bytes target = without_lane(call, r->target);
  struct buf url;
  buf_init(&t->body, MAX_BODY);
  buf_init(&t->head, MAX_HEAD);
  buf_init(&t->out, 2 * TRANSFER_HELD + MAX_HEAD);
  take_down(t, target, call, r);
  t->easy = curl_easy_init();
  if (!t->easy)
    return false;
  buf_addb(&t->body, r->body);
  add_headers(t, r);
  buf_init(&url, MAX_URL);
  buf_adds(&url, t->u->url);
  buf_addb(&url, target);
  CURLcode rc = curl_easy_setopt(t->easy, CURLOPT_URL, buf_str(&url));
  set_method(t, r);
  set_options(t);
  bool fits = !url.full && !t->body.full;
  buf_release(&url);
  return rc == CURLE_OK && fits;
}
