/*
 * aimock's fixtures: { "fixtures": [ { "match": .., "response": .. } ] }.
 *
 * Source: aimock's own pages on fixtures, error injection, chaos and
 * streaming. A fixture answers whatever fits it, again and again; those with
 * a sequenceIndex answer once, in that order.
 */
#include "mockserver/import/peer.h"

#include "base/words.h"

#include <string.h>

enum { MAX_CHUNKS = 10000 };

struct fixture {
  struct draft *d;
  struct jval v;
  struct diag *diag;
  cJSON *step;
  int number;
};

static bool fits(struct bytes text)
{
  return bytes_find(text, BYTES("\"fixtures\"")) >= 0;
}

/* ---- match ---- */

static void put_text(cJSON *object, const char *key, const char *text)
{
  if (text)
    cJSON_AddStringToObject(object, key, text);
}

static cJSON *messages_of(cJSON *step)
{
  cJSON *match = peer_match(step);
  cJSON *messages = cJSON_GetObjectItem(match, "messages");
  return messages ? messages : cJSON_AddObjectToObject(match, "messages");
}

static int put_messages(struct fixture *f, const struct jval *m)
{
  const char *user = NULL, *tool = NULL;
  bool result = false;
  double turn = -1;
  struct jval part;
  if (read_text(m, "userMessage", &user, f->diag) < 0 ||
      read_text(m, "toolCallId", &tool, f->diag) < 0 ||
      read_bool(m, "hasToolResult", &result, f->diag) < 0 ||
      read_number(m, "turnIndex", 0, 1000, &turn, f->diag) < 0)
    return -1;
  if (user)
    put_text(messages_of(f->step), "contains", user);
  if (tool)
    put_text(messages_of(f->step), "tool_result", tool);
  if (read_member(m, "hasToolResult", &part))
    cJSON_AddBoolToObject(messages_of(f->step), "after_tool_result", result);
  if (turn >= 0)
    cJSON_AddNumberToObject(messages_of(f->step), "turns", turn);
  return 0;
}

static int put_match(struct fixture *f)
{
  static const char *const words[] = {
      "userMessage",    "model",         "toolCallId",    "hasToolResult",
      "turnIndex",      "sequenceIndex", "endpoint",      "inputText",
      "responseFormat", "toolName",      "systemMessage", NULL};
  struct jval m, part;
  const char *model = NULL, *unknown = NULL;
  cJSON_AddStringToObject(f->step, "times", "always");
  if (!read_member(&f->v, "match", &m))
    return 0;
  if (jval_object(&m, f->diag) < 0 ||
      read_known(&m, words, &unknown, f->diag) < 0 ||
      read_text(&m, "model", &model, f->diag) < 0 || put_messages(f, &m) < 0)
    return -1;
  if (model)
    put_text(peer_match(f->step), "model", model);
  if (read_member(&m, "sequenceIndex", &part))
    cJSON_DeleteItemFromObject(f->step, "times");
  for (int i = 6; words[i]; i++)
    if (read_member(&m, words[i], &part))
      unknown = words[i];
  if (unknown)
    draft_note(f->d, "fixture %d: a match on '%s' is not carried over",
               f->number, unknown);
  return 0;
}

/* ---- response ---- */

static int put_error(struct fixture *f, const struct jval *response)
{
  double status = 500, retry_after = -1;
  if (read_number(response, "status", 200, 599, &status, f->diag) < 0 ||
      read_number(response, "retryAfter", 0, 1e6, &retry_after, f->diag) < 0 ||
      read_number(&f->v, "retryAfter", 0, 1e6, &retry_after, f->diag) < 0)
    return -1;
  peer_status(f->step, (int)status, retry_after);
  draft_note(f->d,
             "fixture %d: its error's text is not carried over, the "
             "provider's documented one is sent",
             f->number);
  return 0;
}

static int put_tool(struct fixture *f, const struct jval *call)
{
  const char *name = NULL;
  struct jval arguments;
  if (jval_object(call, f->diag) < 0 ||
      read_text(call, "name", &name, f->diag) < 0)
    return -1;
  if (!name)
    return jval_error(call, f->diag, "the key 'name' is missing");
  cJSON *copy = read_member(call, "arguments", &arguments)
                    ? cJSON_Duplicate(arguments.node, true)
                    : cJSON_CreateObject();
  cJSON *parsed = cJSON_IsString(copy) ? cJSON_Parse(copy->valuestring) : NULL;
  if (cJSON_IsString(copy) && !cJSON_IsObject(parsed)) {
    cJSON *deltas = cJSON_CreateArray(); /* broken on purpose */
    cJSON_AddItemToArray(deltas, copy);
    copy = deltas;
  }
  cJSON_Delete(parsed);
  if (cJSON_IsObject(copy) || cJSON_IsString(copy) || cJSON_IsArray(copy)) {
    peer_tool(f->step, name, copy);
    return 0;
  }
  cJSON_Delete(copy);
  return jval_error(&arguments, f->diag, "must be an object or its JSON");
}

static int put_reply(struct fixture *f, const struct jval *response)
{
  const char *content = NULL, *reason = NULL;
  struct jval calls;
  if (read_text(response, "content", &content, f->diag) < 0 ||
      read_text(response, "finishReason", &reason, f->diag) < 0)
    return -1;
  peer_reply(f->step, content);
  if (read_member(response, "toolCalls", &calls)) {
    if (jval_array(&calls, f->diag) < 0)
      return -1;
    for (int i = 0; i < jval_count(&calls); i++) {
      struct jval call = jval_item(&calls, i);
      if (put_tool(f, &call) < 0)
        return -1;
    }
  }
  if (reason)
    peer_stop(f->d, f->step, reason);
  return 0;
}

/* A stream that breaks says its own deltas: aimock's chunks are cut by
 * size, which no provider does. */
static int put_break(struct fixture *f, double chunks, double after_ms)
{
  cJSON_DeleteItemFromObject(f->step, "reply");
  cJSON_DeleteItemFromObject(f->step, "text");
  cJSON_DeleteItemFromObject(f->step, "blocks");
  cJSON_DeleteItemFromObject(f->step, "stop");
  if (chunks >= 0) {
    peer_stream(f->step, (int)chunks, "dirty");
    return 0;
  }
  cJSON *events = peer_stream(f->step, 1, "rst"), *wait = cJSON_CreateObject();
  cJSON_AddNumberToObject(wait, "wait", after_ms < 1 ? 0.001 : after_ms / 1000);
  cJSON_AddItemToArray(events, wait);
  return 0;
}

static int put_pace(struct fixture *f)
{
  struct jval profile;
  double latency = 0, ttft = 0, tps = 0, jitter = 0;
  if (read_number(&f->v, "latency", 0, 86400000, &latency, f->diag) < 0)
    return -1;
  if (read_member(&f->v, "streamingProfile", &profile) &&
      (jval_object(&profile, f->diag) < 0 ||
       read_number(&profile, "ttft", 0, 86400000, &ttft, f->diag) < 0 ||
       read_number(&profile, "tps", 0.001, 1e6, &tps, f->diag) < 0 ||
       read_number(&profile, "jitter", 0, 1, &jitter, f->diag) < 0))
    return -1;
  if (ttft > 0)
    cJSON_AddNumberToObject(f->step, "first_token_ms", (double)(int64_t)ttft);
  if (tps > 0)
    cJSON_AddNumberToObject(f->step, "tokens_per_s", tps);
  else if (latency > 0)
    cJSON_AddNumberToObject(f->step, "gap_ms", (double)(int64_t)latency);
  if (jitter > 0)
    cJSON_AddNumberToObject(f->step, "jitter", jitter);
  return 0;
}

static int put_response(struct fixture *f)
{
  struct jval response, error;
  double chunks = -1, after_ms = -1;
  if (!read_member(&f->v, "response", &response))
    return jval_error(&f->v, f->diag, "the key 'response' is missing");
  if (jval_object(&response, f->diag) < 0 ||
      read_number(&f->v, "truncateAfterChunks", 0, MAX_CHUNKS, &chunks,
                  f->diag) < 0 ||
      read_number(&f->v, "disconnectAfterMs", 0, 86400000, &after_ms, f->diag) <
          0)
    return -1;
  if (read_member(&response, "error", &error))
    return put_error(f, &response);
  if (put_reply(f, &response) < 0)
    return -1;
  if (chunks >= 0 || after_ms >= 0)
    return put_break(f, chunks, after_ms);
  return put_pace(f);
}

/* ---- chaos ---- */

static const struct {
  const char *key;
  const char *fault, *word, *value;
} chaos[] = {{"dropRate", "status", "error", "server_error"},
             {"malformedRate", "bad_body", "how", "not_json"},
             {"disconnectRate", "reset", NULL, NULL},
             {"rateLimitRate", "rate_limit", "retry_after", "1"}};

/* Steps in front of the fixture's own, each for its share of the calls. */
static int put_chaos(struct fixture *f)
{
  struct jval m;
  if (!read_member(&f->v, "chaos", &m))
    return 0;
  if (jval_object(&m, f->diag) < 0)
    return -1;
  for (size_t i = 0; i < sizeof chaos / sizeof *chaos; i++) {
    double rate = 0;
    if (read_number(&m, chaos[i].key, 0, 1, &rate, f->diag) < 0)
      return -1;
    if (rate <= 0)
      continue;
    cJSON *step = cJSON_CreateObject();
    draft_add(f->d, step);
    cJSON_AddStringToObject(step, "fault", chaos[i].fault);
    if (chaos[i].word)
      cJSON_AddStringToObject(step, chaos[i].word, chaos[i].value);
    cJSON_AddNumberToObject(step, "chance", rate);
    cJSON_AddStringToObject(step, "times", "always");
  }
  return 0;
}

/* ---- the file ---- */

static int read_fixture(struct draft *d, const struct jval *v, int number,
                        struct diag *diag)
{
  static const char *const words[] = {"match",
                                      "response",
                                      "latency",
                                      "chunkSize",
                                      "truncateAfterChunks",
                                      "disconnectAfterMs",
                                      "streamingProfile",
                                      "chaos",
                                      "retryAfter",
                                      "metadata",
                                      NULL};
  struct fixture f = {d, *v, diag, NULL, number};
  const char *unknown = NULL;
  if (jval_object(v, diag) < 0 || read_known(v, words, &unknown, diag) < 0 ||
      put_chaos(&f) < 0)
    return -1;
  f.step = cJSON_CreateObject();
  draft_add(d, f.step);
  if (unknown)
    draft_note(d, "fixture %d: '%s' is not carried over", number, unknown);
  return put_response(&f) < 0 || put_match(&f) < 0 ? -1 : 0;
}

static int read_fixtures(struct draft *d, const struct json_doc *doc,
                         struct diag *diag)
{
  struct jval root = json_root(doc), list;
  if (!read_member(&root, "fixtures", &list))
    return jval_error(&root, diag, "the key 'fixtures' is missing");
  if (jval_array(&list, diag) < 0)
    return -1;
  for (int i = 0; i < jval_count(&list); i++) {
    struct jval item = jval_item(&list, i);
    if (d->nitems && peer_takes_all(d->items[d->nitems - 1].step)) {
      draft_note(d, "fixtures behind number %d are never reached", i);
      return 0;
    }
    if (read_fixture(d, &item, i + 1, diag) < 0)
      return -1;
  }
  return 0;
}

static int read_aimock(struct draft *d, const char *file, struct bytes text,
                       struct diag *diag)
{
  struct json_doc doc;
  if (json_parse(&doc, file, text, diag) < 0)
    return -1;
  int rc = read_fixtures(d, &doc, diag);
  json_release(&doc);
  return rc;
}

const struct format format_aimock = {
    .name = "aimock",
    .summary = "aimock's fixtures: errors, replies, cuts, chaos",
    .fits = fits,
    .read = read_aimock};
