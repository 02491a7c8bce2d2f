/*
 * Embeddings: vectors of length 1 made from a hash of the text, so that the
 * same text has the same vector on every machine. Sources: openai
 * src/resources/embeddings.ts (the Node SDK asks for base64 by itself),
 * @google/genai (batchEmbedContents).
 */
#include "mockserver/endpoint.h"

#include "mockserver/base64.h"
#include "mockserver/limits_request.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* text-embedding-3-small and gemini-embedding's short form; ceiling of the
 * largest documented ones. */
enum { OPENAI_DIMENSIONS = 1536, GEMINI_DIMENSIONS = 768 };
enum { MAX_DIMENSIONS = 4096, MAX_INPUTS = 2048 };

static void make_vector(struct bytes text, size_t n, float *ret)
{
  uint64_t s = bytes_hash(text) | 1;
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    /* xorshift64*: Vigna 2016 */
    s ^= s >> 12;
    s ^= s << 25;
    s ^= s >> 27;
    uint64_t bits = s * UINT64_C(2685821657736338717) >> 40;
    ret[i] = (float)((double)bits / 8388608.0 - 1.0); /* 24 bits to -1..1 */
    sum += (double)ret[i] * (double)ret[i];
  }
  for (size_t i = 0; i < n; i++)
    ret[i] = (float)((double)ret[i] / sqrt(sum > 0 ? sum : 1));
}

static void add_numbers(const float *v, size_t n, struct buf *ret)
{
  buf_addc(ret, '[');
  for (size_t i = 0; i < n; i++)
    buf_addf(ret, "%s%.8g", i ? "," : "", (double)v[i]);
  buf_addc(ret, ']');
}

/* Little-endian floats, which is what the SDK reads them as. */
static void add_base64(const float *v, size_t n, struct buf *ret)
{
  struct buf raw;
  buf_init(&raw, MAX_DIMENSIONS * 4);
  for (size_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &v[i], sizeof bits);
    for (int k = 0; k < 32; k += 8)
      buf_addc(&raw, (char)(bits >> k & 0xff));
  }
  buf_addc(ret, '"');
  base64_encode(buf_bytes(&raw), ret);
  buf_addc(ret, '"');
  buf_release(&raw);
}

/* What is embedded, as text: a string, or any other JSON as it is printed. */
static void embed(const cJSON *input, size_t n, bool base64, struct buf *ret)
{
  float v[MAX_DIMENSIONS];
  char *printed = cJSON_IsString(input) ? NULL : cJSON_PrintUnformatted(input);
  make_vector(bytes_of(printed ? printed : input->valuestring), n, v);
  cJSON_free(printed);
  if (base64)
    add_base64(v, n, ret);
  else
    add_numbers(v, n, ret);
}

static size_t dimensions(const cJSON *o, const char *key, size_t otherwise)
{
  int64_t n = 0;
  const cJSON *node = param_node(o, key);
  if (cJSON_IsNumber(node) && node->valuedouble >= 1 &&
      node->valuedouble <= MAX_DIMENSIONS)
    n = (int64_t)node->valuedouble;
  return n ? (size_t)n : otherwise;
}

/* A list of texts or of lists of tokens is several inputs; a list of tokens
 * is one. */
static bool is_many(const cJSON *input)
{
  return cJSON_IsArray(input) && input->child && !cJSON_IsNumber(input->child);
}

static void openai_list(const struct endpoint_ask *q, const cJSON *o,
                        struct endpoint_answer *ret)
{
  const cJSON *input = param_node(o, "input");
  const cJSON *format = param_node(o, "encoding_format");
  bool base64 =
      cJSON_IsString(format) && strcmp(format->valuestring, "base64") == 0;
  size_t n = dimensions(o, "dimensions", OPENAI_DIMENSIONS);
  const cJSON *item = is_many(input) ? input->child : input;
  int64_t tokens = tokens_estimate(q->request->body);
  buf_adds(&ret->body, "{\"object\":\"list\",\"data\":[");
  for (size_t i = 0; item && i < MAX_INPUTS; i++) {
    buf_addf(&ret->body,
             "%s{\"object\":\"embedding\",\"index\":%zu,\"embedding\":",
             i ? "," : "", i);
    embed(item, n, base64, &ret->body);
    buf_addc(&ret->body, '}');
    item = is_many(input) ? item->next : NULL;
  }
  buf_adds(&ret->body, "],\"model\":");
  buf_add_json(&ret->body, bytes_of(q->call->model));
  buf_addf(&ret->body,
           ",\"usage\":{\"prompt_tokens\":%" PRId64 ",\"total_tokens\":%" PRId64
           "}}",
           tokens, tokens);
}

static void openai(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct json_doc doc;
  struct diag diag = {0};
  if (json_parse(&doc, "request", q->request->body, &diag) < 0) {
    endpoint_fail(ret, "invalid_request", "The body is not JSON.");
    return;
  }
  if (param_node(doc.root, "input"))
    openai_list(q, doc.root, ret);
  else
    endpoint_fail(ret, "invalid_request",
                  "Missing required parameter: 'input'.");
  json_release(&doc);
}

static void add_gemini(const cJSON *request, struct buf *ret)
{
  static const cJSON none = {.type = cJSON_NULL};
  const cJSON *content = param_node(request, "content");
  const cJSON *config = param_node(request, "embedContentConfig");
  size_t n = dimensions(config ? config : request, "outputDimensionality",
                        GEMINI_DIMENSIONS);
  buf_adds(ret, "{\n    \"values\": ");
  embed(content ? content : &none, n, false, ret);
  buf_adds(ret, "\n  }");
}

static void gemini(const struct endpoint_ask *q, struct endpoint_answer *ret)
{
  struct json_doc doc;
  struct diag diag = {0};
  if (json_parse(&doc, "request", q->request->body, &diag) < 0) {
    endpoint_fail(ret, "invalid_request", "Invalid JSON payload received.");
    return;
  }
  const cJSON *item, *list = param_node(doc.root, "requests");
  size_t n = 0;
  if (cJSON_IsArray(list)) {
    buf_adds(&ret->body, "{\n  \"embeddings\": [");
    cJSON_ArrayForEach(item, list)
    {
      if (n < MAX_INPUTS) {
        buf_adds(&ret->body, n++ ? ",\n  " : "\n  ");
        add_gemini(item, &ret->body);
      }
    }
    buf_adds(&ret->body, "\n  ]\n}\n");
  } else {
    buf_adds(&ret->body, "{\n  \"embedding\": ");
    add_gemini(doc.root, &ret->body);
    buf_adds(&ret->body, "\n}\n");
  }
  json_release(&doc);
}

#define ROUTE(path, provider, star, answer)                                    \
  {                                                                            \
    "embeddings", "POST", path, provider, false, star, ENDPOINT_EMBED, answer  \
  }

static const struct endpoint_route routes[] = {
    ROUTE("/v1/embeddings", "openai", false, openai),
    ROUTE("/embeddings", "openai", false, openai),
    ROUTE("/v1beta/models/*:embedContent", "gemini", true, gemini),
    ROUTE("/v1/models/*:embedContent", "gemini", true, gemini),
    ROUTE("/v1beta/models/*:batchEmbedContents", "gemini", true, gemini),
    ROUTE("/v1/models/*:batchEmbedContents", "gemini", true, gemini),
    {.name = NULL}};

const struct endpoint_family endpoint_embeddings = {
    .name = "embeddings",
    .summary = "Vectors made from a hash of the text: the same text, the "
               "same vector.",
    .routes = routes};
