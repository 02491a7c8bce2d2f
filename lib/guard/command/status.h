/* status.h - the form of guard that shows the shared state of breaker and
 * budget. */
#ifndef GUARD_COMMAND_STATUS_H
#define GUARD_COMMAND_STATUS_H

/* argv[0] is the first word. Returns the exit code: 0, 1 when something
 * cannot be read or written, 2 for a wrong usage or input. */
int status_main(int argc, char **argv);

#endif
