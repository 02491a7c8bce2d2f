#include "tests/bench/stats.h"

#include "base/buf.h"

#include <inttypes.h>

void stats_add(struct stats *s, int64_t value)
{
  if (s->n == s->cap) {
    s->cap = s->cap ? 2 * s->cap : 1024;
    s->value = mem_realloc(s->value, s->cap * sizeof *s->value);
  }
  s->value[s->n++] = value;
}

static int compare(const void *a, const void *b)
{
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

int64_t stats_percentile(struct stats *s, double percent)
{
  if (s->n == 0)
    return 0;
  qsort(s->value, s->n, sizeof *s->value, compare);
  size_t i = (size_t)((double)s->n * percent / 100);
  return s->value[i < s->n ? i : s->n - 1];
}

void stats_print(struct stats *s, const char *name, int64_t divisor,
                 const char *unit)
{
  static const struct {
    const char *name;
    double percent;
  } rows[] = {
      {"p50", 50}, {"p90", 90}, {"p99", 99}, {"p99.9", 99.9}, {"max", 100}};
  printf("%s n=%zu", name, s->n);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    printf(" %s=%" PRId64, rows[i].name,
           stats_percentile(s, rows[i].percent) / divisor);
  printf(" %s\n", unit);
}

void stats_release(struct stats *s)
{
  free(s->value);
  *s = (struct stats){0};
}
