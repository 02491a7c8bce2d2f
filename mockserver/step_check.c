#include "mockserver/step_check.h"

#include "base/param.h"
#include "base/words.h"
#include "mockserver/provider/provider.h"
#include "mockserver/reply_step.h"

#include <string.h>

const char *const step_non_stream_words[] = {"reply", "error", NULL};

/* The provider the file names; NULL for "any" or none. */
static const struct provider *named_provider(const struct jval *step)
{
  const struct jval *root = step;
  const char *name = NULL;
  while (root->parent)
    root = root->parent;
  return param_string(root->node, "provider", &name) ? provider_find(name)
                                                     : NULL;
}

bool step_check_applies(const struct jval *step, const struct provider *p)
{
  const struct provider *named = named_provider(step);
  return !named || named == p;
}

enum { MAX_NAMES = 128, NAME_BYTES = 64 };

/* The words that may stand behind `prefix`, of all providers that apply. */
struct names {
  char text[MAX_NAMES][NAME_BYTES];
  const char *list[MAX_NAMES + 1];
  size_t n;
};

static void add_name(struct names *names, const char *word, size_t len,
                     const char *prefix)
{
  size_t skip = strlen(prefix);
  if (names->n == MAX_NAMES || len >= NAME_BYTES || len <= skip ||
      strncmp(word, prefix, skip) != 0 || (!*prefix && memchr(word, ':', len)))
    return;
  char *name = names->text[names->n];
  snprintf(name, NAME_BYTES, "%.*s", (int)(len - skip), word + skip);
  if (!words_has(names->list, name)) {
    names->list[names->n++] = name;
    names->list[names->n] = NULL;
  }
}

static void collect(struct names *names, const struct provider *p,
                    const char *prefix)
{
  for (const struct provider_error *e = p->errors; e->name; e++) {
    if (!*prefix)
      add_name(names, e->name, strlen(e->name), prefix);
    for (const char *word = e->also; word && *word;) {
      size_t len = strcspn(word, " ");
      add_name(names, word, len, prefix);
      word += len + (word[len] == ' ');
    }
  }
}

static int unknown_name(const struct jval *step, const struct jval *value,
                        const char *name, const char *prefix, struct diag *diag)
{
  struct names *names = mem_zalloc(sizeof *names);
  char hint[512];
  for (const struct provider *const *p = providers; *p; p++)
    if (step_check_applies(step, *p))
      collect(names, *p, prefix);
  words_hint(name, names->list, hint, sizeof hint);
  free(names);
  const struct provider *named = named_provider(step);
  if (named)
    return jval_error(value, diag, "%s has no '%s'%s", named->name, name, hint);
  return jval_error(value, diag, "no provider has '%s'%s", name, hint);
}

int step_check_error(const struct jval *step, const char *key,
                     const char *prefix, struct diag *diag)
{
  struct jval value;
  const char *name = NULL;
  char full[NAME_BYTES * 2];
  const char *missing = NULL;
  bool known = false;
  if (!jval_member(step, key, &value))
    return 0;
  if (jval_string(&value, &name, diag) < 0)
    return -1;
  snprintf(full, sizeof full, "%s%s", prefix, name);
  bool plain = !*prefix && strchr(name, ':'); /* inner names are not said */
  for (const struct provider *const *p = providers; *p && !plain; p++) {
    if (!step_check_applies(step, *p))
      continue;
    if (provider_error_find(*p, full))
      known = true;
    else
      missing = (*p)->name;
  }
  if (!known)
    return unknown_name(step, &value, name, prefix, diag);
  if (missing)
    return jval_error(&value, diag,
                      "%s has no '%s'; name the provider this scenario is "
                      "for, or take a word all of them know",
                      missing, name);
  return 0;
}

/* Shortest stream of all providers the scenario may meet. */
static const struct provider *shortest(const struct jval *step,
                                       uint64_t *ret_events)
{
  const struct provider *found = NULL;
  struct reply r;
  reply_init(&r, BYTES(""));
  reply_from_step(&r, step->node, true);
  for (const struct provider *const *p = providers; *p; p++) {
    uint64_t events = cue_total(*p, &r);
    if (step_check_applies(step, *p) && (!found || events < *ret_events)) {
      found = *p;
      *ret_events = events;
    }
  }
  reply_release(&r);
  return found;
}

int step_check_after_event(const struct jval *step, struct diag *diag)
{
  struct jval value;
  int64_t after = 0;
  uint64_t events = 0;
  if (!jval_member(step, "after_event", &value) ||
      !param_int(step->node, "after_event", &after))
    return 0;
  const struct provider *p = shortest(step, &events);
  if (!p || (uint64_t)after < events)
    return 0;
  return jval_error(&value, diag,
                    "the stream of %s has %llu events here, so at most "
                    "%llu can come before the fault; more `chunks` make "
                    "it longer",
                    p->name, (unsigned long long)events,
                    events ? (unsigned long long)events - 1 : 0);
}

int step_check_one_of(const struct jval *step, const char *a, const char *b,
                      struct diag *diag)
{
  struct jval value;
  if (!param_has(step->node, a) || !jval_member(step, b, &value))
    return 0;
  return jval_key_error(&value, diag, "'%s' and '%s' exclude each other", a, b);
}

int step_check_text(const struct jval *v, struct diag *diag)
{
  char wrong[80];
  if (!cJSON_IsString(v->node))
    return 0;
  const char *what =
      value_check(bytes_of(v->node->valuestring), wrong, sizeof wrong);
  return what ? jval_error(v, diag, "%s %s", wrong, what) : 0;
}

int step_check_header_text(const struct jval *v, struct diag *diag)
{
  if (cJSON_IsString(v->node) && strpbrk(v->node->valuestring, "\r\n"))
    return jval_error(v, diag, "a header cannot hold a line break");
  return step_check_text(v, diag);
}

int step_check_headers(const struct jval *object, struct diag *diag)
{
  struct jval v;
  if (!jval_member(object, "headers", &v))
    return 0;
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval pair = jval_item(&v, i);
    struct jval name = jval_item(&pair, 0), value = jval_item(&pair, 1);
    if (step_check_header_text(&name, diag) < 0 ||
        step_check_header_text(&value, diag) < 0)
      return -1;
    if (!*name.node->valuestring)
      return jval_error(&name, diag, "a header needs a name");
  }
  return 0;
}
