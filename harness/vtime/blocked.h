/*
 * blocked.h - what the threads of a client that waits for ever wait in, in
 * words, from /proc/PID/task/TID/syscall (proc(5)).
 */
#ifndef VTIME_BLOCKED_H
#define VTIME_BLOCKED_H

#include "base/buf.h"

/* "python3 in recvfrom on a socket, sh in wait4": the process, then those
 * below it, every name and call once. A thread that is not in a call is left
 * out, and so is one that only waits for a child: the child says more. */
void blocked_in(int pid, struct buf *ret);

#endif
