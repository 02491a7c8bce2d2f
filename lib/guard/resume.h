/*
 * resume.h - what to do with the text of a stream that was cut.
 *
 * Rule (third article; Claude API documentation, "Streaming messages", Error
 * recovery): the text that came is kept, and a new request asks for the rest.
 * Claude 4.5 and earlier go on from an assistant message that begins with it;
 * newer models refuse such a message and are told in a user message. Tool use
 * and thinking cannot be resumed in part: a tool's call is never repeated or
 * guessed here, and thinking is left out, which the result says. Showing the
 * text and starting over are the caller's other ways.
 *
 * OpenAI keeps a response going only in background mode: the stream is then
 * fetched again behind the last sequence number ("Background mode", Streaming
 * a background response). Chat Completions and Gemini document no way.
 */
#ifndef GUARD_RESUME_H
#define GUARD_RESUME_H

#include "guard/sse.h"

#include <stdint.h>

/* Kinds of content blocks, as bits. */
enum guard_block {
  GUARD_BLOCK_TEXT = 1,
  GUARD_BLOCK_TOOL = 2, /* tool_use and all server tools with their results */
  GUARD_BLOCK_THINKING = 4, /* thinking, redacted_thinking */
  GUARD_BLOCK_OTHER = 8     /* a kind that is not known here */
};
/* The kind of an event that begins a content block (Messages API), or 0. */
uint32_t guard_resume_block(const struct guard_sse_event *e);

/* What is left of the cut stream. All pointers belong to the caller. */
struct guard_cut {
  const char *provider; /* as guard_stream_new() has it */
  const char *request;  /* the JSON body that was sent */
  size_t request_n;
  const char *text; /* what came (guard_stream_text) */
  size_t text_n;
  uint32_t blocks; /* kinds seen, enum guard_block */
};

enum guard_resume {
  /* A body was built. */
  GUARD_RESUME_ASSISTANT, /* the rest follows as if nothing had happened */
  GUARD_RESUME_USER, /* told by the user; the model may say a few words first */
  /* No body. */
  GUARD_RESUME_FETCH,     /* the response goes on: guard_resume_path() */
  GUARD_RESUME_NO_TEXT,   /* nothing came: start over */
  GUARD_RESUME_THINKING,  /* only thinking came: start over */
  GUARD_RESUME_TOOL,      /* a tool was called: start over, or look whether it
                             has run */
  GUARD_RESUME_UNKNOWN,   /* a block of a kind that is not known here */
  GUARD_RESUME_FORMAT,    /* the answer is bound to a schema: half of it cannot
                             be followed by a whole one */
  GUARD_RESUME_PROVIDER,  /* no documented way with this provider */
  GUARD_RESUME_REQUEST,   /* the request is not one of the Messages API */
  GUARD_RESUME_BAD_TEXT,  /* the text is not UTF-8 */
  GUARD_RESUME_TOO_SMALL, /* the buffer is */
  GUARD_RESUME_NWAYS
};
/* A constant sentence. */
const char *guard_resume_why(enum guard_resume r);

struct guard_resumed {
  size_t body_n; /* bytes of the new request, without the NUL behind it */
  size_t kept_n; /* so much of the text stands before the continuation: show
                    text[0..kept_n), then what comes. Less than text_n when a
                    character was cut, or blanks ended an assistant message */
  bool thinking_dropped; /* thinking came and is not part of the request */
};

/* A buffer of this size is never too small. */
size_t guard_resume_room(const struct guard_cut *c);

/*
 * Builds the request that asks for the rest: the bytes of the original with
 * one message more. |ret_body| has |size| bytes. It is written for
 * GUARD_RESUME_ASSISTANT and GUARD_RESUME_USER only, and so is |ret|.
 */
enum guard_resume guard_resume(const struct guard_cut *c, char *ret_body,
                               size_t size, struct guard_resumed *ret);

/* The path and query to GET, below the version ("/responses/..."), for a
 * background response and the last sequence number that came (-1: none).
 * False: no such id, or the buffer is too small. */
bool guard_resume_path(const char *response_id, int64_t sequence, char *ret,
                       size_t size);

#endif
