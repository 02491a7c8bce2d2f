/*
 * answer.h - what server_handle() writes into the plan, as one text: the
 * bytes in order, and a trace of what else happens. For tests only.
 */
#ifndef TESTS_CONTRACT_ANSWER_H
#define TESTS_CONTRACT_ANSWER_H

#include "base/clock.h"
#include "mockserver/server.h"

/* 2025-12-01T00:00:00Z: the moment the fixtures are written for. */
#define FIXTURE_EPOCH_S INT64_C(1764547200)

/*
 * The trace has one word an op, blanks between: "send", "head", "event",
 * "terminal", "fault", "complete", "delay:500" (ms), "gen:3" (pieces),
 * "gen:..." (no end), "stall", "fin", "rst", "close", "keep".
 */
struct answer {
  struct buf wire, trace;
  struct attempt attempt; /* only what the handler fills */
  bool unlogged;
};

/* A server of its own over one scenario, with a clock that stands still. */
struct bench {
  struct scenario scenario;
  struct clock_fake clock;
  struct journal *journal;
  struct server *server;
};

/* Fails the test when the scenario is wrong. `json` NULL: no scenario. */
void bench_open(struct bench *b, const char *json);
void bench_open_with(struct bench *b, const char *json, bool no_faults,
                     bool admin);
void bench_close(struct bench *b);

/* `headers`: "name: value\n" each. The caller releases. */
void bench_ask(struct bench *b, const char *method, const char *target,
               const char *headers, const char *body, struct answer *ret);
/* A generation call in the provider's form. */
void bench_call(struct bench *b, const char *provider, const char *lane,
                bool stream, struct answer *ret);
void answer_release(struct answer *a);

/* Where the body begins in the wire bytes. */
struct bytes answer_body(const struct answer *a);
/* The body without chunk framing, when it is framed; the caller releases. */
void answer_unchunk(const struct answer *a, struct buf *ret);
/* Ids of one answer become PLACEHOLDER; the caller releases. */
void answer_normalise(struct bytes text, struct buf *ret);

/* Path and body of a generation call; the caller frees. */
char *call_target(const char *provider, const char *lane, bool stream);
char *call_body(const char *provider, bool stream);

#endif
