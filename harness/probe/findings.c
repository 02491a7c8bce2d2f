#include "harness/probe/findings.h"

#include <string.h>

void findings_release(struct findings *f)
{
  for (size_t i = 0; i < f->nfacts; i++) {
    free(f->facts[i].what);
    free(f->facts[i].value);
    free(f->facts[i].evidence);
  }
  for (size_t i = 0; i < f->nsettings; i++) {
    free(f->settings[i].json);
    free(f->settings[i].note);
  }
  for (size_t i = 0; i < f->ndangers; i++)
    free(f->dangers[i].sentence);
  free(f->facts);
  free(f->settings);
  free(f->dangers);
  memset(f, 0, sizeof *f);
}

static void add_fact(struct findings *f, struct fact fact)
{
  f->facts = mem_realloc(f->facts, (f->nfacts + 1) * sizeof *f->facts);
  fact.probe = f->probe;
  f->facts[f->nfacts++] = fact;
}

void take_value(struct findings *f, const char *what, char *value,
                char *evidence)
{
  add_fact(f, (struct fact){.what = mem_strdup(what),
                            .value = value,
                            .evidence = evidence,
                            .measured = true});
}

void take_nothing(struct findings *f, const char *what, char *because)
{
  add_fact(f, (struct fact){.what = mem_strdup(what), .evidence = because});
}

static struct setting *find(const struct findings *f, const char *key)
{
  for (size_t i = 0; i < f->nsettings; i++)
    if (strcmp(f->settings[i].key, key) == 0)
      return &f->settings[i];
  return NULL;
}

const struct setting *findings_setting(const struct findings *f,
                                       const char *key)
{
  return find(f, key);
}

void take_setting(struct findings *f, const char *key, char *json, char *note)
{
  struct setting *s = find(f, key);
  if (s && (s->json || !json)) {
    free(json);
    free(note);
    return;
  }
  if (!s) {
    f->settings =
        mem_realloc(f->settings, (f->nsettings + 1) * sizeof *f->settings);
    s = &f->settings[f->nsettings++];
    *s = (struct setting){.key = key};
  }
  free(s->note);
  s->json = json;
  s->note = note;
}

void take_no_setting(struct findings *f, const char *key, char *note)
{
  take_setting(f, key, NULL, note);
}

void take_danger(struct findings *f, enum harm harm, const char *scenario,
                 char *sentence)
{
  f->dangers = mem_realloc(f->dangers, (f->ndangers + 1) * sizeof *f->dangers);
  f->dangers[f->ndangers++] = (struct danger){harm, scenario, sentence};
}

static struct danger *same_kind(const struct findings *f, enum harm harm,
                                const char *kind)
{
  size_t n = strlen(kind);
  for (size_t i = 0; i < f->ndangers; i++)
    if (f->dangers[i].harm == harm &&
        strncmp(f->dangers[i].sentence, kind, n) == 0 &&
        f->dangers[i].sentence[n] == ':')
      return &f->dangers[i];
  return NULL;
}

void take_case(struct findings *f, enum harm harm, const char *scenario,
               const char *kind, const char *what)
{
  struct danger *d = same_kind(f, harm, kind);
  if (!d) {
    take_danger(f, harm, scenario, mem_format("%s: %s", kind, what));
    return;
  }
  char *longer = mem_format("%s; %s", d->sentence, what);
  free(d->sentence);
  d->sentence = longer;
}

/* Few, and the order of equals stays. */
void findings_sort(struct findings *f)
{
  for (size_t i = 1; i < f->ndangers; i++)
    for (size_t k = i; k && f->dangers[k].harm < f->dangers[k - 1].harm; k--) {
      struct danger d = f->dangers[k];
      f->dangers[k] = f->dangers[k - 1];
      f->dangers[k - 1] = d;
    }
}
