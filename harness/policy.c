#include "harness/policy.h"

#include "harness/pattern.h"

#include <string.h>

/* A year: nobody waits longer, and no sum of two overflows anything. */
#define MAX_S 31536000.0
/* Seconds an upper bound may be missed by on a busy machine (design). */
#define DEFAULT_SLACK_S 4.0

static const char *const over_words[] = {"stop", "wait", "clamp", NULL};
static const char *const zero_words[] = {"immediate", "backoff", NULL};
static const char *const usage_words[] = {"stop", "wait", "probe", NULL};
static const char *const truncated_words[] = {"retry", "error", NULL};
static const char *const terminal_words[] = {"strict", "lenient", NULL};

const struct param policy_params[] = {
    {.name = "max_wait_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "the longest wait a server may ask for that is obeyed"},
    {.name = "over_max_wait",
     .type = PARAM_WORD,
     .words = over_words,
     .summary = "what the client does when asked to wait longer"},
    {.name = "zero_retry_after",
     .type = PARAM_WORD,
     .words = zero_words,
     .summary = "what follows a retry-after of 0"},
    {.name = "usage_limit",
     .type = PARAM_WORD,
     .words = usage_words,
     .summary = "what the client does when a quota is used up"},
    {.name = "truncated",
     .type = PARAM_WORD,
     .words = truncated_words,
     .summary = "what the client makes of a stream that was cut"},
    {.name = "timeout_retry",
     .type = PARAM_INT,
     .max = 1000,
     .summary = "how often a call that timed out is made again"},
    {.name = "timeout_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "the client's own time-out for one attempt"},
    {.name = "timeout_stretch",
     .type = PARAM_NUMBER,
     .max = 1000,
     .summary = "how many times longer the time-out is when tried again"},
    {.name = "attempts",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .summary = "the most attempts for one call"},
    {.name = "deadline_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "the longest time one call may take with its repeats"},
    {.name = "base_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "the first wait of the backoff when nothing is asked for"},
    {.name = "retry_budget",
     .type = PARAM_NUMBER,
     .max = 100000,
     .summary = "the most repeats all calls of the client together may make"},
    {.name = "breaker",
     .type = PARAM_OBJECT,
     .summary = "the circuit breaker's numbers; null: there is none"},
    {.name = "places",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .summary = "the most calls at one time of all copies of the client that "
                "share {SHARED}"},
    {.name = "slows_down",
     .type = PARAM_BOOL,
     .summary = "whether the limits a good answer tells are obeyed before a "
                "429 comes; false is the same as absent"},
    {.name = "once",
     .type = PARAM_BOOL,
     .summary = "whether a piece of work ({WORK}) that is done is not done "
                "again; false is the same as absent"},
    {.name = "continues",
     .type = PARAM_BOOL,
     .summary = "whether a cut text is gone on from when {AFTER_CUT} says so; "
                "false is the same as absent"},
    {.name = "tells_retries",
     .type = PARAM_BOOL,
     .summary = "whether tries that are made again are told of as well, with "
                "class and wait; false is the same as absent"},
    {.name = "doubts_exit_0",
     .type = PARAM_BOOL,
     .summary = "whether a command's plain text that is an error is no answer "
                "after exit code 0; false is the same as absent"},
    {.name = "throttled_after",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .summary = "so many calls of all copies without an answer in two "
                "minutes, and nearly nothing more is sent"},
    {.name = "priorities",
     .type = PARAM_BOOL,
     .summary = "whether GUARD_LANE (high, normal, low) says which copy goes "
                "first when the GUARD_PLACES are taken; false is the same as "
                "absent"},
    {.name = "staggers",
     .type = PARAM_BOOL,
     .summary = "whether a copy waits GUARD_START times GUARD_STAGGER seconds "
                "before its first call; false is the same as absent"},
    {.name = "own_quota",
     .type = PARAM_BOOL,
     .summary = "whether GUARD_RPM and GUARD_TPM bound the requests and "
                "tokens of all copies in a minute; false is the same as "
                "absent"},
    {.name = "dead_letters",
     .type = PARAM_BOOL,
     .summary = "whether each call that was given up or degraded is a line of "
                "JSON in the file GUARD_DEAD_LETTERS; false is the same as "
                "absent"},
    {.name = "prometheus",
     .type = PARAM_BOOL,
     .summary = "whether the totals of all starts are in the file "
                "GUARD_PROMETHEUS; false is the same as absent"},
    {.name = "terminal",
     .type = PARAM_WORD,
     .words = terminal_words,
     .summary = "whether a stream without its last event is an error"},
    {.name = "metrics_line",
     .type = PARAM_STRING,
     .summary = "pattern of the metrics line, its counts as named groups; "
                "null: there is none"},
    {.name = "class_line",
     .type = PARAM_STRING,
     .summary = "pattern of the line that names an error's class, in the group "
                "class"},
    {.name = "slack",
     .type = PARAM_NUMBER,
     .max = 3600,
     .summary = "seconds upper time bounds may be missed by, default 4"},
    {.name = "virtual_slack",
     .type = PARAM_NUMBER,
     .max = 3600,
     .summary = "the same in virtual time, where load makes nobody late; "
                "default slack where the file has it, else 0.005"},
    {.name = NULL}};

const struct param policy_breaker_params[] = {
    {.name = "opens_after",
     .type = PARAM_INT,
     .min = 1,
     .max = 100000,
     .required = true,
     .summary = "so many failures open it"},
    {.name = "window_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "the time in which the failures must fall"},
    {.name = "cooldown_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "how long it stays open the first time"},
    {.name = "cooldown_max_s",
     .type = PARAM_NUMBER,
     .max = MAX_S,
     .summary = "the longest it stays open after repeated failures"},
    {.name = "counts",
     .type = PARAM_STRINGS,
     .summary = "the fault kinds that count as failures"},
    {.name = NULL}};

/* `null` says the same as leaving the key out; only the client's author sees
 * a difference. */
static void drop_nulls(cJSON *root)
{
  for (const struct param *p = policy_params; p->name; p++)
    if (cJSON_IsNull(param_node(root, p->name)))
      cJSON_DeleteItemFromObjectCaseSensitive(root, p->name);
}

static int check(const struct json_doc *doc, struct diag *diag)
{
  static const char *const others[] = {"$schema", "why", NULL};
  const struct param *table = policy_params;
  const struct param *breaker = policy_breaker_params;
  struct jval root = json_root(doc), v;
  drop_nulls(doc->root);
  if (param_check(&root, &table, 1, others, diag) < 0)
    return -1;
  if (jval_member(&root, "breaker", &v) &&
      param_check(&v, &breaker, 1, NULL, diag) < 0)
    return -1;
  if (jval_member(&root, "metrics_line", &v) && pattern_check(&v, diag) < 0)
    return -1;
  if (jval_member(&root, "class_line", &v) && pattern_check(&v, diag) < 0)
    return -1;
  return 0;
}

int policy_load(struct policy *ret, const char *path, struct diag *diag)
{
  struct policy p = {.file = path};
  if (json_load(&p.doc, path, diag) < 0)
    return -1;
  if (check(&p.doc, diag) < 0) {
    json_release(&p.doc);
    return -1;
  }
  *ret = p;
  return 0;
}

void policy_none(struct policy *ret)
{
  memset(ret, 0, sizeof *ret);
}

void policy_release(struct policy *p)
{
  if (p->doc.root)
    json_release(&p->doc);
  policy_none(p);
}

static const cJSON *node_of(const struct policy *p, const char *name)
{
  static const char prefix[] = "breaker.";
  const size_t n = sizeof prefix - 1;
  if (!p->doc.root)
    return NULL;
  if (strncmp(name, prefix, n) == 0)
    return param_node(param_node(p->doc.root, "breaker"), name + n);
  return param_node(p->doc.root, name);
}

bool policy_number(const struct policy *p, const char *name, double *ret)
{
  const cJSON *node = node_of(p, name);
  if (cJSON_IsNumber(node)) {
    *ret = node->valuedouble;
    return true;
  }
  if (strcmp(name, "slack") != 0)
    return false;
  *ret = DEFAULT_SLACK_S;
  return true;
}

bool policy_says(const struct policy *p, const char *name)
{
  return cJSON_IsNumber(node_of(p, name));
}

bool policy_text(const struct policy *p, const char *name, const char **ret)
{
  const cJSON *node = node_of(p, name);
  if (!cJSON_IsString(node))
    return false;
  *ret = node->valuestring;
  return true;
}

bool policy_has(const struct policy *p, const char *name)
{
  const cJSON *node = node_of(p, name);
  return (node && !cJSON_IsFalse(node)) || strcmp(name, "slack") == 0;
}

static bool in_table(const struct param *table, const char *name)
{
  for (; table->name; table++)
    if (strcmp(table->name, name) == 0)
      return true;
  return false;
}

bool policy_knows(const char *name)
{
  static const char prefix[] = "breaker.";
  const size_t n = sizeof prefix - 1;
  if (strncmp(name, prefix, n) == 0)
    return in_table(policy_breaker_params, name + n);
  return in_table(policy_params, name);
}
