#include "mockserver/command/pieces.h"

#include <assert.h>

void pieces_init(struct pieces *p)
{
  *p = (struct pieces){.cap = 0};
  buf_init(&p->bytes, PIECES_MAX_BYTES);
}

void pieces_release(struct pieces *p)
{
  buf_release(&p->bytes);
  free(p->list);
  *p = (struct pieces){.cap = 0};
}

static struct piece *add(struct pieces *p, enum piece_kind kind)
{
  assert(!pieces_ended(p));
  if (p->n == p->cap) {
    p->cap = p->cap ? 2 * p->cap : 8;
    p->list = mem_realloc(p->list, p->cap * sizeof *p->list);
  }
  struct piece *piece = &p->list[p->n++];
  *piece = (struct piece){.kind = kind};
  return piece;
}

void pieces_wait(struct pieces *p, int64_t ns)
{
  if (ns > 0)
    add(p, PIECE_WAIT)->ns = ns;
}

struct piece *pieces_write(struct pieces *p, enum piece_kind kind,
                           struct bytes b)
{
  if (b.n == 0)
    return NULL;
  struct piece *piece = add(p, kind);
  piece->at = p->bytes.n;
  buf_addb(&p->bytes, b);
  piece->n = p->bytes.n - piece->at;
  piece->times = 1;
  return piece;
}

void pieces_out(struct pieces *p, struct bytes b)
{
  pieces_write(p, PIECE_OUT, b);
}

void pieces_err(struct pieces *p, struct bytes b)
{
  pieces_write(p, PIECE_ERR, b);
}

void pieces_add(struct pieces *p, enum piece_kind kind, int number)
{
  add(p, kind)->number = number;
}

bool pieces_ended(const struct pieces *p)
{
  return p->n && p->list[p->n - 1].kind >= PIECE_EXIT;
}
