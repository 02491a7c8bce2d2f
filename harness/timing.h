/*
 * timing.h - real, virtual or scaled time, and where the wall clock begins:
 * what the command line, the scenario and the project file say, made one.
 *
 * The rule (docs/virtual-time.md): the command line counts before the
 * scenario, and that before the project. A scenario of "real" is no scenario
 * of virtual or scaled time whoever asks; one of "virtual" that cannot have
 * it is skipped, never judged by another clock. "auto" is virtual where that
 * works, else scaled.
 */
#ifndef HARNESS_TIMING_H
#define HARNESS_TIMING_H

#include "harness/vtime/way.h"

#include "base/json.h"

/* In the order of the words. */
enum time_word { TIME_REAL, TIME_VIRTUAL, TIME_SCALED, TIME_AUTO, TIME_UNSAID };
/* "real", "virtual", "scaled", "auto"; NULL-terminated. */
extern const char *const time_words[];
/* TIME_UNSAID for any other text and for NULL. */
enum time_word time_word_of(const char *text);

/* A moment of the wall clock. */
struct wall_at {
  bool said;
  int64_t ns; /* since 1970 */
};
/* RFC 3339 with its zone, or seconds since 1970, up to the year 2100. `ret` is
 * set on success alone; else `ret_why` says what to write. */
int wall_at_parse(const char *text, struct wall_at *ret, char *ret_why,
                  size_t size);
/* The same of a key: a text or a number. */
int wall_at_read(const struct jval *v, struct wall_at *ret, struct diag *diag);

/* What holds for all scenarios of a run. */
struct timing {
  enum time_word command, project; /* TIME_UNSAID: nothing */
  struct wall_at command_at, project_at;
  bool possible;      /* virtual time works on this machine */
  enum vtime_way way; /* in this way */
  const char *why;    /* it does not; may be NULL */
};

enum timing_word {
  TIMING_REAL,
  TIMING_VIRTUAL,
  TIMING_SCALED, /* harness/scale: real, and long waits are told shorter */
  TIMING_SKIP
};
/* For a scenario that says `own`. Pure. */
enum timing_word timing_choose(const struct timing *t, enum time_word own);
/* Whether virtual time must not be replaced by real time silently: the run
 * as a whole was asked for it. */
bool timing_insists(const struct timing *t);
/* Where the wall clock begins; < 0: nobody said so. */
int64_t timing_at_ns(const struct timing *t, const struct wall_at *own);

#endif
