#include "guard/classify/tree.h"

#include "guard/scan.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As cJSON has it: CJSON_NESTING_LIMIT. */
enum { MAX_DEPTH = 1000 };

/* Nodes of one piece of memory, 8 kB: an error has about a dozen members, one
 * of Google's with its lists about a hundred. */
enum { BLOCK_NODES = 127 };

struct guard_tree_block {
  struct guard_tree_block *next;
  int used;
  cJSON node[BLOCK_NODES];
};

struct reader {
  char *p, *end;        /* a NUL stands at the end */
  char *quote, *escape; /* the next ones, or the end; stale when before p */
  struct guard_tree *tree;
  int depth;
};

static cJSON *new_node(struct guard_tree *t, int type)
{
  struct guard_tree_block *b = t->blocks;

  if (!b || b->used == BLOCK_NODES) {
    b = malloc(sizeof(*b));
    if (!b)
      return NULL;
    b->next = t->blocks;
    b->used = 0;
    t->blocks = b;
  }
  b->node[b->used] = (cJSON){.type = type};
  return &b->node[b->used++];
}

/* Takes the byte; false when another one, or none, is there. */
static bool take(struct reader *r, char c)
{
  if (r->p == r->end || *r->p != c)
    return false;
  r->p++;
  return true;
}

/* cJSON takes every byte up to the blank for one. Mostly there is none, or an
 * indent; the NUL at the end is no value's byte. */
static void skip_blanks(struct reader *r)
{
  if ((unsigned char)*r->p > ' ')
    return;
  if (r->p < r->end)
    r->p++;
  while (r->end - r->p >= 4 && memcmp(r->p, "    ", 4) == 0)
    r->p += 4;
  while (r->p < r->end && (unsigned char)*r->p <= ' ')
    r->p++;
}

static bool take_hex4(struct reader *r, uint32_t *ret)
{
  uint32_t value = 0;

  for (int i = 0; i < 4; i++, r->p++) {
    char c = *r->p; /* the NUL at the end is no digit */

    if (guard_is_digit((unsigned char)c))
      value = value * 16 + (uint32_t)(c - '0');
    else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
      value = value * 16 + (uint32_t)((c | 0x20) - 'a' + 10);
    else
      return false;
  }
  *ret = value;
  return true;
}

/* Behind "\u"; a pair of surrogates is one character. */
static bool take_code(struct reader *r, uint32_t *ret)
{
  uint32_t high, low;

  if (!take_hex4(r, &high) || (high >= 0xdc00 && high <= 0xdfff))
    return false;
  if (high < 0xd800 || high > 0xdbff) {
    *ret = high;
    return true;
  }
  if (!take(r, '\\') || !take(r, 'u') || !take_hex4(r, &low) || low < 0xdc00 ||
      low > 0xdfff)
    return false;
  *ret = 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
  return true;
}

static char *put_utf8(char *to, uint32_t code)
{
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xc0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    *to++ = (char)(0xe0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  } else {
    *to++ = (char)(0xf0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3f));
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  }
  return to;
}

/* Behind a backslash; what is written is never longer than what is read. */
static bool take_escape(struct reader *r, char **to)
{
  static const char from[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  const char *at;
  uint32_t code;

  if (take(r, 'u')) {
    if (!take_code(r, &code))
      return false;
    *to = put_utf8(*to, code);
    return true;
  }
  at = *r->p ? strchr(from, *r->p) : NULL;
  if (!at)
    return false;
  *(*to)++ = meant[at - from];
  r->p++;
  return true;
}

/* Where |c| comes next, or the end; |cache| is looked up anew only when it
 * was passed, so that all of it is one walk. */
static char *next_of(const struct reader *r, char **cache, char c)
{
  if (*cache < r->p) {
    *cache = memchr(r->p, c, (size_t)(r->end - r->p));
    if (!*cache)
      *cache = r->end;
  }
  return *cache;
}

/* A string behind its quote, decoded in place; NULL when it has no end. */
static char *take_rest(struct reader *r)
{
  char *begin = r->p, *to = r->p;

  for (;;) {
    char *quote = next_of(r, &r->quote, '"');
    char *escape = next_of(r, &r->escape, '\\');
    size_t plain = (size_t)((escape < quote ? escape : quote) - r->p);

    if (to != r->p)
      memmove(to, r->p, plain);
    to += plain;
    r->p += plain;
    if (take(r, '"')) {
      *to = '\0';
      return begin;
    }
    if (!take(r, '\\') || !take_escape(r, &to))
      return NULL;
  }
}

static char *take_string(struct reader *r)
{
  return take(r, '"') ? take_rest(r) : NULL;
}

static void set_number(cJSON *node, double value)
{
  node->valuedouble = value;
  node->valueint = value >= INT_MAX   ? INT_MAX
                   : value <= INT_MIN ? INT_MIN
                                      : (int)value;
}

/* Whole numbers that a double holds; all others are left to cJSON, which
 * knows the locale. */
static cJSON *read_number(struct reader *r)
{
  const ptrdiff_t exact = 15; /* digits */
  struct guard_scan s = {r->p, r->end};
  bool minus = guard_scan_byte(&s, '-');
  const char *digits = s.p, *end = NULL;
  cJSON *node = new_node(r->tree, cJSON_Number), *other;
  int64_t whole;

  if (!node)
    return NULL;
  if (guard_scan_number(&s, INT64_MAX, &whole) && s.p - digits <= exact &&
      !(guard_scan_peek(&s) > 0 && strchr("+-.eE", *s.p))) {
    set_number(node, minus ? -(double)whole : (double)whole);
    r->p += s.p - r->p;
    return node;
  }
  other = cJSON_ParseWithLengthOpts(r->p, (size_t)(r->end - r->p), &end, 0);
  if (!other)
    return NULL;
  set_number(node, other->valuedouble);
  cJSON_Delete(other);
  r->p += end - r->p;
  return node;
}

static cJSON *read_value(struct reader *r);

/* One item or member, blanks on both sides included. */
static cJSON *read_item(struct reader *r, bool named)
{
  char *name = NULL;
  cJSON *item;

  skip_blanks(r);
  if (named) {
    name = take_string(r);
    skip_blanks(r);
    if (!name || !take(r, ':'))
      return NULL;
    skip_blanks(r);
  }
  item = read_value(r);
  if (item)
    item->string = name;
  skip_blanks(r);
  return item;
}

static cJSON *read_list(struct reader *r, int type, char close)
{
  cJSON *list = new_node(r->tree, type), *last = NULL;

  if (!list || r->depth >= MAX_DEPTH)
    return NULL;
  r->depth++;
  r->p++;
  skip_blanks(r);
  if (take(r, close)) {
    r->depth--;
    return list;
  }
  do {
    cJSON *item = read_item(r, type == cJSON_Object);

    if (!item)
      return NULL;
    item->prev = last;
    if (last)
      last->next = item;
    else
      list->child = item;
    last = item;
  } while (take(r, ','));
  list->child->prev = last; /* as cJSON has it */
  r->depth--;
  return take(r, close) ? list : NULL;
}

static cJSON *read_literal(struct reader *r)
{
  struct guard_scan s = {r->p, r->end};
  cJSON *node;

  if (guard_scan_lit(&s, "null"))
    node = new_node(r->tree, cJSON_NULL);
  else if (guard_scan_lit(&s, "true"))
    node = new_node(r->tree, cJSON_True);
  else if (guard_scan_lit(&s, "false"))
    node = new_node(r->tree, cJSON_False);
  else
    return NULL;
  if (node && node->type == cJSON_True)
    node->valueint = 1;
  r->p += s.p - r->p;
  return node;
}

static cJSON *read_string(struct reader *r)
{
  char *text = take_string(r);
  cJSON *node = text ? new_node(r->tree, cJSON_String) : NULL;

  if (node)
    node->valuestring = text;
  return node;
}

static cJSON *read_value(struct reader *r)
{
  int first = r->p < r->end ? (unsigned char)*r->p : -1;

  switch (first) {
  case '{':
    return read_list(r, cJSON_Object, '}');
  case '[':
    return read_list(r, cJSON_Array, ']');
  case '"':
    return read_string(r);
  case 'n':
  case 't':
  case 'f':
    return read_literal(r);
  default:
    return first == '-' || guard_is_digit(first) ? read_number(r) : NULL;
  }
}

bool guard_tree_read(struct guard_tree *t, const char *p, size_t n)
{
  static const char bom[] = "\xef\xbb\xbf";
  struct reader r = {.tree = t};

  *t = (struct guard_tree){.text = malloc(n + 1)};
  if (!t->text)
    return false;
  memcpy(t->text, p, n);
  t->text[n] = '\0';
  r.p = t->text;
  r.end = t->text + n;
  r.escape = t->text;                  /* before every string */
  if (n > 4 && memcmp(p, bom, 3) == 0) /* cJSON wants a value behind it */
    r.p += 3;
  skip_blanks(&r);
  t->root = read_value(&r);
  t->used = (size_t)(r.p - t->text);
  return t->root != NULL;
}

void guard_tree_release(struct guard_tree *t)
{
  while (t->blocks) {
    struct guard_tree_block *b = t->blocks;

    t->blocks = b->next;
    free(b);
  }
  free(t->text);
  *t = (struct guard_tree){.root = NULL};
}
