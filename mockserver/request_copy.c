#include "mockserver/request_copy.h"

#include <string.h>

static struct bytes put(char **out, struct bytes from)
{
  struct bytes to = {*out, from.n};
  if (from.n)
    memcpy(*out, from.p, from.n);
  *out += from.n;
  return to;
}

static size_t room_for(const struct request *r)
{
  size_t n = r->method.n + r->target.n + r->version.n + r->body.n;
  for (size_t i = 0; i < r->nheaders; i++)
    n += r->headers[i].name.n + r->headers[i].value.n;
  return n;
}

void request_copy_init(struct request_copy *ret, const struct request *r)
{
  char *out = mem_alloc(room_for(r) + 1);
  struct header *h = mem_alloc((r->nheaders + 1) * sizeof *h);
  *ret = (struct request_copy){.r = *r, .bytes = out, .headers = h};
  ret->r.method = put(&out, r->method);
  ret->r.target = put(&out, r->target);
  ret->r.version = put(&out, r->version);
  ret->r.body = put(&out, r->body);
  for (size_t i = 0; i < r->nheaders; i++)
    h[i] = (struct header){.name = put(&out, r->headers[i].name),
                           .value = put(&out, r->headers[i].value)};
  ret->r.headers = h;
}

void request_copy_release(struct request_copy *c)
{
  free(c->bytes);
  free(c->headers);
  *c = (struct request_copy){.bytes = NULL};
}
