/*
 * instruction.h - the failures of Google's storage-testbench by name, as the
 * keys of a step.
 *
 * Rule: "Forced Failures Supported" of that server's README: return-X,
 * return-reset-connection, return-broken-stream[-after-YK],
 * stall-for-Ts-after-YK. Those about uploads and gRPC have nothing here that
 * they could harm.
 */
#ifndef MOCKSERVER_INSTRUCTION_H
#define MOCKSERVER_INSTRUCTION_H

#include "base/buf.h"

enum instruction_kind {
  INSTRUCTION_NONE,  /* no name of that server's */
  INSTRUCTION_STEP,  /* *ret_status, or the step's keys in `ret` */
  INSTRUCTION_CANNOT /* known there, and impossible here: *ret_why */
};

/* `ret_status`: of return-X, whose answer is the provider's; else 0. */
enum instruction_kind instruction_read(const char *text, struct buf *ret,
                                       int *ret_status, const char **ret_why);
/* One of each form, NULL-terminated, for hints. */
extern const char *const instruction_examples[];

#endif
