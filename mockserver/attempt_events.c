/*
 * The list `events` of an attempt: [nanoseconds, letter] for each of the
 * first events of a stream.
 */
#include "mockserver/attempt_part.h"

#include "base/json_exact.h"

#include <string.h>

static int read_kind(const struct jval *v, char *ret, struct diag *diag)
{
  const char *text = NULL;
  if (jval_string(v, &text, diag) < 0)
    return -1;
  if (strlen(text) != 1 || !event_kind_is(text[0]))
    return jval_error(v, diag, "must be one of c, p, e and t");
  *ret = text[0];
  return 0;
}

static int read_pair(struct event_times *t, const struct jval *v,
                     struct diag *diag)
{
  int64_t before = t->n ? t->ns[t->n - 1] : 0;
  if (jval_array(v, diag) < 0)
    return -1;
  if (jval_count(v) != 2)
    return jval_error(v, diag, "must be [nanoseconds, letter]");
  struct jval ns = jval_item(v, 0), kind = jval_item(v, 1);
  if (jval_i64(&ns, 0, INT64_MAX, &t->ns[t->n], diag) < 0 ||
      read_kind(&kind, &t->kind[t->n], diag) < 0)
    return -1;
  if (t->ns[t->n] < before)
    return jval_error(&ns, diag, "is before the event in front of it");
  t->n++;
  return 0;
}

int attempt_events(struct attempt *a, const struct jval *v, struct diag *diag)
{
  if (jval_array(v, diag) < 0)
    return -1;
  int n = jval_count(v);
  if (n < 1 || n > EVENT_TIMES_MAX)
    return jval_error(v, diag, "has %d events, 1 to %d are kept", n,
                      EVENT_TIMES_MAX);
  a->events = mem_zalloc(sizeof *a->events);
  for (int i = 0; i < n; i++) {
    struct jval pair = jval_item(v, i);
    if (read_pair(a->events, &pair, diag) < 0)
      return -1;
  }
  return 0;
}
