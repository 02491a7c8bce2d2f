/*
 * fuzz_admin.c - requests to a server that serves /__admin/: a call of the
 * input's target first, then the same under the admin path. Input: method,
 * target, an LF, header lines, an empty line, the body.
 */
#include "base/json.h"
#include "fuzz/fuzz.h"
#include "tests/contract/answer.h"

#define SCENARIO                                                               \
  "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\","                  \
  "\"steps\":[{\"fault\":\"rate_limit\",\"times\":2},"                         \
  "{\"reply\":\"message\"}]}"

/* The status of an answer's first line. */
static int status_of(const struct answer *a)
{
  int status = 0;

  PROPERTY(bytes_starts(buf_bytes(&a->wire), BYTES("HTTP/1.1 ")),
           "an answer begins with its status line");
  for (const char *p = a->wire.p + strlen("HTTP/1.1 "); *p >= '0' && *p <= '9';
       p++)
    status = 10 * status + (*p - '0');
  PROPERTY(status >= 100 && status <= 999, "a status has three digits");
  return status;
}

static void check_json(const struct answer *a, int status)
{
  struct json_doc doc;
  struct diag diag = {0};

  if (strstr(buf_str(&a->wire), "\r\ncontent-type: text/plain\r\n")) {
    PROPERTY(bytes_starts(answer_body(a), BYTES("Deleted ")),
             "a retry test that goes says so");
    return;
  }
  if (strstr(buf_str(&a->wire), "\r\ncontent-type: text/plain; charset")) {
    PROPERTY(bytes_starts(answer_body(a), BYTES("faultwire verdict: ")),
             "a report begins with its counts");
    return;
  }
  if (strstr(buf_str(&a->wire), "\r\ncontent-type: text/plain; version=")) {
    PROPERTY(bytes_starts(answer_body(a), BYTES("# HELP ")),
             "metrics begin with their first help line");
    return;
  }
  PROPERTY(json_parse(&doc, "answer", answer_body(a), &diag) == 0,
           "an admin answer is JSON");
  PROPERTY((status == 200) ==
               !cJSON_GetObjectItemCaseSensitive(doc.root, "error"),
           "an error has its sentence, and only an error");
  json_release(&doc);
}

static int ask(struct bench *b, const char *method, const char *target,
               const char *headers, const char *body)
{
  struct answer a;
  int status;

  bench_ask(b, method, target, headers, body, &a);
  status = status_of(&a);
  if (strncmp(target, "/__admin/", strlen("/__admin/")) == 0) {
    PROPERTY(a.unlogged, "an admin request is not journaled");
    if (strcmp(method, "HEAD") == 0)
      PROPERTY(answer_body(&a).n == 0, "HEAD has no body");
    else
      check_json(&a, status);
  }
  answer_release(&a);
  return status;
}

/* Settings hold what the last accepted request said. */
static void check_settings(struct bench *b, const char *body)
{
  struct answer before, after;
  int status;

  bench_ask(b, "GET", "/__admin/settings", "", "", &before);
  status = ask(b, "POST", "/__admin/settings", "", body);
  PROPERTY(status == 200 || status == 400, "settings are taken or refused");
  bench_ask(b, "GET", "/__admin/settings", "", "", &after);
  if (status == 400)
    PROPERTY(bytes_equal(answer_body(&before), answer_body(&after)),
             "what is refused changes nothing");
  answer_release(&before);
  answer_release(&after);
}

static char *cut(char **rest, char end)
{
  char *part = *rest, *at = strchr(part, end);

  *rest = at ? at + 1 : part + strlen(part);
  if (at)
    *at = '\0';
  return part;
}

/* Everything up to the empty line; header lines as bench_ask() takes them. */
static void read_headers(char **rest, struct buf *ret)
{
  char *line;

  while (*(line = cut(rest, '\n'))) {
    char *colon = strstr(line, ": ");

    if (colon && colon != line)
      buf_addf(ret, "%s\n", line);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size), *rest = text;
  const char *method = cut(&rest, ' ');
  char *target = cut(&rest, '\n'), *admin;
  struct buf headers;
  struct bench b;

  buf_init(&headers, SIZE_MAX / 2);
  read_headers(&rest, &headers);
  admin = mem_format("/__admin/%s", target);
  bench_open_with(&b, SCENARIO, false, true);
  ask(&b, method, target, buf_str(&headers), rest);
  ask(&b, method, admin, buf_str(&headers), rest);
  check_settings(&b, rest);
  PROPERTY(ask(&b, "GET", "/__admin/health", "", "") == 200,
           "nothing hurts the server's health");
  PROPERTY(ask(&b, "GET", "/__admin/verdict", "", "") == 200 &&
               ask(&b, "GET", "/__admin/retry_tests", "", "") == 200,
           "there is always a verdict, and a list");
  PROPERTY(ask(&b, "GET", "/__admin/requests", "", "") == 200,
           "the journal can always be shown");
  bench_close(&b);
  free(admin);
  buf_release(&headers);
  free(text);
  return 0;
}
