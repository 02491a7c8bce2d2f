/*
 * OpenAI's files: upload, list, get, content, delete. Source: openai
 * src/resources/files.ts.
 */
#include "mockserver/endpoint.h"

#include "base/clock.h"
#include "mockserver/multipart.h"
#include "mockserver/provider/openai_errors.h"

#include <string.h>

static void add_file(const struct stored_file *f, struct buf *ret)
{
  buf_addf(ret,
           "{\"id\":\"%s\",\"object\":\"file\",\"bytes\":%zu,"
           "\"created_at\":%lld,\"filename\":",
           f->id, f->bytes.n, (long long)f->created_s);
  buf_add_json(ret, bytes_of(f->name));
  buf_adds(ret, ",\"purpose\":");
  buf_add_json(ret, bytes_of(f->purpose));
  buf_adds(ret, ",\"status\":\"processed\"}");
}

/* The file's part in `ret`, and what it is for. */
static bool read_upload(const struct endpoint_ask *q, struct part *ret,
                        struct bytes *ret_purpose)
{
  struct multipart m;
  struct part part;
  struct bytes type;
  bool found = false;
  if (!request_header(q->request, "content-type", &type) ||
      !multipart_open(&m, type, q->request->body))
    return false;
  while (multipart_next(&m, &part)) {
    if (bytes_equal(part.name, BYTES("purpose")))
      *ret_purpose = part.content;
    if (bytes_equal(part.name, BYTES("file"))) {
      *ret = part;
      found = true;
    }
  }
  return found;
}

static void create(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct part part;
  char id[80];
  struct bytes purpose = {NULL, 0};
  if (!read_upload(q, &part, &purpose) || !purpose.n) {
    endpoint_fail(ret, "invalid_request",
                  "'file' and 'purpose' are required as multipart/form-data.");
    return;
  }
  openai_id(q->ids, "file-", 22, id);
  struct stored_file *f =
      store_add_file(q->store, id, part.filename, purpose, part.content);
  if (!f) {
    endpoint_fail(ret, "invalid_request",
                  "faultwire: no room for more files; POST /__admin/rewind "
                  "forgets them");
    return;
  }
  f->created_s = q->wall_ns / NS_PER_S;
  add_file(f, &ret->body);
}

static void list(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct bytes purpose = {NULL, 0}, after = {NULL, 0};
  int64_t left = endpoint_query_int(q, "limit", 10000, 10000);
  bool skipping = endpoint_query(q, "after", &after);
  const struct stored_file *f;
  size_t n = 0;
  endpoint_query(q, "purpose", &purpose);
  buf_adds(&ret->body, "{\"object\":\"list\",\"data\":[");
  for (size_t i = 0; (f = store_file(q->store, i)) && left > 0; i++) {
    bool fits = !purpose.n || bytes_equal(bytes_of(f->purpose), purpose);
    if (!skipping && fits) {
      buf_adds(&ret->body, n++ ? "," : "");
      add_file(f, &ret->body);
      left--;
    }
    skipping = skipping && !bytes_equal(bytes_of(f->id), after);
  }
  buf_addf(&ret->body, "],\"has_more\":%s}", f ? "true" : "false");
}

static struct stored_file *find(const struct endpoint_ask *q,
                                struct endpoint_answer *ret)
{
  struct stored_file *f = store_find_file(q->store, q->call->star);
  if (!f)
    endpoint_fail(ret, "not_found", "No such File object: %.*s",
                  (int)(q->call->star.n < 64 ? q->call->star.n : 64),
                  q->call->star.p);
  return f;
}

static void get(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  const struct stored_file *f = find(q, ret);
  if (f)
    add_file(f, &ret->body);
}

static void content(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  const struct stored_file *f = find(q, ret);
  if (!f)
    return;
  ret->type = "application/octet-stream";
  buf_addb(&ret->body, buf_bytes(&f->bytes));
}

static void delete (const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct stored_file *f = find(q, ret);
  if (!f)
    return;
  buf_addf(&ret->body, "{\"id\":\"%s\",\"object\":\"file\",\"deleted\":true}",
           f->id);
  store_remove_file(q->store, f);
}

#define ROUTE(name, method, path, answer)                                      \
  {                                                                            \
    name, method, path, "openai", false, false, ENDPOINT_FILES, answer         \
  }

static const struct endpoint_route routes[] = {
    ROUTE("files.create", "POST", "/v1/files", create),
    ROUTE("files.list", "GET", "/v1/files", list),
    ROUTE("files.get", "GET", "/v1/files/*", get),
    ROUTE("files.content", "GET", "/v1/files/*/content", content),
    ROUTE("files.delete", "DELETE", "/v1/files/*", delete),
    {.name = NULL}};

const struct endpoint_family endpoint_openai_files = {
    .name = "openai_files",
    .summary = "OpenAI's files, kept in memory.",
    .routes = routes};
