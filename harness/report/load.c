#include "harness/report/load.h"

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"

#include <string.h>

/* A year; a longer run is a broken number. */
#define MAX_SECONDS (366.0 * 86400)
/* Scenarios, words of a command, notes. */
enum { MAX_SCENARIOS = 1000000, MAX_WORDS = 100000 };

/* --- texts and numbers ---------------------------------------------------- */

static int need(const struct jval *root, const char *key, struct jval *ret,
                struct diag *diag)
{
  if (jval_member(root, key, ret))
    return 0;
  return jval_error(root, diag, "no report of faultwire: it has no '%s'", key);
}

static int take_version(struct loaded_run *r, const struct jval *root,
                        struct diag *diag)
{
  struct jval v;
  const char *s = "";
  if (need(root, "faultwire", &v, diag) < 0 || jval_string(&v, &s, diag) < 0)
    return -1;
  r->version = mem_strdup(s);
  r->run.version = r->version;
  return 0;
}

/* The words of a list of texts; an absent list is none. */
static int take_words(char ***ret, const struct jval *root, const char *key,
                      struct diag *diag)
{
  struct jval list;
  if (!jval_member(root, key, &list))
    return 0;
  if (jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  if (n > MAX_WORDS)
    return jval_error(&list, diag, "more than %d words", MAX_WORDS);
  *ret = mem_zalloc(((size_t)n + 1) * sizeof **ret);
  for (int i = 0; i < n; i++) {
    struct jval v = jval_item(&list, i);
    const char *s = "";
    if (jval_string(&v, &s, diag) < 0)
      return -1;
    (*ret)[i] = mem_strdup(s);
  }
  return 0;
}

static int take_seconds(struct loaded_run *r, const struct jval *root,
                        struct diag *diag)
{
  struct jval v;
  if (!jval_member(root, "seconds", &v))
    return 0;
  return jval_number(&v, 0, MAX_SECONDS, &r->run.seconds, diag);
}

/* Where the value stands in the text. */
static struct bytes at_value(const struct jval *v)
{
  const struct json_doc *doc = v->doc;
  struct bytes rest = {doc->text, doc->n};
  int line = 0, column = 0;
  if (!json_locate(v, false, &line, &column))
    return (struct bytes){0};
  for (; line > 1; line--) {
    const char *end = memchr(rest.p, '\n', rest.n);
    if (!end)
      return (struct bytes){0};
    rest.n -= (size_t)(end + 1 - rest.p);
    rest.p = end + 1;
  }
  size_t skip = (size_t)column - 1;
  return skip < rest.n ? (struct bytes){rest.p + skip, rest.n - skip}
                       : (struct bytes){0};
}

/* A seed has 64 bits, and cJSON's numbers 53: read from the text. */
static int take_seed(struct loaded_run *r, const struct jval *root,
                     struct diag *diag)
{
  struct jval v;
  double d = 0;
  if (!jval_member(root, "seed", &v))
    return 0;
  if (jval_number(&v, 0, 18446744073709551616.0, &d, diag) < 0)
    return -1;
  struct bytes text = at_value(&v);
  if (number_take_u64(&text, UINT64_MAX, &r->run.seed) != NUMBER_OK)
    return jval_error(&v, diag, "a seed is a whole number of 64 bits");
  return 0;
}

static int take_exit(struct loaded_run *r, const struct jval *root,
                     struct diag *diag)
{
  struct jval v;
  int64_t code = 0;
  if (need(root, "exit", &v, diag) < 0 || jval_int(&v, 0, 255, &code, diag) < 0)
    return -1;
  r->run.exit_code = (int)code;
  return 0;
}

/* --- scenarios ------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
  const char *const *x = a, *const *y = b;
  return strcmp(*x, *y);
}

static int check_twice(const struct loaded_run *r, const struct jval *list,
                       struct diag *diag)
{
  size_t n = r->run.n;
  const char **names = mem_alloc((n + 1) * sizeof *names);
  int rc = 0;
  for (size_t i = 0; i < n; i++)
    names[i] = r->run.results[i].name;
  qsort(names, n, sizeof *names, by_name);
  for (size_t i = 1; i < n && rc == 0; i++)
    if (strcmp(names[i - 1], names[i]) == 0)
      rc = jval_error(list, diag, "two scenarios are called '%s'", names[i]);
  free(names);
  return rc;
}

/* A copy of the object; the document must stay whole to place errors. */
static int take_scenario(struct loaded_run *r, const struct jval *item,
                         struct diag *diag)
{
  struct jval name;
  const char *s = "";
  struct diag inner = {0};
  struct result result;
  if (jval_object(item, diag) < 0)
    return -1;
  if (!jval_member(item, "name", &name))
    return jval_error(item, diag, "a scenario without a name");
  if (jval_string(&name, &s, diag) < 0)
    return -1;
  if (s[0] == '\0')
    return jval_error(&name, diag, "a scenario without a name");
  cJSON *copy = cJSON_Duplicate(item->node, true);
  if (result_from_json(&result, copy, &inner) < 0)
    return jval_error(item, diag, "%s", inner.text);
  r->run.results[r->run.n++] = result;
  return 0;
}

static int take_scenarios(struct loaded_run *r, const struct jval *root,
                          struct diag *diag)
{
  struct jval list;
  const cJSON *node = NULL;
  int i = 0;
  if (need(root, "scenarios", &list, diag) < 0 || jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  if (n > MAX_SCENARIOS)
    return jval_error(&list, diag, "more than %d scenarios", MAX_SCENARIOS);
  r->run.results = mem_zalloc(((size_t)n + 1) * sizeof *r->run.results);
  cJSON_ArrayForEach(node, list.node)
  {
    struct jval item = {root->doc, node, &list, NULL, i++};
    if (take_scenario(r, &item, diag) < 0)
      return -1;
  }
  return check_twice(r, &list, diag);
}

/* --- the file ------------------------------------------------------------- */

static int take_all(struct loaded_run *r, const struct json_doc *doc,
                    struct diag *diag)
{
  struct jval root = json_root(doc);
  if (jval_object(&root, diag) < 0 || take_version(r, &root, diag) < 0 ||
      take_words(&r->client, &root, "client", diag) < 0 ||
      take_words(&r->notes, &root, "notes", diag) < 0 ||
      take_seconds(r, &root, diag) < 0 || take_seed(r, &root, diag) < 0 ||
      take_exit(r, &root, diag) < 0 || take_scenarios(r, &root, diag) < 0)
    return -1;
  r->run.client = (const char *const *)r->client;
  r->run.notes = (const char *const *)r->notes;
  return 0;
}

int run_parse(struct loaded_run *ret, const char *name, struct bytes text,
              struct diag *diag)
{
  struct json_doc doc;
  memset(ret, 0, sizeof *ret);
  if (json_parse(&doc, name, text, diag) < 0)
    return -1;
  ret->name = mem_strdup(name);
  int rc = take_all(ret, &doc, diag);
  json_release(&doc);
  if (rc < 0)
    run_unload(ret);
  return rc;
}

int run_load(struct loaded_run *ret, const char *path, struct diag *diag)
{
  struct buf text;
  buf_init(&text, REPORT_MAX_BYTES);
  int rc = file_read(path, &text, diag);
  if (rc == 0)
    rc = run_parse(ret, path, buf_bytes(&text), diag);
  buf_release(&text);
  return rc;
}

static void free_words(char **words)
{
  for (size_t i = 0; words && words[i]; i++)
    free(words[i]);
  free(words);
}

void run_unload(struct loaded_run *r)
{
  for (size_t i = 0; i < r->run.n; i++)
    result_release(&r->run.results[i]);
  free(r->run.results);
  free(r->name);
  free(r->version);
  free_words(r->client);
  free_words(r->notes);
  memset(r, 0, sizeof *r);
}
