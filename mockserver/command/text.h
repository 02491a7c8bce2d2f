/*
 * text.h - the text of a row with its values, for the moment of writing.
 */
#ifndef MOCKSERVER_COMMAND_TEXT_H
#define MOCKSERVER_COMMAND_TEXT_H

#include "mockserver/command/cli.h"
#include "mockserver/value.h"

/* What the values of cli.h stand for, besides those of value.h. */
struct text_scope {
  struct value_scope value; /* wait and reset are the step's */
  const char *message, *zone;
  char gateway[32]; /* host and port of the server */
};

/* Ceiling of one expanded text. */
#define TEXT_MAX_BYTES ((size_t)8 << 20)

/* `text` with the values of cli.h and value.h. */
void text_expand(const char *text, const struct text_scope *s, struct buf *ret);

#endif
