/*
 * fuzz_json.c - documents with comments, and the places of their values.
 */
#include "base/json.h"
#include "fuzz/fuzz.h"

#include <math.h>

/* Walking all of a long document costs a look-up a value. */
#define MAX_LOCATED 200

static void check_place(const struct jval *v, int lines)
{
  int line = 0, column = 0;

  PROPERTY(json_locate(v, false, &line, &column), "every value has a place");
  PROPERTY(line >= 1 && line <= lines, "the line is one of the document's");
  PROPERTY(column >= 1, "columns count from 1");
}

static void walk(const struct jval *v, int lines, int *left)
{
  int n = jval_count(v);

  if (--*left < 0)
    return;
  check_place(v, lines);
  for (int i = 0; i < n; i++) {
    struct jval child = jval_item(v, i);

    walk(&child, lines, left);
  }
}

/* cJSON reads 1e999 as infinity and prints that as null. */
static bool all_finite(const cJSON *node)
{
  const cJSON *child;

  if (cJSON_IsNumber(node) && !isfinite(node->valuedouble))
    return false;
  cJSON_ArrayForEach(child, node) if (!all_finite(child)) return false;
  return true;
}

static void check_printed_again(const struct json_doc *doc)
{
  struct diag diag = {0};
  struct json_doc second;
  char *printed = cJSON_PrintUnformatted(doc->root);

  PROPERTY(printed, "a document that was read can be printed");
  PROPERTY(json_parse(&second, "printed", bytes_of(printed), &diag) == 0,
           "what is printed can be read");
  PROPERTY(cJSON_Compare(doc->root, second.root, true),
           "printing and reading again changes nothing");
  json_release(&second);
  free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diag diag = {0};
  struct json_doc doc;
  char *copy = fuzz_copy(data, size);
  int lines = 1, left = MAX_LOCATED;

  for (size_t i = 0; i < size; i++)
    lines += data[i] == '\n';
  if (json_parse(&doc, "fuzz.json", (struct bytes){copy, size}, &diag) == 0) {
    struct jval root = json_root(&doc);

    PROPERTY(!diag.set, "no error is left behind by a success");
    walk(&root, lines, &left);
    if (all_finite(doc.root))
      check_printed_again(&doc);
    json_release(&doc);
  } else {
    PROPERTY(diag.set && diag.text[0], "an error has a sentence");
    PROPERTY(strcmp(diag.file, "fuzz.json") == 0, "an error names the file");
    PROPERTY(diag.line >= 0 && diag.line <= lines, "the line exists");
  }
  free(copy);
  return 0;
}
