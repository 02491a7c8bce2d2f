/*
 * tape.h - the `events` of a scripted stream: the words, their check, and
 * the content they add up to.
 *
 * An entry is a word alone ("start") or an object with one word and what
 * goes with it ({"delta": "Hello"}). The vocabulary is that of the incidents
 * the server replays; docs/scenario.md, "Events", lists it.
 */
#ifndef MOCKSERVER_TAPE_H
#define MOCKSERVER_TAPE_H

#include "base/param.h"
#include "mockserver/reply.h"

enum tape_kind {
  TAPE_START,
  TAPE_DELTA,
  TAPE_THINKING,
  TAPE_TOOL,
  TAPE_BIG,
  TAPE_PING,
  TAPE_COMMENT,
  TAPE_WAIT,
  TAPE_PINGLOOP,
  TAPE_UNKNOWN,
  TAPE_DATA,
  TAPE_BAD,
  TAPE_RAW,
  TAPE_RAW_BASE64,
  TAPE_ERROR,
  TAPE_TERM,
  TAPE_STOP,
  TAPE_NULL,
  TAPE_KINDS
};

struct tape_word {
  const char *name;
  bool bare;                  /* may stand alone, as a text */
  const struct param *params; /* the word itself and what goes with it */
};
extern const struct tape_word tape_words[TAPE_KINDS];
/* What any entry may hold besides: gap_ms, null, set, bytes. */
extern const struct param tape_extras[];

/* TAPE_KINDS: it has no word. */
enum tape_kind tape_kind_of(const cJSON *entry);
/* The content of all entries, as blocks. An entry that ends the block before
 * it has tape_ends_block(), one that is content tape_block_of(). */
void tape_add_blocks(struct reply *r, const cJSON *events);
bool tape_ends_block(enum tape_kind k);
/* -1: no content. */
int tape_block_of(enum tape_kind k);

#endif
