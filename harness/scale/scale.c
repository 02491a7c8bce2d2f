#include "harness/scale/scale.h"

#include "harness/scale/bound.h"
#include "harness/scale/edits.h"
#include "harness/scale/implied.h"
#include "harness/scale/value.h"
#include "harness/scale/walk.h"

#include "base/json_places.h"
#include "base/param.h"

#include <assert.h>
#include <string.h>

#define MAX_TEXT (2 * JSON_MAX_BYTES)

/* The second walk. */
struct writing {
  const struct scale_plan *plan;
  const struct scale_facts *facts;
  struct json_places places;
  struct edits edits;
  cJSON *divided, *kept;
};

static void say_divided(const struct writing *w, const char *what,
                        struct bytes was, const char *is)
{
  char *text = bytes_dup(was);
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "what", what);
  cJSON_AddStringToObject(o, "was", text);
  cJSON_AddStringToObject(o, "is", is);
  cJSON_AddItemToArray(w->divided, o);
  free(text);
}

static void say_kept(cJSON *list, const char *what, const char *why)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "what", what);
  cJSON_AddStringToObject(o, "why", why);
  cJSON_AddItemToArray(list, o);
}

/* Of a value of the document that is walked. */
static size_t place_of(const struct writing *w, const struct jval *v,
                       size_t *ret_n)
{
  size_t at = 0;
  bool there = json_places_find(&w->places, v->node, &at, ret_n);
  assert(there);
  (void)there;
  return at;
}

/* Bytes at..at+n of the text become `is`, which is taken over; nothing when
 * they are the same. */
static void change(struct writing *w, const struct scale_visit *x, size_t at,
                   size_t n, char *is)
{
  struct bytes was = {x->v->doc->text + at, n};
  if (bytes_equal(was, bytes_of(is))) {
    free(is);
    return;
  }
  char *path = scale_path(x->v);
  say_divided(w, path, was, is);
  free(path);
  edits_add(&w->edits, at, n, is);
}

static void insert(struct writing *w, const struct scale_visit *x,
                   const char *key, double was, double is)
{
  struct buf value;
  char number[64];
  char *path = scale_path(x->v);
  bool root = path[0] == '$' || path[0] == '\0';
  char *what = mem_format("%s%s%s", root ? "" : path, root ? "" : ".", key);
  snprintf(number, sizeof number, "%.10g", was);
  buf_init(&value, 64);
  scale_put_number(is, &value);
  say_divided(w, what, bytes_of(number), buf_str(&value));
  size_t n = 0, at = place_of(w, x->v, &n);
  edits_insert(&w->edits, x->v, at, key, buf_detach(&value));
  free(what);
  free(path);
}

/* --- the kinds ------------------------------------------------------------ */

static char *divided_bound(const struct writing *w, const struct scale_visit *x,
                           enum scale_bound bound, struct bytes raw)
{
  struct buf out;
  char why[200], *text = bytes_dup(raw);
  bool is_text = cJSON_IsString(x->v->node);
  buf_init(&out, 65536);
  bool done = scale_bound_divide(is_text ? x->v->node->valuestring : text,
                                 bound, w->plan->k, &out, why, sizeof why);
  assert(done); /* else it would have been blocked */
  (void)done;
  free(text);
  bool follows = bytes_find(raw, BYTES("retry_after")) >= 0;
  if (bound == SCALE_BOUND_LOW && w->plan->cut_s > 0 && !follows)
    buf_addf(&out, " - %g", w->plan->cut_s);
  text = buf_detach(&out);
  bool number = !is_text && text[strspn(text, "0123456789.+e")] == '\0';
  char *quoted = number ? mem_strdup(text) : mem_format("\"%s\"", text);
  free(text);
  return quoted;
}

static char *divided_value(const struct writing *w, const struct scale_visit *x,
                           struct bytes raw)
{
  struct buf out;
  struct scale_work work = {.k = w->plan->k};
  buf_init(&out, MAX_TEXT);
  scale_value(&work, x->kind, raw, &out);
  return buf_detach(&out);
}

/* So many a second become k times as many. */
static char *multiplied(const struct writing *w, const struct scale_visit *x,
                        struct bytes raw)
{
  if (!cJSON_IsString(x->v->node))
    return divided_value(w, x, raw);
  return mem_format("\"(%s) * %.10g\"", x->v->node->valuestring, w->plan->k);
}

/* `per` is a word; as `per_s` it is any number. */
static void change_period(struct writing *w, const struct scale_visit *x,
                          size_t at, size_t n)
{
  static const char key[] = "\"per\"";
  const char *text = x->v->doc->text;
  size_t first = at;
  double s = scale_implied_period(x->v->node->valuestring);
  while (first > 0 && text[first - 1] != '"')
    first--;
  first -= sizeof key - 1;
  assert(memcmp(text + first, key, sizeof key - 1) == 0);
  change(w, x, first, at + n - first,
         mem_format("\"per_s\": %.10g", scale_divide(s, w->plan->k)));
}

/* What the object leaves out. */
static void enter(struct writing *w, const struct scale_visit *x)
{
  double s = scale_implied(x->place, x->v->node);
  if (w->plan->word == SCALE_DIVIDED && s >= SCALE_LEAST_S) {
    insert(w, x, scale_implied_key(x->place), s, scale_divide(s, w->plan->k));
  }
}

static void keep(const struct writing *w, const struct scale_time *t)
{
  say_kept(w->kept, t->path,
           t->threshold ? "a right client does not wait for it: no further "
                          "call is what is judged"
                        : "longer than the run lasts");
}

static void change_value(struct writing *w, const struct scale_visit *x)
{
  size_t n = 0, at = place_of(w, x->v, &n);
  struct bytes raw = {x->v->doc->text + at, n};
  switch (x->kind) {
  case SCALE_PER:
    change_period(w, x, at, n);
    break;
  case SCALE_LOW:
    change(w, x, at, n, divided_bound(w, x, SCALE_BOUND_LOW, raw));
    break;
  case SCALE_HIGH:
    change(w, x, at, n, divided_bound(w, x, SCALE_BOUND_HIGH, raw));
    break;
  case SCALE_RATE:
    change(w, x, at, n, multiplied(w, x, raw));
    break;
  default:
    change(w, x, at, n, divided_value(w, x, raw));
    break;
  }
}

static void visit(void *arg, const struct scale_visit *x)
{
  struct writing *w = arg;
  char *path = scale_path(x->v);
  bool divides = w->plan->word == SCALE_DIVIDED;
  bool changes = scale_kind_is_time(x->kind) || x->kind == SCALE_TEXT;
  const struct scale_time *kept = scale_facts_kept(w->facts, path);
  if (kept)
    keep(w, kept);
  else if (x->kind == SCALE_ENTER)
    enter(w, x);
  else if (divides && changes && x->kind != SCALE_OWN &&
           x->kind != SCALE_LIMIT_S && x->kind != SCALE_BLOCKS)
    change_value(w, x);
  free(path);
}

/* --- the limit ------------------------------------------------------------ */

static void change_limit(struct writing *w, const struct json_doc *doc,
                         double was)
{
  struct jval root = json_root(doc), client, limit;
  size_t at = 0, n = 0;
  double is = w->plan->limit_s;
  struct scale_visit x = {.v = &root};
  if (!(is < was))
    return;
  if (!jval_member(&root, "client", &client) || cJSON_IsNull(client.node)) {
    char *object = mem_format("{\"limit_s\": %.10g}", is);
    at = place_of(w, &root, &n);
    edits_insert(&w->edits, &root, at, "client", object);
    return;
  }
  x.v = &client;
  if (!jval_member(&client, "limit_s", &limit)) {
    insert(w, &x, "limit_s", was, is);
    return;
  }
  x.v = &limit;
  at = place_of(w, &limit, &n);
  change(w, &x, at, n, mem_format("%.10g", is));
}

/* --- the whole ------------------------------------------------------------ */

static void say_caveats(const struct writing *w)
{
  if (w->plan->word == SCALE_DIVIDED) {
    say_kept(w->kept, "policy.slack", "what a machine needs is not divided");
    say_kept(w->kept, "the client's own times",
             "back-off, time-outs, caps and cooling are not the server's to "
             "divide");
  }
  for (size_t i = 0; i < w->facts->nkept; i++)
    say_kept(w->kept, w->facts->kept[i].path, w->facts->kept[i].why);
  if (w->plan->why)
    say_kept(w->kept, "all", w->plan->why);
}

static void write(struct scaled *ret, const struct scenario *scenario,
                  const struct spec *spec, struct writing *w)
{
  w->divided = cJSON_CreateArray();
  w->kept = cJSON_CreateArray();
  json_places_init(&w->places, &scenario->doc);
  scale_walk(&scenario->doc, visit, w);
  change_limit(w, &scenario->doc, spec->limit_s);
  say_caveats(w);
  ret->json = cJSON_CreateObject();
  cJSON_AddNumberToObject(ret->json, "k", w->plan->k);
  cJSON_AddItemToObject(ret->json, "divided", w->divided);
  cJSON_AddItemToObject(ret->json, "kept", w->kept);
  if (w->edits.n)
    ret->text = edits_apply(&w->edits, &scenario->doc);
  edits_release(&w->edits);
  json_places_release(&w->places);
}

void scale_scenario(struct scaled *ret, const struct scenario *scenario,
                    const struct spec *spec, const struct scale_options *o)
{
  struct scale_plan plan;
  struct scale_facts facts;
  struct writing w = {.plan = &plan, .facts = &facts};
  scale_facts_read(&facts, scenario, spec);
  scale_decide(&plan, &facts, spec, o);
  *ret = (struct scaled){.k = plan.k};
  if (plan.word == SCALE_SKIPPED)
    ret->skip = mem_strdup(plan.why);
  if (plan.word != SCALE_AS_IS || plan.why)
    write(ret, scenario, spec, &w);
  free(plan.why);
  scale_facts_release(&facts);
}

void scaled_release(struct scaled *s)
{
  free(s->text);
  free(s->skip);
  cJSON_Delete(s->json);
  memset(s, 0, sizeof *s);
}

void scaled_add(const struct scaled *s, cJSON *result)
{
  if (!s->json)
    return;
  cJSON *time = cJSON_GetObjectItemCaseSensitive(result, "time");
  if (!time)
    time = cJSON_AddObjectToObject(result, "time");
  cJSON_DeleteItemFromObjectCaseSensitive(time, "mode");
  cJSON_AddStringToObject(time, "mode", "scaled");
  cJSON_AddItemToObject(time, "scale", cJSON_Duplicate(s->json, 1));
}
