/*
 * How much memory the readers take, and what they do without any. malloc and
 * its like are counted (--wrap, and cJSON's hooks): the readers of hints take
 * none, the classifier a fixed multiple of the body and gives all of it back,
 * the reader of events a multiple of its ceiling; when the n-th request for
 * memory fails there is still a verdict.
 */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "guard/command/row.h"
#include "guard/sse.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define JSONL SOURCE_DIR "/tests/fixtures/vectors/error_bodies.jsonl"
#define NOW_MS INT64_C(1764547200000)
/* Of a body's size: its nodes (one of 64 bytes for two bytes of "[0,0,..."),
 * its text in two spellings, and blocks that grow by doubling. */
enum { MOST_TIMES = 128, ALWAYS_BYTES = 64 << 10, MOST_REQUESTS = 400 };

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

static struct {
  bool on;
  size_t live, peak, requests;
  size_t fail_at; /* number of the request that gets nothing, 0: none */
} count;

static bool refused(void)
{
  return count.on && ++count.requests == count.fail_at;
}

static void *taken(void *p)
{
  if (count.on && p) {
    count.live += malloc_usable_size(p);
    if (count.live > count.peak)
      count.peak = count.live;
  }
  return p;
}

static void given(void *p)
{
  if (count.on && p)
    count.live -= malloc_usable_size(p);
}

void *__wrap_malloc(size_t n)
{
  return refused() ? NULL : taken(__real_malloc(n));
}

void *__wrap_calloc(size_t n, size_t size)
{
  return refused() ? NULL : taken(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t n)
{
  if (refused())
    return NULL;
  given(p);
  return taken(__real_realloc(p, n));
}

void __wrap_free(void *p)
{
  given(p);
  __real_free(p);
}

static void start(size_t fail_at)
{
  memset(&count, 0, sizeof count);
  count.fail_at = fail_at;
  count.on = true;
}

static void stop(void)
{
  count.on = false;
}

static struct guard_verdict judge(const struct guard_answer *a, size_t fail_at)
{
  struct guard_verdict v;

  start(fail_at);
  v = guard_classify(a);
  stop();
  return v;
}

static void check_ceiling(const char *id, const struct guard_answer *a)
{
  judge(a, 0);
  if (count.live != 0)
    fail_msg("%s: %zu bytes are not given back", id, count.live);
  if (count.peak > ALWAYS_BYTES + MOST_TIMES * a->body_n)
    fail_msg("%s: %zu bytes for a body of %zu", id, count.peak, a->body_n);
}

/* Each request fails once; all other memory comes back. */
static void check_failing(const char *id, const struct guard_answer *a)
{
  size_t requests;

  judge(a, 0);
  requests = count.requests < MOST_REQUESTS ? count.requests : MOST_REQUESTS;
  for (size_t i = 1; i <= requests; i++) {
    struct guard_verdict v = judge(a, i);

    if ((unsigned)v.cls >= GUARD_NCLASSES || !v.rule ||
        (v.cls == GUARD_NONE && v.retryable))
      fail_msg("%s, request %zu failed: no verdict", id, i);
    if (count.live != 0)
      fail_msg("%s, request %zu failed: %zu bytes stay", id, i, count.live);
  }
}

static void rows_stay_below_their_ceiling(void **state)
{
  struct diag diag = {0};
  struct buf text;
  char *left, *line;
  int rows = 0;

  (void)state;
  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(JSONL, &text, &diag), 0);
  for (line = strtok_r(text.p, "\n", &left); line;
       line = strtok_r(NULL, "\n", &left), rows++) {
    struct json_doc doc;
    struct row row;

    assert_int_equal(json_parse(&doc, "row", bytes_of(line), &diag), 0);
    assert_int_equal(row_read(&doc, 0, &row, &diag), 0);
    check_ceiling(row.id, &row.answer);
    check_failing(row.id, &row.answer);
    row_release(&row);
    json_release(&doc);
  }
  buf_release(&text);
  assert_true(rows >= 240);
}

/* |unit| over and over, up to |n| bytes. */
static char *repeat(const char *unit, size_t n)
{
  size_t step = strlen(unit);
  char *text = malloc(n + 1);

  assert_non_null(text);
  for (size_t i = 0; i < n; i++)
    text[i] = unit[i % step];
  text[n] = '\0';
  return text;
}

static void hostile_bodies_stay_below_their_ceiling(void **state)
{
  static const char *const units[] = {"[0,",
                                      "[",
                                      "{\"a\":",
                                      "{'a': ",
                                      "0,",
                                      "\"",
                                      "\\\"",
                                      "{\n",
                                      "{}\n",
                                      "\xe2\x88\x99",
                                      "API Error: 429 {\"a\":",
                                      "429 {'",
                                      "data: {}\n\n",
                                      "event: x\n",
                                      "{\"error\":{\"message\":\"{",
                                      "\n"};
  enum { BODY_BYTES = 256 << 10 };

  (void)state;
  for (size_t i = 0; i < COUNT(units); i++)
    for (int channel = GUARD_HTTP; channel <= GUARD_STDERR; channel++) {
      char *body = repeat(units[i], BODY_BYTES);
      struct guard_answer a = {.channel = (enum guard_channel)channel,
                               .status = channel == GUARD_HTTP ? 429 : 0,
                               .body = body,
                               .body_n = BODY_BYTES,
                               .now_epoch_ms = NOW_MS};

      check_ceiling(units[i], &a);
      free(body);
    }
}

static void hints_take_no_memory(void **state)
{
  static const struct {
    const char *name, *value;
  } rows[] = {
      {"retry-after", "Mon, 01 Dec 2025 00:00:27 GMT"},
      {"retry-after", "27"},
      {"ratelimit", "\"a\";r=0;t=30, \"b\";r=1"},
      {"x-ratelimit-reset-tokens", "1h2m3.5s"},
      {"anthropic-ratelimit-unified-reset", "1764550800"},
      {"text", "You've hit your limit, resets Dec 3, 1:39am (Europe/Rome)"},
      {"text", "Please try again in 5 days 22 hours 11 minutes."},
  };

  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct guard_header h = {rows[i].name, rows[i].value, 0};
    int64_t wait_ms = 0;

    start(1);
    guard_retry_after_field(h.name, h.value, strlen(h.value), NOW_MS, &wait_ms);
    guard_retry_after(&h, 1, NOW_MS, &wait_ms);
    stop();
    if (count.requests)
      fail_msg("%s: %s: asks for memory", h.name, h.value);
  }
}

static void ignore(void *arg, const struct guard_sse_event *e)
{
  (void)arg;
  (void)e;
}

static void events_stay_below_their_ceiling(void **state)
{
  static const char *const units[] = {"data: xxxxxxxxxxxxxxxx\n", "x",
                                      "event: xxxxxxxxxxxxxxxx\n", ": comment",
                                      "data\n"};
  enum { CEILING = 1 << 16, STREAM_BYTES = 1 << 20 };

  (void)state;
  for (size_t i = 0; i < COUNT(units); i++) {
    char *text = repeat(units[i], STREAM_BYTES);
    struct guard_sse *sse;

    start(0);
    sse = guard_sse_new(CEILING, ignore, NULL);
    for (size_t at = 0; at < STREAM_BYTES; at += 1024)
      guard_sse_feed(sse, text + at, 1024);
    guard_sse_free(sse);
    stop();
    /* a line and the event it belongs to, each grown by doubling, and the
     * old block beside the new one */
    if (count.peak > 8 * (size_t)CEILING || count.live != 0)
      fail_msg("%s: %zu bytes, %zu stay", units[i], count.peak, count.live);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_stay_below_their_ceiling),
      cmocka_unit_test(hostile_bodies_stay_below_their_ceiling),
      cmocka_unit_test(hints_take_no_memory),
      cmocka_unit_test(events_stay_below_their_ceiling),
  };
  cJSON_Hooks hooks = {__wrap_malloc, __wrap_free};

  cJSON_InitHooks(&hooks);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
