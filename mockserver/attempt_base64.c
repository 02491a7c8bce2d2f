#include "mockserver/attempt_part.h"

#include "mockserver/base64.h"

#include <string.h>

static int take_base64(struct attempt *a, const char *name, struct buf *raw,
                       const struct jval *v, struct diag *diag)
{
  const struct {
    const char *name;
    char *to;            /* an array of `size` bytes, or */
    char **owned;        /* memory of its own, */
    size_t size, *bytes; /* with its number of bytes */
  } rows[] = {
      {"method", a->method, NULL, sizeof a->method, NULL},
      {"target", NULL, &a->target, 0, NULL},
      {"headers", NULL, &a->headers, 0, NULL},
      {"body", NULL, &a->body, 0, &a->body_kept},
      {"lane", a->lane, NULL, sizeof a->lane, NULL},
      {"model", a->model, NULL, sizeof a->model, NULL},
      {"idempotency_key", a->idempotency_key, NULL, sizeof a->idempotency_key,
       NULL},
      {"what", a->what, NULL, sizeof a->what, NULL},
      {"retry_after", a->retry_after, NULL, sizeof a->retry_after, NULL},
      {"argv", NULL, &a->argv, 0, &a->argv_bytes},
      {"env", NULL, &a->env, 0, &a->env_bytes}};
  const char *known[sizeof rows / sizeof *rows + 1] = {0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    known[i] = rows[i].name;
    if (strcmp(name, known[i]) != 0)
      continue;
    if (rows[i].to)
      return attempt_keep_text(rows[i].to, rows[i].size, buf_bytes(raw), v,
                               diag);
    if (rows[i].bytes)
      *rows[i].bytes = raw->n;
    free(*rows[i].owned);
    *rows[i].owned = bytes_dup(buf_bytes(raw));
    return 0;
  }
  return attempt_unknown_word(v, name, known, diag);
}

int attempt_base64(struct attempt *a, const struct jval *v, struct diag *diag)
{
  int rc = jval_object(v, diag);
  for (int i = 0; rc == 0 && i < jval_count(v); i++) {
    struct jval item = jval_item(v, i);
    const char *text = NULL;
    struct buf raw;
    buf_init(&raw, ATTEMPT_MAX_TEXT);
    rc = jval_string(&item, &text, diag);
    if (rc == 0 && !base64_decode(bytes_of(text), &raw))
      rc = jval_error(&item, diag, "is no base64");
    if (rc == 0)
      rc = take_base64(a, item.key, &raw, &item, diag);
    buf_release(&raw);
  }
  return rc;
}
