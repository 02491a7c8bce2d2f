/*
 * command.h - the sub-commands of `faultwire mutate`, from commands.def.
 *
 * Each gets argv with its own name first and returns the exit code. On an
 * error it fills `diag`; mutate_main prints it.
 */
#ifndef MUTANTS_COMMAND_H
#define MUTANTS_COMMAND_H

#include "base/diag.h"

#define COMMAND(name, function, summary)                                       \
  int function(int argc, char **argv, struct diag *diag);
#include "mutants/commands.def"
#undef COMMAND

#endif
