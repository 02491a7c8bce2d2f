/* classify.h - the form of guard that says what an answer or a command's output
 * means. */
#ifndef GUARD_COMMAND_CLASSIFY_H
#define GUARD_COMMAND_CLASSIFY_H

/* argv[0] is the first word. Returns the exit code: 0, 1 when something
 * cannot be read or written, 2 for a wrong usage or input. */
int classify_main(int argc, char **argv);

#endif
