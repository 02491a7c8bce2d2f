#include "mutants/plan.h"

#include <stdlib.h>
#include <string.h>

static const char *const PLAN_KEYS[] = {
    "$schema", "version", "tree",     "skip",   "build",   "artifact",
    "suite",   "canary",  "controls", "expect", "mutants", NULL};
static const char *const CONTROLS_KEYS[] = {"no_faults_green",
                                            "dead_client_green", NULL};
static const char *const EXPECT_KEYS[] = {"mutants", "tests", NULL};

/* More than anyone can read; stops a plan written by a broken generator. */
enum { MAX_MUTANTS = 100000 };

int gate_plan_read_text(const struct jval *v, const char *key, const char **ret,
                        struct diag *diag)
{
  struct jval member;
  if (!jval_member(v, key, &member))
    return 0;
  const char *text;
  if (jval_string(&member, &text, diag) < 0)
    return -1;
  if (*text == '\0')
    return jval_error(&member, diag, "must not be empty");
  *ret = text;
  return 0;
}

int gate_plan_read_texts(const struct jval *v, const char *key,
                         struct texts *ret, struct diag *diag)
{
  struct jval list;
  if (!jval_member(v, key, &list))
    return 0;
  if (jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    const char *text;
    if (jval_string(&item, &text, diag) < 0)
      return -1;
    texts_add(ret, text);
  }
  return 0;
}

int gate_plan_inside_tree(const struct jval *v, const char *path,
                          struct diag *diag)
{
  size_t n = strlen(path);
  bool out = path[0] == '/' || strcmp(path, "..") == 0 ||
             strncmp(path, "../", 3) == 0 || strstr(path, "/../") ||
             (n >= 3 && strcmp(path + n - 3, "/..") == 0);
  return out ? jval_error(v, diag, "'%s' leaves the tree", path) : 0;
}

static int read_version(const struct jval *root, struct diag *diag)
{
  struct jval v;
  int64_t version;
  if (!jval_member(root, "version", &v))
    return jval_error(root, diag, "the key 'version' is missing");
  return jval_int(&v, 1, 1, &version, diag);
}

static int read_controls(const struct jval *root, struct plan *p,
                         struct diag *diag)
{
  struct jval v;
  if (!jval_member(root, "controls", &v))
    return 0;
  if (jval_object(&v, diag) < 0 || jval_known_keys(&v, CONTROLS_KEYS, diag) < 0)
    return -1;
  return gate_plan_read_texts(&v, "no_faults_green", &p->no_faults_green,
                              diag) < 0 ||
                 gate_plan_read_texts(&v, "dead_client_green",
                                      &p->dead_client_green, diag) < 0
             ? -1
             : 0;
}

static int read_count(const struct jval *v, const char *key, int64_t *ret,
                      struct diag *diag)
{
  struct jval member;
  return jval_member(v, key, &member)
             ? jval_int(&member, 0, MAX_MUTANTS, ret, diag)
             : 0;
}

static int read_expect(const struct jval *root, struct plan *p,
                       struct diag *diag)
{
  struct jval v, mutants;
  if (!jval_member(root, "expect", &v))
    return 0;
  if (jval_object(&v, diag) < 0 || jval_known_keys(&v, EXPECT_KEYS, diag) < 0 ||
      read_count(&v, "mutants", &p->expect_mutants, diag) < 0 ||
      read_count(&v, "tests", &p->expect_tests, diag) < 0)
    return -1;
  if (p->expect_mutants >= 0 && p->expect_mutants != p->nmutants &&
      jval_member(&v, "mutants", &mutants))
    return jval_error(&mutants, diag,
                      "%lld mutants are expected, the plan holds %d",
                      (long long)p->expect_mutants, p->nmutants);
  return 0;
}

static int refuse_same_id(const struct jval *v, const struct plan *p, int n,
                          struct diag *diag)
{
  const char *id = p->mutants[n].id;
  struct jval at;
  for (int i = 0; i < n; i++)
    if (strcmp(p->mutants[i].id, id) == 0 && jval_member(v, "id", &at))
      return jval_error(&at, diag,
                        "the id '%s' is taken by $.mutants[%d] already", id, i);
  return 0;
}

static int read_mutants(const struct jval *root, struct plan *p,
                        struct diag *diag)
{
  struct jval list;
  if (!jval_member(root, "mutants", &list))
    return jval_error(root, diag, "the key 'mutants' is missing");
  if (jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  if (n > MAX_MUTANTS)
    return jval_error(&list, diag, "%d mutants, the limit is %d", n,
                      (int)MAX_MUTANTS);
  p->mutants = mem_zalloc((size_t)(n + 1) * sizeof *p->mutants);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    p->nmutants = i + 1;
    if (gate_plan_read_mutant(&item, p, &p->mutants[i], diag) < 0 ||
        refuse_same_id(&item, p, i, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_places(const struct jval *root, struct plan *p,
                       struct diag *diag)
{
  struct jval v;
  if (gate_plan_read_text(root, "tree", &p->tree, diag) < 0 ||
      gate_plan_read_texts(root, "skip", &p->skip, diag) < 0 ||
      gate_plan_read_text(root, "build", &p->build, diag) < 0 ||
      gate_plan_read_text(root, "artifact", &p->artifact, diag) < 0)
    return -1;
  if (jval_member(root, "artifact", &v))
    return gate_plan_inside_tree(&v, p->artifact, diag);
  return 0;
}

static int read_plan(struct plan *p, struct diag *diag)
{
  struct jval root = json_root(&p->doc), suite;
  if (jval_object(&root, diag) < 0 ||
      jval_known_keys(&root, PLAN_KEYS, diag) < 0 ||
      read_version(&root, diag) < 0 || read_places(&root, p, diag) < 0)
    return -1;
  if (!jval_member(&root, "suite", &suite))
    return jval_error(&root, diag, "the key 'suite' is missing");
  if (gate_plan_read_suite(&suite, &p->suite, diag) < 0 ||
      gate_plan_read_texts(&root, "canary", &p->canary, diag) < 0 ||
      read_controls(&root, p, diag) < 0 || read_mutants(&root, p, diag) < 0)
    return -1;
  return read_expect(&root, p, diag);
}

static int finish(struct plan *ret, struct diag *diag)
{
  ret->tree = ".";
  ret->expect_mutants = ret->expect_tests = -1;
  int rc = read_plan(ret, diag);
  if (rc < 0)
    gate_plan_release(ret);
  return rc;
}

int gate_plan_load(struct plan *ret, const char *path, bool undeclared,
                   struct diag *diag)
{
  *ret = (struct plan){.undeclared = undeclared};
  return json_load(&ret->doc, path, diag) < 0 ? -1 : finish(ret, diag);
}

int gate_plan_parse(struct plan *ret, const char *name, struct bytes text,
                    bool undeclared, struct diag *diag)
{
  *ret = (struct plan){.undeclared = undeclared};
  return json_parse(&ret->doc, name, text, diag) < 0 ? -1 : finish(ret, diag);
}

void gate_plan_release(struct plan *p)
{
  for (int i = 0; i < p->nmutants; i++)
    gate_plan_mutant_release(&p->mutants[i]);
  free(p->mutants);
  texts_release(&p->skip);
  texts_release(&p->canary);
  texts_release(&p->no_faults_green);
  texts_release(&p->dead_client_green);
  texts_release(&p->suite.words);
  texts_release(&p->suite.client);
  texts_release(&p->suite.no_faults);
  texts_release(&p->suite.only);
  json_release(&p->doc);
  *p = (struct plan){0};
}
