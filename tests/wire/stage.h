/*
 * stage.h - a server with stand-in commands in a thread, and starts of them
 * as a client makes them. Real time; what is waited for is always an end.
 */
#ifndef TESTS_WIRE_STAGE_H
#define TESTS_WIRE_STAGE_H

#include "tests/unit/unit.h"

#include "mockserver/command/host.h"

#include <pthread.h>

struct stage {
  char *folder;
  struct scenario scenario;
  struct journal *journal;
  struct server *server;
  struct engine *engine;
  struct host *host;
  pthread_t thread;
  bool running;
};

/* One start and what came of it. */
struct play {
  long pid;
  int in, out, err; /* our ends; -1: none */
  struct buf got_out, got_err;
  int exit_code; /* -1: ended by a signal */
  int signal;
};

/* `steps`: the inside of the scenario's steps, and what may follow. */
void stage_open(struct stage *s, const char *steps);
/* The same as a control run. */
void stage_open_without_faults(struct stage *s, const char *steps);
/* The server looks at no socket any more, and is still there. */
void stage_halt(struct stage *s);
/* Ends the server; the journal stays. */
void stage_stop(struct stage *s);
void stage_close(struct stage *s);
/* The only attempt, or attempt i, of a server that was stopped. */
const struct attempt *stage_attempt(struct stage *s, size_t i);

/* Starts FOLDER/`line`, a line for the shell. `in` true: a pipe is its stdin,
 * else it has /dev/null. */
void play_begin(struct play *p, const struct stage *s, const char *line,
                bool in);
/* Reads both outputs to their end and reaps it. */
void play_end(struct play *p);
/* Both; asserts the outputs and the exit code. */
void play_line(const struct stage *s, const char *line, const char *out,
               const char *err, int exit_code);
void play_release(struct play *p);
/* Reads `n` bytes of stdout: that far it has come. */
void play_wait_out(struct play *p, size_t n);

#endif
