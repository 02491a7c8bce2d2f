/*
 * Finds the line and column of a value by walking the text again. The text
 * has been parsed before, so it is known to be well-formed here.
 */
#include "base/json.h"
#include "base/json_places.h"

#include <stdlib.h>
#include <string.h>

struct walk {
  const char *text;
  size_t n, at;
};

/* cJSON takes every control character for white space. */
static bool is_space(char c)
{
  return (unsigned char)c <= ' ';
}

static void skip_space(struct walk *w)
{
  while (w->at < w->n && is_space(w->text[w->at]))
    w->at++;
}

static void skip_string(struct walk *w)
{
  for (w->at++; w->at < w->n && w->text[w->at] != '"'; w->at++)
    if (w->text[w->at] == '\\')
      w->at++;
  w->at++;
}

/* Strings, numbers, words and whole arrays and objects. */
static void skip_value(struct walk *w)
{
  int depth = 0;
  skip_space(w);
  do {
    if (w->at >= w->n)
      return;
    char c = w->text[w->at];
    if (c == '"') {
      skip_string(w);
    } else {
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      w->at++;
      if (depth == 0 && !strchr("}]", c))
        while (w->at < w->n && !is_space(w->text[w->at]) &&
               !strchr(",}]", w->text[w->at]))
          w->at++;
    }
  } while (depth > 0);
}

/* Moves to child number `index` of the container at w; with of_key to the
 * key of that member. */
static bool enter(struct walk *w, int index, bool is_object, bool of_key)
{
  skip_space(w);
  w->at++;
  for (int i = 0;; i++) {
    skip_space(w);
    if (w->at >= w->n)
      return false;
    if (i == index && of_key)
      return true;
    if (is_object) {
      skip_string(w);
      skip_space(w);
      w->at++;
      skip_space(w);
    }
    if (i == index)
      return true;
    skip_value(w);
    skip_space(w);
    w->at++;
  }
}

static int index_of(const cJSON *parent, const cJSON *child)
{
  int i = 0;
  const cJSON *c = parent->child;
  for (; c && c != child; c = c->next)
    i++;
  return c ? i : -1;
}

static bool walk_to(struct walk *w, const struct jval *v, bool of_key)
{
  if (!v->parent) {
    skip_space(w);
    return true;
  }
  int index = index_of(v->parent->node, v->node);
  bool is_object = cJSON_IsObject(v->parent->node);
  return index >= 0 && walk_to(w, v->parent, false) &&
         enter(w, index, is_object, of_key && is_object);
}

bool json_locate(const struct jval *v, bool of_key, int *ret_line,
                 int *ret_column)
{
  struct walk w = {v->doc->text, v->doc->n, 0};
  if (!walk_to(&w, v, of_key))
    return false;
  int line = 1, column = 1;
  for (size_t i = 0; i < w.at && i < w.n; i++) {
    column = w.text[i] == '\n' ? 1 : column + 1;
    line += w.text[i] == '\n';
  }
  *ret_line = line;
  *ret_column = column;
  return true;
}

bool json_span(const struct jval *v, size_t *ret_at, size_t *ret_n)
{
  struct walk w = {v->doc->text, v->doc->n, 0};
  if (!walk_to(&w, v, false))
    return false;
  size_t at = w.at;
  skip_value(&w);
  *ret_at = at;
  *ret_n = w.at - at;
  return true;
}

/* --- all of them ---------------------------------------------------------- */

static size_t add_place(struct json_places *p, const cJSON *node, size_t at)
{
  if (p->n == p->cap) {
    p->cap = p->cap ? 2 * p->cap : 256;
    p->list = mem_realloc(p->list, p->cap * sizeof *p->list);
  }
  p->list[p->n] = (struct json_place){.node = node, .at = at};
  return p->n++;
}

/* As deep as cJSON parses (CJSON_NESTING_LIMIT). */
static void place(struct json_places *p, struct walk *w, const cJSON *node)
{
  skip_space(w);
  size_t at = w->at, i = add_place(p, node, at);
  const cJSON *child = node->child;
  w->at += child != NULL;
  for (; child; child = child->next) {
    if (child->string) {
      skip_space(w);
      skip_string(w);
      skip_space(w);
      w->at++; /* the colon */
    }
    place(p, w, child);
    skip_space(w);
    w->at++; /* a comma, or the end */
  }
  if (!node->child)
    skip_value(w);
  p->list[i].n = w->at - at;
}

static int by_node(const void *a, const void *b)
{
  const struct json_place *x = a, *y = b;
  return (x->node > y->node) - (x->node < y->node);
}

void json_places_init(struct json_places *ret, const struct json_doc *doc)
{
  struct walk w = {doc->text, doc->n, 0};
  *ret = (struct json_places){.n = 0};
  place(ret, &w, doc->root);
  qsort(ret->list, ret->n, sizeof *ret->list, by_node);
}

void json_places_release(struct json_places *p)
{
  free(p->list);
  memset(p, 0, sizeof *p);
}

bool json_places_find(const struct json_places *p, const cJSON *node,
                      size_t *ret_at, size_t *ret_n)
{
  struct json_place key = {.node = node};
  const struct json_place *found =
      p->n ? bsearch(&key, p->list, p->n, sizeof *p->list, by_node) : NULL;
  if (!found)
    return false;
  *ret_at = found->at;
  *ret_n = found->n;
  return true;
}
