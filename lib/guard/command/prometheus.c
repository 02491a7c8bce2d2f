#include "prometheus.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* 256 labels of some 60 lines. */
enum { FILE_MAX_BYTES = 8 << 20 };

/* Bounds of the buckets: 2^n - 1 ms, which is exact since durations are whole
 * milliseconds; 0.127 s to 70 minutes. */
enum { FIRST_EXPONENT = 7, LAST_EXPONENT = 22 };

static void add_head(struct buf *b, const char *name, const char *help,
                     const char *type)
{
  buf_addf(b, "# HELP guard_%s %s.\n# TYPE guard_%s %s\n", name, help, name,
           type);
}

/* guard_NAME{label="...": the caller goes on with more labels, or "} ". */
static void add_name(struct buf *b, const char *name, const char *label)
{
  buf_addf(b, "guard_%s{label=\"", name);
  for (; *label; label++) {
    if (*label == '\\' || *label == '"')
      buf_addc(b, '\\');
    if (*label == '\n')
      buf_adds(b, "\\n");
    else
      buf_addc(b, *label);
  }
  buf_addc(b, '"');
}

static void add_int(struct buf *b, int64_t n)
{
  buf_addf(b, "} %" PRId64 "\n", n);
}

static void add_seconds(struct buf *b, int64_t ms)
{
  buf_addf(b, "} %" PRId64 ".%03d\n", ms / 1000, (int)(ms % 1000));
}

typedef void add_fn(struct buf *b, int64_t n);

static const struct counter {
  const char *name, *help;
  size_t offset;
  add_fn *add;
} counters[] = {
#define COUNTER(field, name, help)                                             \
  {name "_total", help, offsetof(struct guard_metrics, field), add_int},
#define TIMER(field, name, help)                                               \
  {name "_total", help, offsetof(struct guard_metrics, field), add_seconds},
#include "guard/metrics.def"
#undef COUNTER
#undef TIMER
};

static void add_counters(const struct totals *t, struct buf *b)
{
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    const struct counter *c = &counters[i];
    add_head(b, c->name, c->help, "counter");
    for (int k = 0; k < t->n; k++) {
      int64_t value;
      memcpy(&value, (const char *)&t->row[k].metrics + c->offset,
             sizeof value);
      add_name(b, c->name, t->row[k].label);
      c->add(b, value);
    }
  }
}

static int64_t ended_calls(const struct guard_metrics *m)
{
  int64_t n = 0;
  for (int i = 0; i < GUARD_METRICS_BUCKETS; i++)
    n += m->durations[i];
  return n;
}

static void add_durations(const struct totals *t, struct buf *b)
{
  add_head(b, "call_duration_seconds", "how long calls took, waits included",
           "histogram");
  for (int k = 0; k < t->n; k++) {
    const struct totals_row *row = &t->row[k];
    for (int e = FIRST_EXPONENT; e <= LAST_EXPONENT; e++) {
      int64_t bound_ms = (INT64_C(1) << e) - 1;
      add_name(b, "call_duration_seconds_bucket", row->label);
      buf_addf(b, ",le=\"%" PRId64 ".%03d\"", bound_ms / 1000,
               (int)(bound_ms % 1000));
      add_int(b, guard_metrics_within(&row->metrics, e));
    }
    add_name(b, "call_duration_seconds_bucket", row->label);
    buf_adds(b, ",le=\"+Inf\"");
    add_int(b, ended_calls(&row->metrics));
    add_name(b, "call_duration_seconds_sum", row->label);
    add_seconds(b, row->metrics.duration_sum_ms);
    add_name(b, "call_duration_seconds_count", row->label);
    add_int(b, ended_calls(&row->metrics));
  }
}

static void add_states(const struct totals *t, struct buf *b)
{
  add_head(b, "breaker_state", "1 for the breaker's state at the last end",
           "gauge");
  for (int k = 0; k < t->n; k++)
    for (int s = 0; s <= GUARD_BREAKER_HALF_OPEN; s++) {
      add_name(b, "breaker_state", t->row[k].label);
      buf_addf(b, ",state=\"%s\"",
               guard_breaker_state_name((enum guard_breaker_state)s));
      add_int(b, t->row[k].state == s);
    }
}

static void add_gauges(const struct totals *t, struct buf *b)
{
  add_head(b, "call_retries_max", "most retries of one call", "gauge");
  for (int k = 0; k < t->n; k++) {
    add_name(b, "call_retries_max", t->row[k].label);
    add_int(b, t->row[k].metrics.most_retries);
  }
  add_head(b, "last_end_timestamp_seconds", "when a process last ended",
           "gauge");
  for (int k = 0; k < t->n; k++) {
    add_name(b, "last_end_timestamp_seconds", t->row[k].label);
    add_seconds(b, t->row[k].ended_ms);
  }
}

void prometheus_encode(const struct totals *t, struct buf *ret)
{
  add_counters(t, ret);
  add_durations(t, ret);
  add_states(t, ret);
  add_gauges(t, ret);
}

static int open_locked(const char *path, struct diag *diag)
{
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return diag_set(diag, "cannot open '%s': %s", path, strerror(errno));
  while (flock(fd, LOCK_EX) < 0) {
    if (errno == EINTR)
      continue;
    diag_set(diag, "cannot lock '%s': %s", path, strerror(errno));
    close(fd);
    return -1;
  }
  return fd;
}

static int load(const char *path, struct totals *ret, struct diag *diag)
{
  struct buf text;
  int rc = 0;
  buf_init(&text, FILE_MAX_BYTES);
  if (file_exists(path))
    rc = file_read(path, &text, diag);
  if (rc == 0 && totals_decode(buf_bytes(&text), ret) != TOTALS_OK)
    rc = diag_set(diag,
                  "'%s' is damaged, or of a newer version, and left alone; "
                  "without it the counters begin at 0",
                  path);
  buf_release(&text);
  return rc;
}

static int store(const char *path, const struct totals *t,
                 void (*encode)(const struct totals *t, struct buf *ret),
                 struct diag *diag)
{
  struct buf text;
  buf_init(&text, FILE_MAX_BYTES);
  encode(t, &text);
  int rc = text.full ? diag_set(diag, "'%s' would be too large", path)
                     : file_write(path, buf_bytes(&text), diag);
  buf_release(&text);
  return rc;
}

/* The totals first: a process that dies between the two leaves a file that
 * the next one makes anew. */
static int add_and_store(const char *path, const char *totals,
                         const struct totals_row *add, struct diag *diag)
{
  struct totals t = {0};
  int rc = load(totals, &t, diag);
  if (rc == 0 && !totals_add(&t, add))
    rc = diag_set(diag, "'%s' has %d labels already", totals, TOTALS_ROWS);
  if (rc == 0)
    rc = store(totals, &t, totals_encode, diag);
  if (rc == 0)
    rc = store(path, &t, prometheus_encode, diag);
  totals_release(&t);
  return rc;
}

int prometheus_write(const char *path, const struct totals_row *add,
                     struct diag *diag)
{
  char *lock = mem_format("%s.lock", path);
  char *totals = mem_format("%s.totals", path);
  int fd = open_locked(lock, diag), rc = -1;
  if (fd >= 0) {
    rc = add_and_store(path, totals, add, diag);
    close(fd);
  }
  free(lock);
  free(totals);
  return rc;
}
