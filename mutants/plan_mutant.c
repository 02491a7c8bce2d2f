#include "mutants/plan.h"

#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const MUTANT_KEYS[] = {
    "id",    "why",        "operator", "edits", "env",          "flags",
    "cmd",   "touches",    "client",   "red",   "red_at_least", "green",
    "kinds", "equivalent", "patch",    NULL};
static const char *const EDIT_KEYS[] = {"file", "find", "with", "count", NULL};

/* An id becomes a file name: OUT/log/ID.json. */
static int check_id(const struct jval *v, const char *id, struct diag *diag)
{
  struct jval at;
  if (!jval_member(v, "id", &at))
    return jval_error(v, diag, "a mutant needs an 'id'");
  for (const char *p = id; *p; p++)
    if (!isalnum((unsigned char)*p) && !strchr("-_.", *p))
      return jval_error(&at, diag,
                        "an id has letters, digits, '-', '_' and '.' only");
  return *id == '.' ? jval_error(&at, diag, "an id must not begin with '.'")
                    : 0;
}

static int read_edit(const struct jval *v, struct plan_edit *ret,
                     struct diag *diag)
{
  struct jval at;
  ret->count = 1;
  if (jval_object(v, diag) < 0 || jval_known_keys(v, EDIT_KEYS, diag) < 0 ||
      gate_plan_read_text(v, "file", &ret->file, diag) < 0 ||
      gate_plan_read_text(v, "find", &ret->find, diag) < 0)
    return -1;
  if (!ret->file || !ret->find || !jval_member(v, "with", &at))
    return jval_error(v, diag, "an edit needs 'file', 'find' and 'with'");
  if (jval_string(&at, &ret->with, diag) < 0)
    return -1;
  if (jval_member(v, "count", &at) &&
      jval_int(&at, 1, 10000, &ret->count, diag) < 0)
    return -1;
  return jval_member(v, "file", &at)
             ? gate_plan_inside_tree(&at, ret->file, diag)
             : 0;
}

static int read_edits(const struct jval *v, struct plan_mutant *m,
                      struct diag *diag)
{
  struct jval list;
  if (!jval_member(v, "edits", &list))
    return 0;
  if (jval_array(&list, diag) < 0)
    return -1;
  m->nedits = jval_count(&list);
  m->edits = mem_zalloc((size_t)(m->nedits + 1) * sizeof *m->edits);
  for (int i = 0; i < m->nedits; i++) {
    struct jval item = jval_item(&list, i);
    if (read_edit(&item, &m->edits[i], diag) < 0)
      return -1;
  }
  return 0;
}

static int read_env(const struct jval *v, struct plan_mutant *m,
                    struct diag *diag)
{
  struct jval list;
  if (!jval_member(v, "env", &list))
    return 0;
  if (jval_object(&list, diag) < 0)
    return -1;
  m->nenv = jval_count(&list);
  m->env = mem_zalloc((size_t)(m->nenv + 1) * sizeof *m->env);
  for (int i = 0; i < m->nenv; i++) {
    struct jval item = jval_item(&list, i);
    m->env[i].name = item.key;
    if (*item.key == '\0' || strchr(item.key, '='))
      return jval_key_error(&item, diag, "'%s' is no name of a variable",
                            item.key);
    if (jval_string(&item, &m->env[i].value, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_touches(const struct jval *v, struct plan_mutant *m,
                        struct diag *diag)
{
  struct jval list, cmd;
  if (gate_plan_read_text(v, "cmd", &m->cmd, diag) < 0 ||
      gate_plan_read_texts(v, "touches", &m->touches, diag) < 0)
    return -1;
  if (m->cmd && m->touches.n == 0 && jval_member(v, "cmd", &cmd))
    return jval_error(&cmd, diag,
                      "'cmd' needs 'touches', the files it changes, so that "
                      "they can be put back");
  if (!jval_member(v, "touches", &list))
    return 0;
  if (!m->cmd)
    return jval_key_error(&list, diag, "'touches' goes with 'cmd' only");
  for (int i = 0; i < m->touches.n; i++) {
    struct jval item = jval_item(&list, i);
    if (gate_plan_inside_tree(&item, m->touches.item[i], diag) < 0)
      return -1;
  }
  return 0;
}

static int read_kinds(const struct jval *v, struct plan_mutant *m,
                      struct diag *diag)
{
  struct jval list;
  m->kinds = KIND_BIT(KIND_ASSERT) | KIND_BIT(KIND_HANG);
  if (!jval_member(v, "kinds", &list))
    return 0;
  if (jval_array(&list, diag) < 0)
    return -1;
  m->kinds = 0;
  int n = jval_count(&list);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    const char *word;
    char hint[256];
    if (jval_string(&item, &word, diag) < 0)
      return -1;
    enum kind k = kind_from_word(word);
    words_hint(word, KIND_WORDS, hint, sizeof hint);
    if (k == KIND_NONE || k == KIND_COUNT)
      return jval_error(&item, diag, "unknown kind '%s'%s", word, hint);
    m->kinds |= KIND_BIT(k);
  }
  return m->kinds ? 0 : jval_error(&list, diag, "must not be empty");
}

static int read_tests(const struct jval *v, struct plan_mutant *m,
                      struct diag *diag)
{
  struct jval at;
  if (gate_plan_read_texts(v, "red", &m->red, diag) < 0 ||
      gate_plan_read_texts(v, "green", &m->green, diag) < 0 ||
      gate_plan_read_text(v, "equivalent", &m->equivalent, diag) < 0)
    return -1;
  if (jval_member(v, "red_at_least", &at) &&
      jval_int(&at, 1, 100000, &m->red_at_least, diag) < 0)
    return -1;
  if (m->red.n == 0 && !m->equivalent)
    return jval_error(v, diag,
                      "mutant '%s' names no red test, so it proves nothing; "
                      "give 'red', or 'equivalent' with the reason",
                      m->id);
  if (m->red.n && m->equivalent && jval_member(v, "equivalent", &at))
    return jval_key_error(&at, diag,
                          "'equivalent' and 'red' contradict each other");
  return 0;
}

static int read_texts_of(const struct jval *v, struct plan_mutant *m,
                         struct diag *diag)
{
  m->id = m->why = m->operator_ = "";
  if (gate_plan_read_text(v, "id", &m->id, diag) < 0 ||
      gate_plan_read_text(v, "why", &m->why, diag) < 0 ||
      gate_plan_read_text(v, "operator", &m->operator_, diag) < 0 ||
      gate_plan_read_text(v, "flags", &m->flags, diag) < 0)
    return -1;
  return check_id(v, m->id, diag);
}

/* What is changed at all, and whether this plan can do it. */
static int check_change(const struct jval *v, const struct plan *p,
                        const struct plan_mutant *m, struct diag *diag)
{
  struct jval at;
  if (!m->nedits && !m->nenv && !m->flags && !m->cmd && !m->client.n)
    return jval_error(v, diag,
                      "mutant '%s' changes nothing; give 'edits', 'env', "
                      "'flags', 'cmd' or 'client'",
                      m->id);
  if (m->flags && !p->build && jval_member(v, "flags", &at))
    return jval_key_error(&at, diag, "'flags' needs a 'build' in the plan");
  if (m->client.n && !p->suite.client.n && jval_member(v, "client", &at))
    return jval_key_error(&at, diag,
                          "the suite names no 'client' to be replaced");
  if (m->equivalent && !m->nedits && !m->cmd &&
      jval_member(v, "equivalent", &at))
    return jval_key_error(&at, diag,
                          "an env, flags or client mutant is never "
                          "equivalent: nothing shows that it acted");
  return 0;
}

int gate_plan_read_mutant(const struct jval *v, const struct plan *p,
                          struct plan_mutant *ret, struct diag *diag)
{
  struct jval patch;
  if (jval_object(v, diag) < 0 || jval_known_keys(v, MUTANT_KEYS, diag) < 0)
    return -1;
  if (jval_member(v, "patch", &patch))
    return jval_key_error(&patch, diag,
                          "patches are not in this version; use 'edits' with "
                          "'find' and 'with', or 'cmd' and 'touches'");
  if (read_texts_of(v, ret, diag) < 0 || read_edits(v, ret, diag) < 0 ||
      read_env(v, ret, diag) < 0 || read_touches(v, ret, diag) < 0 ||
      gate_plan_read_texts(v, "client", &ret->client, diag) < 0 ||
      read_kinds(v, ret, diag) < 0 || read_tests(v, ret, diag) < 0)
    return -1;
  return check_change(v, p, ret, diag);
}

void gate_plan_mutant_release(struct plan_mutant *m)
{
  free(m->edits);
  free(m->env);
  texts_release(&m->touches);
  texts_release(&m->client);
  texts_release(&m->red);
  texts_release(&m->green);
}
