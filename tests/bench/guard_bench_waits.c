#include "base/file.h"
#include "base/number.h"
#include "guard/command/wait_row.h"
#include "tests/bench/guard_bench.h"
#include "tests/bench/stats.h"

#include <string.h>

/* What the issue of these benchmarks asks for, a second of one core. */
#define LEAST_PER_S 5000000
/* Rounds of some 10 ms. */
enum { ROUNDS = 21, PASSES = 200, MAX_ITEMS = 1024, MAX_FIELDS = 4 };

struct item {
  const char *form; /* the header's name, or what is read out of it */
  const char *value;
  size_t n;
  int64_t now_ms;
  struct guard_header field[MAX_FIELDS];
  size_t nfields; /* 0: one field, by its name */
  const char *name;
};

struct set {
  struct buf text; /* the table, cut up in place */
  struct item item[MAX_ITEMS];
  size_t n;
};

static volatile int64_t sink;

static int hex(char c)
{
  return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* The escapes of wait_row.h; the table is the tests' own and well formed. */
static size_t unescape(char *s)
{
  char *to = s;
  for (const char *p = s; *p; p++) {
    if (*p != '\\') {
      *to++ = *p;
    } else if (*++p == 'x') {
      *to++ = (char)(hex(p[1]) * 16 + hex(p[2]));
      p += 2;
    } else {
      *to++ = *p == 't' ? '\t' : *p == 'r' ? '\r' : *p == 'n' ? '\n' : *p;
    }
  }
  *to = '\0';
  return (size_t)(to - s);
}

static void take_fields(char *text, struct item *it)
{
  char *left;
  for (char *p = strtok_r(text, ";", &left); p && it->nfields < MAX_FIELDS;
       p = strtok_r(NULL, ";", &left)) {
    char *value = strchr(p, '=');
    if (!value)
      continue;
    *value++ = '\0';
    it->field[it->nfields++] = (struct guard_header){p, value, 0};
  }
}

static const char *form_of(const char *header, const char *value)
{
  bool number = value[strspn(value, "0123456789. \t")] == '\0';
  if (strcmp(header, "retry-after") != 0)
    return header;
  return number ? "retry-after, a number" : "retry-after, a date or junk";
}

static int take_row(struct set *s, char *line, const struct wait_columns *c,
                    struct diag *diag)
{
  struct wait_row row;
  uint64_t now_s = 0;
  if (wait_row_read(line, c, &row, diag) < 0)
    return -1;
  if (s->n == MAX_ITEMS)
    return diag_set(diag, "more than %d rows", MAX_ITEMS);
  struct item *it = &s->item[s->n++];
  /* a row without a time does not depend on it */
  number_u64(bytes_of(row.cell[WAIT_NOW]), INT32_MAX, &now_s);
  *it = (struct item){.name = row.cell[WAIT_HEADER],
                      .value = row.cell[WAIT_RAW],
                      .now_ms = (int64_t)now_s * 1000};
  it->n = unescape(row.cell[WAIT_RAW]);
  it->form = form_of(it->name, it->value);
  if (strcmp(it->name, "combo") == 0)
    take_fields(row.cell[WAIT_RAW], it);
  return 0;
}

static int load(const char *tsv, struct set *ret, struct diag *diag)
{
  struct wait_columns columns;
  buf_init(&ret->text, (size_t)1 << 20);
  if (file_read(tsv, &ret->text, diag) < 0)
    return -1;
  char *left, *line = strtok_r(ret->text.p, "\n", &left);
  if (!line || wait_columns_read(line, &columns, diag) < 0)
    return -1;
  while ((line = strtok_r(NULL, "\n", &left)) != NULL)
    if (take_row(ret, line, &columns, diag) < 0)
      return -1;
  return 0;
}

static void read_item(const struct item *it)
{
  int64_t ms = 0;
  if (it->nfields > 0)
    guard_retry_after(it->field, it->nfields, it->now_ms, &ms);
  else
    guard_retry_after_field(it->name, it->value, it->n, it->now_ms, &ms);
  sink = ms;
}

static void read_number(const struct item *it)
{
  sink = (int64_t)(strtod(it->value, NULL) < 1.0);
}

/* Picoseconds of CPU a row, over the rows of |form|; NULL: all. */
static int64_t measure(const struct set *s, const char *form,
                       void (*read)(const struct item *))
{
  static const struct item *list[MAX_ITEMS];
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++)
    if (!form || strcmp(s->item[i].form, form) == 0)
      list[n++] = &s->item[i];
  int passes = (int)((size_t)PASSES * s->n / n);
  int64_t begin = bench_cpu_ns();
  for (int pass = 0; pass < passes; pass++)
    for (size_t i = 0; i < n; i++)
      read(list[i]);
  return (bench_cpu_ns() - begin) * 1000 / (passes * (int64_t)n);
}

static size_t list_forms(const struct set *s, const char **ret)
{
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) {
    size_t at = 0;
    while (at < n && strcmp(ret[at], s->item[i].form) != 0)
      at++;
    if (at == n)
      ret[n++] = s->item[i].form;
  }
  return n;
}

static void print(const char *name, struct stats *ps, struct stats *peer)
{
  double calm = (double)stats_percentile(ps, 0) / 1000;
  double p50 = (double)stats_percentile(ps, 50) / 1000;
  printf("  %-35s %7.1f %9.2f %7.1f %9.2f %8.2f\n", name, calm, 1000 / calm,
         p50, 1000 / p50, p50 * 1000 / (double)stats_percentile(peer, 50));
}

int bench_waits(const char *tsv, bool *ret_reached, struct diag *diag)
{
  static struct set set;
  static const char *forms[MAX_ITEMS];
  static struct stats by_form[MAX_ITEMS];
  struct stats mix = {0}, peer = {0};
  if (load(tsv, &set, diag) < 0)
    return -1;
  size_t n = list_forms(&set, forms);
  for (int round = 0; round < ROUNDS; round++) {
    stats_add(&peer, measure(&set, NULL, read_number));
    stats_add(&mix, measure(&set, NULL, read_item));
    for (size_t i = 0; i < n; i++)
      stats_add(&by_form[i], measure(&set, forms[i], read_item));
  }
  printf("  %-35s %7s %9s %7s %9s %8s\n", "rows", "calm ns", "million/s",
         "p50 ns", "million/s", "x strtod");
  print("strtod over the same rows", &peer, &peer);
  for (size_t i = 0; i < n; i++) {
    print(forms[i], &by_form[i], &peer);
    stats_release(&by_form[i]);
  }
  print("all rows, in the order of the file", &mix, &peer);
  *ret_reached = bench_target("5 million rows a second of one core, all forms",
                              stats_percentile(&mix, 0) <=
                                  INT64_C(1000000000000) / LEAST_PER_S);
  stats_release(&mix);
  stats_release(&peer);
  buf_release(&set.text);
  return 0;
}
