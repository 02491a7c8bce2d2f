/*
 * served.h - `faultwire serve` in a child process, for what only a process
 * has: signals, files that change, a sudden end. For tests only.
 */
#ifndef TESTS_WIRE_SERVED_H
#define TESTS_WIRE_SERVED_H

#include "base/buf.h"

#include <sys/types.h>

struct served {
  pid_t pid;
  int port;
  int err; /* its stderr */
};

/* Options end with NULL; --port 0 is added. Fails the test when the server
 * does not come up. */
void served_start(struct served *s, const char *const *options);
/* SIGTERM and its end; returns the exit status of wait(2). */
int served_stop(struct served *s);

int served_connect(const struct served *s);
/* One request on a connection of its own, its answer to the end; the caller
 * releases `ret`, which is initialised here. Returns the status. */
int served_ask(const struct served *s, const char *method, const char *target,
               const char *headers, const char *body, struct buf *ret);
/* A plain call of Anthropic; returns the status, 0: the connection ended
 * without one. */
int served_call(const struct served *s, const char *headers);
/* Reads stderr until `text` is in it; fails the test at its end. */
void served_wait_for(struct served *s, const char *text);

/* A file of its own in a folder of its own; the caller frees the names. */
void temp_write(const char *path, const char *text);

#endif
