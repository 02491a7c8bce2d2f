/*
 * suite_read.h - the two reports of a suite, as verdicts. Pure.
 *
 * faultwire: {"scenarios": [{"name", "verdict", "kind", "reason", "why",
 * "seconds"}], "exit": N}; pass, warn and skip are green, fail is red,
 * inconclusive is undecided when the client made no contact or the fault was
 * not delivered, else an error.
 *
 * command: {"tests": {NAME: {"verdict": "green|red|error", ...}}}, the last
 * thing printed; lines before it are ignored.
 *
 * The exit code must agree: a report that says "all green" beside an exit
 * code of 1 is the report of another run, or of a suite that died.
 */
#ifndef MUTANTS_SUITE_READ_H
#define MUTANTS_SUITE_READ_H

#include "base/buf.h"
#include "base/diag.h"
#include "mutants/verdict.h"

/* -1 with the reason; `ret` then holds what could be read. */
int suite_read_faultwire(struct bytes report, int exit_code,
                         struct verdicts *ret, struct diag *diag);
int suite_read_command(struct bytes output, int exit_code, struct verdicts *ret,
                       struct diag *diag);

#endif
