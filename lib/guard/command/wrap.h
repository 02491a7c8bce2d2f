/*
 * wrap.h - guard [OPTIONS] -- CMD ARGS...: the gate around a CLI.
 */
#ifndef GUARD_COMMAND_WRAP_H
#define GUARD_COMMAND_WRAP_H

/* argv[0] is the program's name. The exit code. */
int wrap_main(int argc, char **argv);

#endif
