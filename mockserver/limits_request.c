#include "mockserver/limits_request.h"

#include "base/number.h"
#include "mockserver/call.h"

#include <inttypes.h>
#include <string.h>

/* Ceiling of a number of tokens a request may name. */
#define MAX_TOKENS INT64_C(1000000000)

int64_t tokens_estimate(struct bytes text)
{
  return (int64_t)(text.n / 4) + 1;
}

/* ---- whose ---- */

struct name_source {
  enum limit_scope scope;
  const char *headers[3];
  const char *key_mark;
};

static const struct name_source sources[] = {
    {LIMIT_ORGANIZATION,
     {"x-faultwire-organization", "openai-organization", NULL},
     "-org-"},
    {LIMIT_WORKSPACE,
     {"x-faultwire-workspace", "anthropic-workspace-id", NULL},
     "-workspace-"},
    {LIMIT_PROJECT,
     {"x-faultwire-project", "openai-project", "x-goog-user-project"},
     "-project-"}};
enum { SOURCES = sizeof sources / sizeof *sources };

/* Names go into JSON and error texts: nothing that needs an escape there. */
static void copy_name(char ret[80], struct bytes name)
{
  size_t n = name.n < 79 ? name.n : 79;
  for (size_t i = 0; i < n; i++) {
    char c = name.p[i];
    bool plain = c > ' ' && c <= '~' && !strchr("\"\\{}<>", c);
    ret[i] = plain ? c : '_';
  }
  ret[n] = '\0';
}

/* NAME behind `mark` in the key, up to the next '-'. */
static struct bytes key_name(struct bytes key, const char *mark)
{
  ptrdiff_t at = bytes_find(key, bytes_of(mark));
  if (at < 0)
    return (struct bytes){NULL, 0};
  size_t from = (size_t)at + strlen(mark);
  struct bytes name = {key.p + from, key.n - from};
  const char *end = memchr(name.p, '-', name.n);
  if (end)
    name.n = (size_t)(end - name.p);
  return name;
}

static struct bytes find_name(const struct name_source *s,
                              const struct request *r, struct bytes key)
{
  struct bytes value;
  for (size_t i = 0; i < 3 && s->headers[i]; i++)
    if (request_header(r, s->headers[i], &value) && value.n)
      return value;
  return key_name(key, s->key_mark);
}

/* The credential, wherever this provider's clients put it. */
static struct bytes find_key(const struct call *c, const struct request *r)
{
  static const char *const headers[] = {"x-api-key", "x-goog-api-key",
                                        "authorization", NULL};
  struct bytes value = {"", 0};
  for (const char *const *h = headers; *h; h++)
    if (request_header(r, *h, &value))
      return value;
  ptrdiff_t at = bytes_find(c->query, BYTES("key="));
  if (at < 0)
    return (struct bytes){"", 0};
  value = (struct bytes){c->query.p + at, c->query.n - (size_t)at};
  const char *end = memchr(value.p, '&', value.n);
  if (end)
    value.n = (size_t)(end - value.p);
  return value;
}

void limit_who_read(struct limit_who *ret, const struct call *c,
                    const struct request *r)
{
  struct bytes key = find_key(c, r);
  memset(ret, 0, sizeof *ret);
  for (size_t i = 0; i < SOURCES; i++)
    copy_name(ret->name[sources[i].scope], find_name(&sources[i], r, key));
  /* never the key itself: names are shown by admin and journal */
  if (key.n)
    snprintf(ret->name[LIMIT_KEY], sizeof ret->name[LIMIT_KEY],
             "key-%08" PRIx32, (uint32_t)bytes_hash(key));
  copy_name(ret->name[LIMIT_MODEL], bytes_of(c->model));
}

/* ---- what it costs ---- */

/* "input=12" and so on within the header; anything else is passed over. */
static void read_word(struct limit_cost *ret, struct bytes word)
{
  const struct {
    struct bytes name;
    int64_t *to;
  } known[] = {{BYTES("input="), &ret->input},
               {BYTES("output="), &ret->output},
               {BYTES("cached="), &ret->cached}};
  for (size_t i = 0; i < 3; i++) {
    struct bytes value = {word.p + known[i].name.n, word.n - known[i].name.n};
    if (bytes_starts(word, known[i].name))
      number_i64(value, 0, MAX_TOKENS, known[i].to);
  }
}

static void read_header(struct limit_cost *ret, struct bytes value)
{
  size_t from = 0;
  for (size_t i = 0; i <= value.n; i++) {
    bool ends = i == value.n || strchr(" ,;\t", value.p[i]);
    if (ends && i > from)
      read_word(ret, (struct bytes){value.p + from, i - from});
    if (ends)
      from = i + 1;
  }
}

static int64_t read_max_output(struct bytes body)
{
  static const char *const keys[] = {"max_tokens", "max_completion_tokens",
                                     "max_output_tokens", NULL};
  struct bytes v, config;
  int64_t n = -1;
  for (const char *const *key = keys; *key; key++)
    if (call_scan(body, *key, &v) &&
        number_i64(v, 0, MAX_TOKENS, &n) == NUMBER_OK)
      return n;
  if (call_scan(body, "generationConfig", &config) &&
      call_scan(config, "maxOutputTokens", &v) &&
      number_i64(v, 0, MAX_TOKENS, &n) == NUMBER_OK)
    return n;
  return -1;
}

/* The part of the body up to its last "cache_control"; empty: none. */
static struct bytes cached_prefix(struct bytes body)
{
  struct bytes mark = BYTES("\"cache_control\""), rest = body;
  size_t end = 0;
  for (ptrdiff_t at; (at = bytes_find(rest, mark)) >= 0;) {
    size_t step = (size_t)at + mark.n;
    end = (size_t)(rest.p - body.p) + (size_t)at;
    rest = (struct bytes){rest.p + step, rest.n - step};
  }
  return (struct bytes){body.p, end};
}

int64_t limit_batch_requests(struct bytes body)
{
  struct bytes mark = BYTES("\"custom_id\"");
  int64_t n = 0;
  for (ptrdiff_t at; (at = bytes_find(body, mark)) >= 0; n++)
    body = (struct bytes){body.p + at + (ptrdiff_t)mark.n,
                          body.n - (size_t)at - mark.n};
  return n ? n : 1;
}

void limit_cost_read(struct limit_cost *ret, const struct request *r)
{
  struct bytes value;
  *ret = (struct limit_cost){.requests = 1,
                             .input = -1,
                             .cached = -1,
                             .max_output = read_max_output(r->body),
                             .output = -1};
  if (request_header(r, "x-faultwire-tokens", &value))
    read_header(ret, value);
  if (ret->input < 0)
    ret->input = tokens_estimate(r->body);
  if (ret->cached < 0)
    ret->prefix = cached_prefix(r->body);
}
