/*
 * events.h - an event stream's bytes as `events` of the fault `stream`.
 *
 * Every event goes out with exactly the bytes it came with: `ping` and
 * `data` are said only where they give these bytes, `raw` wherever not.
 * Gaps are the log's own, in whole milliseconds; those of pieces that came
 * in one moment are left out.
 */
#ifndef MOCKSERVER_IMPORT_EVENTS_H
#define MOCKSERVER_IMPORT_EVENTS_H

#include "mockserver/import/taken.h"

#include <cjson/cJSON.h>

struct provider;

/* The list of entries; the caller deletes it. `p` may be NULL: all are raw. */
cJSON *events_of(const struct taken *t, const struct provider *p,
                 bool no_timing);
/* The event is the last one of its stream, as the provider ends one. */
bool events_is_terminal(struct bytes event);

#endif
