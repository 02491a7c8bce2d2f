/* jumps.jsonl of an evidence folder, read again. */
#include "harness/vtime/jump_log.h"

#include "base/clock.h"
#include "base/param.h"

#include <math.h>
#include <string.h>

/* INT64_MAX nanoseconds: a wait that nobody can have asked for. */
#define MAX_S 9223372037.0
#define MAX_PID 4194304

static const struct param params[] = {
    {.name = "at_s", .type = PARAM_NUMBER, .max = MAX_S},
    {.name = "from_s", .type = PARAM_NUMBER, .max = MAX_S},
    {.name = "length_s", .type = PARAM_NUMBER, .min = -MAX_S, .max = MAX_S},
    {.name = "asked_s", .type = PARAM_NUMBER, .min = -MAX_S, .max = MAX_S},
    {.name = "pid", .type = PARAM_INT, .max = MAX_PID},
    {.name = "tid", .type = PARAM_INT, .max = MAX_PID},
    {.name = "thread", .type = PARAM_STRING},
    {.name = "call", .type = PARAM_STRING},
    {.name = "slow", .type = PARAM_WORD, .words = slow_words},
    {.name = "left_out", .type = PARAM_INT, .max = 9007199254740992.0},
    {.name = NULL}};

static int64_t ns_at(const cJSON *line, const char *key)
{
  double s = 0;
  param_number(line, key, &s);
  if (s > MAX_S - 1)
    return NO_DEADLINE;
  return llround(s * (double)NS_PER_S);
}

static void take_jump(struct jump_log *l, const cJSON *line, int64_t start_ns)
{
  int64_t pid = 0, tid = 0;
  const char *comm = "-";
  param_int(line, "pid", &pid);
  param_int(line, "tid", &tid);
  param_string(line, "thread", &comm);
  struct jump j = {.at_ns = start_ns + ns_at(line, "at_s"),
                   .length_ns = ns_at(line, "length_s"),
                   .asked_ns = ns_at(line, "asked_s"),
                   .pid = (int)pid,
                   .tid = (int)tid,
                   .call = ""};
  snprintf(j.comm, sizeof j.comm, "%s", comm);
  jump_log_add(l, &j);
}

/* With its sum at once: a stretch may hold reads of the clock. */
static void take_slow(struct jump_log *l, const cJSON *line, int64_t start_ns)
{
  enum slow_kind kind =
      (enum slow_kind)param_word(line, "slow", slow_words, SLOW_COMPUTING);
  jump_log_add_slow(l, kind, start_ns + ns_at(line, "at_s"),
                    ns_at(line, "length_s"));
  if (l->nslow)
    l->slow[l->nslow - 1].from_ns = start_ns + ns_at(line, "from_s");
}

static int take_line(struct jump_log *l, const struct jval *line,
                     int64_t start_ns, struct diag *diag)
{
  const struct param *table = params;
  int64_t left_out = 0;
  if (param_check(line, &table, 1, NULL, diag) < 0)
    return -1;
  if (param_int(line->node, "left_out", &left_out))
    l->total += (uint64_t)left_out;
  else if (!param_has(line->node, "at_s") || !param_has(line->node, "length_s"))
    return jval_error(line, diag, "is no jump: 'at_s' and 'length_s' belong");
  else if (param_has(line->node, "slow"))
    take_slow(l, line->node, start_ns);
  else
    take_jump(l, line->node, start_ns);
  return 0;
}

static int take_text(struct jump_log *l, int64_t start_ns, struct bytes one,
                     const char *name, struct diag *diag)
{
  struct json_doc doc;
  if (json_parse(&doc, name, one, diag) < 0)
    return -1;
  struct jval line = json_root(&doc);
  int rc = take_line(l, &line, start_ns, diag);
  json_release(&doc);
  return rc;
}

int jump_log_read(struct jump_log *ret, int64_t start_ns, const char *name,
                  struct bytes text, struct diag *diag)
{
  struct jump_log l;
  int number = 1;
  jump_log_init(&l);
  for (; text.n; number++) {
    const char *end = memchr(text.p, '\n', text.n);
    size_t n = end ? (size_t)(end - text.p) : text.n;
    if (n &&
        take_text(&l, start_ns, (struct bytes){text.p, n}, name, diag) < 0) {
      diag_in_file(diag, name);
      diag->line = number;
      jump_log_release(&l);
      return -1;
    }
    text.p += n + (end != NULL);
    text.n -= n + (end != NULL);
  }
  *ret = l;
  return 0;
}
