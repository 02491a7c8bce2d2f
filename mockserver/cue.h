/*
 * cue.h - the events of an answer by their place in it.
 *
 * A provider says how many events it has for the start of an answer, for the
 * opening, one delta and the closing of a block, and for the end, and writes
 * each of them. What stands where in the whole stream, and how many there
 * are, follows from that here, once for all providers.
 */
#ifndef MOCKSERVER_CUE_H
#define MOCKSERVER_CUE_H

#include "mockserver/reply.h"

struct provider;

enum cue_kind { CUE_START, CUE_OPEN, CUE_DELTA, CUE_CLOSE, CUE_END };

struct cue {
  enum cue_kind kind;
  size_t block; /* for OPEN, DELTA and CLOSE */
  uint64_t i;   /* which event of its kind, from 0 */
};

/* Events of the whole stream, its terminal event included. */
uint64_t cue_total(const struct provider *p, const struct reply *r);
/* Those before the end of the text begins (finish, stop, done). */
uint64_t cue_text(const struct provider *p, const struct reply *r);
/* Event i of the whole, from 0. */
struct cue cue_at(const struct provider *p, const struct reply *r, uint64_t i);
/* True for the event that tells the client that this is all. */
bool cue_is_last(const struct provider *p, const struct reply *r,
                 const struct cue *c);

#endif
