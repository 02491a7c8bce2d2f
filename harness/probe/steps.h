/*
 * steps.h - the scripts of the trials, as JSON text.
 *
 * A 429 of `rate_limit` names a wait in headers and body, as the providers
 * do. Where a client's own backoff is to be seen nothing may be named, so
 * that answer is written here in the provider's form.
 */
#ifndef HARNESS_PROBE_STEPS_H
#define HARNESS_PROBE_STEPS_H

#include "harness/probe/book.h"

enum error_class {
#define CLASS(id, name, http, says, retried) CLASS_##id,
#include "harness/probe/classes.def"
#undef CLASS
  NCLASSES
};

/* "429", "connection reset" */
const char *class_name(enum error_class c);
/* Asking again may help. */
bool class_is_retried(enum error_class c);
/* False where a command has no such text. */
bool class_exists(const struct face *face, enum error_class c);

/* All of these are freed by the caller, or taken over by the book. */

/* One step, always: the error without any wait named, and `more` keys (with
 * a comma in front, or ""). */
char *class_step(const struct face *face, enum error_class c, const char *more);
/* A list of that one step. */
char *class_steps(const struct face *face, enum error_class c,
                  const char *more);
/* A list: the error once, then a plain answer. */
char *class_then_reply(const struct face *face, enum error_class c,
                       const char *more);
/* A list of one step that is given as its keys. */
char *one_step(const char *keys);
/* A status with the body an error of the provider has. */
char *error_step(const struct face *face, int status, const char *message,
                 const char *more);
/* The 429 with a wait named in header, in seconds; "" for a command as for
 * HTTP. */
char *wait_keys(const struct face *face, double seconds);

/* What the answers say; the texts of cut answers are told by them. */
#define FIRST_WORD "probe-first"
#define LAST_WORD "probe-last"
#define PROBE_TEXT FIRST_WORD " second third fourth fifth " LAST_WORD
/* Keys of an answer with that text. */
#define REPLY_KEYS "\"text\":\"" PROBE_TEXT "\""

#endif
