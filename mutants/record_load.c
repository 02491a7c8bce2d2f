#include "mutants/record.h"

static int load_text(const struct jval *v, const char *key, char **ret,
                     struct diag *diag)
{
  struct jval member;
  const char *text = "";
  if (jval_member(v, key, &member) && jval_string(&member, &text, diag) < 0)
    return -1;
  *ret = mem_strdup(text);
  return 0;
}

static int load_ms(const struct jval *v, const char *key, int64_t *ret,
                   struct diag *diag)
{
  struct jval member;
  *ret = 0;
  return jval_member(v, key, &member)
             ? jval_int(&member, 0, INT64_C(1) << 50, ret, diag)
             : 0;
}

static int load_flickers(const struct jval *v, bool *ret, struct diag *diag)
{
  struct jval member;
  *ret = false;
  return jval_member(v, "flickers", &member) ? jval_bool(&member, ret, diag)
                                             : 0;
}

static int load_test(const struct jval *v, struct verdicts *ret,
                     struct diag *diag)
{
  char *verdict = NULL, *kind = NULL, *why = NULL;
  int64_t ms;
  bool noisy;
  int rc = load_text(v, "verdict", &verdict, diag);
  if (rc == 0)
    rc = load_text(v, "kind", &kind, diag);
  if (rc == 0)
    rc = load_text(v, "why", &why, diag);
  if (rc == 0)
    rc = load_ms(v, "ms", &ms, diag);
  if (rc == 0)
    rc = load_flickers(v, &noisy, diag);
  if (rc == 0 && (verdict_from_word(verdict) == VERDICT_COUNT ||
                  kind_from_word(kind) == KIND_COUNT))
    rc = jval_error(v, diag, "unknown verdict or kind");
  if (rc == 0) {
    struct test *t = verdicts_add(ret, v->key, why);
    t->verdict = verdict_from_word(verdict);
    t->kind = kind_from_word(kind);
    t->ms = ms;
    t->noisy = noisy;
  }
  free(verdict);
  free(kind);
  free(why);
  return rc;
}

static int load_tests(const struct jval *v, struct verdicts *ret,
                      struct diag *diag)
{
  struct jval tests;
  if (!jval_member(v, "tests", &tests))
    return jval_error(v, diag, "the key 'tests' is missing");
  if (jval_object(&tests, diag) < 0)
    return -1;
  int n = jval_count(&tests);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&tests, i);
    if (load_test(&item, ret, diag) < 0)
      return -1;
  }
  return 0;
}

static int load_outcome(const struct jval *v, enum outcome *ret,
                        struct diag *diag)
{
  struct jval member;
  const char *word;
  if (!jval_member(v, "outcome", &member))
    return jval_error(v, diag, "the key 'outcome' is missing");
  if (jval_string(&member, &word, diag) < 0)
    return -1;
  *ret = outcome_from_word(word);
  return *ret == OUTCOME_COUNT
             ? jval_error(&member, diag, "unknown outcome '%s'", word)
             : 0;
}

static int load_kinds(const struct jval *v, int *ret, struct diag *diag)
{
  struct jval list;
  int n = jval_member(v, "kinds", &list) ? jval_count(&list) : 0;
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    const char *word;
    if (jval_string(&item, &word, diag) < 0)
      return -1;
    if (kind_from_word(word) == KIND_COUNT)
      return jval_error(&item, diag, "unknown kind '%s'", word);
    *ret |= (int)KIND_BIT(kind_from_word(word));
  }
  return 0;
}

static int load_globs(const struct jval *v, const char *key, struct texts *ret,
                      struct diag *diag)
{
  struct jval list;
  int n = jval_member(v, key, &list) ? jval_count(&list) : 0;
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    const char *glob;
    if (jval_string(&item, &glob, diag) < 0)
      return -1;
    texts_add(ret, mem_strdup(glob));
  }
  return 0;
}

static int load_record(const struct jval *v, struct record *ret,
                       struct diag *diag)
{
  if (jval_object(v, diag) < 0 || load_text(v, "id", &ret->id, diag) < 0 ||
      load_text(v, "why", &ret->why, diag) < 0 ||
      load_text(v, "operator", &ret->operator_, diag) < 0 ||
      load_text(v, "motive", &ret->motive, diag) < 0 ||
      load_text(v, "place", &ret->place, diag) < 0 ||
      load_outcome(v, &ret->outcome, diag) < 0 ||
      load_kinds(v, &ret->kinds, diag) < 0 ||
      load_globs(v, "red", &ret->red, diag) < 0 ||
      load_globs(v, "green", &ret->green, diag) < 0 ||
      load_ms(v, "build_ms", &ret->build_ms, diag) < 0 ||
      load_ms(v, "suite_ms", &ret->suite_ms, diag) < 0)
    return -1;
  ret->done = true;
  return load_tests(v, &ret->tests, diag);
}

static int load_results(const struct jval *root, struct records *ret,
                        struct diag *diag)
{
  struct jval list;
  if (!jval_member(root, "results", &list))
    return jval_error(root, diag, "the key 'results' is missing");
  if (jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  ret->item = mem_zalloc((size_t)(n + 1) * sizeof *ret->item);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    ret->n = i + 1;
    if (load_record(&item, &ret->item[i], diag) < 0)
      return -1;
  }
  return 0;
}

/* The names must belong to `tests`, which owns them. */
static int load_canary(const struct jval *root, struct records *ret,
                       struct diag *diag)
{
  struct jval list;
  int n = jval_member(root, "canary", &list) ? jval_count(&list) : 0;
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    const char *name;
    if (jval_string(&item, &name, diag) < 0)
      return -1;
    const struct test *t = verdicts_find(&ret->tests, name);
    if (!t)
      return jval_error(&item, diag, "no test is called '%s'", name);
    texts_add(&ret->canary, t->name);
  }
  return 0;
}

int records_load(struct records *ret, const char *path, struct diag *diag)
{
  struct json_doc doc;
  *ret = (struct records){0};
  if (json_load(&doc, path, diag) < 0)
    return -1;
  struct jval root = json_root(&doc);
  int rc = jval_object(&root, diag);
  if (rc == 0)
    rc = load_text(&root, "problem", &ret->problem, diag);
  if (rc == 0)
    rc = load_text(&root, "plan", &ret->plan, diag);
  if (rc == 0)
    rc = load_ms(&root, "plan_mutants", &ret->plan_mutants, diag);
  if (rc == 0)
    rc = load_ms(&root, "ms", &ret->ms, diag);
  if (rc == 0)
    rc = load_tests(&root, &ret->tests, diag);
  if (rc == 0)
    rc = load_canary(&root, ret, diag);
  if (rc == 0)
    rc = load_results(&root, ret, diag);
  json_release(&doc);
  if (rc < 0)
    records_release(ret);
  return rc;
}
