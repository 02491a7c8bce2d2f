/*
 * edits.h - changes of a document's text, by place. All else stays byte for
 * byte, so lines keep their numbers. Pure.
 */
#ifndef HARNESS_SCALE_EDITS_H
#define HARNESS_SCALE_EDITS_H

#include "base/json.h"

struct edit {
  size_t at, n; /* of the document's text: these bytes ... */
  char *text;   /* ... become this */
};

struct edits {
  struct edit *list;
  size_t n;
};

/* Takes over `text`. */
void edits_add(struct edits *e, size_t at, size_t n, char *text);
/* `"key": value` as the first member of object `v`, which stands at `at`.
 * Takes over `value`. */
void edits_insert(struct edits *e, const struct jval *v, size_t at,
                  const char *key, char *value);
/* The text with all changes, which may not overlap; the caller frees. */
char *edits_apply(struct edits *e, const struct json_doc *doc);
void edits_release(struct edits *e);

#endif
