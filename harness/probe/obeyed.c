#include "harness/probe/obeyed.h"

#include <math.h>

/* Clocks that round, timers that fire a little before their time. */
#define EARLY_S 0.05
/* What clients add to a wait: SDKs up to a quarter, others up to a second;
 * and the time to send the request again. */
#define MORE_SHARE 0.3
#define MORE_S 1.3

enum obeyed obeyed_of(const struct sight *s, double least_s)
{
  if (s->why || s->ncalls == 0)
    return OBEYED_UNKNOWN;
  if (s->ncalls > 1)
    return sight_gap(s, 0) >= least_s - EARLY_S ? OBEYED_WAITED : OBEYED_EARLY;
  return sight_ended(s) ? OBEYED_STOPPED : OBEYED_SILENT;
}

bool obeyed_closely(const struct sight *s, double least_s, double asked_s)
{
  return obeyed_of(s, least_s) == OBEYED_WAITED &&
         sight_gap(s, 0) <= asked_s * (1 + MORE_SHARE) + MORE_S;
}

/* So much longer than any own wait that was seen, and it is none. */
#define OTHER_SHARE 1.4
#define OTHER_S 0.3

enum understood understood_of(const struct sight *s, double least_s,
                              double asked_s, double own_s)
{
  switch (obeyed_of(s, least_s)) {
  case OBEYED_STOPPED:
    return UNDERSTOOD_STOPS;
  case OBEYED_SILENT:
    return UNDERSTOOD_LONG;
  case OBEYED_EARLY:
    return sight_gap(s, 0) > own_s * OTHER_SHARE + OTHER_S ? UNDERSTOOD_SHORT
                                                           : UNDERSTOOD_NO;
  case OBEYED_WAITED:
    return obeyed_closely(s, least_s, asked_s) ? UNDERSTOOD_YES
                                               : UNDERSTOOD_EITHER;
  default:
    return UNDERSTOOD_UNKNOWN;
  }
}

static bool holds(enum obeyed o)
{
  return o == OBEYED_WAITED || o == OBEYED_SILENT;
}

static bool breaks(enum obeyed o)
{
  return o == OBEYED_EARLY || o == OBEYED_STOPPED;
}

struct bracket bracket_of(const struct tried *list, size_t n)
{
  struct bracket b = {0};
  for (size_t i = 0; i < n; i++)
    if (breaks(list[i].obeyed) && (!b.has_high || list[i].asked_s < b.high_s)) {
      b.has_high = true;
      b.high_s = list[i].asked_s;
      b.above = list[i].obeyed;
    }
  for (size_t i = 0; i < n; i++)
    if (holds(list[i].obeyed) && (!b.has_high || list[i].asked_s < b.high_s) &&
        (!b.has_low || list[i].asked_s > b.low_s)) {
      b.has_low = true;
      b.low_s = list[i].asked_s;
    }
  return b;
}

size_t bracket_next(const struct bracket *b, double *ret, size_t max)
{
  size_t n = 0;
  if (!b->has_low || !b->has_high)
    return 0;
  for (size_t i = 1; i <= max; i++) {
    double share = (double)i / (double)(max + 1);
    double s = floor(b->low_s + (b->high_s - b->low_s) * share);
    if (s <= b->low_s || (n && s <= ret[n - 1]))
      s = n ? ret[n - 1] + 1 : b->low_s + 1;
    if (s < b->high_s)
      ret[n++] = s;
  }
  return n;
}
