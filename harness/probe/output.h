/*
 * output.h - a probe's findings for people, for `faultwire test`, and as
 * JSON. All of them print into memory.
 */
#ifndef HARNESS_PROBE_OUTPUT_H
#define HARNESS_PROBE_OUTPUT_H

#include "harness/probe/book.h"
#include "harness/probe/findings.h"

struct output_names {
  const char *const *command; /* NULL-terminated */
  const char *policy;         /* file that is or will be written, NULL: none */
  bool channel_command;
  double seconds, limit_s;
  const struct face *face;
};

/* The table and the dangers. */
void output_text(const struct findings *f, const struct output_names *n,
                 struct buf *ret);
/* The policy file, with a comment for every key. */
void output_policy(const struct findings *f, const struct output_names *n,
                   struct buf *ret);
void output_json(const struct findings *f, const struct output_names *n,
                 struct buf *ret);
/* Address of the shipped scenario that shows a danger, of the right channel;
 * NULL: none does. */
const char *output_scenario(const struct danger *d, bool channel_command);

#endif
