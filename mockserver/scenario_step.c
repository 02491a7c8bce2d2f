#include "mockserver/scenario_step.h"

#include "base/words.h"
#include "mockserver/command/step.h"
#include "mockserver/endpoint.h"
#include "mockserver/fault.h"
#include "mockserver/reply_step.h"
#include "mockserver/shape.h"
#include "mockserver/step_body.h"
#include "mockserver/step_check.h"
#include "mockserver/step_file.h"
#include "mockserver/step_head.h"
#include "mockserver/step_talk.h"
#include "mockserver/step_when.h"
#include "mockserver/upstream/pass.h"

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
     .summary = "only calls that fit: path, model, stream, header, body, "
                "messages"},
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

const struct param *const step_tables[] = {
    step_params, when_params, head_params, shape_params, body_params, NULL};

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
    {.name = "messages",
     .type = PARAM_OBJECT,
     .summary = "what the conversation must have come to"},
    {.name = "endpoint",
     .type = PARAM_STRING,
     .summary = "pattern on the name of an endpoint (`faultwire list "
                "endpoints`); without it only generation calls fit"},
    {.name = "reused",
     .type = PARAM_BOOL,
     .summary = "the call is not, or is, the first request on its "
                "connection"},
    {.name = NULL}};

/* `times` is a number or a word, which no type of param.h is. */
static const char *const step_others[] = {"times", NULL};
static const char *const match_others[] = {"header", NULL};

static int read_times(struct step *ret, const struct jval *v, struct diag *diag)
{
  struct jval value;
  int64_t round = ret->barrier.requests;
  ret->times = step_when_times(ret);
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
  if (jval_int(&value, 1, 1000000000, &ret->times, diag) < 0)
    return -1;
  if (round && ret->times % round)
    return jval_error(&value, diag,
                      "must be a multiple of barrier.requests (%lld)",
                      (long long)round);
  return 0;
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

/* A pattern that fits no endpoint would never take anything. */
static int read_match_endpoint(struct match *m, const struct jval *v,
                               struct diag *diag)
{
  char hint[512];
  struct jval value;
  if (!jval_member(v, "endpoint", &value))
    return 0;
  m->endpoint = value.node->valuestring;
  if (endpoint_pattern_known(m->endpoint))
    return 0;
  words_hint(m->endpoint, endpoint_names(), hint, sizeof hint);
  return jval_error(&value, diag, "no endpoint is called '%s'%s", m->endpoint,
                    hint);
}

static int read_match(struct match *m, const struct jval *step,
                      struct diag *diag)
{
  static const struct param *const tables[] = {match_params};
  struct jval v;
  bool stream = false, reused = false;
  *m = (struct match){.stream = -1, .reused = -1};
  if (!jval_member(step, "match", &v))
    return 0;
  if (param_check(&v, tables, 1, match_others, diag) < 0)
    return -1;
  param_string(v.node, "path", &m->path);
  param_string(v.node, "model", &m->model);
  param_string(v.node, "body", &m->body);
  if (param_bool(v.node, "stream", &stream))
    m->stream = stream;
  if (param_bool(v.node, "reused", &reused))
    m->reused = reused;
  if (step_talk_read(&m->messages, &v, diag) < 0)
    return -1;
  if (read_match_endpoint(m, &v, diag) < 0)
    return -1;
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
    return has_reply
               ? 0
               : jval_error(v, diag,
                            "needs 'fault', 'reply', 'pass' or 'command'");
  }
  if (has_reply)
    return jval_key_error(&reply, diag,
                          "a step is either a 'fault' or a 'reply'");
  if (jval_string(&fault, &name, diag) < 0)
    return -1;
  ret->fault = fault_find(name);
  return ret->fault ? 0 : unknown_fault(&fault, name, diag);
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

int step_tables_of(const struct fault *f, const struct param *ret[STEP_TABLES])
{
  int n = 0;
  for (; step_tables[n]; n++)
    ret[n] = step_tables[n];
  ret[n++] = f->params;
  if (f->has_reply)
    ret[n++] = reply_params;
  return n;
}

static int check_keys(const struct step *s, const struct jval *v,
                      struct diag *diag)
{
  const struct param *tables[STEP_TABLES];
  int n = step_tables_of(s->fault, tables);
  if (param_check(v, tables, n, step_others, diag) < 0 ||
      step_check_headers(v, diag) < 0 || check_literals(v, diag) < 0 ||
      step_head_check(v, diag) < 0 || step_body_check(v, diag) < 0 ||
      reply_check_step(v, diag) < 0)
    return -1;
  return s->fault->check ? s->fault->check(v, diag) : 0;
}

/* A step of the command channel has keys of its own and the common "when". */
static int read_command(struct step *ret, const struct jval *v,
                        struct diag *diag)
{
  static const struct param *const more[] = {when_params, NULL};
  if (command_step_read(ret, v, more, diag) < 0 ||
      step_when_read(ret, v, diag) < 0)
    return -1;
  return read_times(ret, v, diag);
}

/* One that says only which calls go on. */
static int read_pass(struct step *ret, const struct jval *v, struct diag *diag)
{
  static const struct param *const tables[] = {pass_params, when_params};
  struct jval pass;
  ret->fault = fault_find("none");
  ret->pass = true;
  if (param_check(v, tables, 2, step_others, diag) < 0 ||
      step_when_read(ret, v, diag) < 0 || read_times(ret, v, diag) < 0 ||
      read_match(&ret->match, v, diag) < 0)
    return -1;
  param_string(v->node, "lane", &ret->lane);
  if (jval_member(v, "pass", &pass) && !cJSON_IsTrue(pass.node))
    return jval_error(&pass, diag, "must be true; leave the step out else");
  return ret->barrier.requests
             ? jval_error(v, diag, "'barrier' does not go with 'pass'")
             : 0;
}

int scenario_step_read(struct step *ret, const struct jval *v, int index,
                       struct diag *diag)
{
  *ret = (struct step){.index = index, .node = v->node};
  if (param_has(v->node, "command"))
    return read_command(ret, v, diag);
  if (param_has(v->node, "pass"))
    return read_pass(ret, v, diag);
  if (jval_object(v, diag) < 0 || read_fault(ret, v, diag) < 0 ||
      check_keys(ret, v, diag) < 0 || step_when_read(ret, v, diag) < 0 ||
      read_times(ret, v, diag) < 0 || shape_read(&ret->shape, v, diag) < 0 ||
      step_file_read(ret, v, diag) < 0 || read_match(&ret->match, v, diag) < 0)
    return -1;
  param_string(v->node, "lane", &ret->lane);
  ret->faulty = ret->fault != fault_find("none") || ret->shape;
  return 0;
}
