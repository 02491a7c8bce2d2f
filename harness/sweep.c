#include "harness/sweep.h"

#include "base/words.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Keys within keys; the language has fewer. */
enum { MAX_DEPTH = 16 };
/* A point's text: the file's and one value. */
#define MAX_TEXT (2 * JSON_MAX_BYTES)
/* Of a value in an address. */
enum { MAX_LABEL = 40 };

static const char *const untils[] = {"not_delivered", NULL};

const struct param sweep_params[] = {
    {.name = "path",
     .type = PARAM_STRING,
     .required = true,
     .summary = "which value moves: keys and numbers of items, as in "
                "steps[0].after_events"},
    {.name = "values",
     .type = PARAM_VALUE,
     .summary = "a list of what it becomes, one point each; or from and to"},
    {.name = "from",
     .type = PARAM_NUMBER,
     .min = -1e15,
     .max = 1e15,
     .summary = "the first of a row of numbers"},
    {.name = "to",
     .type = PARAM_NUMBER,
     .min = -1e15,
     .max = 1e15,
     .summary = "the last that may be reached"},
    {.name = "by",
     .type = PARAM_NUMBER,
     .min = 1e-6,
     .max = 1e15,
     .summary = "from one number to the next, default 1"},
    {.name = "until",
     .type = PARAM_WORD,
     .words = untils,
     .summary = "not_delivered: the sweep ends at the first point whose fault "
                "found nothing to harm"},
    {.name = NULL}};

/* --- the way to the value ------------------------------------------------ */

static int no_such_key(const struct jval *place, const struct jval *parent,
                       const char *key, struct diag *diag)
{
  const char *known[65];
  char hint[512] = "";
  size_t n = 0;
  const cJSON *child = NULL;
  cJSON_ArrayForEach(child, parent->node) if (child->string && n < 64)
      known[n++] = child->string;
  known[n] = NULL;
  if (n)
    words_hint(key, known, hint, sizeof hint);
  return jval_error(place, diag, "leads to nothing: there is no '%s'%s", key,
                    hint);
}

static int enter_key(const struct jval *place, const struct jval *parent,
                     const char **p, struct jval *ret, struct diag *diag)
{
  char key[128];
  size_t n = strcspn(*p, ".[");
  if (n == 0 || n >= sizeof key)
    return jval_error(place, diag,
                      "is no way to a value: keys and [numbers], as in "
                      "steps[0].after_events");
  memcpy(key, *p, n);
  key[n] = '\0';
  *p += n;
  return jval_member(parent, key, ret) ? 0
                                       : no_such_key(place, parent, key, diag);
}

static int enter_item(const struct jval *place, const struct jval *parent,
                      const char **p, struct jval *ret, struct diag *diag)
{
  int64_t index = 0;
  int count = jval_count(parent);
  size_t n = strspn(*p + 1, "0123456789");
  if (n == 0 || n > 6 || (*p)[n + 1] != ']')
    return jval_error(place, diag, "needs a number and ] behind [");
  for (size_t i = 1; i <= n; i++)
    index = index * 10 + ((*p)[i] - '0');
  if (!cJSON_IsArray(parent->node) || index >= count)
    return jval_error(place, diag,
                      "leads to nothing: there is no item %d (of %d)",
                      (int)index, count);
  *p += n + 2;
  *ret = jval_item(parent, (int)index);
  return 0;
}

/* `chain` has room for MAX_DEPTH + 1 and begins with the root. */
static int find_value(const struct jval *place, struct jval *chain,
                      const struct jval **ret, struct diag *diag)
{
  const char *p = place->node->valuestring;
  int depth = 0;
  for (bool first = true; *p || first; first = false) {
    if (depth == MAX_DEPTH)
      return jval_error(place, diag, "goes too deep");
    if (*p == '.' && !first)
      p++;
    else if (*p != '[' && !first)
      return jval_error(place, diag, "needs a dot before '%s'", p);
    int rc = *p == '['
                 ? enter_item(place, &chain[depth], &p, &chain[depth + 1], diag)
                 : enter_key(place, &chain[depth], &p, &chain[depth + 1], diag);
    if (rc < 0)
      return -1;
    depth++;
  }
  *ret = &chain[depth];
  return 0;
}

/* --- the values ---------------------------------------------------------- */

/* Where the file has a text, a number becomes one: retry_after is "2". */
static char *json_text(const cJSON *value, bool as_text)
{
  char number[64];
  cJSON *text = NULL;
  if (as_text && cJSON_IsNumber(value)) {
    snprintf(number, sizeof number, "%.10g", value->valuedouble);
    text = cJSON_CreateString(number);
  }
  char *printed = cJSON_PrintUnformatted(text ? text : value);
  char *copy = mem_strdup(printed);
  cJSON_free(printed);
  cJSON_Delete(text);
  return copy;
}

static int take_list(struct sweep *s, const struct jval *list, bool as_text,
                     struct diag *diag)
{
  if (jval_array(list, diag) < 0)
    return -1;
  int n = jval_count(list);
  if (n < 1 || n > SWEEP_MAX_POINTS)
    return jval_error(list, diag, "must hold 1 to %d values", SWEEP_MAX_POINTS);
  s->values = mem_zalloc((size_t)n * sizeof *s->values);
  for (int i = 0; i < n; i++)
    s->values[s->n++] = json_text(jval_item(list, i).node, as_text);
  return 0;
}

static int take_row(struct sweep *s, const struct jval *sweep, bool as_text,
                    struct diag *diag)
{
  double from = 0, to = 0, by = 1;
  if (!param_number(sweep->node, "from", &from) ||
      !param_number(sweep->node, "to", &to))
    return jval_error(sweep, diag, "needs 'values', or 'from' and 'to'");
  param_number(sweep->node, "by", &by);
  /* a billionth more: 0 to 0.3 by 0.1 has four points */
  double n = floor((to - from) / by + 1e-9) + 1;
  if (n < 1 || n > SWEEP_MAX_POINTS)
    return jval_error(sweep, diag, "makes %.0f points, and may make 1 to %d",
                      n < 0 ? 0 : n, SWEEP_MAX_POINTS);
  s->values = mem_zalloc((size_t)n * sizeof *s->values);
  while (s->n < (size_t)n) {
    char number[64];
    snprintf(number, sizeof number, "%.10g", from + (double)s->n * by);
    s->values[s->n++] =
        as_text ? mem_format("\"%s\"", number) : mem_strdup(number);
  }
  return 0;
}

static int take_values(struct sweep *s, const struct jval *sweep, bool as_text,
                       struct diag *diag)
{
  struct jval list;
  bool row = param_has(sweep->node, "from") || param_has(sweep->node, "to") ||
             param_has(sweep->node, "by");
  if (!jval_member(sweep, "values", &list))
    return take_row(s, sweep, as_text, diag);
  if (row)
    return jval_error(&list, diag, "excludes 'from', 'to' and 'by'");
  return take_list(s, &list, as_text, diag);
}

static int take(struct sweep *s, const struct jval *sweep, struct diag *diag)
{
  static const struct param *const tables[] = {sweep_params};
  struct jval chain[MAX_DEPTH + 1] = {json_root(sweep->doc)}, place;
  const struct jval *moved = NULL;
  if (param_check(sweep, tables, 1, NULL, diag) < 0)
    return -1;
  jval_member(sweep, "path", &place);
  if (find_value(&place, chain, &moved, diag) < 0)
    return -1;
  if (strncmp(place.node->valuestring, "sweep", 5) == 0)
    return jval_error(&place, diag, "cannot move the sweep itself");
  s->path = mem_strdup(place.node->valuestring);
  s->until_missed = param_has(sweep->node, "until");
  bool found = json_span(moved, &s->at, &s->length) &&
               json_span(sweep, &s->own_at, &s->own_length);
  assert(found);
  (void)found;
  return take_values(s, sweep, cJSON_IsString(moved->node), diag);
}

int sweep_read(struct sweep *ret, const struct json_doc *doc, struct diag *diag)
{
  struct jval root = json_root(doc), sweep;
  struct sweep s = {0};
  memset(ret, 0, sizeof *ret);
  if (!jval_member(&root, "sweep", &sweep) || cJSON_IsNull(sweep.node))
    return 0;
  if (take(&s, &sweep, diag) < 0) {
    sweep_release(&s);
    return -1;
  }
  *ret = s;
  return 0;
}

void sweep_release(struct sweep *s)
{
  for (size_t i = 0; i < s->n; i++)
    free(s->values[i]);
  free(s->values);
  free(s->path);
  memset(s, 0, sizeof *s);
}

/* --- a point --------------------------------------------------------------
 */

static void add_span(struct buf *out, const struct json_doc *doc, size_t from,
                     size_t to)
{
  buf_addb(out, (struct bytes){doc->text + from, to - from});
}

/* null, and as many line ends as there were. */
static void add_nothing(struct buf *out, const struct json_doc *doc,
                        const struct sweep *s)
{
  buf_adds(out, "null");
  for (size_t i = 0; i < s->own_length; i++)
    if (doc->text[s->own_at + i] == '\n')
      buf_addc(out, '\n');
}

char *sweep_text(const struct sweep *s, const struct json_doc *doc, size_t i)
{
  bool own_first = s->own_at < s->at;
  size_t first = own_first ? s->own_at : s->at;
  size_t first_end = first + (own_first ? s->own_length : s->length);
  size_t second = own_first ? s->at : s->own_at;
  size_t second_end = second + (own_first ? s->length : s->own_length);
  struct buf out;
  buf_init(&out, MAX_TEXT);
  add_span(&out, doc, 0, first);
  for (int k = 0; k < 2; k++) {
    if ((k == 0) == own_first)
      add_nothing(&out, doc, s);
    else
      buf_adds(&out, s->values[i]);
    if (k == 0)
      add_span(&out, doc, first_end, second);
  }
  add_span(&out, doc, second_end, doc->n);
  return buf_detach(&out);
}

/* Others than letters, digits and a few signs would be read by a shell, a
 * pattern or a file system. */
static void add_harmless(struct buf *out, const char *text)
{
  static const char good[] = "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
  size_t n = strlen(text), skip = text[0] == '"';
  for (size_t i = skip; i + skip < n && i < MAX_LABEL; i++)
    buf_addc(out, strchr(good, text[i]) ? text[i] : '_');
}

char *sweep_label(const struct sweep *s, size_t i)
{
  struct buf out;
  const char *dot = strrchr(s->path, '.');
  buf_init(&out, 4096);
  add_harmless(&out, dot ? dot + 1 : s->path);
  buf_addc(&out, '=');
  add_harmless(&out, s->values[i]);
  return buf_detach(&out);
}
