/*
 * stream_rules.h - what the stream readers of the providers share; inside
 * lib/guard only. A new provider is one file and one line in stream.def.
 */
#ifndef GUARD_STREAM_RULES_H
#define GUARD_STREAM_RULES_H

#include "guard/sse.h"

#include <cjson/cJSON.h>

/* What one event says. */
struct guard_stream_step {
  enum guard_stream_state state; /* OPEN: the stream goes on */
  bool content;
};

/* |json| is NULL when the data is not JSON. Text goes to
 * guard_stream_add_text. */
typedef struct guard_stream_step
guard_stream_reader(struct guard_stream *s, const struct guard_sse_event *e,
                    const cJSON *json);

guard_stream_reader guard_stream_anthropic;
guard_stream_reader guard_stream_openai;
guard_stream_reader guard_stream_responses;
guard_stream_reader guard_stream_gemini;

bool guard_stream_is_strict(const struct guard_stream *s);
/* NULL and what is beyond GUARD_STREAM_TEXT_MAX are not added. */
void guard_stream_add_text(struct guard_stream *s, const cJSON *string);
/* The member's text, or "" when there is none. */
const char *guard_json_str(const cJSON *object, const char *key);

#endif
