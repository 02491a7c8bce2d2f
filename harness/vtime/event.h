/*
 * event.h - what a run in virtual time tells its harness without being asked,
 * and what it could not follow.
 */
#ifndef VTIME_EVENT_H
#define VTIME_EVENT_H

#include <stddef.h>

/* What ended or should end the run; the first one stays. */
enum coordinator_event {
  EVENT_NONE,
  EVENT_STALLED,       /* every thread blocked, no timer armed, 0.2 s real */
  EVENT_VIRTUAL_LIMIT, /* the virtual limit was reached */
  EVENT_REAL_LIMIT,    /* the real one */
  EVENT_TOO_FAR        /* a client's wait is longer than the largest jump */
};

/* A program that could not be followed, once a name and call. */
struct opaque_seen {
  int pid;
  char comm[17];
  const char *call, *why; /* call "": all of it */
};
enum { OPAQUE_MAX = 32 };
struct opaque_list {
  struct opaque_seen seen[OPAQUE_MAX];
  size_t n;
};

#endif
