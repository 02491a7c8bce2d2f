#include "mockserver/barrier.h"

#include <string.h>

/* The rounds of one step, in one lane or over all. */
struct rounds {
  struct rounds *next;
  const struct step *step;
  char lane[64];
  struct gate *gate; /* of the round that is open, NULL: none */
  uint64_t n;        /* rounds so far */
};

struct barriers {
  struct rounds *first;
};

struct barriers *barriers_new(void)
{
  return mem_zalloc(sizeof(struct barriers));
}

void barriers_rewind(struct barriers *b, int64_t now_ns)
{
  while (b->first) {
    struct rounds *r = b->first;
    b->first = r->next;
    if (r->gate)
      gate_open(r->gate, now_ns);
    gate_drop(r->gate);
    free(r);
  }
}

void barriers_free(struct barriers *b)
{
  if (!b)
    return;
  /* nobody waits any more: the engine has ended before its handler */
  barriers_rewind(b, 0);
  free(b);
}

static struct rounds *find(struct barriers *b, const struct step *step,
                           const char *lane)
{
  if (step->barrier.across_lanes)
    lane = "";
  for (struct rounds *r = b->first; r; r = r->next)
    if (r->step == step && strcmp(r->lane, lane) == 0)
      return r;
  struct rounds *r = mem_zalloc(sizeof *r);
  r->step = step;
  snprintf(r->lane, sizeof r->lane, "%s", lane);
  r->next = b->first;
  b->first = r;
  return r;
}

static void end_round(struct rounds *r)
{
  gate_drop(r->gate);
  r->gate = NULL;
}

struct gate *barriers_join(struct barriers *b, const struct step *step,
                           const char *lane, int64_t now_ns)
{
  struct rounds *r = find(b, step, lane);
  if (!r->gate)
    r->gate = gate_new(now_ns + step->barrier.for_ns, ++r->n,
                       (uint64_t)step->barrier.requests);
  struct gate *g = r->gate;
  gate_hold(g);
  if (++g->came == g->wanted) {
    gate_open(g, now_ns);
    end_round(r);
  }
  return g;
}

void barriers_settle(struct barriers *b, struct script *script, int64_t now_ns)
{
  for (struct rounds *r = b->first; r; r = r->next) {
    struct gate *g = r->gate;
    if (!g || (!g->open && g->due_ns > now_ns))
      continue;
    gate_open(g, now_ns);
    script_use_up(script, r->step, r->lane, (int64_t)(g->wanted - g->came));
    end_round(r);
  }
}
