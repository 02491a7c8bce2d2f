/*
 * timeline.h - when what happened in one scenario, lane by lane, in seconds
 * since the client was first started: what the HTML report draws.
 *
 * Pure: from the scenario's object of the JSON report to numbers. Nothing is
 * drawn that the journal does not say: it has the times of the first 64
 * events of a stream, the others are counted and not placed.
 */
#ifndef HARNESS_REPORT_TIMELINE_H
#define HARNESS_REPORT_TIMELINE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More of them help nobody: the page says how many are left out. */
enum { TIMELINE_LANES = 24, TIMELINE_BARS = 300 };

enum bar_look {
  BAR_GOOD,      /* a whole answer without a fault */
  BAR_FAULT,     /* a status of 300 or more, or a fault with a whole answer */
  BAR_CUT,       /* an answer that broke off, or none at all */
  BAR_SIDE,      /* no call: probes, token counts */
  BAR_REFUSED,   /* no HTTP the parser takes */
  BAR_HANDSHAKE, /* of TLS */
  NBAR_LOOKS
};

enum event_look { LOOK_CONTENT, LOOK_PING, LOOK_ERROR, LOOK_TERMINAL };
enum { NEVENT_LOOKS = LOOK_TERMINAL + 1 };

/* An event of a stream, when its last byte was out. */
struct time_event {
  double at_s;
  enum event_look look;
};

/* One attempt. */
struct time_bar {
  const cJSON *attempt;
  int64_t seq;
  int status; /* 0: no head was sent */
  enum bar_look look;
  double from_s, first_s, until_s; /* first_s: of the answer, -1: none */
  int row;                         /* 0 unless attempts overlap */
  int64_t events;
  struct time_event *list; /* the first `nlist` of them, in order */
  size_t nlist;
  double silence_s; /* the longest between two of these, or behind the last */
  bool stream, terminal;
  bool left; /* the client went before the answer was over */
  bool call;
};

/* Between an answer's end and the next call of the lane. */
struct time_wait {
  double from_s, until_s;
  int64_t before, after; /* seq of the two */
};

/* A retry-after: stay away until then. */
struct time_window {
  double from_s, until_s;
  int64_t seq;  /* of the answer that said it */
  bool broken;  /* the next call came inside it */
  bool clipped; /* it ends behind the picture */
};

/* One start of the client. */
struct time_start {
  const cJSON *start;
  double from_s, until_s;
};

struct time_lane {
  const char *name; /* "" when there is only one */
  struct time_bar *bars;
  struct time_wait *waits;
  struct time_window *windows;
  struct time_start *starts;
  size_t nbars, nwaits, nwindows, nstarts;
  size_t left_out; /* attempts over TIMELINE_BARS */
  int rows;        /* of bars, at least 1 */
  bool has_events; /* some bar has times of events */
};

struct timeline {
  /* What is shown: the start of a slow program is left out when it would
   * squeeze all that matters; a window that reaches further may add to it. */
  double from_s, until_s; /* until_s > from_s */
  double ended_s;         /* the last thing that happened */
  struct time_lane *lanes;
  size_t nlanes;
  size_t left_out; /* lanes over TIMELINE_LANES */
};

/* From the scenario's object, which must outlive it. False when it has no
 * times (a report of an older version, a set-up that failed). The caller
 * releases in both cases. */
bool timeline_init(struct timeline *ret, const cJSON *scenario);
void timeline_release(struct timeline *t);

#endif
