#include "guard/lanes.h"

#include "guard/hint.h"

#include <assert.h>

static int64_t after(int64_t now_ms, int64_t ms)
{
  return now_ms > INT64_MAX - ms ? INT64_MAX : now_ms + ms;
}

static void settle_places(struct guard_lanes *l, const struct guard_pacing *p,
                          int64_t now_ms)
{
  int64_t longest = after(now_ms, p->lease_ms);

  for (int i = 0; i < GUARD_MAX_PLACES; i++) {
    struct guard_place *place = &l->place[i];

    if (place->end_ms > longest)
      place->end_ms = longest;
    if (place->ticket && place->end_ms <= now_ms)
      place->ticket = 0;
  }
}

static void settle_waiters(struct guard_lanes *l, const struct guard_pacing *p,
                           int64_t now_ms)
{
  int64_t longest = after(now_ms, p->wait_ms);

  for (int i = 0; i < GUARD_MAX_WAITERS; i++) {
    struct guard_waiter *w = &l->waiter[i];

    if (w->end_ms > longest)
      w->end_ms = longest;
    if (w->ticket && w->end_ms <= now_ms)
      w->ticket = 0;
  }
}

static struct guard_place *place_of(struct guard_lanes *l, int64_t ticket)
{
  for (int i = 0; i < GUARD_MAX_PLACES; i++)
    if (l->place[i].ticket == ticket)
      return &l->place[i];
  return NULL;
}

static struct guard_waiter *waiter_of(struct guard_lanes *l, int64_t ticket)
{
  for (int i = 0; i < GUARD_MAX_WAITERS; i++)
    if (l->waiter[i].ticket == ticket)
      return &l->waiter[i];
  return NULL;
}

static int held(const struct guard_lanes *l)
{
  int n = 0;

  for (int i = 0; i < GUARD_MAX_PLACES; i++)
    n += l->place[i].ticket != 0;
  return n;
}

/* Who was overtaken often enough goes before all others, among those the
 * first comer; else the higher lane, within it the first comer. */
static bool goes_before(const struct guard_waiter *a,
                        const struct guard_waiter *b,
                        const struct guard_pacing *p)
{
  bool starved_a = a->overtaken >= p->most_overtakes;
  bool starved_b = b->overtaken >= p->most_overtakes;

  if (starved_a != starved_b)
    return starved_a;
  if (!starved_a && a->lane != b->lane)
    return a->lane < b->lane;
  return a->ticket < b->ticket;
}

static int ahead_of(const struct guard_lanes *l, const struct guard_pacing *p,
                    const struct guard_waiter *me)
{
  int n = 0;

  for (int i = 0; i < GUARD_MAX_WAITERS; i++) {
    const struct guard_waiter *w = &l->waiter[i];

    n += w->ticket && w != me && goes_before(w, me, p);
  }
  return n;
}

/* Those who came earlier and now stand behind have been overtaken. */
static void count_overtakes(struct guard_lanes *l, const struct guard_pacing *p,
                            const struct guard_waiter *me)
{
  for (int i = 0; i < GUARD_MAX_WAITERS; i++) {
    struct guard_waiter *w = &l->waiter[i];

    if (w->ticket && w->ticket < me->ticket && goes_before(me, w, p))
      w->overtaken++;
  }
}

static void move_in(struct guard_lanes *l, const struct guard_pacing *p,
                    struct guard_waiter *me, int64_t now_ms)
{
  struct guard_place *place = place_of(l, 0);

  count_overtakes(l, p, me);
  *place = (struct guard_place){me->ticket, after(now_ms, p->lease_ms), 0};
  me->ticket = 0;
}

/* The waiter's record: its old one, or a new one with a new ticket; NULL when
 * the queue is full. A waiter that was taken for dead keeps its ticket. */
static struct guard_waiter *line_up(struct guard_lanes *l, enum guard_lane lane,
                                    int64_t *ticket)
{
  struct guard_waiter *me = *ticket ? waiter_of(l, *ticket) : NULL;

  if (me)
    return me;
  me = waiter_of(l, 0);
  if (!me)
    return NULL;
  if (!*ticket)
    *ticket = ++l->last_ticket;
  *me = (struct guard_waiter){.ticket = *ticket, .lane = lane};
  return me;
}

bool guard_lanes_ask(struct guard_lanes *l, const struct guard_pacing *p,
                     enum guard_lane lane, int64_t now_ms, int64_t *ticket,
                     int64_t *ret_ask_in_ms)
{
  struct guard_waiter *me;

  assert(lane < GUARD_NLANES && *ticket >= 0);
  if (*ticket > l->last_ticket) /* of a state that was lost */
    *ticket = 0;
  settle_places(l, p, now_ms);
  settle_waiters(l, p, now_ms);
  if (*ticket && place_of(l, *ticket))
    return true;
  me = line_up(l, lane, ticket);
  if (me) {
    me->end_ms = after(now_ms, p->wait_ms);
    if (ahead_of(l, p, me) < p->places - held(l)) {
      move_in(l, p, me, now_ms);
      return true;
    }
  }
  *ret_ask_in_ms = p->ask_ms;
  return false;
}

bool guard_lanes_leave(struct guard_lanes *l, int64_t *ticket)
{
  struct guard_place *place;
  struct guard_waiter *waiter;

  assert(*ticket > 0);
  place = place_of(l, *ticket);
  waiter = waiter_of(l, *ticket);
  *ticket = 0;
  if (place)
    place->ticket = 0;
  if (waiter)
    waiter->ticket = 0;
  return place || waiter;
}

bool guard_lanes_renew(struct guard_lanes *l, const struct guard_pacing *p,
                       int64_t now_ms, int64_t ticket)
{
  struct guard_place *place;

  assert(ticket > 0);
  settle_places(l, p, now_ms);
  place = place_of(l, ticket);
  if (!place)
    return false;
  place->end_ms = after(now_ms, p->lease_ms);
  return true;
}

void guard_lanes_own(struct guard_lanes *l, int64_t ticket, int64_t owner)
{
  struct guard_place *place;

  assert(ticket > 0);
  place = place_of(l, ticket);
  if (place)
    place->owner = owner;
}

void guard_lanes_free_dead(struct guard_lanes *l,
                           bool (*is_dead)(int64_t owner))
{
  for (int i = 0; i < GUARD_MAX_PLACES; i++) {
    struct guard_place *place = &l->place[i];

    if (place->ticket && place->owner && is_dead(place->owner))
      place->ticket = 0;
  }
}

int guard_lanes_held(const struct guard_lanes *l, int64_t now_ms)
{
  int n = 0;

  for (int i = 0; i < GUARD_MAX_PLACES; i++)
    n += l->place[i].ticket && l->place[i].end_ms > now_ms;
  return n;
}

int64_t guard_stagger_ms(const struct guard_pacing *p, int64_t n, double random)
{
  int64_t step =
      p->step_ms < p->max_stagger_ms ? p->step_ms : p->max_stagger_ms;
  int64_t last = p->max_stagger_ms - step;
  int64_t start = guard_mul_sat(n > 0 ? n : 0, step);

  if (start > last)
    start = last;
  return start + (int64_t)(random * (double)step);
}
