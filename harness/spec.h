/*
 * spec.h - the harness's half of a scenario: `client` and `expect`.
 */
#ifndef HARNESS_SPEC_H
#define HARNESS_SPEC_H

#include "base/param.h"
#include "harness/run_limits.h"
#include "harness/timing.h"
#include "mockserver/scenario.h"

#include <stdbool.h>

struct check;

/* What the client calls: a server, or a command. */
enum channel { CHANNEL_HTTP, CHANNEL_COMMAND, CHANNEL_HTTPS, NCHANNELS };
/* "http", "command"; NULL-terminated. */
extern const char *const channel_words[];

/* The keys of `client`, and those every expectation has besides its check's
 * own; for checking, `list` and `explain`. */
extern const struct param client_params[];
extern const struct param expect_params[];

struct expect {
  const struct check *check;
  const cJSON *node; /* checked against the check's table */
  const char *lane;  /* NULL: all lanes */
  bool should;       /* level "should": a failure is a warning */
  int index;         /* place in expect[] */
};

struct spec {
  double limit_s;
  enum time_word time; /* client.time */
  struct wall_at at;   /* client.at */
  struct run_limits limits;
  bool stream;
  const char **lanes; /* nlanes names; one lane "" when none is given */
  size_t nlanes;
  const char **housekeeping; /* vtime.h; NULL: none. Freed by spec_release() */
  char **copies; /* owned names of client.copies, among lanes; NULL: none */
  int starts;
  double pause_s;                  /* between two starts */
  int signal;                      /* client.signal, 0: none */
  double signal_at_s;              /* behind the first request of a start */
  bool same_work;                  /* {WORK} is that of all starts and lanes */
  bool go_on;                      /* {AFTER_CUT} is "continue" */
  const cJSON *env, *files, *args; /* NULL when absent */
  enum channel channel;            /* client.channel, else by the steps */
  const cJSON *absent; /* numbers of starts without the commands, or NULL */
  struct expect *expects;
  size_t nexpects;
  const char **tags;
  size_t ntags;
};

/* From a loaded scenario, which must outlive it. The caller releases. */
int spec_load(struct spec *ret, const struct scenario *scenario,
              struct diag *diag);
void spec_release(struct spec *s);
/* Start number `n`, from 0, finds no stand-in on its PATH. */
bool spec_absent(const struct spec *s, int n);

#endif
