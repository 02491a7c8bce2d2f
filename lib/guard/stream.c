/* How a provider's stream goes and ends; the rules are in stream_*.c. */
#include "guard/stream_rules.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TEXT_BYTES = 256 };

struct guard_stream {
  guard_stream_reader *read;
  bool strict;
  bool content; /* of the last event */
  enum guard_stream_state state;
  char *text;
  size_t text_n, text_cap;
  char *error;
  size_t error_n;
};

static const struct {
  const char *provider;
  guard_stream_reader *read;
} providers[] = {
#define STREAM(name, reader) {name, guard_stream_##reader},
#include "guard/stream.def"
#undef STREAM
};

struct guard_stream *guard_stream_new(const char *provider, bool strict)
{
  for (size_t i = 0; i < sizeof(providers) / sizeof(providers[0]); i++) {
    struct guard_stream *s;

    if (!provider || strcmp(provider, providers[i].provider) != 0)
      continue;
    s = calloc(1, sizeof(*s));
    if (!s)
      return NULL;
    s->read = providers[i].read;
    s->strict = strict;
    return s;
  }
  return NULL;
}

void guard_stream_free(struct guard_stream *s)
{
  if (!s)
    return;
  free(s->text);
  free(s->error);
  free(s);
}

bool guard_stream_is_strict(const struct guard_stream *s)
{
  return s->strict;
}

const char *guard_json_str(const cJSON *object, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

  return cJSON_IsString(item) ? item->valuestring : "";
}

void guard_stream_add_text(struct guard_stream *s, const cJSON *string)
{
  size_t n = cJSON_IsString(string) ? strlen(string->valuestring) : 0;

  if (n == 0 || n > GUARD_STREAM_TEXT_MAX ||
      s->text_n > GUARD_STREAM_TEXT_MAX - n)
    return;
  if (s->text_n + n + 1 > s->text_cap) {
    size_t cap = s->text_cap ? s->text_cap : FIRST_TEXT_BYTES;
    char *bigger;

    while (cap < s->text_n + n + 1)
      cap *= 2;
    bigger = realloc(s->text, cap);
    if (!bigger)
      return;
    s->text = bigger;
    s->text_cap = cap;
  }
  memcpy(s->text + s->text_n, string->valuestring, n + 1);
  s->text_n += n;
}

/* The first error is the one that counts. Without memory the state alone
 * tells of it. */
static void keep_error(struct guard_stream *s, const struct guard_sse_event *e)
{
  if (s->error || e->data_n == 0)
    return;
  s->error = malloc(e->data_n + 1);
  if (!s->error)
    return;
  memcpy(s->error, e->data, e->data_n);
  s->error[e->data_n] = '\0';
  s->error_n = e->data_n;
}

/* An error is final; the end is only undone by an error. */
static enum guard_stream_state next_state(enum guard_stream_state now,
                                          enum guard_stream_state seen)
{
  if (now == GUARD_STREAM_ERROR || seen == GUARD_STREAM_ERROR)
    return GUARD_STREAM_ERROR;
  return now == GUARD_STREAM_OPEN ? seen : now;
}

enum guard_stream_state guard_stream_event(struct guard_stream *s,
                                           const struct guard_sse_event *e)
{
  cJSON *json = cJSON_ParseWithLength(e->data, e->data_n);
  struct guard_stream_step step = s->read(s, e, json);

  if (step.state == GUARD_STREAM_ERROR)
    keep_error(s, e);
  s->content = step.content;
  s->state = next_state(s->state, step.state);
  cJSON_Delete(json);
  return s->state;
}

enum guard_stream_state guard_stream_state(const struct guard_stream *s)
{
  return s->state;
}

const char *guard_stream_text(const struct guard_stream *s)
{
  return s->text ? s->text : "";
}

const char *guard_stream_error(const struct guard_stream *s, size_t *ret_n)
{
  *ret_n = s->error_n;
  return s->error;
}

bool guard_stream_was_content(const struct guard_stream *s)
{
  return s->content;
}
