/*
 * literal.h - evidence written down by hand, for the tests of checks and of
 * the judge. Seconds, not nanoseconds; the run starts at 100 s.
 */
#ifndef TESTS_HARNESS_LITERAL_H
#define TESTS_HARNESS_LITERAL_H

#include "harness/check/check.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LITERALS = 32 };

/* One call; ends the list when `end_s` is 0. */
struct att {
  double at_s, end_s;
  int status;
  const char *retry_after; /* NULL: none */
  bool faulty;
  bool stream, terminal; /* the answer was a stream, reached its end */
  const char *lane, *key;
  uint64_t body;
  int step;
  double left_s; /* the client left then, 0: it did not */
  uint64_t conn;
  bool shake;   /* a TLS handshake, no call */
  int sdk_try;  /* from 1: an SDK's retry number + 1; 0: it sends none */
  bool unsent;  /* with faulty: meant, but never sent */
  bool starved; /* dropped, as there was no descriptor left */
};

/* One start; ends the list when `exit_s` is 0. */
struct sta {
  double start_s, exit_s;
  int code, sig;
  bool timed_out;
  const char *stalled; /* with timed_out: it waited for ever, in this */
  const char *out, *err, *lane;
  bool cut;
  double signalled_s;  /* client.signal was sent then, 0: it was not */
  const char *effects; /* what is in the file of side effects by its end */
  const char *file;    /* what is in the file "f" by its end */
};

#define CALL(at, end, code) .at_s = (at), .end_s = (end), .status = (code)
#define RAN(start, exit) .start_s = (start), .exit_s = (exit)

struct literal {
  struct scenario scenario;
  struct spec spec;
  struct policy policy;
  struct attempt attempts[MAX_LITERALS];
  const struct attempt *pointers[MAX_LITERALS], *all[MAX_LITERALS];
  struct client_start starts[MAX_LITERALS];
  uint64_t uses[MAX_LITERALS];
  struct client_file file;
  struct evidence e;
};

static inline int64_t literal_ns(double s)
{
  return (int64_t)((100 + s) * (double)NS_PER_S);
}

static inline void literal_attempt(struct attempt *a, const struct att *from)
{
  a->first_byte_ns = literal_ns(from->at_s);
  a->end_request_ns = a->first_byte_ns;
  a->answer_first_ns = a->first_byte_ns;
  a->answer_last_ns = literal_ns(from->end_s);
  a->end = from->left_s > 0 ? END_CLIENT : END_KEPT;
  if (from->left_s > 0)
    a->client_left_ns = literal_ns(from->left_s);
  a->status = from->status;
  a->injected = from->faulty;
  a->delivered = from->faulty && !from->unsent;
  a->stream = a->stream_sent = from->stream;
  a->terminal_sent = from->terminal;
  a->complete = !from->stream || from->terminal;
  a->has_retry_after = from->retry_after != NULL;
  a->body_hash = from->body;
  a->conn_id = from->conn;
  a->step = from->step;
  a->retry_count = from->sdk_try - 1;
  snprintf(a->retry_after, sizeof a->retry_after, "%s",
           from->retry_after ? from->retry_after : "");
  snprintf(a->lane, sizeof a->lane, "%s", from->lane ? from->lane : "");
  snprintf(a->idempotency_key, sizeof a->idempotency_key, "%s",
           from->key ? from->key : "");
  snprintf(a->method, sizeof a->method, "POST");
  snprintf(a->what, sizeof a->what, "%d", from->status);
}

static inline void literal_start(struct client_start *s, const struct sta *from)
{
  s->start_ns = literal_ns(from->start_s);
  s->exit_ns = literal_ns(from->exit_s);
  s->launched = true;
  s->exit_code = from->code;
  s->signal = from->sig;
  s->timed_out = from->timed_out;
  s->stalled_ns = from->stalled ? 1 : 0;
  snprintf(s->stalled_in, sizeof s->stalled_in, "%s",
           from->stalled ? from->stalled : "");
  if (from->signalled_s > 0)
    s->signalled_ns = literal_ns(from->signalled_s);
  s->out = bytes_of(from->out ? from->out : "");
  s->err = bytes_of(from->err ? from->err : "");
  s->out_cut = from->cut;
  snprintf(s->lane, sizeof s->lane, "%s", from->lane ? from->lane : "");
}

/* `steps`, `expect` and `client` are JSON, `policy` too (NULL: none). 0 or
 * -1 with the diag of the scenario language. */
static inline int literal_init(struct literal *l, const char *steps,
                               const char *client, const char *expect,
                               const char *policy, struct diag *diag)
{
  char text[8192];
  memset(l, 0, sizeof *l);
  snprintf(text, sizeof text,
           "{\"name\":\"literal\",\"why\":\"written by hand\","
           "\"after_script\":\"reply\",\"steps\":%s,\"client\":%s,"
           "\"expect\":[%s]}",
           steps, client, expect);
  if (scenario_parse(&l->scenario, "literal.json", bytes_of(text), diag) < 0)
    return -1;
  if (spec_load(&l->spec, &l->scenario, diag) < 0) {
    scenario_release(&l->scenario);
    return -1;
  }
  if (policy &&
      json_parse(&l->policy.doc, "policy.json", bytes_of(policy), diag) < 0)
    return -1;
  l->e.scenario = &l->scenario;
  l->e.spec = &l->spec;
  l->e.policy = &l->policy;
  l->e.attempts = l->pointers;
  l->e.starts = l->starts;
  l->e.step_uses = l->uses;
  l->e.start_ns = literal_ns(0);
  return 0;
}

static inline void literal_fill(struct literal *l, const struct att *a,
                                const struct sta *s)
{
  for (size_t i = 0; i < MAX_LITERALS && a[i].end_s > 0; i++) {
    literal_attempt(&l->attempts[i], &a[i]);
    l->attempts[i].seq = i + 1;
    l->all[l->e.nall++] = &l->attempts[i];
    if (a[i].starved) {
      l->attempts[i].cls = ATTEMPT_REFUSED;
      snprintf(l->attempts[i].what, sizeof l->attempts[i].what, NO_DESCRIPTOR);
    } else if (a[i].shake) {
      l->attempts[i].cls = ATTEMPT_HANDSHAKE;
      l->attempts[i].complete = false;
      l->e.nhandshakes += a[i].faulty;
    } else {
      l->pointers[l->e.nattempts++] = &l->attempts[i];
    }
  }
  for (size_t i = 0; i < MAX_LITERALS && s[i].exit_s > 0; i++) {
    literal_start(&l->starts[i], &s[i]);
    l->e.nstarts++;
    if (s[i].effects)
      l->e.side_effects = bytes_of(s[i].effects);
    if (s[i].file)
      l->file = (struct client_file){.name = "f",
                                     .text = bytes_of(s[i].file),
                                     .there = true,
                                     .cut = s[i].cut};
  }
  l->e.all = l->all;
  l->e.files = &l->file;
  l->e.nfiles = l->file.name != NULL;
}

static inline void literal_release(struct literal *l)
{
  policy_release(&l->policy);
  spec_release(&l->spec);
  scenario_release(&l->scenario);
}

#endif
