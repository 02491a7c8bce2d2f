#include "harness/judge.h"

#include "harness/check/common.h"
#include "harness/figures.h"
#include "harness/judge_picture.h"

/* Ceiling of one attempt's object: its body is cut by the journal. */
#define MAX_ATTEMPT_JSON ((size_t)8 << 20)

static cJSON *check_json(const struct judged *j)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "check", j->check);
  cJSON_AddStringToObject(o, "verdict", verdict_name(j->finding.verdict));
  cJSON_AddStringToObject(o, "text", j->finding.text);
  cJSON_AddStringToObject(o, "expected", j->finding.expected);
  cJSON_AddStringToObject(o, "actual", j->finding.actual);
  cJSON_AddStringToObject(o, "lane", j->lane);
  return o;
}

static cJSON *attempts_json(const struct evidence *e)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < e->nall; i++) {
    struct buf b;
    buf_init(&b, MAX_ATTEMPT_JSON);
    attempt_json(e->all[i], &b);
    cJSON_AddItemToArray(list, cJSON_CreateRaw(buf_str(&b)));
    buf_release(&b);
  }
  return list;
}

static cJSON *start_json(const struct evidence *e, const struct client_start *s)
{
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "lane", s->lane);
  cJSON_AddNumberToObject(o, "number", s->number);
  cJSON_AddNumberToObject(o, "exit_code", s->exit_code);
  cJSON_AddNumberToObject(o, "signal", s->signal);
  cJSON_AddBoolToObject(o, "timed_out", s->timed_out);
  if (s->ended_by != START_LIMIT) {
    cJSON_AddStringToObject(o, "ended_by", start_end_words[s->ended_by]);
    cJSON_AddStringToObject(o, "ended_in", s->ended_in);
  }
  if (s->stalled_ns > 0)
    cJSON_AddStringToObject(o, "stalled_in", s->stalled_in);
  cJSON_AddNumberToObject(o, "seconds", ns_to_s(s->exit_ns - s->start_ns));
  cJSON_AddBoolToObject(o, "launched", s->launched);
  if (!s->launched)
    cJSON_AddStringToObject(o, "launch_error", s->launch_error);
  cJSON_AddBoolToObject(o, "left_children", s->left_children);
  cJSON_AddNumberToObject(o, "out_bytes", (double)s->out_bytes);
  cJSON_AddNumberToObject(o, "err_bytes", (double)s->err_bytes);
  picture_add_start(o, e, s);
  return o;
}

static cJSON *starts_json(const struct evidence *e)
{
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < e->nstarts; i++)
    cJSON_AddItemToArray(list, start_json(e, &e->starts[i]));
  return list;
}

static cJSON *head_json(const struct judge_names *names, const char *why,
                        const struct outcome *o)
{
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "name", names->address);
  cJSON_AddStringToObject(root, "file", names->file);
  cJSON_AddStringToObject(root, "why", why ? why : "");
  cJSON_AddStringToObject(root, "verdict", verdict_name(o->verdict));
  cJSON_AddStringToObject(root, "kind", kind_name(o->kind));
  cJSON_AddStringToObject(root, "reason", o->reason);
  cJSON_AddNumberToObject(root, "seconds", names->seconds);
  cJSON_AddNumberToObject(root, "seed", (double)names->seed);
  return root;
}

cJSON *judge_json(const struct evidence *e, const struct judge_names *names)
{
  struct outcome o;
  size_t n = 0;
  struct judged *list = judge_checks(e, &n);
  judge_decide(e, list, n, &o);
  cJSON *root = head_json(names, e->scenario->why, &o);
  cJSON *array = cJSON_AddArrayToObject(root, "checks");
  for (size_t i = 0; i < n; i++) {
    cJSON *check = check_json(&list[i]);
    if (i < e->spec->nexpects)
      picture_add_line(check, e, &e->spec->expects[i]);
    cJSON_AddItemToArray(array, check);
  }
  free(list);
  cJSON_AddItemToObject(root, "attempts", attempts_json(e));
  cJSON_AddNumberToObject(root, "side", (double)e->nside);
  cJSON_AddNumberToObject(root, "refused", (double)e->nrefused);
  cJSON_AddItemToObject(root, "starts", starts_json(e));
  picture_add_run(root, e);
  if (e->spec->nlanes > 1)
    figures_add(root, e);
  cJSON_AddItemToObject(root, "transcript", transcript_json(e));
  cJSON_AddStringToObject(root, "again", names->again);
  cJSON *time = judge_time_json(e);
  if (time)
    cJSON_AddItemToObject(root, "time", time);
  return root;
}

/* Of a scenario without a run. */
static cJSON *bare(const struct judge_names *names, const char *why,
                   struct outcome *o, const char *sentence)
{
  snprintf(o->reason, sizeof o->reason, "%s", sentence);
  cJSON *root = head_json(names, why, o);
  cJSON_AddArrayToObject(root, "checks");
  cJSON_AddArrayToObject(root, "attempts");
  cJSON_AddNumberToObject(root, "side", 0);
  cJSON_AddArrayToObject(root, "starts");
  cJSON_AddArrayToObject(root, "transcript");
  cJSON_AddStringToObject(root, "again", names->again);
  return root;
}

cJSON *judge_harness_error(const struct judge_names *names, const char *why,
                           const char *sentence)
{
  struct outcome o = {VERDICT_INCONCLUSIVE, KIND_HARNESS, ""};
  return bare(names, why, &o, sentence);
}

cJSON *judge_skipped(const struct judge_names *names, const char *why,
                     const char *sentence)
{
  struct outcome o = {VERDICT_SKIP, KIND_NONE, ""};
  return bare(names, why, &o, sentence);
}
