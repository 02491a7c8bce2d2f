/*
 * LLMock's queue of behaviours: a JSON list of objects with `type`, or one
 * of them.
 *
 * Source: llmock/scenarios.py of LLMock 0.2 (behavior_from_dict, the queue's
 * rules). A request takes the first behaviour of each category that accepts
 * it; an error takes it alone. So behaviours of several categories with the
 * same match become one step.
 */
#include "mockserver/import/peer.h"

#include "base/words.h"

#include <math.h>
#include <string.h>

enum category { FAIL, DELAY, SLOW, STREAM, REPLY, TOOL, CATEGORIES };
static const char *const types[] = {
    "fail",       "delay", "slow_first_token", "stream_fault", "reply",
    "tool_fault", NULL};
/* LLMock's own default where its script names no wait (its middleware). */
#define DEFAULT_RETRY_AFTER_S 1
#define DEFAULT_STALL_S 30
enum { MAX_BEHAVIOURS = 10000, MAX_CHUNKS = 10000 };

struct behaviour {
  struct jval v;
  enum category category;
  double left; /* uses; HUGE_VAL: for ever */
};

struct queue {
  struct draft *d;
  struct behaviour *b;
  size_t n;
};

static bool fits(struct bytes text)
{
  for (const char *const *t = types; *t; t++) {
    char word[40];
    snprintf(word, sizeof word, "\"%s\"", *t);
    if (bytes_find(text, BYTES("\"type\"")) >= 0 &&
        bytes_find(text, bytes_of(word)) >= 0 &&
        bytes_find(text, BYTES("\"first_byte_ns\"")) < 0)
      return true;
  }
  return false;
}

/* ---- reading ---- */

static const char *const *keys_of(enum category c)
{
  static const char *const keys[CATEGORIES][10] = {
      [FAIL] = {"type", "times", "match", "status", "retry_after", "message",
                "code", NULL},
      [DELAY] = {"type", "times", "match", "seconds", NULL},
      [SLOW] = {"type", "times", "match", "seconds", NULL},
      [STREAM] = {"type", "times", "match", "kind", "after_chunks",
                  "stall_seconds", NULL},
      [REPLY] = {"type", "times", "match", "text", "tool_calls",
                 "finish_reason", NULL},
      [TOOL] = {"type", "times", "match", "kind", NULL}};
  return keys[c];
}

static int read_type(struct behaviour *b, struct diag *diag)
{
  const char *type = NULL;
  char hint[256];
  struct jval m;
  if (jval_object(&b->v, diag) < 0 || read_text(&b->v, "type", &type, diag) < 0)
    return -1;
  if (!type)
    return jval_error(&b->v, diag, "the key 'type' is missing");
  for (int c = 0; types[c]; c++)
    if (strcmp(types[c], type) == 0) {
      b->category = (enum category)c;
      return jval_known_keys(&b->v, keys_of(b->category), diag);
    }
  read_member(&b->v, "type", &m);
  words_hint(type, types, hint, sizeof hint);
  return jval_error(&m, diag, "unknown behaviour '%s'%s", type, hint);
}

static int read_behaviour(struct behaviour *b, struct diag *diag)
{
  static const char *const match_keys[] = {"provider", "path",  "model",
                                           "stream",   "tools", NULL};
  struct jval m;
  if (read_type(b, diag) < 0)
    return -1;
  b->left = jval_member(&b->v, "times", &m) ? HUGE_VAL : 1; /* null: always */
  if (read_number(&b->v, "times", 1, 1e9, &b->left, diag) < 0)
    return -1;
  if (!read_member(&b->v, "match", &m))
    return 0;
  return jval_object(&m, diag) < 0 ? -1 : jval_known_keys(&m, match_keys, diag);
}

/* ---- match ---- */

/* Its ten providers all answer on OpenAI's path but for these. */
static const char *path_of(const char *provider)
{
  return strcmp(provider, "anthropic") == 0          ? "/messages"
         : strcmp(provider, "gemini") == 0           ? "/models/*"
         : strcmp(provider, "openai_responses") == 0 ? "/responses"
                                                     : "/chat/completions";
}

static int put_match(struct draft *d, const struct jval *v, cJSON *step,
                     struct diag *diag)
{
  struct jval m;
  const char *provider = NULL, *path = NULL, *model = NULL;
  bool stream = false;
  if (!read_member(v, "match", &m))
    return 0;
  if (read_text(&m, "provider", &provider, diag) < 0 ||
      read_text(&m, "path", &path, diag) < 0 ||
      read_text(&m, "model", &model, diag) < 0 ||
      read_bool(&m, "stream", &stream, diag) < 0)
    return -1;
  if (path || provider)
    peer_path(step, path ? path : path_of(provider));
  if (model)
    cJSON_AddStringToObject(peer_match(step), "model", model);
  struct jval part;
  if (read_member(&m, "stream", &part))
    cJSON_AddBoolToObject(peer_match(step), "stream", stream);
  if (read_member(&m, "tools", &part))
    draft_note(d, "step %zu: a match on offered tools is not carried over",
               d->nitems);
  return 0;
}

static bool same_match(const struct behaviour *a, const struct behaviour *b)
{
  const cJSON *x = cJSON_GetObjectItem(a->v.node, "match");
  const cJSON *y = cJSON_GetObjectItem(b->v.node, "match");
  if (!x || !y)
    return x == y;
  return cJSON_Compare(x, y, true);
}

/* ---- what a behaviour does ---- */

static int put_fail(struct draft *d, const struct jval *v, cJSON *step,
                    struct diag *diag)
{
  double status = 0, retry_after = -1;
  struct jval m;
  if (read_number(v, "status", 400, 599, &status, diag) < 0 ||
      read_number(v, "retry_after", 0, 1e6, &retry_after, diag) < 0)
    return -1;
  if (status == 0)
    return jval_error(v, diag, "the key 'status' is missing");
  bool waits = status == 429 || status == 503 || status == 504 || status == 529;
  if (retry_after < 0 && waits)
    retry_after = DEFAULT_RETRY_AFTER_S;
  peer_status(step, (int)status, retry_after);
  if (read_member(v, "message", &m) || read_member(v, "code", &m))
    draft_note(d,
               "step %zu: its message is not carried over, the provider's "
               "documented one is sent",
               d->nitems);
  return 0;
}

static int put_seconds(struct draft *d, const struct jval *v, cJSON *step,
                       struct diag *diag)
{
  double s = -1;
  (void)d;
  bool slow = strcmp(cJSON_GetObjectItem(v->node, "type")->valuestring,
                     "slow_first_token") == 0;
  if (read_number(v, "seconds", 0, 86400, &s, diag) < 0)
    return -1;
  if (s < 0)
    return jval_error(v, diag, "the key 'seconds' is missing");
  cJSON_AddNumberToObject(step, slow ? "first_token_ms" : "delay_ms",
                          (double)(int64_t)(s * 1000));
  return 0;
}

static int wrong_kind(const struct jval *v, const char *const *words,
                      const char *kind, struct diag *diag)
{
  char hint[256];
  struct jval m = *v;
  read_member(v, "kind", &m);
  words_hint(kind ? kind : "", words, hint, sizeof hint);
  return jval_error(&m, diag, "unknown kind '%s'%s", kind ? kind : "", hint);
}

static int put_stream(struct draft *d, const struct jval *v, cJSON *step,
                      struct diag *diag)
{
  static const char *const kinds[] = {"disconnect", "truncate", "stall",
                                      "malformed", NULL};
  const char *kind = NULL;
  double after = 1, stall = DEFAULT_STALL_S;
  (void)d;
  if (read_text(v, "kind", &kind, diag) < 0 ||
      read_number(v, "after_chunks", 0, MAX_CHUNKS, &after, diag) < 0 ||
      read_number(v, "stall_seconds", 0, 86400, &stall, diag) < 0)
    return -1;
  if (!kind || !words_has(kinds, kind))
    return wrong_kind(v, kinds, kind, diag);
  bool cut = strcmp(kind, "disconnect") == 0 || strcmp(kind, "truncate") == 0;
  cJSON *events = peer_stream(step, (int)after,
                              !cut             ? "complete"
                              : kind[0] == 'd' ? "dirty"
                                               : "clean");
  if (cut)
    return 0;
  cJSON *entry = cJSON_CreateObject();
  if (strcmp(kind, "stall") == 0)
    cJSON_AddNumberToObject(entry, "wait", stall < 0.001 ? 0.001 : stall);
  else
    cJSON_AddStringToObject(entry, "bad", "{\"broken\": ");
  cJSON_AddItemToArray(events, entry);
  peer_delta(events, 1);
  cJSON_AddItemToArray(events, cJSON_CreateString("stop"));
  return 0;
}

static int put_tool_call(cJSON *step, const struct jval *call,
                         struct diag *diag)
{
  static const char *const keys[] = {"name", "arguments", NULL};
  const char *name = NULL;
  struct jval arguments;
  if (jval_object(call, diag) < 0 || jval_known_keys(call, keys, diag) < 0 ||
      read_text(call, "name", &name, diag) < 0)
    return -1;
  if (!name)
    return jval_error(call, diag, "the key 'name' is missing");
  bool has = read_member(call, "arguments", &arguments);
  if (has && jval_object(&arguments, diag) < 0)
    return -1;
  peer_tool(step, name,
            has ? cJSON_Duplicate(arguments.node, true) : cJSON_CreateObject());
  return 0;
}

static int put_reply(struct draft *d, const struct jval *v, cJSON *step,
                     struct diag *diag)
{
  const char *text = NULL, *reason = NULL;
  struct jval calls;
  if (read_text(v, "text", &text, diag) < 0 ||
      read_text(v, "finish_reason", &reason, diag) < 0)
    return -1;
  if (text)
    cJSON_AddStringToObject(step, "text", text);
  if (read_member(v, "tool_calls", &calls)) {
    if (jval_array(&calls, diag) < 0)
      return -1;
    for (int i = 0; i < jval_count(&calls); i++) {
      struct jval call = jval_item(&calls, i);
      if (put_tool_call(step, &call, diag) < 0)
        return -1;
    }
  }
  if (reason)
    peer_stop(d, step, reason);
  return 0;
}

static int put_tool_fault(struct draft *d, const struct jval *v, cJSON *step,
                          struct diag *diag)
{
  static const char *const kinds[] = {"malformed_arguments", "unknown_tool",
                                      NULL};
  const char *kind = NULL;
  (void)d;
  if (read_text(v, "kind", &kind, diag) < 0)
    return -1;
  if (!kind || !words_has(kinds, kind))
    return wrong_kind(v, kinds, kind, diag);
  if (strcmp(kind, "unknown_tool") == 0) {
    peer_tool(step, "unknown_tool", cJSON_CreateObject());
    return 0;
  }
  cJSON *deltas = cJSON_CreateArray();
  cJSON_AddItemToArray(deltas, cJSON_CreateString("{\"broken\": "));
  peer_tool(step, "run", deltas);
  return 0;
}

typedef int put_fn(struct draft *d, const struct jval *v, cJSON *step,
                   struct diag *diag);
static put_fn *const puts_of[CATEGORIES] = {
    [FAIL] = put_fail,     [DELAY] = put_seconds, [SLOW] = put_seconds,
    [STREAM] = put_stream, [REPLY] = put_reply,   [TOOL] = put_tool_fault};

/* ---- the queue ---- */

static struct behaviour *first_of(struct queue *q, enum category c,
                                  const struct behaviour *like)
{
  for (size_t i = 0; i < q->n; i++)
    if (q->b[i].category == c && q->b[i].left > 0 &&
        (!like || same_match(&q->b[i], like)))
      return &q->b[i];
  return NULL;
}

/* The behaviours of one request: an error alone, else one a category. */
static size_t choose(struct queue *q, struct behaviour *ret[CATEGORIES])
{
  size_t n = 0;
  ret[0] = first_of(q, FAIL, NULL);
  if (ret[0])
    return 1;
  for (int c = DELAY; c < CATEGORIES; c++) {
    struct behaviour *b = first_of(q, (enum category)c, n ? ret[0] : NULL);
    bool clash = n && b && c > STREAM && ret[n - 1]->category == STREAM;
    if (b && !clash) /* a scripted stream says its own text */
      ret[n++] = b;
  }
  return n;
}

static int add_step(struct queue *q, struct behaviour *const *chosen, size_t n,
                    struct diag *diag)
{
  double times = HUGE_VAL;
  cJSON *step = cJSON_CreateObject();
  draft_add(q->d, step);
  for (size_t i = 0; i < n; i++) {
    times = chosen[i]->left < times ? chosen[i]->left : times;
    if (puts_of[chosen[i]->category](q->d, &chosen[i]->v, step, diag) < 0)
      return -1;
  }
  if (!cJSON_GetObjectItem(step, "fault"))
    cJSON_AddStringToObject(step, "reply", "message");
  if (isinf(times))
    cJSON_AddStringToObject(step, "times", "always");
  else if (times > 1)
    cJSON_AddNumberToObject(step, "times", times);
  for (size_t i = 0; i < n; i++) /* for ever: all that can be said is said */
    chosen[i]->left = isinf(times) ? 0 : chosen[i]->left - times;
  return put_match(q->d, &chosen[0]->v, step, diag);
}

static int run_queue(struct queue *q, struct diag *diag)
{
  struct behaviour *chosen[CATEGORIES];
  bool over = false;
  for (size_t n; (n = choose(q, chosen)) > 0;) {
    if (over) {
      draft_note(q->d, "behaviours behind step %zu are never reached",
                 q->d->nitems);
      return 0;
    }
    if (add_step(q, chosen, n, diag) < 0)
      return -1;
    over = peer_takes_all(q->d->items[q->d->nitems - 1].step);
  }
  return 0;
}

static int read_queue(struct draft *d, const struct json_doc *doc,
                      struct diag *diag)
{
  static const char *const list_keys[] = {"behaviors", "behaviours", "scenario",
                                          NULL};
  struct jval root = json_root(doc), list = root;
  struct queue q = {.d = d};
  int rc = 0;
  for (const char *const *k = list_keys; *k; k++)
    if (read_member(&root, *k, &list))
      break;
  bool one = !cJSON_IsArray(list.node);
  q.n = one ? 1 : (size_t)jval_count(&list);
  if (q.n > MAX_BEHAVIOURS)
    return jval_error(&list, diag, "has more than %d entries", MAX_BEHAVIOURS);
  q.b = mem_zalloc((q.n + 1) * sizeof *q.b);
  for (size_t i = 0; i < q.n && rc == 0; i++) {
    q.b[i].v = one ? list : jval_item(&list, (int)i);
    rc = read_behaviour(&q.b[i], diag);
  }
  if (rc == 0)
    rc = run_queue(&q, diag);
  free(q.b);
  return rc;
}

static int read_llmock(struct draft *d, const char *file, struct bytes text,
                       struct diag *diag)
{
  struct json_doc doc;
  if (json_parse(&doc, file, text, diag) < 0)
    return -1;
  int rc = read_queue(d, &doc, diag);
  json_release(&doc);
  return rc;
}

const struct format format_llmock = {
    .name = "llmock",
    .summary = "LLMock's behaviours: fail, delay, stream_fault, reply, ...",
    .fits = fits,
    .read = read_llmock};
