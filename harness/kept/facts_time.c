#include "harness/kept/facts_time.h"

#include "base/json_exact.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The numbers that anything in a report is made of. */
static const struct {
  const char *key;
  size_t at;
} numbers[] = {
    {"virtual_ns", offsetof(struct vtime_report, virtual_ns)},
    {"real_ns", offsetof(struct vtime_report, real_ns)},
    {"longest_sleep_ns", offsetof(struct vtime_report, longest_sleep_ns)},
    {"slept_ns", offsetof(struct vtime_report, slept_ns)},
    {"crept_ns", offsetof(struct vtime_report, crept_ns)},
    {"real_rate_ns", offsetof(struct vtime_report, real_rate_ns)},
    {"forced_ns", offsetof(struct vtime_report, forced_ns)},
    {"begin_ns", offsetof(struct vtime_report, start_ns)},
};
enum { NNUMBERS = sizeof numbers / sizeof numbers[0] };

static int64_t *number_of(struct vtime_report *r, int i)
{
  return (int64_t *)(void *)((char *)r + numbers[i].at);
}

void facts_time_write(const struct vtime_report *r, struct buf *ret)
{
  struct vtime_report copy = *r;
  buf_addc(ret, '{');
  for (int i = 0; i < NNUMBERS; i++)
    buf_addf(ret, "\"%s\": %" PRId64 ", ", numbers[i].key,
             *number_of(&copy, i));
  buf_adds(ret, "\"backend\": ");
  buf_add_json(ret, bytes_of(r->backend));
  buf_addf(ret, ", \"jumps\": %" PRIu64 ",\n    \"opaque\": [", r->jumps);
  for (size_t i = 0; i < r->opaque->n; i++) {
    const struct opaque_seen *s = &r->opaque->seen[i];
    const char *const texts[] = {s->comm, s->call, s->why};
    buf_adds(ret, i ? ", [" : "[");
    for (int k = 0; k < 3; k++) {
      buf_adds(ret, k ? ", " : "");
      buf_add_json(ret, bytes_of(texts[k]));
    }
    buf_addc(ret, ']');
  }
  buf_adds(ret, "]}");
}

static int read_numbers(struct vtime_report *r, const struct jval *v,
                        struct diag *diag)
{
  struct jval m;
  for (int i = 0; i < NNUMBERS; i++) {
    if (!jval_member(v, numbers[i].key, &m))
      return jval_error(v, diag, "the key '%s' is missing", numbers[i].key);
    if (jval_i64(&m, 0, INT64_MAX, number_of(r, i), diag) < 0)
      return -1;
  }
  if (!jval_member(v, "jumps", &m))
    return jval_error(v, diag, "the key 'jumps' is missing");
  return jval_u64(&m, UINT64_MAX, &r->jumps, diag);
}

static int read_backend(struct vtime_report *r, const struct jval *v,
                        struct diag *diag)
{
  struct jval m;
  if (!jval_member(v, "backend", &m))
    return jval_error(v, diag, "the key 'backend' is missing");
  return jval_string(&m, &r->backend, diag);
}

/* [program, call, why] */
static int read_one(struct opaque_seen *s, const struct jval *v,
                    struct diag *diag)
{
  const char *texts[3];
  if (jval_array(v, diag) < 0)
    return -1;
  if (jval_count(v) != 3)
    return jval_error(v, diag, "is not program, call and why");
  for (int i = 0; i < 3; i++) {
    struct jval text = jval_item(v, i);
    if (jval_string(&text, &texts[i], diag) < 0)
      return -1;
  }
  snprintf(s->comm, sizeof s->comm, "%s", texts[0]);
  s->call = texts[1];
  s->why = texts[2];
  return 0;
}

static int read_opaque(struct opaque_list *l, const struct jval *v,
                       struct diag *diag)
{
  struct jval list;
  if (!jval_member(v, "opaque", &list))
    return jval_error(v, diag, "the key 'opaque' is missing");
  if (jval_array(&list, diag) < 0)
    return -1;
  int n = jval_count(&list);
  if (n > OPAQUE_MAX)
    return jval_error(&list, diag, "holds more than %d programs", OPAQUE_MAX);
  for (int i = 0; i < n; i++) {
    struct jval item = jval_item(&list, i);
    if (read_one(&l->seen[i], &item, diag) < 0)
      return -1;
  }
  l->n = (size_t)n;
  return 0;
}

int facts_time_read(struct facts_time *ret, const struct jval *v,
                    struct diag *diag)
{
  static const char *const known[] = {
      "virtual_ns", "real_ns",      "longest_sleep_ns", "slept_ns",
      "crept_ns",   "real_rate_ns", "forced_ns",        "begin_ns",
      "jumps",      "opaque",       "backend",          NULL};
  memset(ret, 0, sizeof *ret);
  ret->report.opaque = &ret->opaque;
  return jval_object(v, diag) < 0 || jval_known_keys(v, known, diag) < 0 ||
                 read_numbers(&ret->report, v, diag) < 0 ||
                 read_backend(&ret->report, v, diag) < 0 ||
                 read_opaque(&ret->opaque, v, diag) < 0
             ? -1
             : 0;
}
