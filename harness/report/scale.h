/*
 * scale.h - the line that says by what a scenario's times were divided.
 */
#ifndef HARNESS_REPORT_SCALE_H
#define HARNESS_REPORT_SCALE_H

#include "harness/report/report.h"

/* "  time divided by 1800: steps[0].retry_after "3600" is "2"; kept: ..." and
 * a line's end; nothing for a scenario whose times are the true ones. */
void scale_line(const struct result *r, struct buf *out);

#endif
