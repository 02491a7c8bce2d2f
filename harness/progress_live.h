/*
 * progress_live.h - progress.h on stderr: a line that is drawn again and
 * again on a terminal, or a line every ten seconds for a log.
 */
#ifndef HARNESS_PROGRESS_LIVE_H
#define HARNESS_PROGRESS_LIVE_H

#include "harness/progress.h"

#include "base/clock.h"

enum progress_mode {
  PROGRESS_AUTO, /* a line on a terminal, else nothing */
  PROGRESS_LINE,
  PROGRESS_PLAIN,
  PROGRESS_OFF
};
/* "auto", "line", "plain", "off"; NULL-terminated. */
extern const char *const progress_words[];

struct progress;

struct progress_options {
  enum progress_mode mode;
  size_t total;
  int at_once;
  struct clock *clock;
  const char *(*name)(const void *arg, size_t i); /* of job i */
  const void *arg;
};

/* NULL: nothing is to be shown; every function below takes that. The caller
 * frees, which takes the line away. */
struct progress *progress_new(const struct progress_options *o);
void progress_free(struct progress *p);
void progress_started(struct progress *p, size_t i);
/* `red`: it failed, or proved nothing. */
void progress_ended(struct progress *p, size_t i, bool red);
void progress_tick(struct progress *p);
/* How often that wants to be called; 0: never. */
int64_t progress_tick_ns(const struct progress *p);

#endif
