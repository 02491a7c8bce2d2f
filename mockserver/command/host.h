/*
 * host.h - the server's side of the stand-in commands.
 *
 * Listens in one or more folders, takes each start for an attempt in the
 * same journal and by the same script as requests, and tells the stand-in
 * what to write and when. Runs in the engine's loop; time is the engine's
 * clock.
 */
#ifndef MOCKSERVER_COMMAND_HOST_H
#define MOCKSERVER_COMMAND_HOST_H

#include "mockserver/engine.h"
#include "mockserver/server.h"

struct host;

struct host_options {
  struct engine *engine;
  struct server *server; /* whose script is walked */
  struct journal *journal;
  struct clock *clock;
  uint64_t seed;
};

struct host *host_new(const struct host_options *o);
/* Ends all sessions; their attempts are journaled as they are. Before the
 * engine and the journal go. */
void host_free(struct host *h);
/* Listens in `folder`, which is there. Starts from it are of `lane`, unless
 * they name one themselves. */
int host_listen(struct host *h, const char *folder, const char *lane,
                struct diag *diag);
/* As engine_on_attempt. */
void host_on_attempt(struct host *h, engine_attempt_fn *fn, void *arg);
/* Starts that have not ended. */
size_t host_open(const struct host *h);
/* Later starts find nobody. */
void host_stop_listening(struct host *h);

/* The names of all commands of a scenario, each once; at most `max`. */
size_t host_names(const struct scenario *s, const char **ret, size_t max);
/* Puts a stand-in for each of them into the folder, which is made when it is
 * not there. */
int host_place(const char *folder, const struct scenario *s, struct diag *diag);
/* Takes them all out again. */
void host_take(const char *folder, const struct scenario *s);

#endif
