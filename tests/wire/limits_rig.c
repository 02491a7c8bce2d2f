#include "tests/unit/unit.h"

#include "tests/wire/limits_rig.h"

#include "tests/contract/answer.h"

#include "base/number.h"

#include <string.h>
#include <unistd.h>

void open_limits(struct limited *l, const char *provider, const char *limits)
{
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"limits\":%s}",
                          provider, limits);
  wire_open(&l->w, json);
  buf_init(&l->got, (size_t)16 << 20);
  free(json);
}

void close_limits(struct limited *l)
{
  buf_release(&l->got);
  wire_close(&l->w);
}

char *request_text(const char *target, const char *headers, const char *body)
{
  return mem_format("POST %s HTTP/1.1\r\nHost: x\r\n%s"
                    "content-type: application/json\r\n"
                    "content-length: %zu\r\n\r\n%s",
                    target, headers, strlen(body), body);
}

int status_of(const struct buf *b)
{
  uint64_t status = 0;
  struct bytes digits = {b->p ? b->p + 9 : "", 3};
  if (b->n < 12 || number_u64(digits, 999, &status) != NUMBER_OK)
    fail_msg("no status line: %s", buf_str(b));
  return (int)status;
}

/* One request on a connection of its own; its status. */
int ask(struct limited *l, const char *target, const char *headers,
        const char *body)
{
  char *text = request_text(target, headers, body);
  int fd = wire_connect(&l->w);
  buf_reset(&l->got);
  wire_send(fd, text);
  wire_sync(&l->w);
  wire_take(fd, &l->got);
  close(fd);
  wire_sync(&l->w);
  free(text);
  return status_of(&l->got);
}

int call_as(struct limited *l, const char *provider, bool stream,
            const char *headers)
{
  char *target = call_target(provider, "", stream);
  char *body = call_body(provider, stream);
  int status = ask(l, target, headers, body);
  free(target);
  free(body);
  return status;
}

bool says(const struct limited *l, const char *text)
{
  return strstr(buf_str(&l->got), text) != NULL;
}

void must_say(const struct limited *l, const char *text)
{
  if (!says(l, text))
    fail_msg("'%s' is not in\n%s", text, buf_str(&l->got));
}

/* The number behind `mark`, times 1000 where it is in seconds. */
int64_t number_behind(const struct limited *l, const char *mark, bool seconds)
{
  double n = 0;
  const char *p = strstr(buf_str(&l->got), mark);
  if (!p)
    fail_msg("'%s' is not in\n%s", mark, buf_str(&l->got));
  p += strlen(mark);
  struct bytes digits = {p, strspn(p, "0123456789.")};
  if (number_decimal(digits, 0, 1e9, &n) != NUMBER_OK)
    fail_msg("no number behind '%s'", mark);
  return (int64_t)(n * (seconds ? 1000 : 1) + 0.5);
}

/* What the refusal says about waiting, in milliseconds. */
int64_t told_wait_ms(const struct limited *l, const char *provider)
{
  if (strcmp(provider, "gemini") == 0)
    return number_behind(l, "\"retryDelay\": \"", true);
  if (strcmp(provider, "anthropic") == 0)
    return number_behind(l, "\r\nretry-after: ", true);
  return number_behind(l, "\r\nretry-after-ms: ", false);
}
