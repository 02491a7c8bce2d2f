/*
 * Anthropic's message batches. Source: @anthropic-ai/sdk
 * src/resources/messages/batches.ts; the store says how a batch gets on.
 */
#include "mockserver/endpoint.h"

#include "base/clock.h"

#include <string.h>

/* A batch expires 24 hours after it was made (batches.ts). */
#define EXPIRES_NS (INT64_C(86400) * NS_PER_S)

static void add_time(const char *key, int64_t ns, struct buf *ret)
{
  char text[21];
  if (ns)
    clock_rfc3339(ns / NS_PER_S, text);
  if (ns)
    buf_addf(ret, ",\"%s\":\"%s\"", key, text);
  else
    buf_addf(ret, ",\"%s\":null", key);
}

/* An absolute address, as the SDK asks for it: the host the client used and
 * the prefix that is its lane. */
static void add_results_url(const struct endpoint_ask *q,
                            const struct stored_batch *b, struct buf *ret)
{
  struct bytes host = {"", 0}, path = q->call->path;
  ptrdiff_t at = bytes_find(path, BYTES("/v1/messages/batches"));
  request_header(q->request, "host", &host);
  struct buf url;
  buf_init(&url, 4096);
  buf_adds(&url, "http://");
  buf_addb(&url, host);
  buf_addb(&url, (struct bytes){path.p, at > 0 ? (size_t)at : 0});
  buf_addf(&url, "/v1/messages/batches/%s/results", b->id);
  buf_adds(ret, ",\"results_url\":");
  buf_add_json(ret, buf_bytes(&url));
  buf_release(&url);
}

static void add_counts(const struct endpoint_ask *q,
                       const struct stored_batch *b, struct buf *ret)
{
  bool over = b->state == BATCH_ENDED;
  size_t n[4] = {0};
  for (int r = BATCH_SUCCEEDED; over && r <= BATCH_EXPIRED; r++)
    n[r] = store_count(q->store, b, (enum batch_result)r);
  buf_addf(ret,
           ",\"request_counts\":{\"processing\":%zu,\"succeeded\":%zu,"
           "\"errored\":%zu,\"canceled\":%zu,\"expired\":%zu}",
           over ? (size_t)0 : b->n, n[BATCH_SUCCEEDED], n[BATCH_ERRORED],
           n[BATCH_CANCELED], n[BATCH_EXPIRED]);
}

static void add_batch(const struct endpoint_ask *q,
                      const struct stored_batch *b, struct buf *ret)
{
  static const char *const words[] = {[BATCH_RUNNING] = "in_progress",
                                      [BATCH_CANCELING] = "canceling",
                                      [BATCH_ENDED] = "ended"};
  buf_addf(ret,
           "{\"id\":\"%s\",\"type\":\"message_batch\","
           "\"processing_status\":\"%s\"",
           b->id, words[b->state]);
  add_counts(q, b, ret);
  add_time("ended_at", b->ended_ns, ret);
  add_time("created_at", b->created_ns, ret);
  add_time("expires_at", b->created_ns + EXPIRES_NS, ret);
  add_time("archived_at", 0, ret);
  add_time("cancel_initiated_at", b->cancel_ns, ret);
  if (b->state == BATCH_ENDED)
    add_results_url(q, b, ret);
  else
    buf_adds(ret, ",\"results_url\":null");
  buf_addc(ret, '}');
}

/* ---- create ---- */

/* NULL, or what is wrong with request `item`. */
static const char *add_request(const struct endpoint_ask *q,
                               struct stored_batch *b, const cJSON *item)
{
  const cJSON *id = param_node(item, "custom_id");
  const cJSON *params = param_node(item, "params");
  const cJSON *model = param_node(params, "model");
  if (!cJSON_IsString(id) || !cJSON_IsObject(params))
    return "custom_id and params: Field required";
  for (size_t i = 0; i < b->n; i++)
    if (strcmp(b->requests[i].custom_id, id->valuestring) == 0)
      return "custom_id must be unique";
  char *body = cJSON_PrintUnformatted(params);
  bool kept = store_add_request(
      q->store, b, bytes_of(id->valuestring),
      bytes_of(cJSON_IsString(model) ? model->valuestring : "unknown"),
      bytes_of(body));
  cJSON_free(body);
  return kept ? NULL : "faultwire: no room for more requests";
}

static const char *add_requests(const struct endpoint_ask *q,
                                struct stored_batch *b, const cJSON *list)
{
  const char *wrong = NULL;
  const cJSON *item;
  cJSON_ArrayForEach(item, list)
  {
    if (!wrong)
      wrong = add_request(q, b, item);
  }
  return wrong;
}

static void create_from(const struct endpoint_ask *q, const cJSON *root,
                        struct endpoint_answer *ret)
{
  struct buf id;
  const cJSON *list = param_node(root, "requests");
  if (!cJSON_IsArray(list) || !list->child) {
    endpoint_fail(ret, "invalid_request", "requests: Field required");
    return;
  }
  buf_init(&id, 63);
  buf_adds(&id, "msgbatch_01");
  ids_base62(q->ids, 22, &id);
  struct stored_batch *b =
      store_add_batch(q->store, buf_str(&id), "anthropic", q->wall_ns);
  buf_release(&id);
  const char *wrong =
      b ? add_requests(q, b, list) : "faultwire: no room for more batches";
  if (!wrong) {
    add_batch(q, b, &ret->body);
    return;
  }
  endpoint_fail(ret, "invalid_request", "%s", wrong);
  if (b)
    store_remove_batch(q->store, b);
}

static void create(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct json_doc doc;
  struct diag diag = {0};
  if (json_parse(&doc, "request", q->request->body, &diag) < 0) {
    endpoint_fail(ret, "invalid_request", "The body is not JSON.");
    return;
  }
  create_from(q, doc.root, ret);
  json_release(&doc);
}

/* ---- the others ---- */

static struct stored_batch *find(const struct endpoint_ask *q,
                                 struct endpoint_answer *ret)
{
  struct stored_batch *b =
      store_find_batch(q->store, "anthropic", q->call->star);
  if (!b)
    endpoint_fail(ret, "not_found", "message batch: %.*s",
                  (int)(q->call->star.n < 64 ? q->call->star.n : 64),
                  q->call->star.p);
  return b;
}

static void get(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct stored_batch *b = find(q, ret);
  if (!b)
    return;
  store_look(q->store, b, q->wall_ns);
  add_batch(q, b, &ret->body);
}

static void cancel(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct stored_batch *b = find(q, ret);
  if (!b)
    return;
  store_cancel(b, q->wall_ns);
  add_batch(q, b, &ret->body);
}

static void add_result(const struct endpoint_ask *q,
                       const struct stored_batch *b, size_t i, struct buf *ret)
{
  static const char *const words[] = {[BATCH_SUCCEEDED] = "succeeded",
                                      [BATCH_ERRORED] = "errored",
                                      [BATCH_CANCELED] = "canceled",
                                      [BATCH_EXPIRED] = "expired"};
  enum batch_result result = store_result(q->store, b, i);
  buf_adds(ret, "{\"custom_id\":");
  buf_add_json(ret, bytes_of(b->requests[i].custom_id));
  buf_addf(ret, ",\"result\":{\"type\":\"%s\"", words[result]);
  if (result == BATCH_SUCCEEDED) {
    buf_adds(ret, ",\"message\":");
    endpoint_plain(q, q->provider, &b->requests[i], ret);
  }
  if (result == BATCH_ERRORED)
    buf_adds(ret, ",\"error\":{\"type\":\"error\",\"error\":{\"type\":"
                  "\"api_error\",\"message\":\"Internal server error\"}}");
  buf_adds(ret, "}}\n");
}

static void results(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  const struct stored_batch *b = find(q, ret);
  if (!b)
    return;
  if (b->state != BATCH_ENDED) {
    endpoint_fail(ret, "not_found", "Batch %s has no available results.",
                  b->id);
    return;
  }
  ret->type = "application/x-jsonl";
  for (size_t i = 0; i < b->n; i++)
    add_result(q, b, i, &ret->body);
}

static void list(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct bytes after = {NULL, 0};
  const struct stored_batch *b, *first = NULL, *last = NULL;
  int64_t left = endpoint_query_int(q, "limit", 1000, 20);
  bool skipping = endpoint_query(q, "after_id", &after);
  buf_adds(&ret->body, "{\"data\":[");
  for (size_t i = 0; (b = store_batch(q->store, "anthropic", i)) && left > 0;
       i++) {
    if (!skipping) {
      buf_adds(&ret->body, first ? "," : "");
      add_batch(q, b, &ret->body);
      first = first ? first : b;
      last = b;
      left--;
    }
    skipping = skipping && !bytes_equal(bytes_of(b->id), after);
  }
  buf_addf(&ret->body, "],\"has_more\":%s", b ? "true" : "false");
  if (first)
    buf_addf(&ret->body, ",\"first_id\":\"%s\",\"last_id\":\"%s\"}", first->id,
             last->id);
  else
    buf_adds(&ret->body, ",\"first_id\":null,\"last_id\":null}");
}

static void delete (const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct stored_batch *b = find(q, ret);
  if (b && b->state != BATCH_ENDED)
    endpoint_fail(ret, "invalid_request",
                  "A batch that has not ended cannot be deleted.");
  if (!b || ret->error)
    return;
  buf_addf(&ret->body, "{\"id\":\"%s\",\"type\":\"message_batch_deleted\"}",
           b->id);
  store_remove_batch(q->store, b);
}

#define PATH "/v1/messages/batches"
#define ROUTE(name, method, path, answer)                                      \
  {                                                                            \
    name, method, path, "anthropic", false, false, ENDPOINT_BATCHES, answer    \
  }

static const struct endpoint_route routes[] = {
    ROUTE("batches.create", "POST", PATH, create),
    ROUTE("batches.list", "GET", PATH, list),
    ROUTE("batches.get", "GET", PATH "/*", get),
    ROUTE("batches.results", "GET", PATH "/*/results", results),
    ROUTE("batches.cancel", "POST", PATH "/*/cancel", cancel),
    ROUTE("batches.delete", "DELETE", PATH "/*", delete),
    {.name = NULL}};

const struct endpoint_family endpoint_anthropic_batches = {
    .name = "anthropic_batches",
    .summary = "Anthropic's message batches, which get on by looks and time.",
    .routes = routes};
