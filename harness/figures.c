#include "harness/figures.h"

#include "harness/herd.h"
#include "harness/judge.h"

#include <math.h>

/* Three digits behind the point are enough for a reader. */
static void add_rounded(cJSON *o, const char *key, double value)
{
  cJSON_AddNumberToObject(o, key, round(value * 1000) / 1000);
}

static cJSON *lockstep_json(const struct herd_lockstep *l)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "verdict", herd_step_name(l->step));
  cJSON_AddNumberToObject(o, "waits", (double)l->n);
  cJSON_AddNumberToObject(o, "peak", (double)l->peak);
  add_rounded(o, "bin_ms", l->bin_ms);
  add_rounded(o, "baseline_ms", l->baseline_ms);
  cJSON_AddNumberToObject(o, "p_at_most", l->p);
  cJSON_AddNumberToObject(o, "threshold", HERD_THRESHOLD);
  return o;
}

static void add_layers(cJSON *o, const struct herd *h)
{
  cJSON *layers = cJSON_AddArrayToObject(o, "layers");
  cJSON_AddStringToObject(o, "calls_told_by",
                          h->told ? "retry number or idempotency key" : "body");
  if (!h->told || !h->requests || !h->calls)
    return;
  for (int i = 0; i < 2; i++) {
    cJSON *layer = cJSON_CreateObject();
    cJSON_AddStringToObject(layer, "layer", i ? "outer" : "sdk");
    add_rounded(layer, "amplification",
                i ? (double)h->requests / (double)h->calls
                  : (double)h->attempts / (double)h->requests);
    cJSON_AddItemToArray(layers, layer);
  }
}

static void add_herd(cJSON *o, const struct herd *h)
{
  cJSON_AddNumberToObject(o, "attempts", (double)h->attempts);
  cJSON_AddNumberToObject(o, "calls", (double)h->calls);
  cJSON_AddNumberToObject(o, "completed", (double)h->completed);
  add_rounded(o, "completion",
              h->calls ? (double)h->completed / (double)h->calls : 0);
  add_rounded(o, "amplification", herd_amplification(h));
  add_layers(o, h);
  cJSON_AddNumberToObject(o, "waste", (double)h->waste);
  cJSON_AddNumberToObject(o, "peak_per_100_ms", (double)h->peak);
  cJSON_AddNumberToObject(o, "peak_repeats_per_100_ms",
                          (double)h->peak_repeats);
  cJSON_AddNumberToObject(o, "first_repeats", (double)h->first_repeats);
  add_rounded(o, "spread_s", h->spread_s);
  cJSON_AddItemToObject(o, "lockstep", lockstep_json(&h->lockstep));
}

/* --- a copy ----------------------------------------------------------------
 */

static bool says_of_lane(const struct expect *x, const char *lane)
{
  return x->check->per_lane && (!x->lane || strcmp(x->lane, lane) == 0);
}

static bool is_graver(enum verdict a, enum verdict b)
{
  static const int rank[NVERDICTS] = {[VERDICT_SKIP] = 1,
                                      [VERDICT_WARN] = 2,
                                      [VERDICT_INCONCLUSIVE] = 3,
                                      [VERDICT_FAIL] = 4};
  return rank[a] > rank[b];
}

/* The gravest; a lane no check is about has none. */
static bool judge_lane(const struct evidence *e, const char *lane,
                       struct judged *ret)
{
  bool any = false;
  for (size_t i = 0; i < e->spec->nexpects; i++) {
    struct expect x = e->spec->expects[i];
    struct judged j = {0};
    if (!says_of_lane(&x, lane))
      continue;
    x.lane = lane;
    judge_expect(e, &x, &j);
    if (!any || is_graver(j.finding.verdict, ret->finding.verdict))
      *ret = j;
    any = true;
  }
  return any;
}

static cJSON *copy_json(const struct evidence *e, const char *lane)
{
  struct judged j = {0};
  struct herd h;
  cJSON *o = cJSON_CreateObject();
  bool any = judge_lane(e, lane, &j);
  bool passed = j.finding.verdict == VERDICT_PASS;
  herd_measure(&h, e, lane);
  cJSON_AddStringToObject(o, "lane", lane);
  cJSON_AddStringToObject(
      o, "verdict",
      verdict_name(any ? j.finding.verdict : VERDICT_INCONCLUSIVE));
  cJSON_AddStringToObject(o, "check", any && !passed ? j.check : "");
  cJSON_AddNumberToObject(o, "attempts", (double)h.attempts);
  cJSON_AddNumberToObject(o, "completed", (double)h.completed);
  cJSON_AddNumberToObject(o, "waste", (double)h.waste);
  return o;
}

/* --- for people ----------------------------------------------------------
 */

static void add_line(cJSON *lines, char *text)
{
  cJSON_AddItemToArray(lines, cJSON_CreateString(text));
  free(text);
}

static char *lockstep_line(const struct herd_lockstep *l)
{
  if (l->step == HERD_UNKNOWN)
    return mem_format("in step? %zu waits are too few to tell", l->n);
  return mem_format("in step? %s: %zu of %zu waits within %g ms (chance %.2g, "
                    "limit %g)",
                    l->step == HERD_IN_STEP ? "yes" : "no", l->peak, l->n,
                    l->bin_ms, l->p, HERD_THRESHOLD);
}

static void add_lines(cJSON *notes, const struct herd *h, size_t good,
                      size_t copies)
{
  add_line(notes, mem_format("%zu of %zu copies right, %zu of %zu calls "
                             "completed, %.3g attempts a call, %zu wasted",
                             good, copies, h->completed, h->calls,
                             herd_amplification(h), h->waste));
  add_line(notes, mem_format("most at once: %zu repeats within 100 ms; first "
                             "repeats spread over %.3g s",
                             h->peak_repeats, h->spread_s));
  add_line(notes, lockstep_line(&h->lockstep));
}

static bool is_right(const cJSON *copy)
{
  const char *word = cJSON_GetObjectItem(copy, "verdict")->valuestring;
  return strcmp(word, verdict_name(VERDICT_FAIL)) != 0 &&
         strcmp(word, verdict_name(VERDICT_INCONCLUSIVE)) != 0;
}

void figures_add(cJSON *result, const struct evidence *e)
{
  struct herd h;
  size_t good = 0;
  cJSON *o = cJSON_AddObjectToObject(result, "figures");
  herd_measure(&h, e, NULL);
  cJSON_AddNumberToObject(o, "copies", (double)e->spec->nlanes);
  add_herd(o, &h);
  cJSON *list = cJSON_AddArrayToObject(o, "by_copy");
  for (size_t i = 0; i < e->spec->nlanes; i++) {
    cJSON *copy = copy_json(e, e->spec->lanes[i]);
    good += is_right(copy);
    cJSON_AddItemToArray(list, copy);
  }
  add_lines(cJSON_AddArrayToObject(result, "notes"), &h, good, e->spec->nlanes);
}
