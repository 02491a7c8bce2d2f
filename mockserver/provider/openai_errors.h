/*
 * openai_errors.h - OpenAI's errors by name, and what both of its APIs
 * (Chat Completions and Responses) have in common.
 */
#ifndef MOCKSERVER_PROVIDER_OPENAI_ERRORS_H
#define MOCKSERVER_PROVIDER_OPENAI_ERRORS_H

#include "mockserver/provider/provider.h"

extern const struct provider_error openai_errors[];

#define OPENAI_HEADERS "x-request-id: {{request_id}}\r\n"

/* {"error":{...}} */
void openai_error_body(const struct provider_error *e,
                       const struct value_scope *s, struct buf *ret);
void openai_request_id(struct ids *ids, struct buf *ret);
/* prefix and `n` hexadecimal digits, at most 79 bytes in all. */
void openai_id(struct ids *ids, const char *prefix, size_t n, char ret[80]);

#endif
