/*
 * fuzz_tree.c - JSON as the classifier reads it, against cJSON.
 */
#include "fuzz/fuzz.h"
#include "guard/classify/tree.h"

/* Here the reader is stricter: \u needs four digits (tree.h). */
static bool has_unicode_escape(const char *p, size_t n)
{
  return n > 0 && memmem(p, n, "\\u", 2);
}

static bool same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : !a && !b;
}

/* cJSON_Compare() looks members up by name: a key that stands twice is not
 * equal to itself there. */
static bool same_tree(const cJSON *a, const cJSON *b)
{
  for (; a && b; a = a->next, b = b->next)
    if ((a->type & 0xff) != (b->type & 0xff) ||
        !same_text(a->string, b->string) ||
        !same_text(a->valuestring, b->valuestring) ||
        memcmp(&a->valuedouble, &b->valuedouble, sizeof a->valuedouble) != 0 ||
        a->valueint != b->valueint || !same_tree(a->child, b->child))
      return false;
  return !a && !b;
}

static void check_same(const struct guard_tree *t, const cJSON *root,
                       const char *text, size_t n, const char *end)
{
  if (!root || !t->root) {
    PROPERTY(has_unicode_escape(text, n) || (!root && !t->root),
             "both take the same documents");
    return;
  }
  PROPERTY(same_tree(t->root, root), "both read the same tree");
  PROPERTY(text + t->used == end, "both end at the same byte");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *copy = fuzz_copy(data, size);
  struct guard_tree tree;
  const char *end = NULL;
  bool read = guard_tree_read(&tree, copy, size);
  cJSON *root = cJSON_ParseWithLengthOpts(copy, size, &end, false);

  PROPERTY(read == (tree.root != NULL), "a success has a root");
  PROPERTY(tree.used <= size, "no byte behind the text is used");
  check_same(&tree, root, copy, size, end);
  cJSON_Delete(root);
  guard_tree_release(&tree);
  free(copy);
  return 0;
}
