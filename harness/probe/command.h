/*
 * command.h - `faultwire probe`: measures a client and writes its policy.
 */
#ifndef HARNESS_PROBE_COMMAND_H
#define HARNESS_PROBE_COMMAND_H

/* argv[0] is the command's name; returns the exit code. */
int probe_main(int argc, char **argv);

#endif
