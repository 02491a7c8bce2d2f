/*
 * step.h - a step of the command channel: what one start of a stand-in
 * writes and how it ends.
 *
 * Rule: docs/scenario.md, "Commands". A step names the command and says one
 * thing: a documented text by name (`says`), literal outputs (`stdout`,
 * `stderr`, `pieces`), or that all is well (`reply`). Everything that is
 * refused is refused when the file is read.
 */
#ifndef MOCKSERVER_COMMAND_STEP_H
#define MOCKSERVER_COMMAND_STEP_H

#include "base/param.h"
#include "mockserver/command/start.h"
#include "mockserver/command/text.h"

extern const struct param command_params[];
extern const struct param command_piece_params[];
extern const struct param command_match_params[];
/* What a scripted end is called in the journal and in `explain`. */
extern const struct fault command_fault;

/* Checks the keys of step `v`, which has `command`, and fills command, fault
 * and faulty of `ret`. */
int command_step_read(struct step *ret, const struct jval *v,
                      const struct param *const *more, struct diag *diag);

/* Some step of that command wants stdin before it can be chosen. */
bool command_wants_stdin(const struct scenario *s, const char *command);
/* The step wants stdin, or to be chosen by it. */
bool command_step_reads_stdin(const struct step *step);

/* Seconds before the first piece, as nanoseconds. */
int64_t command_delay_ns(const struct step *step);

/* What the journal tells besides the pieces. */
struct command_said {
  char what[96];        /* "rate_limit (claude 2.1.332, text), exit 1" */
  char says[32];        /* "rate_limit", "output", "success" */
  bool has_retry_after; /* the text names a wait */
  char retry_after[96];
};

/*
 * What a start gets, for the moment `scope` is about. `step` NULL: all went
 * well. The scope's message, zone and times are filled in here. `ret` is
 * initialised by the caller.
 */
void command_pieces(const struct step *step, const struct start *start,
                    struct text_scope *scope, struct ids *ids,
                    struct pieces *ret, struct command_said *ret_said);
/* After a script that answers with an error: a sentence and exit 1. */
void command_script_ended(struct pieces *ret, struct command_said *ret_said);
/* True for a start that only asks what it is (--version); it takes no
 * step. */
bool command_is_question(const struct start *start, struct pieces *ret,
                         struct command_said *ret_said);

#endif
