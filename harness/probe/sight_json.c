/* A sight between the worker that saw it and the caller: one JSON object. */
#include "harness/probe/sight.h"

#include "base/json.h"

#include <string.h>

/* Of each output; the deciding functions look at the beginning and the end
 * of short texts. */
#define KEPT_OUTPUT ((size_t)64 << 10)

static void add_text(struct buf *b, const char *key, const char *text)
{
  struct bytes s = bytes_of(text ? text : "");
  if (s.n > KEPT_OUTPUT)
    s.n = KEPT_OUTPUT;
  buf_addf(b, ",\"%s\":", key);
  buf_add_json(b, s);
}

static void add_call(struct buf *b, const struct sight_call *c)
{
  buf_addf(b,
           "{\"at\":%.6f,\"end\":%.6f,\"left\":%s,\"stream\":%s,"
           "\"status\":%d,\"start\":%d,\"body\":\"%016llx\"}",
           c->at_s, c->end_s, c->left ? "true" : "false",
           c->stream ? "true" : "false", c->status, c->start,
           (unsigned long long)c->body);
}

static void add_start(struct buf *b, const struct sight_start *s)
{
  buf_addf(b,
           "{\"start\":%.6f,\"exit\":%.6f,\"code\":%d,\"sig\":%d,"
           "\"timed_out\":%s",
           s->start_s, s->exit_s, s->code, s->sig,
           s->timed_out ? "true" : "false");
  add_text(b, "out", s->out);
  add_text(b, "err", s->err);
  buf_addc(b, '}');
}

void sight_write(const struct sight *s, struct buf *ret)
{
  buf_addf(ret, "{\"total\":%zu,\"side\":%zu", s->total, s->side);
  if (s->why)
    add_text(ret, "why", s->why);
  add_text(ret, "provider", s->provider);
  buf_adds(ret, ",\"calls\":[");
  for (size_t i = 0; i < s->ncalls; i++) {
    buf_adds(ret, i ? "," : "");
    add_call(ret, &s->calls[i]);
  }
  buf_adds(ret, "],\"starts\":[");
  for (size_t i = 0; i < s->nstarts; i++) {
    buf_adds(ret, i ? "," : "");
    add_start(ret, &s->starts[i]);
  }
  buf_adds(ret, "]}");
}

static double number(const cJSON *object, const char *key)
{
  const cJSON *node = json_member(object, key);
  return cJSON_IsNumber(node) ? node->valuedouble : 0;
}

static bool truth(const cJSON *object, const char *key)
{
  return cJSON_IsTrue(json_member(object, key));
}

static const char *text(const cJSON *object, const char *key)
{
  const cJSON *node = json_member(object, key);
  return cJSON_IsString(node) ? node->valuestring : "";
}

/* Sixteen hex digits, as written above. */
static uint64_t hash(const char *digits)
{
  static const char hex[] = "0123456789abcdef";
  uint64_t value = 0;
  for (const char *at; *digits && (at = strchr(hex, *digits)); digits++)
    value = value << 4 | (uint64_t)(at - hex);
  return value;
}

static void read_calls(struct sight *s, const cJSON *list)
{
  const cJSON *item = NULL;
  size_t n = (size_t)cJSON_GetArraySize(list);
  s->calls = mem_zalloc((n + 1) * sizeof *s->calls);
  cJSON_ArrayForEach(item, list) s->calls[s->ncalls++] =
      (struct sight_call){.at_s = number(item, "at"),
                          .end_s = number(item, "end"),
                          .left = truth(item, "left"),
                          .stream = truth(item, "stream"),
                          .status = (int)number(item, "status"),
                          .start = (int)number(item, "start"),
                          .body = hash(text(item, "body"))};
}

static void read_starts(struct sight *s, const cJSON *list)
{
  const cJSON *item = NULL;
  size_t n = (size_t)cJSON_GetArraySize(list);
  s->starts = mem_zalloc((n + 1) * sizeof *s->starts);
  cJSON_ArrayForEach(item, list) s->starts[s->nstarts++] =
      (struct sight_start){.start_s = number(item, "start"),
                           .exit_s = number(item, "exit"),
                           .code = (int)number(item, "code"),
                           .sig = (int)number(item, "sig"),
                           .timed_out = truth(item, "timed_out"),
                           .out = mem_strdup(text(item, "out")),
                           .err = mem_strdup(text(item, "err"))};
}

int sight_read(struct sight *ret, struct bytes bytes)
{
  cJSON *root = cJSON_ParseWithLength(bytes.p, bytes.n);
  const cJSON *calls = json_member(root, "calls");
  const cJSON *starts = json_member(root, "starts");
  memset(ret, 0, sizeof *ret);
  if (!cJSON_IsArray(calls) || !cJSON_IsArray(starts)) {
    cJSON_Delete(root);
    return -1;
  }
  ret->total = (size_t)number(root, "total");
  ret->side = (size_t)number(root, "side");
  if (json_member(root, "why"))
    ret->why = mem_strdup(text(root, "why"));
  snprintf(ret->provider, sizeof ret->provider, "%s", text(root, "provider"));
  read_calls(ret, calls);
  read_starts(ret, starts);
  cJSON_Delete(root);
  return 0;
}
