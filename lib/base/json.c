#include "base/json.h"

#include "base/file.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void position(const char *text, size_t at, int *ret_line,
                     int *ret_column)
{
  int line = 1, column = 1;
  for (size_t i = 0; i < at; i++) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  *ret_line = line;
  *ret_column = column;
}

static int text_error(const struct json_doc *doc, size_t at, struct diag *diag,
                      const char *sentence)
{
  int rc = diag_set(diag, "%s", sentence);
  position(doc->text, at, &diag->line, &diag->column);
  diag_in_file(diag, doc->name);
  return rc;
}

/* Length of a comment that starts at p, 0 when none does. */
static size_t comment_length(const char *p, const char *end)
{
  const char *q = p + 2;
  if (end - p < 2 || p[0] != '/' || (p[1] != '/' && p[1] != '*'))
    return 0;
  if (p[1] == '/') {
    while (q < end && *q != '\n')
      q++;
    return (size_t)(q - p);
  }
  while (q + 1 < end && !(q[0] == '*' && q[1] == '/'))
    q++;
  return q + 1 < end ? (size_t)(q + 2 - p) : (size_t)(end - p);
}

/* Comments become spaces; line ends inside them stay. */
static void blank_comments(char *p, size_t n)
{
  char *end = p + n;
  bool in_string = false;
  if (!memchr(p, '/', n))
    return; /* then there is no comment */
  while (p < end) {
    if (in_string) {
      if (*p == '\\' && p + 1 < end)
        p++;
      else if (*p == '"')
        in_string = false;
      p++;
      continue;
    }
    size_t k = comment_length(p, end);
    for (size_t i = 0; i < k; i++)
      if (p[i] != '\n')
        p[i] = ' ';
    in_string = *p == '"';
    p += k ? k : 1;
  }
}

/* A member and its place, for sorting by key. */
struct member {
  const cJSON *node;
  int index;
};

static int by_key_then_place(const void *a, const void *b)
{
  const struct member *x = a, *y = b;
  int order = strcmp(x->node->string, y->node->string);
  return order ? order : x->index - y->index;
}

/* Objects of a scenario have no more; they are not worth sorting. */
enum { FEW_KEYS = 24 };

static int first_repeat_of_few(const cJSON *object)
{
  int i = 0;
  for (const cJSON *c = object->child; c; c = c->next, i++)
    for (const cJSON *before = object->child; before != c;
         before = before->next)
      if (before->string[0] == c->string[0] &&
          strcmp(before->string, c->string) == 0)
        return i;
  return -1;
}

/* The first member whose key has stood before, -1 when there is none.
 * Sorted, since a hostile file may hold a million keys. */
static int first_repeat(const cJSON *object)
{
  int n = cJSON_GetArraySize(object), i = 0, found = -1;
  if (n <= FEW_KEYS)
    return first_repeat_of_few(object);
  struct member *m = mem_alloc((size_t)n * sizeof *m);
  for (const cJSON *c = object->child; c; c = c->next, i++)
    m[i] = (struct member){c, i};
  qsort(m, (size_t)n, sizeof *m, by_key_then_place);
  for (i = 1; i < n; i++)
    if (strcmp(m[i - 1].node->string, m[i].node->string) == 0 &&
        (found < 0 || m[i].index < found))
      found = m[i].index;
  free(m);
  return found;
}

/* A key that stands twice in one object: cJSON would take the first, most
 * other readers the last. */
static int refuse_twice(const struct jval *v, struct diag *diag)
{
  int i = 0, twice = cJSON_IsObject(v->node) ? first_repeat(v->node) : -1;
  if (twice >= 0) {
    struct jval child = jval_item(v, twice);
    return jval_key_error(&child, diag, "the key '%s' stands twice", child.key);
  }
  for (const cJSON *c = v->node->child; c; c = c->next, i++) {
    struct jval child = {v->doc, c, v, c->string, i};
    if (c->child && refuse_twice(&child, diag) < 0)
      return -1;
  }
  return 0;
}

/* Where a string holds \u0000, which would end it early in C; or NULL. */
static const char *escaped_nul(const char *p, const char *end)
{
  while (p < end && (p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
    if (end - p >= 6 && memcmp(p, "\\u0000", 6) == 0)
      return p;
    p += 2; /* what is escaped is no backslash of its own */
  }
  return NULL;
}

static int parse_text(struct json_doc *doc, struct diag *diag)
{
  const char *nul = memchr(doc->text, '\0', doc->n);
  if (nul)
    return text_error(doc, (size_t)(nul - doc->text), diag,
                      "a NUL byte in the file");
  blank_comments(doc->text, doc->n);
  const char *end = NULL;
  doc->root = cJSON_ParseWithLengthOpts(doc->text, doc->n + 1, &end, 1);
  if (!doc->root) {
    size_t at = end ? (size_t)(end - doc->text) : 0;
    return text_error(doc, at, diag,
                      at >= doc->n ? "the JSON ends too early"
                                   : "not JSON from here on");
  }
  const char *escaped = escaped_nul(doc->text, doc->text + doc->n);
  if (escaped)
    return text_error(doc, (size_t)(escaped - doc->text), diag,
                      "a \\u0000 in a string");
  struct jval root = json_root(doc);
  return refuse_twice(&root, diag);
}

/* `text` is NUL-terminated and goes over to the document. */
static int parse_own(struct json_doc *ret, const char *name, char *text,
                     size_t n, struct diag *diag)
{
  *ret = (struct json_doc){.name = mem_strdup(name), .text = text, .n = n};
  int rc = parse_text(ret, diag);
  if (rc < 0)
    json_release(ret);
  return rc;
}

int json_parse(struct json_doc *ret, const char *name, struct bytes text,
               struct diag *diag)
{
  return parse_own(ret, name, bytes_dup(text), text.n, diag);
}

int json_load(struct json_doc *ret, const char *path, struct diag *diag)
{
  struct buf b;
  buf_init(&b, JSON_MAX_BYTES);
  int rc = file_read(path, &b, diag);
  size_t n = b.n;
  if (rc == 0 && n == 0)
    rc = json_parse(ret, path, BYTES(""), diag);
  else if (rc == 0)
    rc = parse_own(ret, path, buf_detach(&b), n, diag);
  buf_release(&b);
  return rc;
}

void json_release(struct json_doc *doc)
{
  cJSON_Delete(doc->root);
  free(doc->text);
  free(doc->name);
  *doc = (struct json_doc){0};
}

struct jval json_root(const struct json_doc *doc)
{
  return (struct jval){.doc = doc, .node = doc->root};
}

/* Most keys that are asked for are absent: the first letter tells nearly all
 * of them, without a call each. */
const cJSON *json_member(const cJSON *object, const char *key)
{
  /* cJSON_IsObject() as it stands: a call each would cost more than the look */
  if (!object || (object->type & 0xff) != cJSON_Object)
    return NULL;
  for (const cJSON *c = object->child; c; c = c->next)
    if (c->string[0] == key[0] && strcmp(c->string, key) == 0)
      return c;
  return NULL;
}

bool jval_member(const struct jval *v, const char *key, struct jval *ret)
{
  const cJSON *node = json_member(v->node, key);
  if (!node)
    return false;
  *ret = (struct jval){v->doc, node, v, node->string, 0};
  return true;
}

int jval_count(const struct jval *v)
{
  return cJSON_IsArray(v->node) || cJSON_IsObject(v->node)
             ? cJSON_GetArraySize(v->node)
             : 0;
}

struct jval jval_item(const struct jval *v, int i)
{
  const cJSON *node = cJSON_GetArrayItem(v->node, i);
  return (struct jval){v->doc, node, v,
                       cJSON_IsObject(v->node) ? node->string : NULL, i};
}

void jval_path(const struct jval *v, struct buf *ret)
{
  if (!v->parent) {
    buf_adds(ret, "$");
    return;
  }
  jval_path(v->parent, ret);
  if (v->key)
    buf_addf(ret, ".%s", v->key);
  else
    buf_addf(ret, "[%d]", v->index);
}

__attribute__((format(printf, 4, 0))) static int
placed(const struct jval *v, bool of_key, struct diag *diag, const char *format,
       va_list ap)
{
  if (diag->set)
    return -1;
  diag_vset(diag, format, ap);
  struct buf path;
  buf_init(&path, sizeof diag->path - 1);
  jval_path(v, &path);
  snprintf(diag->path, sizeof diag->path, "%s", buf_str(&path));
  buf_release(&path);
  json_locate(v, of_key, &diag->line, &diag->column);
  diag_in_file(diag, v->doc->name);
  return -1;
}

int jval_error(const struct jval *v, struct diag *diag, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  placed(v, false, diag, format, ap);
  va_end(ap);
  return -1;
}

int jval_key_error(const struct jval *v, struct diag *diag, const char *format,
                   ...)
{
  va_list ap;
  va_start(ap, format);
  placed(v, true, diag, format, ap);
  va_end(ap);
  return -1;
}

int jval_known_keys(const struct jval *v, const char *const *words,
                    struct diag *diag)
{
  int n = jval_count(v);
  for (int i = 0; i < n; i++) {
    struct jval child = jval_item(v, i);
    char hint[512];
    if (words_has(words, child.key))
      continue;
    words_hint(child.key, words, hint, sizeof hint);
    return jval_key_error(&child, diag, "unknown key '%s'%s", child.key, hint);
  }
  return 0;
}

static const char *type_name(const cJSON *node)
{
  return cJSON_IsString(node)   ? "a string"
         : cJSON_IsNumber(node) ? "a number"
         : cJSON_IsBool(node)   ? "a boolean"
         : cJSON_IsArray(node)  ? "an array"
         : cJSON_IsObject(node) ? "an object"
                                : "null";
}

static int wrong_type(const struct jval *v, struct diag *diag,
                      const char *wanted)
{
  return jval_error(v, diag, "must be %s, is %s", wanted, type_name(v->node));
}

int jval_object(const struct jval *v, struct diag *diag)
{
  return cJSON_IsObject(v->node) ? 0 : wrong_type(v, diag, "an object");
}

int jval_array(const struct jval *v, struct diag *diag)
{
  return cJSON_IsArray(v->node) ? 0 : wrong_type(v, diag, "an array");
}

int jval_string(const struct jval *v, const char **ret, struct diag *diag)
{
  if (!cJSON_IsString(v->node))
    return wrong_type(v, diag, "a string");
  *ret = v->node->valuestring;
  return 0;
}

int jval_bool(const struct jval *v, bool *ret, struct diag *diag)
{
  if (!cJSON_IsBool(v->node))
    return wrong_type(v, diag, "true or false");
  *ret = cJSON_IsTrue(v->node);
  return 0;
}

int jval_number(const struct jval *v, double min, double max, double *ret,
                struct diag *diag)
{
  if (!cJSON_IsNumber(v->node))
    return wrong_type(v, diag, "a number");
  double d = v->node->valuedouble;
  if (!(d >= min && d <= max))
    return jval_error(v, diag, "must be within %.16g..%.16g, is %.16g", min,
                      max, d);
  *ret = d;
  return 0;
}

int jval_int(const struct jval *v, int64_t min, int64_t max, int64_t *ret,
             struct diag *diag)
{
  double d = 0;
  if (!cJSON_IsNumber(v->node))
    return wrong_type(v, diag, "a whole number");
  d = v->node->valuedouble;
  /* 2^53: beyond it cJSON has already lost digits */
  if (!(fabs(d) <= 9007199254740992.0) || d != floor(d))
    return jval_error(v, diag, "must be a whole number, is %.17g", d);
  if (d < (double)min || d > (double)max)
    return jval_error(v, diag, "must be within %lld..%lld, is %.17g",
                      (long long)min, (long long)max, d);
  *ret = (int64_t)d;
  return 0;
}
