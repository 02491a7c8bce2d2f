/*
 * test_prometheus.c - the totals of all processes, and the file a collector
 * reads: every line of it is taken apart by the rules of the text format.
 */
#include "base/file.h"
#include "base/number.h"
#include "guard/command/prometheus.h"
#include "tests/unit/unit.h"

#include <dirent.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a strict reader of the format ------------------------------------- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";

/* The metric whose samples may come now, from its HELP and TYPE lines. */
struct metric {
  char name[64], type[16];
  double last_bucket; /* histogram: of the label before */
  char last_label[128];
};

struct sample {
  char name[64], label[128], more[64]; /* more: le or state */
  double value;
};

static const char *take_word(const char *p, char end, char *ret, size_t size)
{
  const char *e = strchr(p, end);
  assert_true(e && (size_t)(e - p) < size);
  memcpy(ret, p, (size_t)(e - p));
  ret[e - p] = '\0';
  return e + 1;
}

/* The value in its quotes, escapes taken out. */
static const char *take_quoted(const char *p, char *ret)
{
  assert_int_equal(*p++, '"');
  while (*p != '"') {
    assert_true(*p != '\n' && *p != '\0');
    if (*p == '\\') {
      p++;
      assert_non_null(strchr("\\\"n", *p));
      *ret++ = *p == 'n' ? '\n' : *p;
      p++;
    } else {
      *ret++ = *p++;
    }
  }
  *ret = '\0';
  return p + 1;
}

static void take_sample(const char *line, struct sample *ret)
{
  const char *p = take_word(line, '{', ret->name, sizeof ret->name);
  assert_int_equal(strspn(ret->name, letters), strlen(ret->name));
  assert_int_equal(strncmp(p, "label=", 6), 0);
  p = take_quoted(p + 6, ret->label);
  ret->more[0] = '\0';
  if (*p == ',') {
    const char *equals = strchr(p, '=');
    assert_non_null(equals);
    p = take_quoted(equals + 1, ret->more);
  }
  assert_int_equal(strncmp(p, "} ", 2), 0);
  if (number_decimal(bytes_of(p + 2), 0, 1e18, &ret->value) != NUMBER_OK)
    fail_msg("no number: %s", line);
}

/* A sample must be one of the metric above it. */
static void check_name(const struct metric *m, const struct sample *s)
{
  size_t n = strlen(m->name);
  const char *rest = s->name + n;
  assert_int_equal(strncmp(s->name, m->name, n), 0);
  if (strcmp(m->type, "histogram") == 0)
    assert_true(strcmp(rest, "_bucket") == 0 || strcmp(rest, "_sum") == 0 ||
                strcmp(rest, "_count") == 0);
  else
    assert_string_equal(rest, "");
  if (strcmp(m->type, "counter") == 0)
    assert_string_equal(s->name + n - 6, "_total");
}

static void check_bucket(struct metric *m, const struct sample *s)
{
  if (!strstr(s->name, "_bucket")) {
    if (strstr(s->name, "_count"))
      assert_true(s->value <= m->last_bucket && s->value >= m->last_bucket);
    return;
  }
  if (strcmp(m->last_label, s->label) != 0)
    m->last_bucket = 0;
  snprintf(m->last_label, sizeof m->last_label, "%s", s->label);
  assert_true(s->value >= m->last_bucket);
  m->last_bucket = s->value;
}

static void take_comment(const char *line, struct metric *m)
{
  char name[64];
  if (strncmp(line, "# HELP ", 7) == 0) {
    take_word(line + 7, ' ', m->name, sizeof m->name);
    m->type[0] = '\0';
    m->last_label[0] = '\0';
    return;
  }
  assert_int_equal(strncmp(line, "# TYPE ", 7), 0);
  const char *type = take_word(line + 7, ' ', name, sizeof name);
  assert_string_equal(name, m->name);
  assert_string_equal(m->type, "");
  snprintf(m->type, sizeof m->type, "%s", type);
  assert_true(strcmp(type, "counter") == 0 || strcmp(type, "gauge") == 0 ||
              strcmp(type, "histogram") == 0);
}

/* Reads the whole text; the value of the one sample that is asked for, or -1.
 * |more| is "" for a sample of one label. */
static double read_strictly(struct buf *text, const char *name,
                            const char *label, const char *more)
{
  struct metric m = {"", "", 0, ""};
  char *copy = mem_strdup(buf_str(text)), *rest = copy, *line;
  double found = -1;
  assert_int_equal(text->p[text->n - 1], '\n');
  copy[text->n - 1] = '\0';
  while ((line = strsep(&rest, "\n")) != NULL) {
    struct sample s;
    if (line[0] == '#') {
      take_comment(line, &m);
      continue;
    }
    take_sample(line, &s);
    check_name(&m, &s);
    check_bucket(&m, &s);
    if (strcmp(s.name, name) == 0 && strcmp(s.label, label) == 0 &&
        strcmp(s.more, more) == 0)
      found = s.value;
  }
  free(copy);
  return found;
}

static void expect_sample(struct buf *text, const char *name, const char *label,
                          const char *more, double want)
{
  double got = read_strictly(text, name, label, more);
  if (got < want || got > want)
    fail_msg("%s %s %s is %g and not %g", name, label, more, got, want);
}

/* --- the text ----------------------------------------------------------- */

static void every_counter_is_there_from_zero(void **state)
{
  static const char *const names[] = {
#define COUNTER(field, name, help) "guard_" name "_total",
#define TIMER COUNTER
#include "guard/metrics.def"
#undef COUNTER
#undef TIMER
      "guard_call_duration_seconds_count", "guard_call_duration_seconds_sum",
      "guard_call_retries_max"};
  struct totals_row row = {.label = "x"};
  struct totals t = {&row, 1};
  struct buf text;
  (void)state;
  buf_init(&text, 1 << 20);
  prometheus_encode(&t, &text);
  for (size_t i = 0; i < COUNT(names); i++)
    expect_sample(&text, names[i], "x", "", 0);
  expect_sample(&text, "guard_call_duration_seconds_bucket", "x", "+Inf", 0);
  expect_sample(&text, "guard_breaker_state", "x", "closed", 1);
  expect_sample(&text, "guard_breaker_state", "x", "open", 0);
  buf_release(&text);
}

static void values_are_those_of_their_label(void **state)
{
  struct totals_row rows[] = {
      {.label = "a\"b\\c\nd",
       .state = GUARD_BREAKER_OPEN,
       .ended_ms = 1796000000123,
       .metrics = {.hits = 3, .backoff_total_ms = 12345, .most_retries = 2}},
      {.label = "b", .metrics = {.hits = 5}}};
  struct totals t = {rows, 2};
  struct buf text;
  const char *odd = rows[0].label;
  (void)state;
  for (int i = 0; i < 4; i++) /* 100, 1000, 10000 ms and 28 hours */
    guard_metrics_ended(
        &rows[0].metrics,
        &(struct guard_ended){
            .duration_ms = (const int64_t[]){100, 1000, 10000, 100000000}[i]});
  buf_init(&text, 1 << 20);
  prometheus_encode(&t, &text);
  expect_sample(&text, "guard_limit_answers_total", odd, "", 3);
  expect_sample(&text, "guard_limit_answers_total", "b", "", 5);
  expect_sample(&text, "guard_backoff_seconds_total", odd, "", 12.345);
  expect_sample(&text, "guard_breaker_state", odd, "open", 1);
  expect_sample(&text, "guard_call_retries_max", odd, "", 2);
  expect_sample(&text, "guard_last_end_timestamp_seconds", odd, "",
                1796000000.123);
  expect_sample(&text, "guard_call_duration_seconds_bucket", odd, "0.127", 1);
  expect_sample(&text, "guard_call_duration_seconds_bucket", odd, "1.023", 2);
  expect_sample(&text, "guard_call_duration_seconds_bucket", odd, "4194.303",
                3);
  expect_sample(&text, "guard_call_duration_seconds_bucket", odd, "+Inf", 4);
  expect_sample(&text, "guard_call_duration_seconds_sum", odd, "", 100011.1);
  buf_release(&text);
}

/* --- totals -------------------------------------------------------------- */

static void totals_come_back_as_they_were(void **state)
{
  struct totals_row a = {.label = "a", .state = 2, .ended_ms = 7};
  struct totals t = {0}, got = {0};
  struct buf text;
  (void)state;
  for (int64_t *n = (int64_t *)&a.metrics; n < (int64_t *)(&a.metrics + 1); n++)
    *n = 1 + (n - (int64_t *)&a.metrics);
  assert_true(totals_add(&t, &a));
  a.label[0] = 'b';
  assert_true(totals_add(&t, &a));
  buf_init(&text, 1 << 20);
  totals_encode(&t, &text);
  assert_int_equal(totals_decode(buf_bytes(&text), &got), TOTALS_OK);
  assert_int_equal(got.n, 2);
  assert_memory_equal(got.row, t.row, 2 * sizeof *t.row);
  totals_release(&got);
  for (size_t n = 1; n < text.n; n++) {
    char was = text.p[n];
    if (totals_decode((struct bytes){text.p, n}, &got) == TOTALS_OK)
      fail_msg("cut at %zu", n);
    text.p[n] = (char)(was ^ 1);
    if (totals_decode(buf_bytes(&text), &got) == TOTALS_OK)
      fail_msg("changed at %zu", n);
    text.p[n] = was;
  }
  buf_release(&text);
  totals_release(&t);
}

static void a_counter_that_is_new_begins_at_zero(void **state)
{
  static const char old[] = "guard-totals 1\nlabel a\nstate 0\nended_ms 1\n"
                            "hits 5\nduration 3 2\n";
  struct totals got = {0};
  struct buf text;
  (void)state;
  buf_init(&text, 1 << 20);
  buf_adds(&text, old);
  buf_addf(&text, "sum %016llx\n",
           (unsigned long long)bytes_hash(bytes_of(old)));
  assert_int_equal(totals_decode(buf_bytes(&text), &got), TOTALS_OK);
  assert_int_equal(got.row[0].metrics.hits, 5);
  assert_int_equal(got.row[0].metrics.durations[3], 2);
  assert_int_equal(got.row[0].metrics.calls, 0);
  buf_release(&text);
  totals_release(&got);
}

/* --- files --------------------------------------------------------------- */

static char *folder, *path;

static int make_folder(void **state)
{
  struct diag diag = {0};
  (void)state;
  folder = file_temp_folder("guard-prometheus", &diag);
  path = mem_format("%s/guard.prom", folder);
  return folder ? 0 : -1;
}

static int drop_folder(void **state)
{
  (void)state;
  file_remove_tree(folder);
  free(folder), free(path);
  return 0;
}

static void expect_in_file(const char *name, const char *label, double want)
{
  struct buf text;
  struct diag diag = {0};
  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(path, &text, &diag), 0);
  expect_sample(&text, name, label, "", want);
  buf_release(&text);
}

static void processes_at_once_lose_nothing(void **state)
{
  enum { PROCESSES = 8, TIMES = 25 };
  struct totals_row row = {.label = "x", .metrics = {.calls = 3, .hits = 1}};
  struct diag diag = {0};
  int status;
  (void)state;
  for (int i = 0; i < PROCESSES; i++)
    if (fork() == 0) {
      int rc = 0;
      for (int k = 0; k < TIMES && rc == 0; k++)
        rc = prometheus_write(path, &row, &diag);
      _exit(rc != 0);
    }
  for (int i = 0; i < PROCESSES; i++)
    assert_true(wait(&status) > 0 && status == 0);
  expect_in_file("guard_calls_total", "x", 3 * PROCESSES * TIMES);
  expect_in_file("guard_limit_answers_total", "x", PROCESSES * TIMES);
}

static void labels_stand_side_by_side_and_nothing_is_left_over(void **state)
{
  struct totals_row a = {.label = "a", .metrics = {.calls = 1}};
  struct totals_row b = {.label = "b", .metrics = {.calls = 2}};
  struct diag diag = {0};
  int files = 0;
  (void)state;
  assert_int_equal(prometheus_write(path, &a, &diag), 0);
  assert_int_equal(prometheus_write(path, &b, &diag), 0);
  assert_int_equal(prometheus_write(path, &b, &diag), 0);
  expect_in_file("guard_calls_total", "a", 1);
  expect_in_file("guard_calls_total", "b", 4);
  DIR *d = opendir(folder);
  for (struct dirent *e; (e = readdir(d)) != NULL;)
    files += e->d_name[0] != '.';
  closedir(d);
  assert_int_equal(files, 3); /* .prom, .lock, .totals */
}

static void damaged_totals_are_left_alone(void **state)
{
  struct totals_row a = {.label = "a", .metrics = {.calls = 1}};
  struct diag diag = {0};
  struct buf text;
  char *totals = mem_format("%s.totals", path);
  (void)state;
  assert_int_equal(file_write(totals, BYTES("my diary\n"), &diag), 0);
  assert_int_equal(prometheus_write(path, &a, &diag), -1);
  assert_non_null(strstr(diag.text, "left alone"));
  assert_false(file_exists(path));
  diag_clear(&diag);
  buf_init(&text, 100);
  assert_int_equal(file_read(totals, &text, &diag), 0);
  assert_string_equal(buf_str(&text), "my diary\n");
  buf_release(&text);
  free(totals);
}

/* Which of the two is right nobody can tell. */
static void a_label_twice_is_damaged(void **state)
{
  struct totals t = {0}, twice = {0};
  struct totals_row a = {.label = "a", .metrics = {.calls = 1}};
  struct buf text;
  (void)state;
  buf_init(&text, 1 << 20);
  assert_true(totals_add(&t, &a));
  totals_encode(&t, &text);
  assert_int_equal(totals_decode(buf_bytes(&text), &twice), TOTALS_OK);
  totals_release(&twice);
  snprintf(a.label, sizeof a.label, "b");
  assert_true(totals_add(&t, &a));
  snprintf(t.row[1].label, sizeof t.row[1].label, "a");
  buf_reset(&text);
  totals_encode(&t, &text);
  assert_int_equal(totals_decode(buf_bytes(&text), &twice), TOTALS_DAMAGED);
  totals_release(&t);
  buf_release(&text);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_counter_is_there_from_zero),
      cmocka_unit_test(values_are_those_of_their_label),
      cmocka_unit_test(totals_come_back_as_they_were),
      cmocka_unit_test(a_counter_that_is_new_begins_at_zero),
      TEST(processes_at_once_lose_nothing),
      TEST(labels_stand_side_by_side_and_nothing_is_left_over),
      TEST(damaged_totals_are_left_alone),
      cmocka_unit_test(a_label_twice_is_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
