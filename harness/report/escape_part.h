/*
 * escape_part.h - what the escapers of all formats share: a text taken apart
 * into characters, and bytes that are none.
 */
#ifndef HARNESS_REPORT_ESCAPE_PART_H
#define HARNESS_REPORT_ESCAPE_PART_H

#include "base/buf.h"

/* A character of the text, or one byte that belongs to none. */
struct escape_piece {
  const char *p;
  size_t n;
  uint32_t code;
  bool valid;
};

typedef void escape_add_fn(struct buf *b, const struct escape_piece *c);
/* Adds the pieces of `all` by `add`, up to `max` bytes of it; what is cut off
 * is counted in words. */
void escape_each(struct buf *b, struct bytes all, size_t max,
                 escape_add_fn *add);
/* Its bytes as \xNN. */
void escape_add_hex(struct buf *b, const struct escape_piece *c);
/* C0, DEL and C1. */
bool escape_is_control(uint32_t code);

#endif
