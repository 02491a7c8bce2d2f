/*
 * serve.h - `faultwire serve`: the mock server as a program of its own.
 *
 * Listens on 127.0.0.1 unless told otherwise, answers a scenario's script
 * (or plain replies without one), prints one line when it is ready and one
 * line per attempt, and ends on SIGTERM (exit 0) or SIGINT (exit 130).
 */
#ifndef MOCKSERVER_SERVE_H
#define MOCKSERVER_SERVE_H

/* argv[0] is "serve". Returns the exit code: 2 usage or invalid scenario,
 * 3 cannot listen or cannot write. */
int serve_main(int argc, char **argv);

#endif
