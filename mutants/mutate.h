/*
 * mutate.h - `faultwire mutate`: breaks a copy of a client on purpose, one
 * mutant at a time, and demands that the declared tests notice.
 */
#ifndef MUTANTS_MUTATE_H
#define MUTANTS_MUTATE_H

/* argv[0] is "mutate". Prints; returns the exit code (outcome.h). */
int mutate_main(int argc, char **argv);

#endif
