/*
 * zone_rule.h - the rule at the end of a zone file:
 * "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX.1-2017, XBD 8.3, TZ, with the hours of
 * RFC 9636, 3.3.1).
 */
#ifndef MOCKSERVER_ZONE_RULE_H
#define MOCKSERVER_ZONE_RULE_H

#include "mockserver/zone.h"

/* A day of the year and the second of it at which the offset changes. */
struct zone_change {
  enum { CHANGE_MONTH, CHANGE_JULIAN, CHANGE_DAY } kind;
  int month, week, day; /* day alone for the last two */
  int64_t at_s;
};

struct zone_rule {
  struct zone_offset standard, summer;
  bool has_summer;
  struct zone_change begin, end; /* of summer */
};

/* False when the text is no such rule. */
bool zone_rule_read(struct bytes text, struct zone_rule *ret);
void zone_rule_at(const struct zone_rule *r, int64_t epoch_s,
                  struct zone_offset *ret);

#endif
