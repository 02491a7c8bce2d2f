/*
 * reply.h - the content of a 200: what the model "said", as blocks cut into
 * deltas.
 *
 * A block is a text, a thought or the call of a tool. Its pieces are what
 * one delta carries: the words of a text, the parts of a tool's arguments,
 * or what a scripted stream says. With fewer `chunks` than pieces they are
 * grouped; a text with more begins again, so that a long stream needs no
 * long text.
 *
 * Tokens (docs/scenario.md, "Usage"): one a word, and one more for each
 * whole 16 bytes of it.
 */
#ifndef MOCKSERVER_REPLY_H
#define MOCKSERVER_REPLY_H

#include "base/buf.h"

enum block_kind { BLOCK_TEXT, BLOCK_THINKING, BLOCK_TOOL };

struct block {
  enum block_kind kind;
  struct buf text;     /* said, thought, or a tool's arguments as JSON */
  char *name;          /* owned: of a tool, else NULL */
  size_t *cut_at;      /* owned: where piece i begins; npieces + 1 */
  uint64_t *tokens_at; /* owned: tokens in front of piece i; npieces + 1 */
  size_t npieces, cap;
  uint64_t tokens;  /* of the whole words so far */
  size_t word;      /* bytes of the one that is not */
  uint64_t chunks;  /* number of deltas */
  char id[80];      /* of a tool's call */
  char item_id[80]; /* Responses: of the item; Anthropic: the signature */
};

enum stop_reason {
  STOP_END_TURN,
  STOP_MAX_TOKENS,
  STOP_SEQUENCE,
  STOP_TOOL_USE,
  STOP_PAUSE_TURN,
  STOP_REFUSAL,
  STOP_CONTENT_FILTER,
  STOP_CONTEXT_WINDOW
};
/* The words of the scenario language, in the order of the enum. */
extern const char *const stop_words[];

struct reply {
  char *model;           /* owned */
  struct block **blocks; /* owned */
  size_t nblocks;
  enum stop_reason stop;
  char *stop_sequence; /* owned; NULL: none */
  char id[80];         /* of the message, completion or response */
  int64_t created_epoch_s;
  uint64_t input_tokens;
  bool with_usage; /* Chat Completions: stream_options.include_usage */
  bool as_array;   /* Gemini: streamed without alt=sse */
  bool scripted;   /* event by event: no ping of its own, and the end is an
                      event of its own for every provider */
};

#define REPLY_TEXT "Hello from faultwire."
/* Ceilings of a step's `chunks`, of one text and of `blocks`. */
#define REPLY_MAX_CHUNKS 1000000
#define REPLY_MAX_TEXT ((size_t)1 << 20)
#define REPLY_MAX_BLOCKS 1000

/* Without a block yet. The caller releases. */
void reply_init(struct reply *r, struct bytes model);
void reply_copy(struct reply *r, const struct reply *from);
void reply_release(struct reply *r);

/* A new block behind the others; belongs to the reply. */
struct block *reply_add(struct reply *r, enum block_kind kind);
/* One more piece, and so one more delta. */
void block_add(struct block *b, struct bytes piece);
/* The words of `text` as pieces; `chunks` 0: one delta a piece. */
void block_add_words(struct block *b, const char *text, uint64_t chunks);
/* `text` in `n` pieces of about the same size, never inside a character. */
void block_add_parts(struct block *b, struct bytes text, uint64_t n);

/* The text of delta i, as the inside of a JSON string. */
void block_piece_json(const struct block *b, uint64_t i, struct buf *ret);
/* All deltas joined, as the inside of a JSON string. */
void block_text_json(const struct block *b, struct buf *ret);
/* The same as it stands: of a tool, the arguments. */
void block_text(const struct block *b, struct buf *ret);

/* Tokens of a block's deltas 0..i (i not included). */
uint64_t block_tokens(const struct block *b, uint64_t i);
/* Of all blocks; of the thoughts alone. */
uint64_t reply_output_tokens(const struct reply *r);
uint64_t reply_thought_tokens(const struct reply *r);
/* How many blocks of that kind stand before `block`. */
size_t reply_count(const struct reply *r, enum block_kind kind, size_t block);

#endif
