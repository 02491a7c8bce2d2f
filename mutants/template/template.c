#include "mutants/template/template.h"

#include "mutants/texts.h"

#include <string.h>

const struct template TEMPLATES[] = {
#define TEMPLATE(id, area, technique, what, where, red, green, guard)          \
  {id, AREA_##area, TECHNIQUE_##technique, what, where, red, green, guard},
#include "mutants/template/templates.def"
#undef TEMPLATE
    {0}};

const char *const TEMPLATE_LANGUAGES[] = {
#define LANGUAGE(name, ...) name,
#include "mutants/template/languages.def"
#undef LANGUAGE
    NULL};

static const struct language {
  const char *name, *file;
  struct {
    const char *find, *with;
  } text[TECHNIQUE_VALUE]; /* by technique */
} LANGUAGES[] = {
#define LANGUAGE(name, file, f1, w1, f2, w2, f3, w3, f4, w4, f5, w5, f6, w6)   \
  {name, file, {{f1, w1}, {f2, w2}, {f3, w3}, {f4, w4}, {f5, w5}, {f6, w6}}},
#include "mutants/template/languages.def"
#undef LANGUAGE
};

static const struct language *find_language(const char *name)
{
  for (size_t i = 0; i < sizeof LANGUAGES / sizeof LANGUAGES[0]; i++)
    if (strcmp(LANGUAGES[i].name, name) == 0)
      return &LANGUAGES[i];
  return NULL;
}

/* Calls the printer for each name of a list. */
static int each_name(const char *list, const char *before, const char *between,
                     void (*add)(struct buf *ret, struct bytes name),
                     struct buf *ret)
{
  int n = 0;
  for (const char *p = list; *p;) {
    size_t length = strcspn(p, " ");
    buf_adds(ret, n++ ? between : before);
    add(ret, (struct bytes){p, length});
    p += length + strspn(p + length, " ");
  }
  return n;
}

static void add_quoted(struct buf *ret, struct bytes name)
{
  buf_add_json(ret, name);
}

static void add_code(struct buf *ret, struct bytes name)
{
  buf_addc(ret, '`');
  buf_addb(ret, name);
  buf_addc(ret, '`');
}

static void add_entry(const struct language *l, const struct template *t,
                      struct buf *ret)
{
  bool is_value = t->technique == TECHNIQUE_VALUE;
  buf_addf(ret, "  // %s\n", t->where);
  if (*t->red == '\0')
    buf_adds(ret, "  // no shipped scenario owns this one: write your own and "
                  "name it in \"red\"\n");
  buf_adds(ret, "  { \"id\": ");
  buf_add_json(ret, bytes_of(t->id));
  buf_adds(ret, ", \"why\": ");
  buf_add_json(ret, bytes_of(t->what));
  buf_adds(ret, ",\n    \"edits\": [ { \"file\": ");
  buf_add_json(ret, bytes_of(l->file));
  buf_adds(ret, ",\n      \"find\": ");
  buf_add_json(ret, bytes_of(is_value ? "OLD" : l->text[t->technique].find));
  buf_adds(ret, ", \"with\": ");
  buf_add_json(ret, bytes_of(is_value ? "NEW" : l->text[t->technique].with));
  buf_adds(ret, " } ],\n    \"red\": [");
  if (each_name(t->red, "", ", ", add_quoted, ret) == 0)
    buf_adds(ret, "\"*\"");
  buf_adds(ret, "]");
  if (each_name(t->green, ",\n    \"green\": [", ", ", add_quoted, ret))
    buf_adds(ret, "]");
  buf_adds(ret, " }");
}

bool template_plan(const char *language, const char *glob, struct buf *ret)
{
  const struct language *l = find_language(language);
  int n = 0;
  if (!l)
    return false;
  buf_adds(ret, "[");
  for (const struct template *t = TEMPLATES; t->id; t++) {
    if (!glob_matches(glob, t->id))
      continue;
    buf_adds(ret, n++ ? ",\n" : "\n");
    add_entry(l, t, ret);
  }
  buf_adds(ret, "\n]\n");
  return true;
}

static void add_row(const struct template *t, struct buf *ret)
{
  buf_addf(ret, "| `%s` | %s | %s | ", t->id, t->what, t->where);
  if (each_name(t->red, "", ", ", add_code, ret) == 0)
    buf_adds(ret, "your own");
  buf_adds(ret, " | ");
  each_name(t->green, "", ", ", add_code, ret);
  buf_adds(ret, " | ");
  each_name(t->guard, "", ", ", add_code, ret);
  buf_adds(ret, " |\n");
}

static int count(bool (*counts)(const struct template *t))
{
  int n = 0;
  for (const struct template *t = TEMPLATES; t->id; t++)
    n += counts(t);
  return n;
}

static bool is_any(const struct template *t)
{
  return t->id != NULL;
}

static bool is_owned(const struct template *t)
{
  return *t->red != '\0';
}

static bool is_in_guard(const struct template *t)
{
  return *t->guard != '\0';
}

void template_markdown(struct buf *ret)
{
  static const char *const HEADINGS[] = {
#define AREA(name, heading) heading,
#include "mutants/template/areas.def"
#undef AREA
  };
  buf_addf(ret,
           "# What to break in a client\n\n"
           "Printed by `faultwire mutate templates --as markdown`; a test "
           "compares. Each row is a control of an LLM client\nand the mutant "
           "that takes it away. `faultwire mutate templates --language python` "
           "prints the same as entries of a\nplan, with the file and the "
           "search text still to be filled in ([mutants.md](mutants.md)).\n\n"
           "%d mutants; %d are owned by a shipped scenario, for the others "
           "what to look for says what your own\nscenario needs; %d have a "
           "relative in the plan of guard (`mutants/guard/plan.json`).\n",
           count(is_any), count(is_owned), count(is_in_guard));
  for (int area = 0; area < AREA_COUNT; area++) {
    buf_addf(ret,
             "\n## %s\n\n| id | what is broken | where to look | must turn "
             "red | must stay green | in guard |\n|---|---|---|---|---|---|\n",
             HEADINGS[area]);
    for (const struct template *t = TEMPLATES; t->id; t++)
      if (t->area == (enum template_area)area)
        add_row(t, ret);
  }
}
