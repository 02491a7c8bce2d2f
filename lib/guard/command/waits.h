/* waits.h - the form of guard that says how long a value asks to wait. */
#ifndef GUARD_COMMAND_WAITS_H
#define GUARD_COMMAND_WAITS_H

/* argv[0] is the first word. Returns the exit code: 0, 1 when something
 * cannot be read or written, 2 for a wrong usage or input. */
int waits_main(int argc, char **argv);

#endif
