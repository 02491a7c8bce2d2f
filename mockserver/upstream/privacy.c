#include "mockserver/upstream/privacy.h"

#include "base/words.h"
#include "mockserver/import/scrub.h"

#include <cjson/cJSON.h>
#include <gnutls/crypto.h>
#include <string.h>

/* What says the shape and nothing of the content: words of the APIs. */
static const char *const kept[] = {"model",       "role",          "type",
                                   "stop_reason", "finish_reason", "media_type",
                                   "effort",      "service_tier",  NULL};
/* Objects whose very keys are the user's. */
static const char *const own[] = {
    "input",  "input_schema", "parameters", "properties", "metadata", "args",
    "schema", "arguments",    "response",   "logit_bias", NULL};

static void add_hash(struct bytes text, struct buf *ret)
{
  unsigned char digest[32] = {0};
  gnutls_hash_fast(GNUTLS_DIG_SHA256, text.p ? text.p : "", text.n, digest);
  buf_adds(ret, "sha256:");
  for (int i = 0; i < 8; i++)
    buf_addf(ret, "%02x", digest[i]);
}

static cJSON *hashed(struct bytes text)
{
  struct buf hash;
  buf_init(&hash, 64);
  add_hash(text, &hash);
  cJSON *node = cJSON_CreateString(buf_str(&hash));
  buf_release(&hash);
  return node;
}

static cJSON *shape(const cJSON *node, const char *key);

static cJSON *shape_children(const cJSON *node)
{
  const cJSON *child;
  bool list = cJSON_IsArray(node);
  cJSON *copy = list ? cJSON_CreateArray() : cJSON_CreateObject();
  cJSON_ArrayForEach(child, node)
  {
    if (list)
      cJSON_AddItemToArray(copy, shape(child, NULL));
    else
      cJSON_AddItemToObject(copy, child->string, shape(child, child->string));
  }
  return copy;
}

/* Depth is that of cJSON's own limit. */
static cJSON *shape(const cJSON *node, const char *key)
{
  bool is_own = key && words_has(own, key) && cJSON_IsObject(node);
  if (is_own) {
    char *text = cJSON_PrintUnformatted(node);
    cJSON *hash = hashed(bytes_of(text ? text : ""));
    cJSON_free(text);
    return hash;
  }
  if (cJSON_IsObject(node) || cJSON_IsArray(node))
    return shape_children(node);
  if (cJSON_IsString(node) && !(key && words_has(kept, key)))
    return hashed(bytes_of(node->valuestring));
  return cJSON_Duplicate(node, true);
}

static void add_scrubbed(struct bytes text, struct buf *ret)
{
  size_t at = ret->n;
  buf_addb(ret, text);
  if (ret->n > at)
    scrub_text(ret->p + at, ret->n - at);
}

void privacy_body(struct bytes body, bool keep_texts, struct buf *ret)
{
  if (keep_texts) {
    add_scrubbed(body, ret);
    return;
  }
  if (!body.n)
    return;
  cJSON *json = cJSON_ParseWithLength(body.p, body.n);
  if (!json) {
    add_hash(body, ret);
    return;
  }
  cJSON *copy = shape(json, NULL);
  char *text = cJSON_PrintUnformatted(copy);
  add_scrubbed(bytes_of(text ? text : ""), ret);
  cJSON_free(text);
  cJSON_Delete(copy);
  cJSON_Delete(json);
}

void privacy_headers(struct bytes lines, struct buf *ret)
{
  for (size_t i = 0; i < lines.n;) {
    const char *end = memchr(lines.p + i, '\n', lines.n - i);
    size_t n = end ? (size_t)(end - lines.p) - i : lines.n - i;
    struct bytes line = {lines.p + i, n};
    ptrdiff_t colon = bytes_find(line, BYTES(": "));
    size_t at = ret->n, name = colon < 0 ? 0 : (size_t)colon;
    buf_addb(ret, line);
    if (name && scrub_is_secret_header((struct bytes){line.p, name}))
      scrub_value(ret->p + at + name + 2, n - name - 2);
    else if (n)
      scrub_text(ret->p + at, n);
    buf_addc(ret, '\n');
    i += n + 1;
  }
}

void privacy_target(struct bytes target, struct buf *ret)
{
  add_scrubbed(target, ret);
}
