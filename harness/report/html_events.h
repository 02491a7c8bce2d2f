/*
 * html_events.h - the strip below a stream's bar: a mark for each event at
 * the moment its last byte was out. Content is a stroke, a ping a hollow
 * circle, an error a red square, the terminal event a green triangle: the
 * shapes tell them apart without the colours.
 */
#ifndef HARNESS_REPORT_HTML_EVENTS_H
#define HARNESS_REPORT_HTML_EVENTS_H

#include "base/buf.h"
#include "harness/report/timeline.h"

/* Where seconds are in the picture, and the top of the strip. */
struct event_place {
  double left, right; /* nothing is drawn outside */
  double from_s;      /* at `left` */
  double scale;       /* units per second */
  double y;
};

/* Of a strip, in units. */
enum { EVENT_STRIP = 9 };

/* Nothing when no event of it has a time. */
void html_events(const struct time_bar *b, const struct event_place *p,
                 struct buf *out);

#endif
