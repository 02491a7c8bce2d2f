/*
 * seam.h - where the text of a continuation joins the text before, and
 * printing text as it comes (--live).
 *
 * Rule: never doubled text. A model that goes on from an assistant message
 * goes on at the next letter. One that was told in a user message may say the
 * last words, or all, again: what repeats the end of the text so far is left
 * out, when it is long enough to be no accident.
 */
#ifndef GUARD_COMMAND_SEAM_H
#define GUARD_COMMAND_SEAM_H

#include "base/buf.h"

/* Own choices: a repetition has 16 bytes, or is all of the text so far and
 * has 4. Beyond 4096 only a repetition of all is looked for. */
enum { SEAM_LEAST = 16, SEAM_LEAST_OF_ALL = 4, SEAM_MOST = 4096 };

struct seam {
  struct bytes kept; /* the text before, empty: a text from its start */
  bool may_repeat;   /* the model was told in a user message */
  /* Private. */
  bool decided;
  size_t skip;
};

/*
 * The bytes at the front of |rest| that repeat the end of the text before.
 * False when more of it could still change the answer; |ended|: no more
 * comes, always true.
 */
bool seam_skip(struct seam *s, struct bytes rest, bool ended, size_t *ret);

/* What was printed of one call; all zero is a call that printed nothing. */
struct live {
  struct buf shown;
};
void live_init(struct live *l);
void live_release(struct live *l);
/* Prints what of the text, |s| and |rest| behind it, was not printed yet. */
void live_show(struct live *l, struct seam *s, struct bytes rest, bool ended);
/* The next text begins from its start, on a line of its own. */
void live_restart(struct live *l);

#endif
