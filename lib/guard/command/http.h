/*
 * http.h - guard http: one API call per prompt, all through one gate.
 */
#ifndef GUARD_COMMAND_HTTP_H
#define GUARD_COMMAND_HTTP_H

/* argv[0] is "http". The exit code. */
int http_main(int argc, char **argv);

#endif
