/*
 * limits_rig.h - a limiter behind a real socket: asks, and reads what the
 * answers say about it.
 */
#ifndef TESTS_WIRE_LIMITS_RIG_H
#define TESTS_WIRE_LIMITS_RIG_H

#include "tests/wire/wire.h"

struct limited {
  struct wire w;
  struct buf got; /* the last answer */
};

/* `limits`: the scenario's member of that name. */
void open_limits(struct limited *l, const char *provider, const char *limits);
void close_limits(struct limited *l);
/* The caller frees. */
char *request_text(const char *target, const char *headers, const char *body);
int status_of(const struct buf *b);
/* One request on a connection of its own; its status. */
int ask(struct limited *l, const char *target, const char *headers,
        const char *body);
/* A generation call in the provider's form. */
int call_as(struct limited *l, const char *provider, bool stream,
            const char *headers);
/* The last answer has that text. */
bool says(const struct limited *l, const char *text);
void must_say(const struct limited *l, const char *text);
/* The number behind `mark`, times 1000 where it is in seconds. */
int64_t number_behind(const struct limited *l, const char *mark, bool seconds);
/* What the refusal says about waiting. */
int64_t told_wait_ms(const struct limited *l, const char *provider);

#endif
