#include "mockserver/metrics_table.h"

/* A multiplication and a fold; equal keys are compared after. */
static size_t slot_of(const char *a, const char *b, int number)
{
  uint64_t h = (uint64_t)(uintptr_t)a;
  h = (h ^ (uint64_t)(uintptr_t)b << 1) * UINT64_C(0x9e3779b97f4a7c15);
  h = (h ^ (uint64_t)(unsigned)number) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)((h ^ h >> 32) % TABLE_SLOTS);
}

struct cell *table_cell(struct table *t, const char *a, const char *b,
                        int number)
{
  static const char other[] = "other";
  size_t at = slot_of(a, b, number);
  for (; t->slots[at]; at = (at + 1) % TABLE_SLOTS) {
    struct cell *c = &t->cells[t->slots[at] - 1];
    if (c->a == a && c->b == b && c->number == number)
      return c;
  }
  if (t->n == TABLE_CELLS)
    return &t->cells[TABLE_CELLS - 1];
  struct cell *c = &t->cells[t->n++];
  t->slots[at] = (uint16_t)t->n;
  *c = t->n == TABLE_CELLS ? (struct cell){other, other, RULE_WORD, 0}
                           : (struct cell){a, b, number, 0};
  return c;
}

void table_clear(struct table *t)
{
  for (size_t i = 0; i < t->n; i++)
    t->cells[i].n = 0;
}
