/*
 * The server's side of the contract: for every fixture that names a step,
 * server_handle() writes the fixture's bytes, ids aside.
 */
#include "tests/unit/unit.h"

#include "tests/contract/answer.h"
#include "tests/contract/fixture.h"

#include "mockserver/provider/provider.h"

#include <string.h>

static struct fixtures all;

/* Headers the server may send beyond those of the fixture. */
static const char *const own_headers[] = {"date",          "content-length",
                                          "x-faultwire",   "transfer-encoding",
                                          "cache-control", NULL};

static void ask(const struct fixture *f, struct bench *b, struct answer *ret)
{
  char *step = cJSON_PrintUnformatted(f->step);
  char *json = mem_format("{\"name\":\"n\",\"why\":\"w\",\"provider\":\"%s\","
                          "\"steps\":[%s]}",
                          f->provider, step);
  char *body = mem_format("{\"model\":\"%s\",\"stream\":%s}", f->model,
                          f->stream ? "true" : "false");
  char *target = call_target(f->provider, "", f->stream);
  if (strcmp(f->provider, "gemini") == 0) {
    free(target);
    free(body);
    target = mem_format("/v1beta/models/%s:%s", f->model,
                        f->stream ? "streamGenerateContent?alt=sse"
                                  : "generateContent");
    body = mem_strdup("{\"contents\":[]}");
  }
  bench_open(b, json);
  bench_ask(b, "POST", target, "", body, ret);
  free(json);
  free(body);
  free(target);
  cJSON_free(step);
}

static int differ(const struct fixture *f, const char *what, struct bytes want,
                  struct bytes got)
{
  if (bytes_equal(want, got))
    return 0;
  fprintf(stderr, "%s: %s\n  fixture: %.*s\n  server:  %.*s\n", f->file, what,
          (int)want.n, want.p, (int)got.n, got.p);
  return 1;
}

static int compare_headers(const struct fixture *f, struct bytes wire)
{
  struct header h[40];
  size_t n = 0;
  int wrong = 0;
  headers_split(wire, h, 40, &n);
  for (size_t i = 0; i < f->nheaders; i++) {
    struct bytes got = {"(absent)", 8};
    char *name = bytes_dup(f->headers[i].name);
    headers_find(h, n, name, &got);
    wrong += differ(f, name, f->headers[i].value, got);
    free(name);
  }
  for (size_t i = 0; i < n; i++) {
    struct bytes ignored;
    char *name = bytes_dup(h[i].name);
    bool known = headers_find(f->headers, f->nheaders, name, &ignored);
    for (const char *const *own = own_headers; *own && !known; own++)
      known = strcmp(*own, name) == 0;
    if (!known)
      wrong += differ(f, "a header no source knows", BYTES(""), h[i].name);
    free(name);
  }
  return wrong;
}

static struct bytes first_line(struct bytes wire)
{
  wire.n = (size_t)bytes_find(wire, BYTES("\r\n"));
  return wire;
}

static int compare(const struct fixture *f)
{
  struct bench b;
  struct answer a;
  struct buf wire, body, plain;
  ask(f, &b, &a);
  answer_normalise(buf_bytes(&a.wire), &wire);
  answer_unchunk(&a, &plain);
  answer_normalise(buf_bytes(&plain), &body);
  int wrong = differ(f, "status line", first_line(buf_bytes(&f->bytes)),
                     first_line(buf_bytes(&wire)));
  wrong += compare_headers(f, buf_bytes(&wire));
  wrong += differ(f, "body", f->body, buf_bytes(&body));
  buf_release(&wire);
  buf_release(&body);
  buf_release(&plain);
  answer_release(&a);
  bench_close(&b);
  return wrong;
}

static void server_writes_every_fixture_byte_for_byte(void **state)
{
  (void)state;
  int wrong = 0;
  size_t compared = 0;
  for (size_t i = 0; i < all.n; i++) {
    if (!all.list[i].step)
      continue;
    compared++;
    wrong += compare(&all.list[i]);
  }
  assert_true(compared > 60);
  assert_int_equal(wrong, 0);
}

static const char *table_of(const char *provider)
{
  /* both OpenAI APIs have one table */
  return strcmp(provider, "openai-responses") == 0 ? "openai" : provider;
}

static bool some_fixture_shows(const struct provider *p,
                               const struct provider_error *e)
{
  for (size_t i = 0; i < all.n; i++) {
    const struct fixture *f = &all.list[i];
    struct bench b;
    struct answer a;
    if (!f->step || strcmp(table_of(p->name), f->provider) != 0 ||
        f->status != e->status)
      continue;
    ask(f, &b, &a);
    const char *what = a.attempt.what + 4;
    bool shown = strcmp(what, e->name) == 0;
    answer_release(&a);
    bench_close(&b);
    if (shown)
      return true;
  }
  return false;
}

static void every_error_of_every_table_has_a_fixture(void **state)
{
  (void)state;
  int missing = 0;
  for (const struct provider *const *p = providers; *p; p++)
    for (const struct provider_error *e = (*p)->errors; e->name; e++)
      if (!some_fixture_shows(*p, e)) {
        fprintf(stderr, "%s: '%s' has no fixture\n", (*p)->name, e->name);
        missing++;
      }
  assert_int_equal(missing, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(server_writes_every_fixture_byte_for_byte),
      cmocka_unit_test(every_error_of_every_table_has_a_fixture)};
  fixtures_load(&all, SOURCE_DIR "/tests/fixtures");
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  fixtures_release(&all);
  return rc;
}
