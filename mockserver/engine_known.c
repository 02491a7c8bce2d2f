#include "mockserver/engine_known.h"

#include <string.h>

/* Longer heads are parsed each time: they are rare, and all slots together
 * stay below half a megabyte. */
#define HEAD_MAX_BYTES 4096

struct bytes known_head_of(struct bytes bytes)
{
  ptrdiff_t end = bytes_find(bytes, BYTES("\r\n\r\n"));
  size_t n = end < 0 ? 0 : (size_t)end + 4;
  return (struct bytes){bytes.p, n <= HEAD_MAX_BYTES ? n : 0};
}

/* Eight bytes at a time, multiplied as in FNV-1a and folded; equal bytes are
 * compared after, so it need not be more than quick. */
uint64_t known_hash(struct bytes head)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ head.n, word;
  for (; head.n >= sizeof word; head.p += sizeof word, head.n -= sizeof word) {
    memcpy(&word, head.p, sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
  }
  word = 0;
  memcpy(&word, head.p, head.n);
  hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static size_t slot_of(uint64_t hash)
{
  return (size_t)(hash % KNOWN_HEADS);
}

const struct known_head *known_find(const struct known *k, struct bytes head,
                                    uint64_t hash)
{
  const struct known_head *h = &k->slots[slot_of(hash)];
  return head.n && h->hash == hash && bytes_equal(h->head, head) ? h : NULL;
}

bool known_wants(struct known *k, uint64_t hash)
{
  struct known_head *h = &k->slots[slot_of(hash)];
  bool again = h->seen == hash;
  h->seen = hash;
  return again;
}

static void forget(struct known_head *h)
{
  free((void *)(uintptr_t)h->head.p);
  free(h->headers);
  *h = (struct known_head){.seen = h->seen};
}

void known_release(struct known *k)
{
  for (size_t i = 0; i < KNOWN_HEADS; i++)
    forget(&k->slots[i]);
}

static struct bytes copy(char **out, struct bytes from)
{
  struct bytes to = {*out, from.n};
  if (from.n)
    memcpy(*out, from.p, from.n);
  *out += from.n;
  return to;
}

static size_t room_for(struct bytes head, const struct request *r)
{
  size_t n = head.n + r->method.n + r->target.n + r->version.n;
  for (size_t i = 0; i < r->nheaders; i++)
    n += r->headers[i].name.n + r->headers[i].value.n;
  return n;
}

void known_keep(struct known *k, struct bytes head, const struct request *r,
                uint64_t content_length, bool wants_close)
{
  uint64_t hash = known_hash(head);
  struct known_head *h = &k->slots[slot_of(hash)];
  forget(h);
  char *out = mem_alloc(room_for(head, r)); /* one block, freed by its front */
  h->hash = hash;
  h->head = copy(&out, head);
  h->method = copy(&out, r->method);
  h->target = copy(&out, r->target);
  h->version = copy(&out, r->version);
  h->headers = mem_alloc((r->nheaders + 1) * sizeof *h->headers);
  h->nheaders = r->nheaders;
  for (size_t i = 0; i < r->nheaders; i++) {
    h->headers[i].name = copy(&out, r->headers[i].name);
    h->headers[i].value = copy(&out, r->headers[i].value);
  }
  h->content_length = content_length;
  h->wants_close = wants_close;
}
