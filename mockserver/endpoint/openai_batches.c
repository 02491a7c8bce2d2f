/*
 * OpenAI's batches over uploaded files. Source: openai
 * src/resources/batches.ts; the store says how a batch gets on.
 */
#include "mockserver/endpoint.h"

#include "base/clock.h"
#include "mockserver/provider/openai_errors.h"

#include <string.h>

/* completion_window is always 24h (batches.ts). */
#define WINDOW_NS (INT64_C(86400) * NS_PER_S)

static void add_time(const char *key, int64_t ns, struct buf *ret)
{
  if (ns)
    buf_addf(ret, ",\"%s\":%lld", key, (long long)(ns / NS_PER_S));
  else
    buf_addf(ret, ",\"%s\":null", key);
}

static void add_text(const char *key, const char *text, struct buf *ret)
{
  buf_addf(ret, ",\"%s\":", key);
  if (text && *text)
    buf_add_json(ret, bytes_of(text));
  else
    buf_adds(ret, "null");
}

static const char *status_of(const struct stored_batch *b)
{
  if (b->wrong)
    return "failed";
  if (b->state == BATCH_ENDED)
    return b->cancel_ns ? "cancelled" : "completed";
  if (b->state == BATCH_CANCELING)
    return "cancelling";
  return b->looks ? "in_progress" : "validating";
}

static void add_errors(const struct stored_batch *b, struct buf *ret)
{
  if (!b->wrong) {
    buf_adds(ret, ",\"errors\":null");
    return;
  }
  buf_addf(ret,
           ",\"errors\":{\"object\":\"list\",\"data\":[{\"code\":"
           "\"invalid_json_line\",\"message\":\"%s\",\"param\":null,"
           "\"line\":%zu}]}",
           b->wrong, b->wrong_line);
}

static void add_counts(const struct endpoint_ask *q,
                       const struct stored_batch *b, struct buf *ret)
{
  bool over = b->state == BATCH_ENDED && !b->cancel_ns;
  size_t good = over ? store_count(q->store, b, BATCH_SUCCEEDED) : 0;
  buf_addf(ret,
           ",\"request_counts\":{\"total\":%zu,\"completed\":%zu,"
           "\"failed\":%zu}",
           b->n, good, over ? b->n - good : (size_t)0);
}

static void add_batch(const struct endpoint_ask *q,
                      const struct stored_batch *b, struct buf *ret)
{
  bool over = b->state == BATCH_ENDED && !b->cancel_ns && !b->wrong;
  buf_addf(ret, "{\"id\":\"%s\",\"object\":\"batch\"", b->id);
  add_text("endpoint", b->endpoint, ret);
  add_errors(b, ret);
  add_text("input_file_id", b->input_file, ret);
  buf_addf(ret, ",\"completion_window\":\"24h\",\"status\":\"%s\"",
           status_of(b));
  add_text("output_file_id", b->output_file, ret);
  add_text("error_file_id", b->error_file, ret);
  add_time("created_at", b->created_ns, ret);
  add_time("in_progress_at", b->looks && !b->wrong ? b->created_ns : 0, ret);
  add_time("expires_at", b->created_ns + WINDOW_NS, ret);
  add_time("finalizing_at", over ? b->ended_ns : 0, ret);
  add_time("completed_at", over ? b->ended_ns : 0, ret);
  add_time("failed_at", b->wrong ? b->ended_ns : 0, ret);
  add_time("expired_at", 0, ret);
  add_time("cancelling_at", b->cancel_ns, ret);
  add_time("cancelled_at", b->cancel_ns ? b->ended_ns : 0, ret);
  add_counts(q, b, ret);
  buf_addf(ret, ",\"metadata\":%s}", b->metadata ? b->metadata : "null");
}

/* ---- create ---- */

#define BAD_LINE "This line is not parseable as valid JSON."

static const char *add_request(const struct endpoint_ask *q,
                               struct stored_batch *b, const cJSON *line)
{
  const cJSON *id = param_node(line, "custom_id");
  const cJSON *body = param_node(line, "body");
  const cJSON *model = param_node(body, "model");
  if (!cJSON_IsString(id) || !cJSON_IsObject(body))
    return BAD_LINE;
  char *text = cJSON_PrintUnformatted(body);
  bool kept = store_add_request(
      q->store, b, bytes_of(id->valuestring),
      bytes_of(cJSON_IsString(model) ? model->valuestring : "unknown"),
      bytes_of(text));
  cJSON_free(text);
  return kept ? NULL : "faultwire: no room for more requests";
}

static const char *add_line(const struct endpoint_ask *q,
                            struct stored_batch *b, struct bytes line)
{
  struct json_doc doc;
  struct diag diag = {0};
  if (json_parse(&doc, "line", line, &diag) < 0)
    return BAD_LINE;
  const char *wrong = add_request(q, b, doc.root);
  json_release(&doc);
  return wrong;
}

/* A line that cannot be read fails the batch, not the call. */
static void add_lines(const struct endpoint_ask *q, struct stored_batch *b,
                      const struct stored_file *f)
{
  struct bytes rest = buf_bytes(&f->bytes);
  for (size_t number = 1; rest.n && !b->wrong; number++) {
    const char *end = memchr(rest.p, '\n', rest.n);
    struct bytes line = {rest.p, end ? (size_t)(end - rest.p) : rest.n};
    size_t used = line.n + (end != NULL);
    rest = (struct bytes){rest.p + used, rest.n - used};
    while (line.n && strchr(" \t\r", line.p[line.n - 1]))
      line.n--;
    if (line.n)
      b->wrong = add_line(q, b, line);
    b->wrong_line = number;
  }
  if (!b->wrong)
    return;
  b->state = BATCH_ENDED;
  b->ended_ns = q->wall_ns;
}

static void keep_details(struct stored_batch *b, const cJSON *root,
                         const struct stored_file *f)
{
  const cJSON *endpoint = param_node(root, "endpoint");
  const cJSON *metadata = param_node(root, "metadata");
  snprintf(b->input_file, sizeof b->input_file, "%s", f->id);
  if (cJSON_IsString(endpoint))
    b->endpoint = mem_strdup(endpoint->valuestring);
  if (!cJSON_IsObject(metadata))
    return;
  char *text = cJSON_PrintUnformatted(metadata);
  b->metadata = mem_strdup(text);
  cJSON_free(text);
}

static void create_from(const struct endpoint_ask *q, const cJSON *root,
                        struct endpoint_answer *ret)
{
  char id[80];
  const cJSON *input = param_node(root, "input_file_id");
  struct stored_file *f =
      cJSON_IsString(input)
          ? store_find_file(q->store, bytes_of(input->valuestring))
          : NULL;
  if (!f || !cJSON_IsString(param_node(root, "endpoint"))) {
    endpoint_fail(ret, "invalid_request",
                  f ? "Missing required parameter: 'endpoint'."
                    : "Invalid 'input_file_id': no such file.");
    return;
  }
  openai_id(q->ids, "batch_", 32, id);
  struct stored_batch *b = store_add_batch(q->store, id, "openai", q->wall_ns);
  if (!b) {
    endpoint_fail(ret, "invalid_request",
                  "faultwire: no room for more batches");
    return;
  }
  keep_details(b, root, f);
  add_lines(q, b, f);
  add_batch(q, b, &ret->body);
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

/* ---- what a batch leaves behind ---- */

static void add_result(const struct endpoint_ask *q,
                       const struct stored_batch *b, size_t i, struct buf *ret)
{
  const struct provider *p =
      provider_find(b->endpoint && strcmp(b->endpoint, "/v1/responses") == 0
                        ? "openai-responses"
                        : "openai");
  bool good = store_result(q->store, b, i) == BATCH_SUCCEEDED;
  char id[80];
  openai_id(q->ids, "batch_req_", 32, id);
  buf_addf(ret, "{\"id\":\"%s\",\"custom_id\":", id);
  buf_add_json(ret, bytes_of(b->requests[i].custom_id));
  openai_id(q->ids, "req_", 32, id);
  buf_addf(ret,
           ",\"response\":{\"status_code\":%d,\"request_id\":\"%s\",\"body\":",
           good ? 200 : 500, id);
  if (good)
    endpoint_plain(q, p, &b->requests[i], ret);
  else
    buf_adds(ret, "{\"error\":{\"message\":\"The server had an error while "
                  "processing your request. Sorry about that!\",\"type\":"
                  "\"server_error\",\"param\":null,\"code\":null}}");
  buf_adds(ret, "},\"error\":null}\n");
}

/* One file of the good results and one of the others; `ret` stays empty when
 * there are none, or no room. */
static void write_file(const struct endpoint_ask *q, struct stored_batch *b,
                       bool good, char ret[64])
{
  struct buf lines;
  char id[80];
  buf_init(&lines, STORE_MAX_BYTES);
  for (size_t i = 0; i < b->n; i++)
    if ((store_result(q->store, b, i) == BATCH_SUCCEEDED) == good)
      add_result(q, b, i, &lines);
  if (lines.n) {
    openai_id(q->ids, "file-", 22, id);
    struct stored_file *f = store_add_file(
        q->store, id, good ? BYTES("output.jsonl") : BYTES("error.jsonl"),
        BYTES("batch_output"), buf_bytes(&lines));
    if (f) {
      f->created_s = q->wall_ns / NS_PER_S;
      snprintf(ret, 64, "%s", f->id);
    }
  }
  buf_release(&lines);
}

/* ---- the others ---- */

static struct stored_batch *find(const struct endpoint_ask *q,
                                 struct endpoint_answer *ret)
{
  struct stored_batch *b = store_find_batch(q->store, "openai", q->call->star);
  if (!b)
    endpoint_fail(ret, "not_found", "No batch found with id '%.*s'.",
                  (int)(q->call->star.n < 64 ? q->call->star.n : 64),
                  q->call->star.p);
  return b;
}

static void get(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct stored_batch *b = find(q, ret);
  if (!b)
    return;
  if (store_look(q->store, b, q->wall_ns) && !b->cancel_ns) {
    write_file(q, b, true, b->output_file);
    write_file(q, b, false, b->error_file);
  }
  add_batch(q, b, &ret->body);
}

static void cancel(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct stored_batch *b = find(q, ret);
  if (!b)
    return;
  if (b->state == BATCH_ENDED) {
    endpoint_fail(ret, "invalid_request",
                  "Cannot cancel a batch with status '%s'.", status_of(b));
    return;
  }
  store_cancel(b, q->wall_ns);
  add_batch(q, b, &ret->body);
}

static void list(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct bytes after = {NULL, 0};
  const struct stored_batch *b, *first = NULL, *last = NULL;
  int64_t left = endpoint_query_int(q, "limit", 100, 20);
  bool skipping = endpoint_query(q, "after", &after);
  buf_adds(&ret->body, "{\"object\":\"list\",\"data\":[");
  for (size_t i = 0; (b = store_batch(q->store, "openai", i)) && left > 0;
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
  add_text("first_id", first ? first->id : NULL, &ret->body);
  add_text("last_id", last ? last->id : NULL, &ret->body);
  buf_addc(&ret->body, '}');
}

#define PATH "/v1/batches"
#define ROUTE(name, method, path, answer)                                      \
  {                                                                            \
    name, method, path, "openai", false, false, ENDPOINT_BATCHES, answer       \
  }

static const struct endpoint_route routes[] = {
    ROUTE("batches.create", "POST", PATH, create),
    ROUTE("batches.list", "GET", PATH, list),
    ROUTE("batches.get", "GET", PATH "/*", get),
    ROUTE("batches.cancel", "POST", PATH "/*/cancel", cancel),
    {.name = NULL}};

const struct endpoint_family endpoint_openai_batches = {
    .name = "openai_batches",
    .summary = "OpenAI's batches over uploaded files, which get on by looks "
               "and time.",
    .routes = routes};
