#include "mockserver/call.h"

#include "base/number.h"
#include "mockserver/admin_paths.h"
#include "mockserver/endpoint.h"

#include <string.h>

/* The headers a class is read from. */
enum {
  H_LANE,
  H_X_API_KEY,
  H_GOOG_KEY,
  H_AUTHORIZATION,
  H_ANTHROPIC_VERSION,
  H_RETRY_COUNT,
  H_IDEMPOTENCY,
  H_UPGRADE,
  H_CONNECTION,
  H_COUNT
};
static const struct bytes header_names[H_COUNT] = {
    [H_LANE] = {"x-faultwire-lane", 16},
    [H_X_API_KEY] = {"x-api-key", 9},
    [H_GOOG_KEY] = {"x-goog-api-key", 14},
    [H_AUTHORIZATION] = {"authorization", 13},
    [H_ANTHROPIC_VERSION] = {"anthropic-version", 17},
    [H_RETRY_COUNT] = {"x-stainless-retry-count", 23},
    [H_IDEMPOTENCY] = {"idempotency-key", 15},
    [H_UPGRADE] = {"upgrade", 7},
    [H_CONNECTION] = {"connection", 10}};

/* One walk over the headers; the first of each name counts. */
static void find_headers(const struct request *r, struct bytes ret[H_COUNT])
{
  memset(ret, 0, H_COUNT * sizeof *ret);
  for (size_t i = 0; i < r->nheaders; i++)
    for (int h = 0; h < H_COUNT; h++)
      if (r->headers[i].name.n == header_names[h].n && !ret[h].p &&
          bytes_equal_nocase(r->headers[i].name, header_names[h]))
        ret[h] = r->headers[i].value;
}

static void copy_text(char *ret, size_t size, struct bytes s)
{
  size_t n = s.n < size - 1 ? s.n : size - 1;
  if (n)
    memcpy(ret, s.p, n);
  ret[n] = '\0';
}

/* The model goes into JSON texts and the journal: nothing that would need
 * an escape there. */
static void copy_model(char *ret, size_t size, struct bytes s)
{
  copy_text(ret, size, s);
  for (char *p = ret; *p; p++)
    if (*p < ' ' || *p > '~' || *p == '"' || *p == '\\')
      *p = '_';
}

bool call_path_fits(struct bytes path, const char *pattern,
                    struct bytes *ret_star)
{
  size_t i = 0;
  for (; *pattern; pattern++) {
    if (*pattern != '*') {
      if (i >= path.n || path.p[i++] != *pattern)
        return false;
      continue;
    }
    size_t first = i;
    while (i < path.n && path.p[i] != '/' && path.p[i] != ':')
      i++;
    if (i == first)
      return false;
    *ret_star = (struct bytes){path.p + first, i - first};
  }
  return i == path.n;
}

/* What the path tells: at most one of native and route, or the route of
 * another method. */
struct found {
  const struct provider_path *native;
  const struct endpoint_route *route, *other;
  struct bytes lane, star;
};

static bool find_native(struct bytes path, struct call *c, struct found *ret)
{
  for (const struct provider *const *p = providers; *p; p++)
    for (const struct provider_path *n = (*p)->paths; n->path; n++) {
      struct bytes star = {NULL, 0};
      if (!call_path_fits(path, n->path, &star))
        continue;
      c->provider = *p;
      ret->native = n;
      ret->star = star;
      return true;
    }
  return false;
}

static bool find_route(struct bytes method, struct bytes path, struct call *c,
                       struct found *ret)
{
  ret->route = endpoint_find(method, path, &ret->star, &ret->other);
  if (ret->other)
    c->provider = provider_find(ret->other->provider);
  return ret->other != NULL;
}

/* The longest end of the path that somebody knows. */
static void find_path(struct bytes method, struct call *c, struct found *ret)
{
  memset(ret, 0, sizeof *ret);
  for (size_t i = 0; i < c->path.n; i++) {
    struct bytes end = {c->path.p + i, c->path.n - i};
    if (c->path.p[i] != '/' ||
        (!find_native(end, c, ret) && !find_route(method, end, c, ret)))
      continue;
    ret->lane = (struct bytes){c->path.p, i};
    return;
  }
}

static struct bytes key_suffix(struct bytes key)
{
  static const struct bytes mark = {"-lane-", 6};
  ptrdiff_t at = bytes_find(key, mark);
  if (at < 0)
    return (struct bytes){NULL, 0};
  return (struct bytes){key.p + at + 6, key.n - (size_t)at - 6};
}

/* Gemini's key may stand in the query. */
static struct bytes query_key(struct bytes query)
{
  ptrdiff_t at = bytes_find(query, BYTES("key="));
  if (at < 0)
    return (struct bytes){NULL, 0};
  struct bytes key = {query.p + at, query.n - (size_t)at};
  const char *end = memchr(key.p, '&', key.n);
  if (end)
    key.n = (size_t)(end - key.p);
  return key;
}

static void read_lane(struct call *c, struct bytes prefix,
                      const struct bytes h[H_COUNT])
{
  while (prefix.n && prefix.p[0] == '/') {
    prefix.p++;
    prefix.n--;
  }
  for (int i = H_LANE; !prefix.n && i <= H_AUTHORIZATION; i++)
    prefix = i == H_LANE ? h[i] : key_suffix(h[i]);
  if (!prefix.n)
    prefix = key_suffix(query_key(c->query));
  copy_text(c->lane, sizeof c->lane, prefix);
}

/* Whose client it is when the path does not say. */
static const struct provider *guess(struct bytes path,
                                    const struct bytes h[H_COUNT])
{
  if (h[H_ANTHROPIC_VERSION].p || h[H_X_API_KEY].p)
    return provider_find("anthropic");
  if (h[H_GOOG_KEY].p || bytes_find(path, BYTES("/v1beta")) >= 0)
    return provider_find("gemini");
  return h[H_AUTHORIZATION].p ? provider_find("openai") : NULL;
}

static enum endpoint endpoint_of(const struct request *r, const struct call *c,
                                 const struct found *f, bool upgrade)
{
  bool get = bytes_equal(r->method, BYTES("GET"));
  if (admin_is_path(c->path))
    return ENDPOINT_ADMIN;
  if (bytes_equal(r->method, BYTES("HEAD")))
    return ENDPOINT_HEAD;
  if (bytes_equal(r->method, BYTES("OPTIONS")))
    return ENDPOINT_OPTIONS;
  if (get && upgrade)
    return ENDPOINT_UPGRADE;
  if (f->route)
    return f->route->kind;
  return f->native && bytes_equal(r->method, BYTES("POST"))
             ? f->native->endpoint
             : ENDPOINT_UNKNOWN;
}

static bool is_true(struct bytes body, const char *key)
{
  struct bytes v;
  return call_scan(body, key, &v) && bytes_equal(v, BYTES("true"));
}

static void read_body(struct call *c, struct bytes body, const struct found *f)
{
  bool is_model = f->route ? f->route->star_is_model : f->star.n > 0;
  struct bytes v = f->star;
  if (is_model || call_scan(body, "model", &v))
    copy_model(c->model, sizeof c->model, v);
  if (c->endpoint != ENDPOINT_GENERATE)
    return;
  c->stream = f->native->stream || (!is_model && is_true(body, "stream"));
  c->as_array = f->native->stream && bytes_find(c->query, BYTES("alt=sse")) < 0;
  if (c->stream && !is_model && call_scan(body, "stream_options", &v))
    c->with_usage = is_true(v, "include_usage");
}

static void read_meta(struct call *c, const struct request *r,
                      const struct bytes h[H_COUNT])
{
  uint64_t count = 0;
  c->retry_count = -1;
  if (h[H_RETRY_COUNT].p &&
      number_u64(h[H_RETRY_COUNT], 1000000, &count) == NUMBER_OK)
    c->retry_count = (int)count;
  copy_text(c->idempotency_key, sizeof c->idempotency_key, h[H_IDEMPOTENCY]);
  c->http_1_0 = bytes_equal(r->version, BYTES("HTTP/1.0"));
  c->close = c->http_1_0 || bytes_equal_nocase(h[H_CONNECTION], BYTES("close"));
}

void call_read(struct call *c, const struct request *r)
{
  struct bytes h[H_COUNT];
  struct found f;
  const char *mark = r->target.n ? memchr(r->target.p, '?', r->target.n) : NULL;
  memset(c, 0, sizeof *c);
  c->path = r->target;
  c->query = (struct bytes){"", 0};
  if (mark) {
    c->path.n = (size_t)(mark - r->target.p);
    c->query = (struct bytes){mark + 1, r->target.n - c->path.n - 1};
  }
  find_headers(r, h);
  find_path(r->method, c, &f);
  c->endpoint = endpoint_of(r, c, &f, h[H_UPGRADE].p);
  c->route = f.route && f.route->kind == c->endpoint ? f.route : NULL;
  c->star = f.star;
  c->pattern = f.native ? f.native->path : f.other ? f.other->path : NULL;
  if (!c->provider || (f.route && f.route->shared)) {
    const struct provider *g = guess(c->path, h);
    c->provider = g ? g : c->provider;
  }
  read_lane(c, f.lane, h);
  read_body(c, r->body, &f);
  read_meta(c, r, h);
}
