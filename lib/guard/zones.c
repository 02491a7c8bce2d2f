/*
 * The rules for summer time are those in force since 2007 (US), 1996 (EU),
 * 2008 (south-east Australia) and 2007 (New Zealand), IANA release 2025b.
 */
#include "guard/civil.h"
#include "guard/scan.h"

#include <string.h>

enum { HOUR_S = 3600, DAY_S = 86400 };
enum zone_rule { ZONE_NONE, ZONE_US, ZONE_EU, ZONE_SOUTH, ZONE_ZEALAND };

struct zone {
  const char *name;
  int offset_min;
  enum zone_rule rule;
};

static const struct zone zones[] = {
#define ZONE(name, minutes, rule) {name, minutes, ZONE_##rule},
#include "guard/zones.def"
#undef ZONE
};

/* Days of the nth Sunday of a month; n = 0: the last one. */
static int64_t sunday(int year, int month, int n)
{
  int64_t first = guard_civil_days(year, month, 1);
  int64_t at = first + (7 - guard_civil_weekday(first)) % 7;

  if (n > 0)
    return at + (n - 1) * 7;
  first = month == 12 ? guard_civil_days(year + 1, 1, 1)
                      : guard_civil_days(year, month + 1, 1);
  return first - 1 - guard_civil_weekday(first - 1);
}

static bool is_summer(const struct zone *z, int64_t at)
{
  int year = guard_civil_of(at).year;
  int64_t offset = (int64_t)z->offset_min * 60;
  int64_t begin, end;

  switch (z->rule) {
  case ZONE_US: /* 02:00 local, both times */
    begin = sunday(year, 3, 2) * DAY_S + 2 * HOUR_S - offset;
    end = sunday(year, 11, 1) * DAY_S + HOUR_S - offset;
    return at >= begin && at < end;
  case ZONE_EU: /* 01:00 UTC, both times */
    begin = sunday(year, 3, 0) * DAY_S + HOUR_S;
    end = sunday(year, 10, 0) * DAY_S + HOUR_S;
    return at >= begin && at < end;
  case ZONE_SOUTH: /* 02:00 standard time, both times */
    begin = sunday(year, 10, 1) * DAY_S + 2 * HOUR_S - offset;
    end = sunday(year, 4, 1) * DAY_S + 2 * HOUR_S - offset;
    return at >= begin || at < end;
  case ZONE_ZEALAND: /* 02:00 standard time, both times */
    begin = sunday(year, 9, 0) * DAY_S + 2 * HOUR_S - offset;
    end = sunday(year, 4, 1) * DAY_S + 2 * HOUR_S - offset;
    return at >= begin || at < end;
  case ZONE_NONE:
    break;
  }
  return false;
}

bool guard_zone_offset_s(const char *name, size_t n, int64_t epoch_s,
                         int *ret_offset_s)
{
  for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
    struct guard_scan s = guard_scan_of(name, n);

    if (!guard_scan_fold(&s, zones[i].name) || !guard_scan_done(&s))
      continue;
    *ret_offset_s =
        zones[i].offset_min * 60 + (is_summer(&zones[i], epoch_s) ? HOUR_S : 0);
    return true;
  }
  return false;
}
