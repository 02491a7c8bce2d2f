#include "mockserver/admin_priv.h"

#include "base/words.h"
#include "mockserver/admin_paths.h"

#include <string.h>

#define JSON_TYPE "application/json"
/* Prometheus' text format, version 0.0.4. */
#define TEXT_TYPE "text/plain; version=0.0.4; charset=utf-8"

static const struct route {
  const char *method, *name;
  admin_fn *answer;
  const char *type;
  bool open; /* needs no token */
} routes[] = {
    {"GET", "health", admin_get_health, JSON_TYPE, true},
    {"GET", "requests", admin_get_requests, JSON_TYPE, false},
    {"DELETE", "requests", admin_clear_requests, JSON_TYPE, false},
    {"POST", "requests/reset", admin_clear_requests, JSON_TYPE, false},
    {"GET", "scenarios", admin_get_scenarios, JSON_TYPE, false},
    {"POST", "scenarios", admin_post_scenarios, JSON_TYPE, false},
    {"POST", "scenarios/reset", admin_post_rewind, JSON_TYPE, false},
    {"GET", "settings", admin_get_settings, JSON_TYPE, false},
    {"POST", "settings", admin_post_settings, JSON_TYPE, false},
    {"GET", "stats", admin_get_stats, JSON_TYPE, false},
    {"GET", "limits", admin_get_limits, JSON_TYPE, false},
    {"GET", "metrics", admin_get_metrics, TEXT_TYPE, false},
    {"GET", "verdict", admin_get_verdict, JSON_TYPE, false},
    {"POST", "error", admin_post_error, JSON_TYPE, false},
    {"POST", "retry_test", admin_post_retry_test, JSON_TYPE, false},
    {"GET", "retry_test/*", admin_get_retry_test, JSON_TYPE, false},
    {"DELETE", "retry_test/*", admin_delete_retry_test, JSON_TYPE, false},
    {"GET", "retry_tests", admin_get_retry_tests, JSON_TYPE, false},
    {"POST", "reset", admin_post_reset, JSON_TYPE, false},
    {"POST", "rewind", admin_post_rewind, JSON_TYPE, false}};
enum { ROUTES = sizeof routes / sizeof *routes };

/* HEAD is a GET without its body. */
static bool method_fits(struct bytes method, const char *wanted)
{
  return bytes_equal(method, bytes_of(wanted)) ||
         (bytes_equal(method, BYTES("HEAD")) && strcmp(wanted, "GET") == 0);
}

/* A name that ends with a star: anything may stand there. */
static bool name_fits(struct bytes name, const char *wanted)
{
  size_t n = strlen(wanted) - 1;
  if (wanted[n] != '*')
    return bytes_equal(name, bytes_of(wanted));
  return name.n > n && memcmp(name.p, wanted, n) == 0;
}

/* NULL when there is none; `ret_other`: the methods there are instead. */
static const struct route *find_route(const struct exchange *x,
                                      struct buf *ret_other)
{
  struct bytes name = admin_name(x->call->path);
  for (size_t i = 0; i < ROUTES; i++) {
    if (!name_fits(name, routes[i].name))
      continue;
    if (method_fits(x->request->method, routes[i].method))
      return &routes[i];
    buf_addf(ret_other, "%s%s", ret_other->n ? " or " : "", routes[i].method);
  }
  return NULL;
}

static int no_such_path(const struct exchange *x, struct buf *ret)
{
  char hint[256], text[512];
  const char *words[ROUTES + 1] = {NULL};
  for (size_t i = 0; i < ROUTES; i++)
    words[i] = routes[i].name;
  char *name = bytes_dup(admin_name(x->call->path));
  words_hint(name, words, hint, sizeof hint);
  snprintf(text, sizeof text, "no admin path '%.100s'%s", name, hint);
  free(name);
  return admin_error(ret, 404, text);
}

/* As long as the right one is, whatever is sent: the time tells nothing but
 * its length. */
static bool is_token(struct bytes sent, const char *token)
{
  size_t n = strlen(token);
  unsigned differ = sent.n != n;
  for (size_t i = 0; i < n; i++)
    differ |= (unsigned char)token[i] ^
              (unsigned char)(sent.n ? sent.p[i % sent.n] : 0);
  return differ == 0;
}

static bool may(const struct exchange *x, const struct admin *a)
{
  struct bytes value, scheme = BYTES("bearer ");
  if (!a->token)
    return true;
  if (!request_header(x->request, "authorization", &value) ||
      value.n < scheme.n ||
      !bytes_equal_nocase((struct bytes){value.p, scheme.n}, scheme))
    return false;
  return is_token((struct bytes){value.p + scheme.n, value.n - scheme.n},
                  a->token);
}

/* Head and body as they stand: no {{...}}, and no body for HEAD. */
static void send(struct exchange *x, int status, const char *type,
                 struct bytes body)
{
  exchange_open_head(x, status, NULL, type);
  if (status == 401) /* RFC 9110 11.6.1 wants it */
    buf_adds(&x->head, "www-authenticate: Bearer realm=\"faultwire\"\r\n");
  exchange_close_head(x, (int64_t)body.n);
  plan_send(x->plan, buf_bytes(&x->head));
  if (!bytes_equal(x->request->method, BYTES("HEAD")))
    plan_send(x->plan, body);
  exchange_end_whole(x, false);
}

void admin_answer(struct exchange *x, const struct admin *with)
{
  int status;
  char text[128];
  const char *type = JSON_TYPE;
  struct admin own = *with, *a = &own;
  own.type = &type;
  struct buf body, other;
  buf_init(&body, PLAN_MAX_BYTES);
  buf_init(&other, sizeof text / 2);
  const struct route *route = find_route(x, &other);
  if (!may(x, a) && !(route && route->open)) {
    status = admin_error(&body, 401,
                         "this admin path needs the server's "
                         "token: authorization: Bearer TOKEN");
  } else if (route) {
    type = route->type;
    status = route->answer(a, x, &body);
    type = status == 200 ? type : JSON_TYPE;
  } else if (other.n) {
    snprintf(text, sizeof text, "this admin path takes %s", buf_str(&other));
    status = admin_error(&body, 405, text);
  } else {
    status = no_such_path(x, &body);
  }
  send(x, status, type, buf_bytes(&body));
  buf_release(&body);
  buf_release(&other);
}
