#include "mockserver/cue.h"

#include "mockserver/provider/provider.h"

static uint64_t count(const struct provider *p, const struct reply *r,
                      enum cue_kind kind, size_t block)
{
  return p->cues(r, kind, block);
}

static uint64_t count_block(const struct provider *p, const struct reply *r,
                            size_t block)
{
  return count(p, r, CUE_OPEN, block) + count(p, r, CUE_DELTA, block) +
         count(p, r, CUE_CLOSE, block);
}

uint64_t cue_total(const struct provider *p, const struct reply *r)
{
  uint64_t n = count(p, r, CUE_START, 0) + count(p, r, CUE_END, 0);
  for (size_t b = 0; b < r->nblocks; b++)
    n += count_block(p, r, b);
  return n;
}

uint64_t cue_text(const struct provider *p, const struct reply *r)
{
  uint64_t end = count(p, r, CUE_END, 0);
  uint64_t total = cue_total(p, r);
  if (r->nblocks)
    end += count(p, r, CUE_CLOSE, r->nblocks - 1);
  /* without events for the end, the last delta tells it */
  return total > 0 && end == 0 ? total - 1 : total - end;
}

/* Takes the events of a kind off *i; true when event *i is one of them. */
static bool within(const struct provider *p, const struct reply *r,
                   struct cue *c, uint64_t *i)
{
  uint64_t n = count(p, r, c->kind, c->block);
  if (*i < n) {
    c->i = *i;
    return true;
  }
  *i -= n;
  return false;
}

struct cue cue_at(const struct provider *p, const struct reply *r, uint64_t i)
{
  static const enum cue_kind of_block[] = {CUE_OPEN, CUE_DELTA, CUE_CLOSE};
  struct cue c = {.kind = CUE_START};
  if (within(p, r, &c, &i))
    return c;
  for (c.block = 0; c.block < r->nblocks; c.block++)
    for (int k = 0; k < 3; k++) {
      c.kind = of_block[k];
      if (within(p, r, &c, &i))
        return c;
    }
  return (struct cue){.kind = CUE_END, .i = i};
}

bool cue_is_last(const struct provider *p, const struct reply *r,
                 const struct cue *c)
{
  uint64_t end = count(p, r, CUE_END, 0);
  if (c->kind == CUE_END)
    return c->i + 1 == end;
  if (end > 0)
    return false;
  struct cue last = cue_at(p, r, cue_total(p, r) - 1);
  return c->kind == last.kind && c->block == last.block && c->i == last.i;
}
