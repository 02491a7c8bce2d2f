/* What virtual time knows about a run and real time does not: what was slept,
 * what was slow, who waits for ever. */
#include "harness/judge.h"

#include "harness/check/common.h"
#include "harness/vtime/rule.h"

static cJSON *opaque_json(const struct opaque_list *l)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < l->n; i++) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "program", l->seen[i].comm);
    cJSON_AddStringToObject(o, "call", l->seen[i].call);
    cJSON_AddStringToObject(o, "why", l->seen[i].why);
    cJSON_AddItemToArray(list, o);
  }
  return list;
}

/* The wait after one call: how much of it was slept. */
static cJSON *sleep_json(const struct evidence *e, const char *lane,
                         const struct gap *g)
{
  int64_t end = attempt_end_ns(g->before);
  struct jump_sum s =
      jump_log_between(e->vtime->log, end, g->after->first_byte_ns);
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "lane", lane);
  cJSON_AddNumberToObject(o, "after", g->number);
  cJSON_AddNumberToObject(o, "gap_s", ns_to_s(g->ns));
  if (s.whole) {
    cJSON_AddNumberToObject(o, "slept_s", ns_to_s(s.slept_ns));
    cJSON_AddNumberToObject(o, "longest_s", ns_to_s(s.longest_ns));
  }
  cJSON_AddNumberToObject(o, "computing_s", ns_to_s(s.computing_ns));
  cJSON_AddNumberToObject(o, "real_rate_s", ns_to_s(s.real_rate_ns));
  return o;
}

static void add_lane(const struct evidence *e, const char *lane, cJSON *list)
{
  struct lane_view v;
  struct gap g;
  lane_view_init(&v, e, lane);
  for (size_t i = 0; i < v.na; i++)
    if (lane_gap(&v, i, &g))
      cJSON_AddItemToArray(list, sleep_json(e, lane, &g));
  lane_view_release(&v);
}

static bool stalled(const struct evidence *e)
{
  for (size_t i = 0; i < e->nstarts; i++)
    if (e->starts[i].stalled_ns > 0)
      return true;
  return false;
}

/* More than a runtime's housekeeping: which thread is it? */
static void add_busiest(const struct vtime_report *r, cJSON *o)
{
  char comm[17];
  int64_t asked_ns = 0;
  size_t n = jump_log_busiest(r->log, comm, &asked_ns);
  double virtual_s = ns_to_s(r->virtual_ns);
  bool many = (double)r->jumps > RULE_MANY_JUMPS * (virtual_s + 1);
  cJSON_AddBoolToObject(o, "many_jumps", many);
  if (!many || n == 0)
    return;
  cJSON *busiest = cJSON_AddObjectToObject(o, "busiest");
  cJSON_AddStringToObject(busiest, "thread", comm);
  cJSON_AddNumberToObject(busiest, "jumps", (double)n);
  cJSON_AddNumberToObject(busiest, "wait_s", ns_to_s(asked_ns));
}

static void add_sums(const struct vtime_report *r, cJSON *o)
{
  cJSON_AddNumberToObject(o, "virtual_s", ns_to_s(r->virtual_ns));
  cJSON_AddNumberToObject(o, "real_s", ns_to_s(r->real_ns));
  cJSON_AddNumberToObject(o, "jumps", (double)r->jumps);
  add_busiest(r, o);
  cJSON_AddNumberToObject(o, "longest_sleep_s", ns_to_s(r->longest_sleep_ns));
  cJSON_AddNumberToObject(o, "crept_s", ns_to_s(r->crept_ns));
  cJSON_AddNumberToObject(o, "real_rate_s", ns_to_s(r->real_rate_ns));
}

cJSON *judge_time_json(const struct evidence *e)
{
  if (!e->vtime && !e->at_unused)
    return NULL;
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "mode", e->vtime ? "virtual" : "real");
  if (!e->vtime) {
    cJSON_AddBoolToObject(o, "at_unused", true);
    return o;
  }
  cJSON_AddStringToObject(o, "backend", e->vtime->backend);
  add_sums(e->vtime, o);
  cJSON_AddBoolToObject(o, "stalled", stalled(e));
  cJSON *sleeps = cJSON_AddArrayToObject(o, "sleeps");
  for (size_t i = 0; i < e->spec->nlanes; i++)
    add_lane(e, e->spec->lanes[i], sleeps);
  cJSON_AddItemToObject(o, "opaque", opaque_json(e->vtime->opaque));
  return o;
}
