#include "harness/probe/delays.h"

/* A client that takes longer to end even at its quickest waits for something
 * of its own. */
#define ENDS_S 0.2

static void widen(struct spread *w, double s)
{
  if (!w->any || s < w->least_s)
    w->least_s = s;
  if (!w->any || s > w->most_s)
    w->most_s = s;
  w->any = true;
}

void delays_add(struct delays *d, const struct sight *s)
{
  if (s->why || s->ncalls == 0 || s->nstarts == 0)
    return;
  widen(&d->start, s->calls[0].at_s - s->starts[0].start_s);
  if (sight_ended(s))
    widen(&d->end, sight_quiet_s(s));
  for (size_t i = 0; i < s->ncalls; i++) {
    double took = s->calls[i].end_s - s->calls[i].at_s;
    if (!s->calls[i].left && took > d->answer_s)
      d->answer_s = took;
  }
}

double delays_most(const struct delays *d)
{
  double most = d->start.most_s - d->start.least_s;
  double end = d->end.most_s - d->end.least_s;
  if (d->end.least_s < ENDS_S && end > most)
    most = end;
  return d->answer_s > most ? d->answer_s : most;
}
