#include "harness/scale/facts.h"

#include "harness/scale/bound.h"
#include "harness/scale/implied.h"
#include "harness/scale/value.h"
#include "harness/scale/walk.h"

#include "base/param.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Ceiling of a divided value's text: that of its file. */
#define MAX_TEXT (2 * JSON_MAX_BYTES)
/* A number as large as this in an expectation's text is no count. */
#define LEAST_CLAIM_S 10
/* What most clients end at (docs/policy.md), where a step answers all calls. */
#define USUAL_CALLS 6.0

/* One walk. `path` and `x` are those of the value looked at. */
struct reading {
  struct scale_facts *f;
  const struct scenario *scenario;
  const struct spec *spec;
  const struct scale_visit *x;
  struct scale_expected told;
  char *path;
  struct scale_kept *claims; /* path and JSON text */
  size_t nclaims;
};

static void add_pair(struct scale_kept **list, size_t *n, const char *path,
                     const char *text)
{
  *list = mem_realloc(*list, (*n + 1) * sizeof **list);
  (*list)[(*n)++] = (struct scale_kept){mem_strdup(path), mem_strdup(text)};
}

static void block(struct reading *r, const char *why)
{
  if (!r->f->blocked)
    r->f->blocked = mem_format("%s %s", r->path, why);
}

static double times_of(const struct reading *r)
{
  int step = r->x->step;
  if (step < 0) /* client.pause_s is between two starts */
    return strcmp(r->x->place, "client") == 0 ? r->spec->starts - 1 : 1;
  int64_t times = r->scenario->steps[step].times;
  double most = fmin(r->told.most, USUAL_CALLS);
  return times == INT64_MAX ? most : (double)times;
}

/* What is done for so long is never seen to end. A limiter's period is not
 * waited for whole. */
static bool is_beyond(const struct reading *r, double s, bool says)
{
  return !says && s >= r->spec->limit_s && strcmp(r->x->place, "bucket") != 0;
}

static void add_time(struct reading *r, double s, bool whole, bool says)
{
  struct scale_facts *f = r->f;
  enum scale_told told = says ? scale_told(&r->told, r->x->step) : TOLD_WAITED;
  if (s < SCALE_LEAST_S)
    return;
  if (told == TOLD_UNSAID)
    block(r, "may be waited for or not: no expectation says");
  f->times = mem_realloc(f->times, (f->n + 1) * sizeof *f->times);
  f->times[f->n++] = (struct scale_time){.path = mem_strdup(r->path),
                                         .s = s,
                                         .step = r->x->step,
                                         .times = times_of(r),
                                         .says = says,
                                         .point = r->x->kind == SCALE_FROM_S,
                                         .whole = whole,
                                         .beyond = is_beyond(r, s, says),
                                         .threshold = told == TOLD_THRESHOLD};
}

static void found(void *arg, double s, bool whole)
{
  struct reading *r = arg;
  add_time(r, s, whole, scale_kind_says(r->x->kind));
}

/* --- the kinds ------------------------------------------------------------ */

static void read_value(struct reading *r)
{
  struct scale_work w = {.k = 1, .found = found, .arg = r};
  struct buf none;
  char *raw = cJSON_PrintUnformatted(r->x->v->node);
  size_t before = r->f->n;
  buf_init(&none, MAX_TEXT);
  bool threshold = !scale_value(&w, r->x->kind, bytes_of(raw), &none) &&
                   r->f->n > before && r->f->times[r->f->n - 1].threshold;
  if (w.why[0] && !threshold)
    block(r, w.why);
  r->f->cut |= w.cut && r->f->n > before;
  buf_release(&none);
  cJSON_free(raw);
}

static void read_bound(struct reading *r, enum scale_bound bound)
{
  struct buf none;
  char why[200];
  char *raw = cJSON_PrintUnformatted(r->x->v->node);
  const char *text =
      cJSON_IsString(r->x->v->node) ? r->x->v->node->valuestring : raw;
  buf_init(&none, 65536);
  if (!scale_bound_divide(text, bound, 1, &none, why, sizeof why))
    block(r, why);
  buf_release(&none);
  cJSON_free(raw);
}

static void read_needs(struct reading *r)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, r->x->v->node)
  {
    const struct scale_key *k = scale_key_find("policy", item->valuestring);
    if (k && k->kind != SCALE_OWN)
      continue;
    char *why = mem_format("is about the client's own '%s'", item->valuestring);
    block(r, why);
    free(why);
  }
}

static void read_period(struct reading *r)
{
  add_time(r, scale_implied_period(r->x->v->node->valuestring), true, false);
}

/* What follows from what an object has and what it leaves out. */
static void read_object(struct reading *r)
{
  double s = scale_implied(r->x->place, r->x->v->node);
  bool says = strcmp(r->x->place, "bucket") != 0;
  if (s >= SCALE_LEAST_S)
    add_time(r, s, true, says);
  /* what a limiter tells is what is left of its period when the client comes,
   * and coming does not become shorter */
  r->f->cut |= s >= SCALE_LEAST_S && says;
  r->f->cut |= strcmp(r->x->place, "bucket") == 0;
  if (s >= SCALE_LEAST_S && strcmp(r->x->place, "command") == 0 &&
      !r->f->times[r->f->n - 1].threshold)
    block(r, "is told in words, by the hour or the day");
  s = scale_implied_refill(r->x->place, r->x->v->node);
  if (s < SCALE_LEAST_S)
    return;
  add_time(r, s, false, false);
  r->f->times[r->f->n - 1].implied = true;
}

static void keep(struct reading *r, const char *why)
{
  add_pair(&r->f->kept, &r->f->nkept, r->path, why);
}

static void read_kind(struct reading *r, const struct scale_visit *x)
{
  char *raw = NULL;
  switch (x->kind) {
  case SCALE_ENTER:
    read_object(r);
    break;
  case SCALE_BLOCKS:
  case SCALE_UNKNOWN:
    block(r, x->note);
    break;
  case SCALE_REST_S:
    block(r, x->note);
    read_value(r);
    break;
  case SCALE_OWN:
    keep(r, x->note);
    break;
  case SCALE_HIDDEN:
    keep(r, "bytes that are not looked into");
    break;
  case SCALE_WINDOW:
    if (strcmp(x->v->node->valuestring, "calendar_day") == 0)
      block(r, "ends at midnight");
    break;
  case SCALE_PER:
    read_period(r);
    break;
  case SCALE_NEEDS:
    read_needs(r);
    break;
  case SCALE_LOW:
    read_bound(r, SCALE_BOUND_LOW);
    break;
  case SCALE_HIGH:
    read_bound(r, SCALE_BOUND_HIGH);
    break;
  case SCALE_NUMBER:
  case SCALE_RATE:
    read_bound(r, SCALE_BOUND_NUMBER);
    break;
  case SCALE_CLAIM:
    raw = cJSON_PrintUnformatted(x->v->node);
    add_pair(&r->claims, &r->nclaims, r->path, raw);
    cJSON_free(raw);
    break;
  case SCALE_LIMIT_S:
  case SCALE_BOUND_S:
    break;
  default:
    read_value(r);
    break;
  }
}

static void visit(void *arg, const struct scale_visit *x)
{
  struct reading *r = arg;
  r->x = x;
  r->path = scale_path(x->v);
  read_kind(r, x);
  free(r->path);
}

/* --- what expectations say in figures --------------------------------------
 */

/* A time as an expectation would write it. */
struct number {
  char text[24];
  const struct scale_time *time;
};

static int by_text(const void *a, const void *b)
{
  const struct number *x = a, *y = b;
  return strcmp(x->text, y->text);
}

static int by_text_and_place(const void *a, const void *b)
{
  const struct number *x = a, *y = b;
  int text = by_text(a, b);
  return text ? text : (x->time > y->time) - (x->time < y->time);
}

/* The first of each is left; how many. */
static size_t sort_numbers(struct number *list, size_t n)
{
  size_t kept = 1;
  qsort(list, n, sizeof *list, by_text_and_place);
  for (size_t i = 1; i < n; i++)
    if (by_text(&list[i], &list[kept - 1]) != 0)
      list[kept++] = list[i];
  return kept;
}

/* Those that are divided and no counts; the caller frees. */
static struct number *numbers_of(const struct scale_facts *f, size_t *ret_n)
{
  struct number *list = mem_zalloc((f->n + 1) * sizeof *list);
  size_t n = 0;
  for (size_t i = 0; i < f->n; i++) {
    const struct scale_time *t = &f->times[i];
    if (t->threshold || t->beyond || t->s < LEAST_CLAIM_S)
      continue;
    snprintf(list[n].text, sizeof list[n].text, "%.10g", t->s);
    list[n++].time = t;
  }
  *ret_n = n ? sort_numbers(list, n) : 0;
  return list;
}

/* Every number that begins at `p`, which is behind no digit: 3600 of 3600.5
 * is one, and so is 3600.5. */
static const struct number *number_at(const char *p, const struct number *list,
                                      size_t n)
{
  struct number key;
  for (size_t i = 0; i + 1 < sizeof key.text; i++) {
    if (!isdigit((unsigned char)p[i]) && !strchr(".e+", p[i]))
      return NULL;
    key.text[i] = p[i];
    key.text[i + 1] = '\0';
    if (!isdigit((unsigned char)p[i]) || isdigit((unsigned char)p[i + 1]))
      continue;
    const struct number *found = bsearch(&key, list, n, sizeof key, by_text);
    if (found)
      return found;
  }
  return NULL;
}

static const struct number *named_in(const char *text,
                                     const struct number *list, size_t n)
{
  const struct number *found = NULL;
  bool digit = false;
  for (; n && *text && !found; text++) {
    if (!digit && isdigit((unsigned char)*text))
      found = number_at(text, list, n);
    digit = isdigit((unsigned char)*text);
  }
  return found;
}

/* A text that holds 3600 may mean the seconds that are no longer told. */
static void check_claims(struct reading *r)
{
  size_t n = 0;
  struct number *list = numbers_of(r->f, &n);
  for (size_t i = 0; i < r->nclaims; i++) {
    const struct number *named = named_in(r->claims[i].why, list, n);
    if (!named)
      continue;
    char *why =
        mem_format("names the %g of %s", named->time->s, named->time->path);
    r->path = r->claims[i].path;
    block(r, why);
    free(why);
  }
  free(list);
}

/* --- what is kept ----------------------------------------------------------
 */

static int by_path(const void *a, const void *b)
{
  const struct scale_time *const *x = a, *const *y = b;
  return strcmp((*x)->path, (*y)->path);
}

static void sort_held(struct scale_facts *f)
{
  f->held = mem_zalloc((f->n + 1) * sizeof *f->held);
  for (size_t i = 0; i < f->n; i++)
    if (f->times[i].threshold || f->times[i].beyond)
      f->held[f->nheld++] = &f->times[i];
  if (f->nheld)
    qsort(f->held, f->nheld, sizeof *f->held, by_path);
}

static void release_pairs(struct scale_kept *list, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    free(list[i].path);
    free(list[i].why);
  }
  free(list);
}

void scale_facts_read(struct scale_facts *ret, const struct scenario *scenario,
                      const struct spec *spec)
{
  struct scale_facts f = {0};
  struct reading r = {.f = &f, .scenario = scenario, .spec = spec};
  scale_expected_read(&r.told, scenario, spec);
  scale_walk(&scenario->doc, visit, &r);
  scale_expected_release(&r.told);
  check_claims(&r);
  sort_held(&f);
  release_pairs(r.claims, r.nclaims);
  *ret = f;
}

void scale_facts_release(struct scale_facts *f)
{
  for (size_t i = 0; i < f->n; i++)
    free(f->times[i].path);
  free(f->times);
  free(f->held);
  release_pairs(f->kept, f->nkept);
  free(f->blocked);
  memset(f, 0, sizeof *f);
}

const struct scale_time *scale_facts_kept(const struct scale_facts *f,
                                          const char *path)
{
  struct scale_time time = {.path = mem_strdup(path)};
  const struct scale_time *key = &time;
  const struct scale_time *const *found =
      f->nheld ? bsearch(&key, f->held, f->nheld, sizeof *f->held, by_path)
               : NULL;
  free(time.path);
  return found ? *found : NULL;
}
