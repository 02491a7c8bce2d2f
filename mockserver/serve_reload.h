/*
 * serve_reload.h - the scenario's file read again while the server runs: on
 * SIGHUP, and with --watch whenever the file is written or replaced.
 *
 * A file with an error changes nothing: the old script goes on, and stderr
 * says what is wrong and where.
 */
#ifndef MOCKSERVER_SERVE_RELOAD_H
#define MOCKSERVER_SERVE_RELOAD_H

#include "mockserver/server.h"

struct reload {
  const char *path; /* NULL: the scenario is no file */
  struct server *server;
  struct engine *engine;
  int fd;         /* inotify, -1: nobody watches */
  uint64_t timer; /* 0: nothing has changed */
};

void reload_now(struct reload *r);
/* Watches the file's folder, since editors put a new file in its place. */
int reload_watch(struct reload *r, struct diag *diag);
void reload_close(struct reload *r);

#endif
