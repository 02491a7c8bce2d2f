/*
 * zone.h - the local time of a named zone, without the process-global state
 * of localtime().
 *
 * Read from the system's zone files (TZif, RFC 9636, versions 2 and later;
 * package tzdata); behind the last transition the file's POSIX rule holds.
 * "UTC" needs no file.
 */
#ifndef MOCKSERVER_ZONE_H
#define MOCKSERVER_ZONE_H

#include "base/buf.h"

enum { ZONE_ABBREVIATION = 16 };

/* One stretch of local time. */
struct zone_offset {
  int64_t east_s; /* seconds east of Greenwich */
  char name[ZONE_ABBREVIATION];
};

struct zone;
/* The zone of that name, kept for the life of the process; NULL when it is
 * not there, with a sentence in `ret_why`. */
const struct zone *zone_find(struct bytes name, const char **ret_why);
/* The same from a file's bytes; the caller frees it. NULL: no TZif. */
struct zone *zone_parse(struct bytes file);
void zone_free(struct zone *z);
void zone_at(const struct zone *z, int64_t epoch_s, struct zone_offset *ret);

#endif
