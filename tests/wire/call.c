#include "tests/wire/call.h"

#include "tests/contract/answer.h"

#include <string.h>
#include <unistd.h>

const char *const wire_providers[] = {"anthropic", "openai", "openai-responses",
                                      "gemini", NULL};

void call_open(struct wire_call *c, const char *provider, const char *steps,
               bool stream, const char *rest)
{
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"after_script\":\"reply\",\"steps\":[%s]%s}",
                          provider, steps, rest);
  char *target = call_target(provider, "", stream);
  char *body = call_body(provider, stream);
  memset(c, 0, sizeof *c);
  wire_open(&c->w, json);
  free(json);
  c->request = mem_format("POST %s HTTP/1.1\r\nHost: x\r\n"
                          "content-type: application/json\r\n"
                          "content-length: %zu\r\n\r\n%s",
                          target, strlen(body), body);
  free(target);
  free(body);
  buf_init(&c->got, (size_t)64 << 20);
  c->fd = wire_connect(&c->w);
}

void call_reconnect(struct wire_call *c)
{
  if (c->fd >= 0)
    close(c->fd);
  c->fd = wire_connect(&c->w);
}

void call_close(struct wire_call *c)
{
  if (c->fd >= 0)
    close(c->fd);
  wire_close(&c->w);
  buf_release(&c->got);
  free(c->request);
}

void call_send(struct wire_call *c)
{
  wire_send(c->fd, c->request);
  wire_sync(&c->w);
}

void call_send_pieces(struct wire_call *c, unsigned seed)
{
  char piece[64];
  size_t n = strlen(c->request);
  for (size_t at = 0; at < n;) {
    seed = seed * 1103515245u + 12345u; /* ISO C's example of rand() */
    size_t k = 1 + (seed >> 16) % 40;
    k = k < n - at ? k : n - at;
    memcpy(piece, c->request + at, k);
    piece[k] = '\0';
    wire_send(c->fd, piece);
    wire_sync(&c->w);
    at += k;
  }
}

enum wire_end call_collect(struct wire_call *c)
{
  enum wire_end end = wire_take(c->fd, &c->got);
  for (int quiet = 0; quiet < 120 && end == WIRE_OPEN; quiet++) {
    size_t before = c->got.n;
    wire_advance(&c->w, 1000);
    end = wire_take(c->fd, &c->got);
    if (c->got.n != before)
      quiet = 0;
  }
  return end;
}

enum wire_end call_whole(const char *provider, const char *step, bool stream,
                         struct buf *ret)
{
  struct wire_call c;
  call_open(&c, provider, step, stream, "");
  call_send(&c);
  enum wire_end end = call_collect(&c);
  *ret = c.got;
  buf_init(&c.got, 1);
  call_close(&c);
  return end;
}
