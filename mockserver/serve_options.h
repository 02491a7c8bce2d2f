/*
 * serve_options.h - what `faultwire serve` can be told.
 *
 * Flags come before the environment, the environment before the defaults: a
 * flag --max-body has the variable FAULTWIRE_MAX_BODY; of one without a
 * value 1 or true switches it on, 0 and false do not. FAULTWIRE_SCENARIO is the
 * scenario.
 */
#ifndef MOCKSERVER_SERVE_OPTIONS_H
#define MOCKSERVER_SERVE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum serve_exit {
  EXIT_USAGE = 2,
  EXIT_SET_UP = 3,
  EXIT_INTERRUPTED = 130 /* 128 + SIGINT */
};

struct serve_options {
  const char *scenario, *preset, *address, *journal, *provider, *port_file,
      *shim_dir, *tls_dir, *admin_token, *upstream;
  int64_t port, seed, ready_fd;
  bool any_address, quiet, tls, watch, allow_force, lenient;
  int64_t max_head, max_target, max_headers, max_body, body_in_memory,
      max_connections;
  double request_timeout_s, idle_timeout_s;
};

/* -1: go on; else the exit code, and what is wrong is on stderr. */
int serve_options_read(struct serve_options *ret, int argc, char **argv);

#endif
