/*
 * preset.h - scenarios that are ready made: how bad a day an API has.
 *
 * A preset is a table of faults and their shares of all calls, which are in
 * docs/control.md, written out as a scenario with a `chance` at every step.
 * With the same seed the same calls in the same order meet the same faults.
 */
#ifndef MOCKSERVER_PRESET_H
#define MOCKSERVER_PRESET_H

#include "base/buf.h"

#define PRESET_NAMES "silent, gentle, realistic, brownout, outage, stress"

/* NULL-terminated. */
extern const char *const preset_names[];
/* The scenario's JSON; the name is one of them. */
void preset_write(const char *name, struct buf *ret);

#endif
