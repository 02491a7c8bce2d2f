/*
 * fuzz_resume.c - input: one byte (bits 0 to 3 kinds of blocks, bit 4 another
 * provider), one byte with the length of the text, the text, the request.
 */
#include "fuzz/fuzz.h"
#include "guard/resume.h"

#include <cjson/cJSON.h>

static bool has_body(enum guard_resume way)
{
  return way == GUARD_RESUME_ASSISTANT || way == GUARD_RESUME_USER;
}

/* The request with one piece put in. */
static void check_splice(const struct guard_cut *c, const char *body, size_t n)
{
  size_t head = 0, tail = 0;

  while (head < c->request_n && body[head] == c->request[head])
    head++;
  while (tail < c->request_n &&
         body[n - 1 - tail] == c->request[c->request_n - 1 - tail])
    tail++;
  PROPERTY(n > c->request_n, "something was added");
  PROPERTY(head + tail >= c->request_n, "nothing else was changed");
}

static const char *member(const cJSON *object, const char *key)
{
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static void check_message(const struct guard_cut *c, enum guard_resume way,
                          const cJSON *before, const cJSON *after,
                          size_t kept_n)
{
  const cJSON *old = cJSON_GetObjectItemCaseSensitive(before, "messages");
  const cJSON *new = cJSON_GetObjectItemCaseSensitive(after, "messages");
  int n = cJSON_GetArraySize(new);
  const cJSON *last = cJSON_GetArrayItem(new, n - 1);
  char *kept = fuzz_text(c->text, kept_n);

  PROPERTY(n == cJSON_GetArraySize(old) + 1, "there is one message more");
  PROPERTY(strcmp(member(last, "role"),
                  way == GUARD_RESUME_USER ? "user" : "assistant") == 0,
           "it has the role of the way");
  /* cJSON ends a text at a NUL */
  if (strlen(kept) == kept_n && way == GUARD_RESUME_ASSISTANT)
    PROPERTY(strcmp(member(last, "content"), kept) == 0, "it is what was kept");
  if (strlen(kept) == kept_n)
    PROPERTY(strstr(member(last, "content"), kept) != NULL,
             "it holds what was kept");
  free(kept);
}

static void check_sizes(const struct guard_cut *c, enum guard_resume way,
                        const char *body, size_t n)
{
  char *tight = fuzz_copy(body, n + 1);
  struct guard_resumed resumed = {0, 0, false};

  memset(tight, 'x', n + 1);
  PROPERTY(guard_resume(c, tight, n + 1, &resumed) == way &&
               memcmp(tight, body, n + 1) == 0,
           "a buffer that just fits gives the same");
  PROPERTY(guard_resume(c, tight, n, &resumed) == GUARD_RESUME_TOO_SMALL,
           "one byte less is too small");
  free(tight);
}

static void check_body(const struct guard_cut *c, enum guard_resume way,
                       const char *body, const struct guard_resumed *resumed)
{
  cJSON *before = cJSON_ParseWithLength(c->request, c->request_n);
  cJSON *after = cJSON_ParseWithLength(body, resumed->body_n);

  PROPERTY(body[resumed->body_n] == '\0', "a NUL stands behind the body");
  PROPERTY(before && after, "JSON stays JSON");
  PROPERTY(resumed->kept_n > 0 && resumed->kept_n <= c->text_n,
           "some of the text is kept");
  PROPERTY(!(c->blocks & (GUARD_BLOCK_TOOL | GUARD_BLOCK_OTHER)),
           "tools are never resumed");
  PROPERTY(resumed->thinking_dropped ==
               ((c->blocks & GUARD_BLOCK_THINKING) != 0),
           "dropped thinking is told");
  check_splice(c, body, resumed->body_n);
  check_message(c, way, before, after, resumed->kept_n);
  check_sizes(c, way, body, resumed->body_n);
  cJSON_Delete(before);
  cJSON_Delete(after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct guard_resumed resumed = {4242, 4242, true};
  struct guard_cut c = {.provider = "anthropic"};
  enum guard_resume way;
  char *copy, *body;

  if (size < 2)
    return 0;
  copy = fuzz_copy(data + 2, size - 2);
  c.text_n = data[1] < size - 2 ? data[1] : size - 2;
  c.text = copy;
  c.request = copy + c.text_n;
  c.request_n = size - 2 - c.text_n;
  c.blocks = data[0] & 15u;
  if (data[0] & 16)
    c.provider = "openai-responses";
  body = malloc(guard_resume_room(&c));
  way = guard_resume(&c, body, guard_resume_room(&c), &resumed);
  PROPERTY(way < GUARD_RESUME_NWAYS, "the way is one of the list");
  PROPERTY(way != GUARD_RESUME_TOO_SMALL, "the room is never too small");
  if (has_body(way))
    check_body(&c, way, body, &resumed);
  else
    PROPERTY(resumed.body_n == 4242 && resumed.kept_n == 4242,
             "without a body nothing is told");
  free(body);
  free(copy);
  return 0;
}
