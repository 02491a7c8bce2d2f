/*
 * step_check.h - checks of a step that several fault kinds share, for
 * `struct fault.check`. What a provider knows is asked of the provider the
 * scenario names, or of all of them when it names none.
 */
#ifndef MOCKSERVER_STEP_CHECK_H
#define MOCKSERVER_STEP_CHECK_H

#include "base/param.h"

/* The step's `key`, when there, names an error of the provider; with
 * `prefix` ("quota:") the name behind it. */
int step_check_error(const struct jval *step, const char *key,
                     const char *prefix, struct diag *diag);
/* The step's `after_event`, when there, leaves something to cut off. */
int step_check_after_event(const struct jval *step, struct diag *diag);
/* The scenario may meet a call of that provider. */
struct provider;
bool step_check_applies(const struct jval *step, const struct provider *p);
/* The step's `events` (tape.h) and `pieces`, when there. */
int step_check_events(const struct jval *step, struct diag *diag);
int step_check_pieces(const struct jval *step, struct diag *diag);
extern const char *const eol_words[]; /* stream_out.c */
/* At most one of the two keys. */
int step_check_one_of(const struct jval *step, const char *a, const char *b,
                      struct diag *diag);
/* A text whose {{...}} are all known; a number or null is right too. */
int step_check_text(const struct jval *v, struct diag *diag);
/* The same for a header's name or value: no line break either. */
int step_check_header_text(const struct jval *v, struct diag *diag);

/* The step's, or any object's, `headers` when there: names and values. */
int step_check_headers(const struct jval *object, struct diag *diag);

/* Keys that several kinds have, for their tables. */
extern const char *const step_non_stream_words[];
#define STEP_PARAM_NON_STREAM                                                  \
  {                                                                            \
    .name = "non_stream", .type = PARAM_WORD, .words = step_non_stream_words,  \
    .summary = "what a call gets that asks for no stream; the step is not "    \
               "used up by it; default reply"                                  \
  }
#define STEP_PARAM_HINT_S                                                      \
  {                                                                            \
    .name = "hint_s", .type = PARAM_NUMBER, .max = 315360000,                  \
    .summary = "seconds the body's hint names (OpenAI text, Gemini "           \
               "RetryInfo) and the reset headers; default: retry_after, "      \
               "else 1"                                                        \
  }
#define STEP_PARAM_RETRY_AFTER                                                 \
  {                                                                            \
    .name = "retry_after", .type = PARAM_LITERAL,                              \
    .summary = "value of the retry-after header, sent as it stands; null or "  \
               "absent: no header"                                             \
  }
#define STEP_PARAM_RETRY_AFTER_MS                                              \
  {                                                                            \
    .name = "retry_after_ms", .type = PARAM_LITERAL,                           \
    .summary = "value of the retry-after-ms header"                            \
  }

#endif
