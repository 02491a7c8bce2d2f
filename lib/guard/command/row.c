#include "row.h"

#include "base/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const row_channels[] = {"http", "sse", "stdout", "stderr", NULL};

static bool has(const struct jval *row, const char *key, struct jval *ret)
{
  return jval_member(row, key, ret) && !cJSON_IsNull(ret->node);
}

static int read_string(const struct jval *row, const char *key,
                       const char **ret, struct diag *diag)
{
  struct jval v;
  return has(row, key, &v) ? jval_string(&v, ret, diag) : 0;
}

static int read_needed(const struct jval *row, const char *key,
                       const char **ret, struct diag *diag)
{
  *ret = NULL;
  if (read_string(row, key, ret, diag) < 0)
    return -1;
  return *ret ? 0 : jval_error(row, diag, "'%s' is missing", key);
}

static int read_channel(const struct jval *row, enum guard_channel *ret,
                        struct diag *diag)
{
  const char *word;
  char hint[128];
  struct jval v;
  if (read_needed(row, "channel", &word, diag) < 0)
    return -1;
  for (int i = 0; row_channels[i]; i++) {
    if (strcmp(word, row_channels[i]) == 0) {
      *ret = (enum guard_channel)i;
      return 0;
    }
  }
  words_hint(word, row_channels, hint, sizeof hint);
  has(row, "channel", &v);
  return jval_error(&v, diag, "unknown channel '%s'%s", word, hint);
}

static int read_numbers(const struct jval *row, struct guard_answer *a,
                        struct diag *diag)
{
  int64_t status = 0, code = 0, now_s = 0;
  struct jval v;
  if (has(row, "status", &v) &&
      jval_int(&v, 0, ROW_MAX_STATUS, &status, diag) < 0)
    return -1;
  a->status = (int)status;
  a->has_exit_code = has(row, "exit_code", &v);
  if (a->has_exit_code &&
      jval_int(&v, ROW_MIN_EXIT, ROW_MAX_EXIT, &code, diag) < 0)
    return -1;
  a->exit_code = (int)code;
  if (!has(row, "now_epoch", &v))
    return 0;
  if (jval_int(&v, 0, ROW_MAX_EPOCH_S, &now_s, diag) < 0)
    return -1;
  a->now_epoch_ms = now_s * 1000;
  return 0;
}

static int read_headers(const struct jval *row, struct row *ret,
                        struct diag *diag)
{
  struct jval v;
  if (!has(row, "headers", &v))
    return 0;
  if (jval_object(&v, diag) < 0)
    return -1;
  int n = jval_count(&v);
  ret->headers = mem_zalloc(((size_t)n + 1) * sizeof *ret->headers);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&v, i);
    ret->headers[i].name = item.key;
    if (jval_string(&item, &ret->headers[i].value, diag) < 0)
      return -1;
  }
  ret->answer.headers = ret->headers;
  ret->answer.nheaders = (size_t)n;
  return 0;
}

int row_read(const struct json_doc *doc, int64_t now_epoch_ms, struct row *ret,
             struct diag *diag)
{
  struct jval root = json_root(doc);
  struct guard_answer *a = &ret->answer;
  *ret = (struct row){.answer = {.now_epoch_ms = now_epoch_ms}};
  if (jval_object(&root, diag) < 0 ||
      read_string(&root, "id", &ret->id, diag) < 0 ||
      read_string(&root, "provider", &a->provider, diag) < 0 ||
      read_channel(&root, &a->channel, diag) < 0 ||
      read_needed(&root, "body", &a->body, diag) < 0 ||
      read_numbers(&root, a, diag) < 0 || read_headers(&root, ret, diag) < 0)
    return -1;
  a->body_n = strlen(a->body);
  return 0;
}

void row_release(struct row *r)
{
  free(r->headers);
  r->headers = NULL;
}

static void add_number(const char *key, bool known, int64_t n, struct buf *ret)
{
  if (known)
    buf_addf(ret, ",\"%s\":%" PRId64, key, n);
  else
    buf_addf(ret, ",\"%s\":null", key);
}

void row_answer(const char *id, const struct guard_verdict *v, struct buf *ret)
{
  buf_adds(ret, "{\"id\":");
  if (id)
    buf_add_json(ret, bytes_of(id));
  else
    buf_adds(ret, "null");
  buf_addf(ret, ",\"class\":\"%s\",\"retryable\":%s", guard_class_name(v->cls),
           v->retryable ? "true" : "false");
  add_number("wait_ms", v->hint == GUARD_HINT_WAIT, v->wait_ms, ret);
  add_number("reset_epoch", v->reset_epoch_s != 0, v->reset_epoch_s, ret);
  buf_adds(ret, ",\"reason\":");
  buf_add_json(ret, bytes_of(v->rule));
  buf_adds(ret, "}\n");
}
