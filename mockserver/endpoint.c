#include "mockserver/endpoint.h"

#include "base/number.h"

#include <fnmatch.h>
#include <string.h>

#define ENDPOINT(name) extern const struct endpoint_family endpoint_##name;
#include "mockserver/endpoints.def"
#undef ENDPOINT

const struct endpoint_family *const endpoint_families[] = {
#define ENDPOINT(name) &endpoint_##name,
#include "mockserver/endpoints.def"
#undef ENDPOINT
    NULL};

/* What is no route but can be named by `match.endpoint` all the same. */
static const char *const others[] = {"head", "options", "upgrade", "unknown"};
enum { OTHERS = sizeof others / sizeof *others, MAX_NAMES = 128 };

const struct endpoint_route *
endpoint_find(struct bytes method, struct bytes path, struct bytes *ret_star,
              const struct endpoint_route **ret_other)
{
  struct bytes star = {NULL, 0};
  for (const struct endpoint_family *const *f = endpoint_families; *f; f++)
    for (const struct endpoint_route *r = (*f)->routes; r->name; r++) {
      star = (struct bytes){NULL, 0};
      if (!call_path_fits(path, r->path, &star))
        continue;
      *ret_other = r;
      if (!bytes_equal(method, bytes_of(r->method)))
        continue;
      *ret_star = star;
      return r;
    }
  return NULL;
}

const char *endpoint_name(const struct call *c)
{
  switch (c->endpoint) {
  case ENDPOINT_GENERATE:
  case ENDPOINT_ADMIN:
    return NULL;
  case ENDPOINT_HEAD:
    return "head";
  case ENDPOINT_OPTIONS:
    return "options";
  case ENDPOINT_UPGRADE:
    return "upgrade";
  default:
    return c->route ? c->route->name : "unknown";
  }
}

const char *const *endpoint_names(void)
{
  static const char *names[MAX_NAMES + 1];
  size_t n = 0;
  for (const struct endpoint_family *const *f = endpoint_families; *f; f++)
    for (const struct endpoint_route *r = (*f)->routes; r->name; r++)
      if (n < MAX_NAMES - OTHERS &&
          (n == 0 || strcmp(names[n - 1], r->name) != 0))
        names[n++] = r->name;
  for (size_t i = 0; i < OTHERS; i++)
    names[n++] = others[i];
  names[n] = NULL;
  return names;
}

bool endpoint_pattern_known(const char *pattern)
{
  for (const char *const *name = endpoint_names(); *name; name++)
    if (fnmatch(pattern, *name, 0) == 0)
      return true;
  return false;
}

void endpoint_fail(struct endpoint_answer *ret, const char *error,
                   const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  vsnprintf(ret->message, sizeof ret->message, format, ap);
  va_end(ap);
  ret->error = error;
  /* the text goes into JSON and through {{...}}: a name of the client's must
   * not be read as either */
  for (char *p = ret->message; *p; p++)
    if (*p == '"' || *p == '\\' || *p == '{' || (unsigned char)*p < ' ')
      *p = '_';
}

bool endpoint_query(const struct endpoint_ask *q, const char *name,
                    struct bytes *ret)
{
  struct bytes rest = q->call->query, wanted = bytes_of(name);
  while (rest.n) {
    const char *end = memchr(rest.p, '&', rest.n);
    size_t n = end ? (size_t)(end - rest.p) : rest.n;
    struct bytes word = {rest.p, n};
    if (bytes_starts(word, wanted) && n > wanted.n && word.p[wanted.n] == '=') {
      *ret = (struct bytes){word.p + wanted.n + 1, n - wanted.n - 1};
      return true;
    }
    n += end != NULL;
    rest = (struct bytes){rest.p + n, rest.n - n};
  }
  return false;
}

int64_t endpoint_query_int(const struct endpoint_ask *q, const char *name,
                           int64_t max, int64_t otherwise)
{
  struct bytes value;
  int64_t n = otherwise;
  if (endpoint_query(q, name, &value))
    number_i64(value, 1, max, &n);
  return n;
}
