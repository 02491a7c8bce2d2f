/*
 * fuzz_param.c - an object checked against a table that has every type of
 * parameter there is.
 */
#include "base/param.h"
#include "base/words.h"
#include "fuzz/fuzz.h"

static const char *const words[] = {"retry", "error", NULL};
static const char *const others[] = {"why", NULL};

static const struct param table[] = {
    {.name = "int",
     .type = PARAM_INT,
     .min = -3,
     .max = 100,
     .required = true,
     .summary = "a whole number"},
    {.name = "number",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = 2.5,
     .summary = "a number"},
    {.name = "bool", .type = PARAM_BOOL, .summary = "a truth"},
    {.name = "string", .type = PARAM_STRING, .summary = "a text"},
    {.name = "word", .type = PARAM_WORD, .words = words, .summary = "a word"},
    {.name = "strings", .type = PARAM_STRINGS, .summary = "texts"},
    {.name = "ints", .type = PARAM_INTS, .max = 9, .summary = "numbers"},
    {.name = "pairs", .type = PARAM_PAIRS, .summary = "pairs"},
    {.name = "expr", .type = PARAM_EXPR, .summary = "an expression"},
    {.name = "literal", .type = PARAM_LITERAL, .summary = "a value"},
    {.name = "object", .type = PARAM_OBJECT, .summary = "an object"},
    {.name = NULL}};

static void check_scalars(const cJSON *o)
{
  int64_t i = -4242;
  double d = -4242;
  const char *s = NULL;
  int word = param_word(o, "word", words, -1);

  PROPERTY(param_int(o, "int", &i) && i >= -3 && i <= 100,
           "what is required is there, and in range");
  if (param_number(o, "number", &d))
    PROPERTY(d >= 0 && d <= 2.5, "a number is in range");
  else
    PROPERTY(d == -4242, "without a number nothing is set");
  PROPERTY(param_string(o, "word", &s) ? words_has(words, s) && word >= 0
                                       : word == -1,
           "a word is one of its list");
}

static void check_lists(const cJSON *o)
{
  const cJSON *item;

  cJSON_ArrayForEach(item, param_node(o, "strings"))
      PROPERTY(cJSON_IsString(item), "a list of texts holds texts");
  cJSON_ArrayForEach(item, param_node(o, "ints")) PROPERTY(
      cJSON_IsNumber(item) && item->valueint >= 0 && item->valueint <= 9,
      "a list of numbers holds numbers in range");
  cJSON_ArrayForEach(item, param_node(o, "pairs"))
      PROPERTY(cJSON_GetArraySize(item) == 2, "a pair has two items");
}

static void check_keys(const cJSON *o)
{
  const cJSON *item;

  cJSON_ArrayForEach(item, o)
  {
    const struct param *p = table;

    while (p->name && strcmp(p->name, item->string) != 0)
      p++;
    PROPERTY(p->name || strcmp(item->string, "why") == 0,
             "every key is of the table or of the others");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const struct param *tables[] = {table};
  struct diag diag = {0};
  struct json_doc doc;
  struct jval root;
  char *copy = fuzz_copy(data, size);

  if (json_parse(&doc, "fuzz.json", (struct bytes){copy, size}, &diag) == 0) {
    root = json_root(&doc);
    if (param_check(&root, tables, 1, others, &diag) == 0) {
      PROPERTY(!diag.set, "no error is left behind by a success");
      check_scalars(doc.root);
      check_lists(doc.root);
      check_keys(doc.root);
    } else {
      PROPERTY(diag.set && diag.text[0], "an error has a sentence");
      PROPERTY(diag.line > 0 && diag.path[0] == '$', "an error has a place");
    }
    json_release(&doc);
  }
  free(copy);
  return 0;
}
