#include "harness/report/report.h"

#include "base/json.h"
#include "base/param.h"

#include <string.h>
#include <unistd.h>

#define REPORT(name) extern const struct report report_##name;
#include "harness/report/reports.def"
#undef REPORT

const struct report *const reports[] = {
#define REPORT(name) &report_##name,
#include "harness/report/reports.def"
#undef REPORT
    NULL};

const struct report *report_find(const char *name)
{
  for (size_t i = 0; reports[i]; i++)
    if (strcmp(reports[i]->name, name) == 0)
      return reports[i];
  return NULL;
}

bool report_wants_colour(int fd)
{
  /* https://no-color.org: set and not empty means no colour */
  const char *no = getenv("NO_COLOR");
  return isatty(fd) && !(no && no[0]);
}

void result_release(struct result *r)
{
  free(r->name);
  free(r->file);
  free(r->why);
  free(r->reason);
  cJSON_Delete(r->json);
  memset(r, 0, sizeof *r);
}

/* A text of the object; absent counts as empty unless it is required. */
static int take_text(char **ret, const cJSON *object, const char *key,
                     bool required, struct diag *diag)
{
  const char *s = "";
  if (!param_string(object, key, &s) && required)
    return diag_set(diag, "a result has no text '%s'", key);
  *ret = mem_strdup(s);
  return 0;
}

static int take_verdict(struct result *r, const cJSON *object,
                        struct diag *diag)
{
  const char *words[NVERDICTS + 1] = {0}, *s = "";
  for (int v = 0; v < NVERDICTS; v++)
    words[v] = verdict_name((enum verdict)v);
  param_string(object, "verdict", &s);
  int v = param_word(object, "verdict", words, -1);
  if (v < 0)
    return diag_set(diag, "a result has the unknown verdict '%s'", s);
  r->verdict = (enum verdict)v;
  return 0;
}

static int take_kind(struct result *r, const cJSON *object, struct diag *diag)
{
  const char *words[NKINDS + 1] = {0}, *s = "";
  for (int k = 0; k < NKINDS; k++)
    words[k] = kind_name((enum kind)k);
  bool there = param_string(object, "kind", &s);
  int k = param_word(object, "kind", words, there ? -1 : KIND_NONE);
  if (k < 0)
    return diag_set(diag, "a result has the unknown kind '%s'", s);
  r->kind = (enum kind)k;
  return 0;
}

int result_from_json(struct result *ret, cJSON *object, struct diag *diag)
{
  struct result r = {.json = object};
  if (!cJSON_IsObject(object))
    diag_set(diag, "a result must be an object");
  else if (take_text(&r.name, object, "name", true, diag) == 0 &&
           take_text(&r.file, object, "file", false, diag) == 0 &&
           take_text(&r.why, object, "why", false, diag) == 0 &&
           take_text(&r.reason, object, "reason", false, diag) == 0 &&
           take_verdict(&r, object, diag) == 0 &&
           take_kind(&r, object, diag) == 0) {
    param_number(object, "seconds", &r.seconds);
    *ret = r;
    return 0;
  }
  result_release(&r);
  return -1;
}

size_t run_count(const struct run_report *run, enum verdict v)
{
  size_t n = 0;
  for (size_t i = 0; i < run->n; i++)
    n += run->results[i].verdict == v;
  return n;
}

const char *run_version(const struct run_report *run)
{
  return run->version ? run->version : FAULTWIRE_VERSION;
}

int run_exit_code(const struct run_report *run)
{
  if (run_count(run, VERDICT_FAIL) > 0)
    return 1;
  if (run->n == 0 || run_count(run, VERDICT_INCONCLUSIVE) > 0)
    return 3;
  return 0;
}
