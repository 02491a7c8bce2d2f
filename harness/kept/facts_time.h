/*
 * facts_time.h - the part of run.json that virtual time adds: its sums, and
 * what could not be followed. The jumps have a file of their own.
 *
 * Written and read here alone. A run in real time has none of it.
 */
#ifndef HARNESS_KEPT_FACTS_TIME_H
#define HARNESS_KEPT_FACTS_TIME_H

#include "base/json.h"
#include "harness/vtime/vtime.h"

/* `report.opaque` points to `opaque`; its texts and `backend` are the
 * document's. The log is left to the caller. Stays where it is. */
struct facts_time {
  struct vtime_report report;
  struct opaque_list opaque;
};

/* The object, on one line. */
void facts_time_write(const struct vtime_report *r, struct buf *ret);
int facts_time_read(struct facts_time *ret, const struct jval *v,
                    struct diag *diag);

#endif
