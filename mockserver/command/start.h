/*
 * start.h - one start of a stand-in, as it told of itself.
 */
#ifndef MOCKSERVER_COMMAND_START_H
#define MOCKSERVER_COMMAND_START_H

#include "mockserver/scenario.h"

#include <stddef.h>

struct start {
  const char *name;        /* of the file that was started */
  const char *const *argv; /* argc words */
  size_t argc;
  const char *const *env; /* names of the variables that are set */
  size_t nenv;
  struct bytes in; /* stdin, as far as it was read */
};

/* The arguments behind the name, one blank between two. */
void start_arguments(const struct start *s, struct buf *ret);
/* The step is about this command, and its match excludes it not. */
bool start_fits(const struct step *step, const struct start *s);

#endif
