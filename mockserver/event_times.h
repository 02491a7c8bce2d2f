/*
 * event_times.h - when each event of a stream went out: what the journal
 * keeps of the first of them, and how the kinds are told apart.
 *
 * An event is out when the kernel has taken its last byte. Attempts without
 * a stream have no such thing, so it costs them nothing.
 */
#ifndef MOCKSERVER_EVENT_TIMES_H
#define MOCKSERVER_EVENT_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* The letter that the journal's `events` has for it. */
enum event_kind {
  EVENT_CONTENT = 'c', /* of the answer itself, whatever is in it */
  EVENT_PING = 'p',    /* a sign of life: ping, comment */
  EVENT_ERROR = 'e',   /* the provider's error in the stream */
  EVENT_TERMINAL = 't' /* the last one of a whole answer */
};

/* More of them help no picture, and a line of the journal stays short. */
enum { EVENT_TIMES_MAX = 64 };

struct event_times {
  uint32_t n; /* the first n events of the stream */
  char kind[EVENT_TIMES_MAX];
  int64_t ns[EVENT_TIMES_MAX]; /* since the answer's first byte */
};

static inline bool event_kind_is(char letter)
{
  return letter == EVENT_CONTENT || letter == EVENT_PING ||
         letter == EVENT_ERROR || letter == EVENT_TERMINAL;
}

#endif
