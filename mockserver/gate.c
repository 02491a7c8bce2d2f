#include "mockserver/gate.h"

#include "base/buf.h"

#include <assert.h>

struct gate *gate_new(int64_t due_ns, uint64_t round, uint64_t wanted)
{
  struct gate *g = mem_zalloc(sizeof *g);
  g->refs = 1;
  g->due_ns = due_ns;
  g->round = round;
  g->wanted = wanted;
  g->last = &g->first;
  return g;
}

void gate_hold(struct gate *g)
{
  g->refs++;
}

void gate_drop(struct gate *g)
{
  if (!g || --g->refs)
    return;
  assert(!g->first); /* who waits has a plan that holds the gate */
  free(g);
}

void gate_open(struct gate *g, int64_t now_ns)
{
  if (g->open)
    return;
  g->open = true;
  g->opened_ns = now_ns;
  while (g->first) {
    struct gate_wait *w = g->first;
    gate_wait_end(w);
    w->opened(w);
  }
}

void gate_wait_at(struct gate *g, struct gate_wait *w)
{
  assert(!g->open && !w->gate);
  w->gate = g;
  w->next = NULL;
  w->at = g->last;
  *g->last = w;
  g->last = &w->next;
}

void gate_wait_end(struct gate_wait *w)
{
  if (!w->gate)
    return;
  *w->at = w->next;
  if (w->next)
    w->next->at = w->at;
  else
    w->gate->last = w->at;
  w->gate = NULL;
}
