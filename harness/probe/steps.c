#include "harness/probe/steps.h"

#include "base/json.h"

#include <string.h>

#define MAX_STEP ((size_t)65536)

static const struct class_row {
  const char *name, *http, *says;
  bool retried;
} rows[] = {
#define CLASS(id, name, http, says, retried) {name, http, says, retried},
#include "harness/probe/classes.def"
#undef CLASS
};

/* What a status is called in the bodies of the three providers. */
static const struct status_words {
  int status;
  const char *anthropic, *openai, *gemini, *message;
} status_words[] = {
    {400, "invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT",
     "The request is not valid."},
    {408, "timeout_error", "timeout", "DEADLINE_EXCEEDED",
     "The request took too long."},
    {413, "request_too_large", "invalid_request_error", "INVALID_ARGUMENT",
     "The request is too large."},
    {422, "invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT",
     "The request cannot be processed."},
    {429, "rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED",
     "This request would exceed your rate limit."},
};

const char *class_name(enum error_class c)
{
  return rows[c].name;
}

bool class_is_retried(enum error_class c)
{
  return rows[c].retried;
}

bool class_exists(const struct face *face, enum error_class c)
{
  return !face->command || rows[c].says;
}

static const struct status_words *words_of(int status)
{
  for (size_t i = 0; i < sizeof status_words / sizeof status_words[0]; i++)
    if (status_words[i].status == status)
      return &status_words[i];
  return &status_words[0];
}

static char *error_body(const struct face *face, int status,
                        const char *message)
{
  const struct status_words *w = words_of(status);
  struct buf b;
  buf_init(&b, MAX_STEP);
  if (strcmp(face->provider, "anthropic") == 0)
    buf_addf(&b, "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":",
             w->anthropic);
  else if (strcmp(face->provider, "gemini") == 0)
    buf_addf(&b,
             "{\"error\":{\"code\":%d,\"status\":\"%s\",\"message\":", status,
             w->gemini);
  else
    buf_addf(&b,
             "{\"error\":{\"type\":\"requests\",\"param\":null,"
             "\"code\":\"%s\",\"message\":",
             w->openai);
  buf_add_json(&b, bytes_of(message ? message : w->message));
  buf_adds(&b, "}}");
  return buf_detach(&b);
}

char *error_step(const struct face *face, int status, const char *message,
                 const char *more)
{
  char *body = error_body(face, status, message);
  struct buf b;
  buf_init(&b, MAX_STEP);
  buf_addf(&b,
           "\"fault\":\"status\",\"status\":%d,"
           "\"content_type\":\"application/json\",\"body\":",
           status);
  buf_add_json(&b, bytes_of(body));
  buf_adds(&b, more);
  free(body);
  return buf_detach(&b);
}

static int status_of(enum error_class c)
{
  switch (c) {
  case CLASS_TIMEOUT:
    return 408;
  case CLASS_TOO_LARGE:
    return 413;
  case CLASS_UNPROCESSABLE:
    return 422;
  default:
    return 429;
  }
}

char *class_step(const struct face *face, enum error_class c, const char *more)
{
  if (face->command)
    return mem_format("\"command\":\"%s\",\"says\":\"%s\"%s", face->command,
                      rows[c].says ? rows[c].says : "rate_limit", more);
  if (!rows[c].http)
    return error_step(face, status_of(c), NULL, more);
  return mem_format("%s%s", rows[c].http, more);
}

char *one_step(const char *keys)
{
  return mem_format("[{%s,\"times\":\"always\"}]", keys);
}

char *class_steps(const struct face *face, enum error_class c, const char *more)
{
  char *step = class_step(face, c, more);
  char *list = one_step(step);
  free(step);
  return list;
}

char *class_then_reply(const struct face *face, enum error_class c,
                       const char *more)
{
  char *step = class_step(face, c, more);
  char *list =
      face->command
          ? mem_format("[{%s},{\"command\":\"%s\",\"reply\":\"message\"}]",
                       step, face->command)
          : mem_format("[{%s},{\"reply\":\"message\"," REPLY_KEYS "}]", step);
  free(step);
  return list;
}

char *wait_keys(const struct face *face, double seconds)
{
  if (face->command)
    return mem_format(",\"retry_after\":%.0f", seconds);
  return mem_format(",\"retry_after\":\"%.0f\"", seconds);
}
