#include "mockserver/timer.h"

#include "base/buf.h"

#include <assert.h>

void timers_init(struct timers *h)
{
  *h = (struct timers){0};
}

void timers_release(struct timers *h)
{
  free(h->heap);
  timers_init(h);
}

static bool before(const struct timer *a, const struct timer *b)
{
  return a->due_ns < b->due_ns || (a->due_ns == b->due_ns && a->seq < b->seq);
}

/* Places count from 1: the parent of i is i / 2. */
static struct timer *at(const struct timers *h, size_t place)
{
  return h->heap[place - 1];
}

static void put(struct timers *h, size_t place, struct timer *t)
{
  h->heap[place - 1] = t;
  t->place = place;
}

static void rise(struct timers *h, size_t place)
{
  struct timer *t = at(h, place);
  while (place > 1 && before(t, at(h, place / 2))) {
    put(h, place, at(h, place / 2));
    place /= 2;
  }
  put(h, place, t);
}

static void sink(struct timers *h, size_t place)
{
  struct timer *t = at(h, place);
  for (;;) {
    size_t child = 2 * place;
    if (child > h->n)
      break;
    if (child < h->n && before(at(h, child + 1), at(h, child)))
      child++;
    if (!before(at(h, child), t))
      break;
    put(h, place, at(h, child));
    place = child;
  }
  put(h, place, t);
}

void timers_set(struct timers *h, struct timer *t, int64_t due_ns)
{
  t->due_ns = due_ns;
  t->seq = h->next_seq++;
  if (t->place == 0) {
    if (h->n == h->cap) {
      h->cap = h->cap ? 2 * h->cap : 64;
      h->heap = mem_realloc(h->heap, h->cap * sizeof *h->heap);
    }
    put(h, ++h->n, t);
  }
  rise(h, t->place);
  sink(h, t->place);
}

void timers_drop(struct timers *h, struct timer *t)
{
  size_t place = t->place;
  if (place == 0)
    return;
  assert(at(h, place) == t);
  t->place = 0;
  struct timer *last = at(h, h->n--);
  if (last == t)
    return;
  put(h, place, last);
  rise(h, place);
  sink(h, last->place);
}

int64_t timers_first_due_ns(const struct timers *h)
{
  return h->n ? at(h, 1)->due_ns : INT64_MAX;
}

struct timer *timers_take_due(struct timers *h, int64_t now_ns,
                              uint64_t below_seq)
{
  if (h->n == 0 || at(h, 1)->due_ns > now_ns || at(h, 1)->seq >= below_seq)
    return NULL;
  struct timer *t = at(h, 1);
  timers_drop(h, t);
  return t;
}
