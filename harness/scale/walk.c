#include "harness/scale/walk.h"

#include "base/param.h"

#include <string.h>
#include <strings.h>

struct walk {
  scale_visit_fn *fn;
  void *arg;
  int step;
};

static void object(struct walk *w, const char *place, const struct jval *v);

static void visit(const struct walk *w, const char *place, const struct jval *v,
                  enum scale_kind kind, const char *note)
{
  struct scale_visit x = {v, kind, note, place, w->step};
  w->fn(w->arg, &x);
}

/* Which keys an object has: a step about a command has others than one about
 * a call, an expectation those of its check. */
static void enter(struct walk *w, const char *place, const struct jval *v)
{
  char own[64];
  const char *check = "";
  if (!cJSON_IsObject(v->node))
    return; /* a word alone among the events, `tls: true` */
  bool command = strcmp(place, "step") == 0 && param_has(v->node, "command");
  snprintf(own, sizeof own, "%s", command ? "command" : place);
  if (strcmp(place, "expect") == 0 && param_string(v->node, "check", &check))
    snprintf(own, sizeof own, "expect/%s", check);
  visit(w, own, v, SCALE_ENTER, "");
  object(w, own, v);
}

static void enter_all(struct walk *w, const struct scale_key *k,
                      const struct jval *v)
{
  bool steps = strcmp(k->child, "step") == 0;
  const cJSON *item = v->node->child;
  if (!cJSON_IsArray(v->node)) {
    enter(w, k->child, v);
    return;
  }
  for (int i = 0; item; i++, item = item->next) {
    struct jval child = {v->doc, item, v, NULL, i};
    if (steps)
      w->step = i;
    enter(w, k->child, &child);
    if (steps)
      w->step = -1;
  }
}

static void members(struct walk *w, const struct scale_key *k,
                    const struct jval *v)
{
  const cJSON *item = v->node->child;
  for (int i = 0; item; i++, item = item->next) {
    struct jval child = {v->doc, item, v, item->string, i};
    enter(w, k->child, &child);
  }
}

/* What a header by that name says: a number in a header of waiting is one of
 * seconds, unless its name says milliseconds. */
static enum scale_kind header_kind(const char *name)
{
  size_t n = strlen(name);
  bool waits = strcasestr(name, "retry-after") || strcasestr(name, "reset");
  bool ms = n > 3 && strcasecmp(name + n - 3, "-ms") == 0;
  return !waits ? SCALE_TEXT : ms ? SCALE_SAYS_MS : SCALE_SAYS;
}

/* The second of each pair. */
static void pairs(struct walk *w, const struct scale_key *k,
                  const struct jval *v)
{
  const cJSON *item = v->node->child;
  for (int i = 0; item; i++, item = item->next) {
    struct jval pair = {v->doc, item, v, NULL, i};
    const cJSON *first = item->child;
    if (!first || !first->next)
      continue;
    struct jval value = {v->doc, first->next, &pair, NULL, 1};
    bool header = k->kind == SCALE_HEADERS && cJSON_IsString(first);
    visit(w, k->place, &value,
          header ? header_kind(first->valuestring) : SCALE_WAIT_MS, "");
  }
}

static void member(struct walk *w, const char *place, const struct jval *v)
{
  const struct scale_key *k = scale_key_find(place, v->key);
  if (cJSON_IsNull(v->node))
    return;
  if (!k)
    visit(w, place, v, SCALE_UNKNOWN, "is no key that is known");
  else if (k->kind == SCALE_ENTER)
    enter_all(w, k, v);
  else if (k->kind == SCALE_MEMBERS)
    members(w, k, v);
  else if (k->kind == SCALE_HEADERS || k->kind == SCALE_PAUSES)
    pairs(w, k, v);
  else if (k->kind != SCALE_PLAIN)
    visit(w, place, v, k->kind, k->child);
}

static void object(struct walk *w, const char *place, const struct jval *v)
{
  const cJSON *item = v->node->child;
  for (int i = 0; item; i++, item = item->next) {
    struct jval child = {v->doc, item, v, item->string, i};
    member(w, place, &child);
  }
}

void scale_walk(const struct json_doc *doc, scale_visit_fn *fn, void *arg)
{
  struct walk w = {fn, arg, -1};
  struct jval root = json_root(doc);
  visit(&w, "top", &root, SCALE_ENTER, "");
  object(&w, "top", &root);
}

char *scale_path(const struct jval *v)
{
  struct buf b;
  buf_init(&b, 4096);
  jval_path(v, &b);
  const char *text = buf_str(&b);
  char *path = mem_strdup(text[0] == '$' && text[1] == '.' ? text + 2 : text);
  buf_release(&b);
  return path;
}
