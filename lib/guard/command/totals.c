#include "totals.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "guard-totals 1\n"

/* So that no sum of a total and one process overflows. */
#define MAX_TOTAL (INT64_MAX / 4)

static const struct field {
  const char *name;
  size_t offset; /* of an int64_t in the row */
  int64_t max;
} fields[] = {
    {"state", offsetof(struct totals_row, state), GUARD_BREAKER_HALF_OPEN},
    {"ended_ms", offsetof(struct totals_row, ended_ms), MAX_TOTAL},
#define COUNTER(field, name, help)                                             \
  {#field, offsetof(struct totals_row, metrics.field), MAX_TOTAL},
#define TIMER COUNTER
#include "guard/metrics.def"
#undef COUNTER
#undef TIMER
    {"most_retries", offsetof(struct totals_row, metrics.most_retries),
     MAX_TOTAL},
    {"longest_ms", offsetof(struct totals_row, metrics.longest_ms), MAX_TOTAL},
    {"duration_sum_ms", offsetof(struct totals_row, metrics.duration_sum_ms),
     MAX_TOTAL},
};
enum { NFIELDS = sizeof fields / sizeof *fields };

static int64_t *at(struct totals_row *row, size_t offset)
{
  return (int64_t *)(void *)((char *)row + offset);
}

static void encode_row(struct totals_row *row, struct buf *ret)
{
  buf_addf(ret, "label %s\n", row->label);
  for (int i = 0; i < NFIELDS; i++)
    buf_addf(ret, "%s %" PRId64 "\n", fields[i].name,
             *at(row, fields[i].offset));
  /* most are empty */
  for (int i = 0; i < GUARD_METRICS_BUCKETS; i++)
    if (row->metrics.durations[i])
      buf_addf(ret, "duration %d %" PRId64 "\n", i, row->metrics.durations[i]);
}

void totals_encode(const struct totals *t, struct buf *ret)
{
  size_t start = ret->n;
  buf_adds(ret, FIRST_LINE);
  for (int i = 0; i < t->n; i++)
    encode_row(&t->row[i], ret);
  struct bytes text = {ret->p + start, ret->n - start};
  buf_addf(ret, "sum %016" PRIx64 "\n", bytes_hash(text));
}

static bool take(struct bytes *text, const char *word)
{
  struct bytes w = bytes_of(word);
  if (!bytes_starts(*text, w))
    return false;
  *text = (struct bytes){text->p + w.n, text->n - w.n};
  return true;
}

static bool take_number(struct bytes *text, int64_t max, char end, int64_t *ret)
{
  uint64_t value;
  if (number_take_u64(text, (uint64_t)max, &value) != NUMBER_OK ||
      text->n == 0 || text->p[0] != end)
    return false;
  *text = (struct bytes){text->p + 1, text->n - 1};
  *ret = (int64_t)value;
  return true;
}

static bool take_label(struct bytes *text, char ret[TOTALS_LABEL])
{
  const char *end = memchr(text->p, '\n', text->n);
  size_t n = end ? (size_t)(end - text->p) : 0;
  if (n == 0 || n >= TOTALS_LABEL || memchr(text->p, '\0', n))
    return false;
  memcpy(ret, text->p, n);
  ret[n] = '\0';
  *text = (struct bytes){text->p + n + 1, text->n - n - 1};
  return true;
}

/* A counter that is not there did not exist when the file was written: 0. */
static bool take_row(struct bytes *text, struct totals_row *ret)
{
  int64_t bucket;
  if (!take_label(text, ret->label))
    return false;
  for (int i = 0; i < NFIELDS; i++) {
    char word[40];
    snprintf(word, sizeof word, "%s ", fields[i].name);
    if (take(text, word) &&
        !take_number(text, fields[i].max, '\n', at(ret, fields[i].offset)))
      return false;
  }
  while (take(text, "duration "))
    if (!take_number(text, GUARD_METRICS_BUCKETS - 1, ' ', &bucket) ||
        !take_number(text, MAX_TOTAL, '\n', &ret->metrics.durations[bucket]))
      return false;
  return true;
}

static struct totals_row *find(struct totals *t, const char *label)
{
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->row[i].label, label) == 0)
      return &t->row[i];
  return NULL;
}

static struct totals_row *new_row(struct totals *t)
{
  if (t->n == TOTALS_ROWS)
    return NULL;
  if (!t->row)
    t->row = mem_zalloc(TOTALS_ROWS * sizeof *t->row);
  return &t->row[t->n++];
}

static bool take_rows(struct bytes *text, struct totals *ret)
{
  while (take(text, "label ")) {
    struct totals_row row = {0}, *kept = NULL;
    if (!take_row(text, &row) || find(ret, row.label) || !(kept = new_row(ret)))
      return false;
    *kept = row;
  }
  return true;
}

enum totals_read totals_decode(struct bytes text, struct totals *ret)
{
  struct totals t = {0};
  struct bytes rest = text;
  char sum[32];
  bool good = text.n == 0;
  if (text.n > 0 && take(&rest, FIRST_LINE) && take_rows(&rest, &t)) {
    struct bytes summed = {text.p, text.n - rest.n};
    snprintf(sum, sizeof sum, "sum %016" PRIx64 "\n", bytes_hash(summed));
    good = bytes_equal(rest, bytes_of(sum));
  }
  if (!good) {
    totals_release(&t);
    return TOTALS_DAMAGED;
  }
  *ret = t;
  return TOTALS_OK;
}

void totals_release(struct totals *t)
{
  free(t->row);
  *t = (struct totals){0};
}

bool totals_add(struct totals *t, const struct totals_row *add)
{
  struct totals_row *row = find(t, add->label);
  if (!row && !(row = new_row(t)))
    return false;
  memcpy(row->label, add->label, sizeof row->label);
  row->state = add->state;
  row->ended_ms = add->ended_ms;
  guard_metrics_add(&row->metrics, &add->metrics);
  return true;
}
