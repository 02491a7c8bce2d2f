/*
 * record.h - the command `faultwire record`: a reverse proxy in front of a
 * real API that makes a scenario of what went through. docs/import.md is its
 * page.
 */
#ifndef MOCKSERVER_UPSTREAM_RECORD_H
#define MOCKSERVER_UPSTREAM_RECORD_H

/* argv[0] is "record"; the exit code. */
int record_main(int argc, char **argv);

#endif
