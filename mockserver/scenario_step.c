#include "mockserver/scenario_step.h"

#include "base/words.h"
#include "mockserver/fault.h"
#include "mockserver/reply.h"
#include "mockserver/step_check.h"

#include <string.h>

/* A day, the longest a client is watched. */
#define MAX_DELAY_MS 86400000

static const char *const reply_words[] = {"message", NULL};

const struct param step_params[] = {
    {.name = "fault",
     .type = PARAM_STRING,
     .summary = "the fault kind; either this or `reply`"},
    {.name = "reply",
     .type = PARAM_WORD,
     .words = reply_words,
     .summary = "the provider's plain answer; either this or `fault`"},
    {.name = "lane",
     .type = PARAM_STRING,
     .summary = "only calls of this lane"},
    {.name = "match",
     .type = PARAM_OBJECT,
     .summary = "only calls that fit: path, model, stream, header, body"},
    {.name = "headers",
     .type = PARAM_PAIRS,
     .summary = "more headers of the answer, in order, doubles and case "
                "kept"},
    {.name = "delay_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_DELAY_MS,
     .summary = "milliseconds before the head of the answer"},
    {.name = NULL}};

const struct param reply_params[] = {
    {.name = "text",
     .type = PARAM_STRING,
     .summary = "what the model says, default \"" REPLY_TEXT "\""},
    {.name = "chunks",
     .type = PARAM_INT,
     .min = 1,
     .max = REPLY_MAX_CHUNKS,
     .summary = "number of text deltas; default: one a word"},
    {.name = "gap_ms",
     .type = PARAM_INT,
     .min = 0,
     .max = MAX_DELAY_MS,
     .summary = "milliseconds between two events"},
    {.name = NULL}};

const struct param match_params[] = {
    {.name = "path",
     .type = PARAM_STRING,
     .summary = "pattern (* ? []) on the path, lane prefix included"},
    {.name = "model",
     .type = PARAM_STRING,
     .summary = "pattern on the model's name"},
    {.name = "stream",
     .type = PARAM_BOOL,
     .summary = "the call asks for a stream, or does not"},
    {.name = "body",
     .type = PARAM_STRING,
     .summary = "text the request's body must hold"},
    {.name = NULL}};

/* `times` is a number or a word, which no type of param.h is. */
static const char *const step_others[] = {"times", NULL};
static const char *const match_others[] = {"header", NULL};

static int read_times(struct step *ret, const struct jval *v, struct diag *diag)
{
  struct jval value;
  ret->times = 1;
  if (!jval_member(v, "times", &value))
    return 0;
  if (cJSON_IsString(value.node) &&
      strcmp(value.node->valuestring, "always") == 0) {
    ret->times = INT64_MAX;
    return 0;
  }
  if (!cJSON_IsNumber(value.node))
    return jval_error(&value, diag,
                      "must be a whole number from 1 or \"always\"");
  return jval_int(&value, 1, 1000000000, &ret->times, diag);
}

static int read_match_header(struct match *m, const struct jval *v,
                             struct diag *diag)
{
  struct jval value;
  if (!jval_member(v, "header", &value))
    return 0;
  if (jval_array(&value, diag) < 0)
    return -1;
  if (jval_count(&value) != 2)
    return jval_error(&value, diag, "must be a pair [name, pattern]");
  struct jval name = jval_item(&value, 0), pattern = jval_item(&value, 1);
  if (jval_string(&name, &m->header_name, diag) < 0)
    return -1;
  return jval_string(&pattern, &m->header_value, diag);
}

static int read_match(struct match *m, const struct jval *step,
                      struct diag *diag)
{
  static const struct param *const tables[] = {match_params};
  struct jval v;
  bool stream = false;
  *m = (struct match){.stream = -1};
  if (!jval_member(step, "match", &v))
    return 0;
  if (param_check(&v, tables, 1, match_others, diag) < 0)
    return -1;
  param_string(v.node, "path", &m->path);
  param_string(v.node, "model", &m->model);
  param_string(v.node, "body", &m->body);
  if (param_bool(v.node, "stream", &stream))
    m->stream = stream;
  return read_match_header(m, &v, diag);
}

static int unknown_fault(const struct jval *v, const char *name,
                         struct diag *diag)
{
  const char *known[64];
  char hint[512];
  size_t n = 0;
  for (const struct fault *const *f = faults; *f && n < 63; f++)
    known[n++] = (*f)->name;
  known[n] = NULL;
  words_hint(name, known, hint, sizeof hint);
  return jval_error(v, diag, "unknown fault '%s'%s", name, hint);
}

static int read_fault(struct step *ret, const struct jval *v, struct diag *diag)
{
  struct jval fault, reply;
  const char *name = NULL;
  bool has_reply = jval_member(v, "reply", &reply);
  if (!jval_member(v, "fault", &fault)) {
    ret->fault = fault_find("none");
    return has_reply ? 0 : jval_error(v, diag, "needs 'fault' or 'reply'");
  }
  if (has_reply)
    return jval_key_error(&reply, diag,
                          "a step is either a 'fault' or a 'reply'");
  if (jval_string(&fault, &name, diag) < 0)
    return -1;
  ret->fault = fault_find(name);
  return ret->fault ? 0 : unknown_fault(&fault, name, diag);
}

static int check_headers(const struct jval *step, struct diag *diag)
{
  struct jval v;
  if (!jval_member(step, "headers", &v))
    return 0;
  for (int i = 0; i < jval_count(&v); i++) {
    struct jval pair = jval_item(&v, i);
    struct jval name = jval_item(&pair, 0), value = jval_item(&pair, 1);
    if (step_check_header_text(&name, diag) < 0 ||
        step_check_header_text(&value, diag) < 0)
      return -1;
    if (!*name.node->valuestring)
      return jval_error(&name, diag, "a header needs a name");
  }
  return 0;
}

/* Numbers or texts; a fraction of a header is only text to the server. */
static int check_literals(const struct jval *step, struct diag *diag)
{
  static const char *const keys[] = {"retry_after", "retry_after_ms", NULL};
  struct jval v;
  for (const char *const *key = keys; *key; key++)
    if (jval_member(step, *key, &v) && step_check_header_text(&v, diag) < 0)
      return -1;
  return 0;
}

static int check_text_length(const struct jval *step, struct diag *diag)
{
  struct jval v;
  if (!jval_member(step, "text", &v) || !cJSON_IsString(v.node) ||
      strlen(v.node->valuestring) <= REPLY_MAX_TEXT)
    return 0;
  return jval_error(&v, diag, "is longer than %zu bytes", REPLY_MAX_TEXT);
}

static int check_keys(const struct step *s, const struct jval *v,
                      struct diag *diag)
{
  const struct param *tables[] = {step_params, s->fault->params,
                                  s->fault->has_reply ? reply_params : NULL};
  if (param_check(v, tables, 3, step_others, diag) < 0 ||
      check_headers(v, diag) < 0 || check_literals(v, diag) < 0 ||
      check_text_length(v, diag) < 0)
    return -1;
  return s->fault->check ? s->fault->check(v, diag) : 0;
}

int scenario_step_read(struct step *ret, const struct jval *v, int index,
                       struct diag *diag)
{
  *ret = (struct step){.index = index, .node = v->node};
  if (jval_object(v, diag) < 0 || read_fault(ret, v, diag) < 0 ||
      check_keys(ret, v, diag) < 0 || read_times(ret, v, diag) < 0 ||
      read_match(&ret->match, v, diag) < 0)
    return -1;
  param_string(v->node, "lane", &ret->lane);
  return 0;
}
