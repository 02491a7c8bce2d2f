#include "request.h"

#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Hosts, paths and headers: the providers' API references. */
static const struct provider providers[] = {
    {"anthropic", "anthropic", SHAPE_MESSAGES, "ANTHROPIC_BASE_URL",
     "https://api.anthropic.com", "ANTHROPIC_API_KEY",
     "x-api-key: ", "claude-sonnet-4-5"},
    {"openai", "openai", SHAPE_CHAT, "OPENAI_BASE_URL",
     "https://api.openai.com/v1", "OPENAI_API_KEY", "authorization: Bearer ",
     "gpt-5-mini"},
    {"openai-responses", "openai", SHAPE_RESPONSES, "OPENAI_BASE_URL",
     "https://api.openai.com/v1", "OPENAI_API_KEY", "authorization: Bearer ",
     "gpt-5-mini"},
    {"gemini", "gemini", SHAPE_GEMINI, "GOOGLE_GEMINI_BASE_URL",
     "https://generativelanguage.googleapis.com", "GEMINI_API_KEY",
     "x-goog-api-key: ", "gemini-2.5-flash"},
};
enum { NPROVIDERS = sizeof providers / sizeof *providers };

/* Of a prompt with everything around it. */
enum { BODY_MAX_BYTES = 64 << 20 };

/* Anthropic's API wants max_tokens; what is sent when nobody said. */
enum { DEFAULT_MAX_TOKENS = 4096 };

const struct provider *provider_by_name(const char *name, struct diag *diag)
{
  const char *known[NPROVIDERS + 1] = {NULL};
  char hint[256];
  for (int i = 0; i < NPROVIDERS; i++) {
    if (strcmp(providers[i].name, name) == 0)
      return &providers[i];
    known[i] = providers[i].name;
  }
  words_hint(name, known, hint, sizeof hint);
  diag_set(diag, "--provider does not know '%s'%s", name, hint);
  return NULL;
}

const char *request_model(const struct request_options *o)
{
  return o->model ? o->model : o->provider->model;
}

static void add_model(const struct request_options *o, struct buf *ret)
{
  buf_adds(ret, "{\"model\":");
  buf_add_json(ret, bytes_of(request_model(o)));
}

static void add_max(const struct request_options *o, const char *key,
                    struct buf *ret)
{
  if (o->max_tokens)
    buf_addf(ret, ",\"%s\":%" PRId64, key, o->max_tokens);
}

static void add_stream(const struct request_options *o, struct buf *ret)
{
  buf_adds(ret, o->stream ? ",\"stream\":true}" : "}");
}

static void messages(const struct request_options *o, const char *prompt,
                     struct buf *ret)
{
  add_model(o, ret);
  buf_addf(ret, ",\"max_tokens\":%" PRId64,
           o->max_tokens ? o->max_tokens : DEFAULT_MAX_TOKENS);
  buf_adds(ret, ",\"messages\":[{\"role\":\"user\",\"content\":");
  buf_add_json(ret, bytes_of(prompt));
  buf_adds(ret, "}]");
  add_stream(o, ret);
}

static void chat(const struct request_options *o, const char *prompt,
                 struct buf *ret)
{
  add_model(o, ret);
  add_max(o, "max_completion_tokens", ret);
  buf_adds(ret, ",\"messages\":[{\"role\":\"user\",\"content\":");
  buf_add_json(ret, bytes_of(prompt));
  buf_adds(ret, "}]");
  add_stream(o, ret);
}

static void responses(const struct request_options *o, const char *prompt,
                      struct buf *ret)
{
  add_model(o, ret);
  add_max(o, "max_output_tokens", ret);
  buf_adds(ret, ",\"input\":");
  buf_add_json(ret, bytes_of(prompt));
  add_stream(o, ret);
}

/* Gemini names model and stream in the path. */
static void gemini(const struct request_options *o, const char *prompt,
                   struct buf *ret)
{
  buf_adds(ret, "{\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":");
  buf_add_json(ret, bytes_of(prompt));
  buf_adds(ret, "}]}]");
  if (o->max_tokens)
    buf_addf(ret, ",\"generationConfig\":{\"maxOutputTokens\":%" PRId64 "}",
             o->max_tokens);
  buf_adds(ret, "}");
}

static void add_body(const struct request_options *o, const char *prompt,
                     struct buf *ret)
{
  switch (o->provider->shape) {
  case SHAPE_MESSAGES:
    messages(o, prompt, ret);
    break;
  case SHAPE_CHAT:
    chat(o, prompt, ret);
    break;
  case SHAPE_RESPONSES:
    responses(o, prompt, ret);
    break;
  case SHAPE_GEMINI:
    gemini(o, prompt, ret);
    break;
  }
}

#define KEY_HEADER "idempotency-key: "

static const char *base_url(const struct request_options *o)
{
  const char *env = getenv(o->provider->url_env);
  if (o->base_url)
    return o->base_url;
  return env && env[0] != '\0' ? env : o->provider->default_url;
}

static char *make_url(const struct request_options *o)
{
  const char *base = base_url(o);
  int n = (int)strlen(base);
  while (n > 0 && base[n - 1] == '/')
    n--;
  switch (o->provider->shape) {
  case SHAPE_MESSAGES:
    return mem_format("%.*s/v1/messages", n, base);
  case SHAPE_CHAT:
    return mem_format("%.*s/chat/completions", n, base);
  case SHAPE_RESPONSES:
    return mem_format("%.*s/responses", n, base);
  case SHAPE_GEMINI:
    break;
  }
  return mem_format("%.*s/v1beta/models/%s:%s", n, base, request_model(o),
                    o->stream ? "streamGenerateContent?alt=sse"
                              : "generateContent");
}

static int add_headers(struct request *ret, const struct request_options *o,
                       const char *call_id, struct diag *diag)
{
  const char *key = getenv(o->provider->key_env);
  int n = 0;
  if (key && strpbrk(key, "\r\n"))
    return diag_set(diag, "%s holds a line end", o->provider->key_env);
  ret->headers[n++] = mem_strdup("content-type: application/json");
  if (key && key[0] != '\0')
    ret->headers[n++] = mem_format("%s%s", o->provider->key_header, key);
  if (o->provider->shape == SHAPE_MESSAGES)
    ret->headers[n++] = mem_strdup("anthropic-version: 2023-06-01");
  /* The same for every try: a server that knows such keys does not work
   * twice, and a log can tell a retry from a second call. */
  ret->headers[n++] = mem_format(KEY_HEADER "%s", call_id);
  return 0;
}

int request_make(struct request *ret, const struct request_options *o,
                 const char *prompt, const char *call_id, struct diag *diag)
{
  struct buf body;
  memset(ret, 0, sizeof *ret);
  if (add_headers(ret, o, call_id, diag) < 0)
    return -1;
  buf_init(&body, BODY_MAX_BYTES);
  add_body(o, prompt, &body);
  if (body.full) {
    buf_release(&body);
    request_release(ret);
    return diag_set(diag, "a prompt is larger than %d bytes", BODY_MAX_BYTES);
  }
  ret->url = make_url(o);
  ret->body_n = body.n;
  ret->body = buf_detach(&body);
  return 0;
}

void request_with_body(struct request *ret, const struct request *r, char *body,
                       size_t body_n, const char *call_id)
{
  memset(ret, 0, sizeof *ret);
  ret->url = mem_strdup(r->url);
  ret->body = body;
  ret->body_n = body_n;
  for (int i = 0; r->headers[i]; i++)
    ret->headers[i] =
        strncmp(r->headers[i], KEY_HEADER, sizeof KEY_HEADER - 1) == 0
            ? mem_format(KEY_HEADER "%s", call_id)
            : mem_strdup(r->headers[i]);
}

void request_release(struct request *r)
{
  for (int i = 0; r->headers[i]; i++)
    free(r->headers[i]);
  free(r->url);
  free(r->body);
  memset(r, 0, sizeof *r);
}
