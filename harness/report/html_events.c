#include "harness/report/html_events.h"

/* One shape with its middle, or its tip, at the pen's place: 6 units, and so
 * not wider than what can be told apart. */
static const struct {
  const char *name, *path;
  double x, y; /* where it begins, from the event's place at the top */
} shapes[NEVENT_LOOKS] = {
    [LOOK_CONTENT] = {"ec", "v6", 0, 0},
    [LOOK_PING] = {"ep", "a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0", -2.5, 3},
    [LOOK_ERROR] = {"ee", "h6v6h-6z", -3, 0},
    [LOOK_TERMINAL] = {"et", "l3.5 6h-7z", 0, 0}};

static double place_of(const struct event_place *p, double seconds)
{
  double x = p->left + (seconds - p->from_s) * p->scale;
  return x > p->right ? p->right : x < p->left ? p->left : x;
}

/* All of one look in one path: a page of many streams stays small. */
static void add_look(const struct time_bar *b, enum event_look look,
                     const struct event_place *p, struct buf *out)
{
  bool any = false;
  for (size_t i = 0; i < b->nlist; i++) {
    if (b->list[i].look != look)
      continue;
    if (!any)
      buf_addf(out, "<path class=\"%s\" d=\"", shapes[look].name);
    any = true;
    buf_addf(out, "M%.1f %.1f%s", place_of(p, b->list[i].at_s) + shapes[look].x,
             p->y + shapes[look].y, shapes[look].path);
  }
  if (any)
    buf_adds(out, "\"/>");
}

void html_events(const struct time_bar *b, const struct event_place *p,
                 struct buf *out)
{
  for (int look = 0; look < NEVENT_LOOKS; look++)
    add_look(b, (enum event_look)look, p, out);
}
