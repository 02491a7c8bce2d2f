/*
 * exec.h - the environment of a program that is started: the two variables,
 * whatever it is given, and our object among those of LD_PRELOAD.
 */
#ifndef VTIME_PRELOAD_EXEC_H
#define VTIME_PRELOAD_EXEC_H

#include "harness/vtime/preload/shim/shim.h"

/* Nothing is to be done. */
bool exec_is_complete(char *const *envp);
/* So many bytes of room exec_fill() needs; it returns the room. */
size_t exec_bytes(char *const *envp);
char **exec_fill(void *room, char *const *envp);
/* Exec takes strings it does not write to. */
char *exec_unconst(const char *text);

/* On the stack: after vfork the memory is the parent's. */
#define WITH_OURS(envp)                                                        \
  (exec_is_complete(envp)                                                      \
       ? (envp)                                                                \
       : exec_fill(__builtin_alloca(exec_bytes(envp)), envp))

#endif
