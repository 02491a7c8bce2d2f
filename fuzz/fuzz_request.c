/*
 * fuzz_request.c - which request is which, to the mock server. First line:
 * method, target, version; then header lines, an empty line, the body.
 */
#include "base/json.h"
#include "fuzz/fuzz.h"
#include "mockserver/call.h"

enum { MAX_HEADERS = 24, MAX_RETRY_COUNT = 1000000 };

struct input {
  char *head, *body; /* owned */
  struct header headers[MAX_HEADERS];
  struct request request;
};

static struct bytes cut(struct bytes *rest, char end)
{
  const char *at = rest->n > 0 ? memchr(rest->p, end, rest->n) : NULL;
  struct bytes part = {rest->p, at ? (size_t)(at - rest->p) : rest->n};

  rest->p += at ? part.n + 1 : part.n;
  rest->n -= at ? part.n + 1 : part.n;
  return part;
}

static void input_init(struct input *in, const uint8_t *data, size_t size)
{
  struct bytes rest, line;

  memset(in, 0, sizeof *in);
  in->head = fuzz_copy(data, size);
  rest = (struct bytes){in->head, size};
  line = cut(&rest, '\n');
  in->request.method = cut(&line, ' ');
  in->request.target = cut(&line, ' ');
  in->request.version = line;
  in->request.headers = in->headers;
  while (rest.n > 0 && (line = cut(&rest, '\n')).n > 0) {
    struct bytes name = cut(&line, ':');

    if (in->request.nheaders < MAX_HEADERS)
      in->headers[in->request.nheaders++] = (struct header){name, line};
  }
  in->body = fuzz_copy(rest.p, rest.n);
  in->request.body = (struct bytes){in->body, rest.n};
}

static void input_release(struct input *in)
{
  free(in->head);
  free(in->body);
}

static bool inside(struct bytes part, struct bytes whole)
{
  return part.n == 0 ||
         (part.p >= whole.p && part.p + part.n <= whole.p + whole.n);
}

static void check_call(const struct call *c, const struct request *r)
{
  PROPERTY(c->endpoint <= ENDPOINT_UNKNOWN, "the endpoint is one of the list");
  PROPERTY(!c->provider || provider_find(c->provider->name) == c->provider,
           "the provider is one of the list");
  PROPERTY(c->endpoint != ENDPOINT_GENERATE || c->provider,
           "a call has a provider");
  PROPERTY(inside(c->path, r->target) && inside(c->query, r->target),
           "path and query are the target's");
  PROPERTY(memchr(c->lane, '\0', sizeof c->lane) &&
               memchr(c->idempotency_key, '\0', sizeof c->idempotency_key),
           "texts end");
  for (const char *p = c->model; *p; p++)
    PROPERTY(*p >= ' ' && *p <= '~' && *p != '"' && *p != '\\',
             "a model's name needs no escape");
  PROPERTY(c->retry_count >= -1 && c->retry_count <= MAX_RETRY_COUNT,
           "a count of retries is in range");
  PROPERTY(!c->stream || c->endpoint == ENDPOINT_GENERATE,
           "only a call is streamed");
  PROPERTY(!c->http_1_0 || c->close, "HTTP/1.0 ends with its answer");
}

/* Names of headers in the other case say the same. */
static void check_case(struct input *in, const struct call *c)
{
  struct call other;

  for (size_t i = 0; i < in->request.nheaders; i++) {
    char *name = in->head + (in->headers[i].name.p - in->head);

    for (size_t k = 0; k < in->headers[i].name.n; k++)
      if ((name[k] >= 'a' && name[k] <= 'z') ||
          (name[k] >= 'A' && name[k] <= 'Z'))
        name[k] ^= ' ';
  }
  call_read(&other, &in->request);
  PROPERTY(memcmp(&other, c, sizeof other) == 0,
           "the case of header names changes nothing");
}

/* cJSON takes every control character for a blank. */
static bool is_plain(struct bytes body)
{
  for (size_t i = 0; i < body.n; i++)
    if (strchr("\\/", body.p[i]) ||
        ((unsigned char)body.p[i] < ' ' && !strchr("\t\r\n", body.p[i])))
      return false;
  return true;
}

/* The scan finds what a whole parser finds; escapes and comments aside,
 * which only one of them undoes. */
static void check_scan(struct bytes body)
{
  static const char *const keys[] = {"model", "stream", "stream_options"};
  struct diag diag = {0};
  struct json_doc doc;

  if (!is_plain(body))
    return;
  if (json_parse(&doc, "body", body, &diag) < 0)
    return;
  for (int i = 0; i < 3 && cJSON_IsObject(doc.root); i++) {
    const cJSON *node = cJSON_GetObjectItemCaseSensitive(doc.root, keys[i]);
    struct bytes found = {NULL, 0};

    PROPERTY(call_scan(body, keys[i], &found) == (node != NULL),
             "a key of the top level is found");
    if (cJSON_IsString(node))
      PROPERTY(bytes_equal(found, bytes_of(node->valuestring)),
               "a text is found whole");
    if (cJSON_IsBool(node))
      PROPERTY(bytes_equal(found,
                           cJSON_IsTrue(node) ? BYTES("true") : BYTES("false")),
               "a truth is found whole");
  }
  json_release(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct input in;
  struct call call;

  input_init(&in, data, size);
  call_read(&call, &in.request);
  check_call(&call, &in.request);
  check_scan(in.request.body);
  check_case(&in, &call);
  input_release(&in);
  return 0;
}
