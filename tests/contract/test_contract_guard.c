/*
 * The client's side of the contract: the library reads every fixture as what
 * index.json says. It shares nothing with the server but these bytes.
 */
#include "tests/unit/unit.h"

#include "tests/contract/fixture.h"

#include "guard/error_class.h"
#include "guard/sse.h"

#include <string.h>

static struct fixtures all;

/* The moment the fixtures are written for. */
static int64_t epoch_ms(void)
{
  return (int64_t)cJSON_GetObjectItem(all.doc.root, "epoch_s")->valuedouble *
         1000;
}

enum { MAX_HEADERS = 40, MAX_EVENT = 1 << 20 };

/* Names and values of guard are NUL-terminated. */
struct guard_headers {
  struct guard_header h[MAX_HEADERS];
  char *owned[2 * MAX_HEADERS];
  size_t n;
};

static void copy_headers(const struct fixture *f, struct guard_headers *ret)
{
  memset(ret, 0, sizeof *ret);
  for (size_t i = 0; i < f->nheaders; i++) {
    char *name = bytes_dup(f->headers[i].name);
    char *value = bytes_dup(f->headers[i].value);
    ret->owned[2 * i] = name;
    ret->owned[2 * i + 1] = value;
    ret->h[ret->n++] = (struct guard_header){
        .name = name, .value = value, .value_n = f->headers[i].value.n};
  }
}

static void free_headers(struct guard_headers *h)
{
  for (size_t i = 0; i < 2 * h->n; i++)
    free(h->owned[i]);
}

static struct guard_verdict
classify(const struct fixture *f, enum guard_channel channel, struct bytes body)
{
  struct guard_headers h;
  copy_headers(f, &h);
  struct guard_answer a = {.provider = f->provider,
                           .channel = channel,
                           .status = f->status,
                           .headers = h.h,
                           .nheaders = h.n,
                           .body = body.p,
                           .body_n = body.n,
                           .now_epoch_ms = epoch_ms()};
  struct guard_verdict v = guard_classify(&a);
  free_headers(&h);
  return v;
}

static int check_class(const struct fixture *f, const struct guard_verdict *v)
{
  const char *got = guard_class_name(v->cls);
  if (strcmp(got, f->cls) != 0) {
    fprintf(stderr, "%s: %s by rule '%s', the index says %s\n", f->file, got,
            v->rule ? v->rule : "", f->cls);
    return 1;
  }
  if (f->wait_ms >= 0 &&
      (v->hint != GUARD_HINT_WAIT || v->wait_ms != (int64_t)f->wait_ms)) {
    fprintf(stderr, "%s: hint %d, wait %lld ms, the index says %g ms\n",
            f->file, (int)v->hint, (long long)v->wait_ms, f->wait_ms);
    return 1;
  }
  return 0;
}

static void answers_are_read_as_the_index_says(void **state)
{
  (void)state;
  int wrong = 0, seen = 0;
  for (size_t i = 0; i < all.n; i++) {
    const struct fixture *f = &all.list[i];
    if (strcmp(f->kind, "stream") == 0)
      continue;
    struct guard_verdict v = classify(f, GUARD_HTTP, f->body);
    wrong += check_class(f, &v);
    seen++;
  }
  assert_true(seen > 60);
  assert_int_equal(wrong, 0);
}

static void feed_event(void *arg, const struct guard_sse_event *e)
{
  guard_stream_event(arg, e);
}

static const char *state_class(const struct fixture *f,
                               const struct guard_stream *s,
                               struct guard_verdict *v)
{
  struct bytes error = {NULL, 0};
  switch (guard_stream_state(s)) {
  case GUARD_STREAM_DONE:
    return "none";
  case GUARD_STREAM_OPEN:
  case GUARD_STREAM_GARBLED:
    return "stream_interrupted";
  case GUARD_STREAM_ERROR:
    break;
  }
  error.p = guard_stream_error(s, &error.n);
  *v = classify(f, GUARD_SSE, error);
  return guard_class_name(v->cls);
}

/* The stream in pieces of `step` bytes. */
static int check_stream(const struct fixture *f, size_t step)
{
  struct guard_stream *s = guard_stream_new(f->provider, true);
  struct guard_verdict v = {.rule = "stream state"};
  assert_non_null(s);
  struct guard_sse *sse = guard_sse_new(MAX_EVENT, feed_event, s);
  for (size_t at = 0; at < f->body.n; at += step) {
    size_t n = f->body.n - at < step ? f->body.n - at : step;
    guard_sse_feed(sse, f->body.p + at, n);
  }
  const char *got = state_class(f, s, &v);
  int wrong = strcmp(got, f->cls) != 0;
  if (wrong)
    fprintf(stderr, "%s in pieces of %zu: %s, the index says %s\n", f->file,
            step, got, f->cls);
  guard_sse_free(sse);
  guard_stream_free(s);
  return wrong;
}

static void streams_are_read_as_the_index_says(void **state)
{
  (void)state;
  int wrong = 0, seen = 0;
  for (size_t i = 0; i < all.n; i++) {
    const struct fixture *f = &all.list[i];
    if (strcmp(f->kind, "stream") != 0)
      continue;
    wrong += check_stream(f, 1);
    wrong += check_stream(f, 7);
    wrong += check_stream(f, MAX_EVENT);
    seen++;
  }
  assert_true(seen > 20);
  assert_int_equal(wrong, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_read_as_the_index_says),
      cmocka_unit_test(streams_are_read_as_the_index_says)};
  fixtures_load(&all, SOURCE_DIR "/tests/fixtures");
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  fixtures_release(&all);
  return rc;
}
