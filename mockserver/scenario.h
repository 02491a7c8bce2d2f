/*
 * scenario.h - a scenario file: what the server does, step by step.
 *
 * The server's half (name, why, provider, steps, after_script, seed) is
 * checked here; `client`, `expect`, `tags` belong to the harness, which
 * checks them on its own (harness/spec.h). A key nobody owns is an error
 * with its place. docs/scenario.md is the language's page.
 */
#ifndef MOCKSERVER_SCENARIO_H
#define MOCKSERVER_SCENARIO_H

#include "base/json.h"
#include "mockserver/endpoint_config.h"
#include "mockserver/tls_config.h"

struct fault;
struct limits_config;
struct provider;

enum after_script { AFTER_REPEAT_LAST, AFTER_REPLY, AFTER_ERROR, AFTER_PASS };

struct match {
  const char *path;  /* fnmatch pattern on the path, NULL: any */
  const char *model; /* fnmatch pattern, NULL: any */
  int stream;        /* 1 or 0 wanted, -1: any */
  int reused;        /* the same for: not the first on its connection */
  const char *header_name, *header_value; /* value is a pattern */
  const char *body;                       /* text the body must hold */
  /* of a start of a command: pattern on the arguments, text stdin must hold,
   * name of a variable that must be set; NULL: any */
  const char *argv, *in, *env;
  const char *endpoint;  /* pattern on an endpoint's name; NULL: generation
                            calls, and nothing else */
  const cJSON *messages; /* of the conversation (step_talk.h), NULL: any */
};

/* Which calls of a lane a step is for, besides lane and match. */
struct when {
  int64_t first, last;       /* numbers of the calls in their lane, from 1 */
  int64_t from_ns, until_ns; /* since the lane's first call; until is out */
};

/* Calls that wait for each other; requests 0: none do. */
struct barrier {
  int64_t requests; /* so many make a round */
  int64_t for_ns;   /* the round is over so long after its first call */
  bool across_lanes;
};

struct shape;

struct step {
  int index;                 /* place in steps[], from 0 */
  const cJSON *node;         /* checked; the fault's keys are read from it */
  const struct fault *fault; /* what; `none` for a plain reply */
  int64_t times;             /* how many requests it answers; INT64_MAX: all */
  const char *lane;          /* NULL: every lane */
  const char *command;       /* the command it is about; NULL: HTTP calls */
  struct match match;
  struct when when;
  struct barrier barrier;
  struct buf file;     /* bytes of the file it names */
  struct shape *shape; /* owned; NULL: the bytes go out as they are */
  bool shared;         /* its uses count over all lanes together */
  double chance;       /* share of calls it takes; 0: all of them */
  bool pass;           /* goes on to the upstream */
  bool optional;       /* a right client may never meet it */
  bool faulty;         /* a fault kind, or a reply that is harmed on its way */
};

struct port_change;

struct scenario {
  struct json_doc doc;
  const char *name, *why;
  const struct provider *provider; /* NULL: whatever the request asks */
  struct step *steps;
  size_t nsteps;
  struct port_change *port; /* owned */
  size_t nport;
  enum after_script after;
  uint64_t seed;
  struct limits_config *limits; /* NULL: none */
  struct endpoint_config endpoints;
  struct tls_config tls;
};

/* Loads and checks the server's half; the caller releases. */
int scenario_load(struct scenario *ret, const char *path, struct diag *diag);
int scenario_parse(struct scenario *ret, const char *name, struct bytes text,
                   struct diag *diag);
void scenario_release(struct scenario *s);

#endif
