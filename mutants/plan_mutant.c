#include "mutants/plan.h"

#include "base/words.h"
#include "mutants/change/change.h"
#include "mutants/udiff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const MUTANT_KEYS[] = {"id",      "why",   "operator",
                                          "touches", "red",   "red_at_least",
                                          "green",   "kinds", "equivalent",
#define CHANGE(name, key, summary) key,
#include "mutants/change/changes.def"
#undef CHANGE
                                          NULL};

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

static int read_kinds(const struct jval *v, struct plan_mutant *m,
                      struct diag *diag)
{
  struct jval list;
  m->kinds =
      KIND_BIT(KIND_ASSERT) | KIND_BIT(KIND_HANG) | KIND_BIT(KIND_STALLED);
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
    /* a hang of which more is known, in virtual time */
    if (k == KIND_HANG)
      m->kinds |= KIND_BIT(KIND_STALLED);
  }
  return m->kinds ? 0 : jval_error(&list, diag, "must not be empty");
}

static int read_tests(const struct jval *v, const struct plan *p,
                      struct plan_mutant *m, struct diag *diag)
{
  struct jval at;
  if (gate_plan_read_texts(v, "red", &m->red, diag) < 0 ||
      gate_plan_read_texts(v, "green", &m->green, diag) < 0 ||
      gate_plan_read_text(v, "equivalent", &m->equivalent, diag) < 0)
    return -1;
  if (jval_member(v, "red_at_least", &at) &&
      jval_int(&at, 1, 100000, &m->red_at_least, diag) < 0)
    return -1;
  if (m->red.n == 0 && !m->equivalent && !p->undeclared)
    return jval_error(v, diag,
                      "mutant '%s' names no red test, so it proves nothing; "
                      "give 'red', or 'equivalent' with the reason; "
                      "`faultwire mutate record` finds the reds",
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
      gate_plan_read_text(v, "operator", &m->operator_, diag) < 0)
    return -1;
  return check_id(v, m->id, diag);
}

/* What is changed at all, and whether it can be seen. */
static int check_change(const struct jval *v, const struct plan_mutant *m,
                        struct diag *diag)
{
  struct jval at;
  if (change_is_none(m))
    return jval_error(v, diag,
                      "mutant '%s' changes nothing; give 'edits', 'patch', "
                      "'cmd', 'flags', 'artifact', 'env' or 'client'",
                      m->id);
  if (m->equivalent && change_is_unseen(m) && jval_member(v, "equivalent", &at))
    return jval_key_error(&at, diag,
                          "a mutant that changes no file is never equivalent: "
                          "nothing shows that it acted");
  return 0;
}

int gate_plan_read_mutant(const struct jval *v, const struct plan *p,
                          struct plan_mutant *ret, struct diag *diag)
{
  if (jval_object(v, diag) < 0 || jval_known_keys(v, MUTANT_KEYS, diag) < 0 ||
      read_texts_of(v, ret, diag) < 0)
    return -1;
  for (int i = 0; i < CHANGE_COUNT; i++)
    if (CHANGES[i]->read(v, p, ret, diag) < 0)
      return -1;
  if (read_kinds(v, ret, diag) < 0 || read_tests(v, p, ret, diag) < 0)
    return -1;
  return check_change(v, ret, diag);
}

void gate_plan_mutant_release(struct plan_mutant *m)
{
  if (m->patch_diff)
    udiff_release(m->patch_diff);
  free(m->patch_diff);
  free(m->patch_path);
  free(m->edits);
  free(m->env);
  texts_release(&m->touches);
  texts_release(&m->client);
  texts_release(&m->red);
  texts_release(&m->green);
}
