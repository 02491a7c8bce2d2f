/*
 * tree.h - a JSON text as cJSON's nodes, all in one piece of memory; inside
 * lib/guard only.
 *
 * Rule: RFC 8259 and what cJSON takes beyond it, so that both read the same
 * tree (test_tree.c compares them): a byte order mark, control characters in
 * strings, numbers as cJSON reads them, bytes behind the value, 1000 levels.
 * Stricter in one place: \u needs four hexadecimal digits.
 *
 * Why not cJSON_Parse(): it walks a string twice, byte by byte, and asks for
 * memory three times a member. Of an answer of 4 kB that is 6 to 20 us, more
 * than all the rest of its classification (docs/bench.md).
 */
#ifndef GUARD_TREE_H
#define GUARD_TREE_H

#include <cjson/cJSON.h>

#include <stdbool.h>

struct guard_tree_block;

/* For reading with cJSON's functions only: nothing in it may be changed or
 * given to cJSON_Delete(). */
struct guard_tree {
  const cJSON *root; /* NULL: no JSON, or no memory */
  size_t used;       /* bytes up to the end of the value */
  char *text;        /* the strings, decoded in place */
  struct guard_tree_block *blocks;
};

/* True when there is a root; release in any case. */
bool guard_tree_read(struct guard_tree *t, const char *p, size_t n);
void guard_tree_release(struct guard_tree *t);

#endif
