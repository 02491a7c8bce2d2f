/*
 * resume_rules.h - the parts of resume.h; inside lib/guard only.
 */
#ifndef GUARD_RESUME_RULES_H
#define GUARD_RESUME_RULES_H

#include "guard/scan.h"

/* resume_model.c: true for Claude 4.5 and earlier, which take an assistant
 * message to go on from. Unknown names are new models. */
bool guard_model_takes_prefill(const char *model);

/* resume_splice.c: where a message can be added to |request|, which cJSON has
 * accepted: the offset of the "]" that ends the one "messages" array of the
 * outermost object. False when there is none, or more than one. */
bool guard_splice_place(struct guard_scan request, size_t *ret_offset);

/* The beginning of |text| that is whole UTF-8. False when something else than
 * a cut last character is wrong. */
bool guard_splice_utf8(struct guard_scan text, size_t *ret_n);

/* Bytes into a buffer of fixed size; what does not fit sets `full`. */
struct guard_out {
  char *p;
  size_t n, size;
  bool full;
};
void guard_out_add(struct guard_out *o, const char *p, size_t n);
/* As the inside of a JSON string. */
void guard_out_escaped(struct guard_out *o, const char *p, size_t n);

#endif
