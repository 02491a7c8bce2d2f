/*
 * reply.h - the content of a 200: what the model "said", cut into deltas.
 *
 * Without `chunks` every word is one delta. With fewer chunks than words the
 * words are grouped; with more, the words come round again, so that a long
 * stream needs no long text.
 */
#ifndef MOCKSERVER_REPLY_H
#define MOCKSERVER_REPLY_H

#include "base/buf.h"

struct reply {
  char *model, *text; /* owned */
  size_t *word_at;    /* owned: where word i begins in text */
  size_t nwords;
  uint64_t chunks; /* number of text deltas, 1 or more */
  char id[80];     /* of the message, completion or response */
  char item_id[80];
  int64_t created_epoch_s;
  uint64_t input_tokens; /* output tokens are `chunks` */
  bool with_usage;       /* Chat Completions: stream_options.include_usage */
  bool as_array;         /* Gemini: streamed without alt=sse */
};

#define REPLY_TEXT "Hello from faultwire."
/* Ceilings of a step's `chunks` and `text`. */
#define REPLY_MAX_CHUNKS 1000000
#define REPLY_MAX_TEXT ((size_t)1 << 20)

/* `chunks` 0: one a word. The caller releases. */
void reply_init(struct reply *r, struct bytes model, const char *text,
                uint64_t chunks);
void reply_copy(struct reply *r, const struct reply *from);
void reply_release(struct reply *r);
/* How many deltas such a reply has. */
uint64_t reply_chunks(const char *text, uint64_t chunks);
/* The text of delta i, as the inside of a JSON string. */
void reply_piece_json(const struct reply *r, uint64_t i, struct buf *ret);
/* All deltas joined, as the inside of a JSON string. */
void reply_text_json(const struct reply *r, struct buf *ret);

#endif
