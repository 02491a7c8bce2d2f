#include "tests/unit/unit.h"

#include "mockserver/scenario.h"
#include "mockserver/shape.h"

#include <string.h>

static void wrong_shapes_are_refused_with_their_place(void **state)
{
  static const struct {
    const char *id, *keys, *path, *says;
  } rows[] = {
      {"place", "\"cut\":\"boddy+3\"", ".cut", "did you mean 'body'"},
      {"number", "\"cut\":\"body+x\"", ".cut", "must be a place such as"},
      {"nothing", "\"cut\":\"body+\"", ".cut", "must be a place such as"},
      {"pause", "\"pauses\":[[\"head\"]]", ".pauses[0]",
       "must be a pair [place, milliseconds]"},
      {"pause time", "\"pauses\":[[\"head\",-1]]", ".pauses[0][1]",
       "must be within 0..86400000"},
      {"pause place", "\"pauses\":[[7,1]]", ".pauses[0][0]", "string"},
      {"no split", "\"split\":{}", ".split", "needs 'every', 'at' or 'inside'"},
      {"inside", "\"split\":{\"inside\":[\"utf-8\"]}", ".split.inside[0]",
       "did you mean 'utf8'"},
      {"split key", "\"split\":{\"evry\":2}", ".split.evry",
       "did you mean 'every'"},
      {"idle", "\"close\":\"idle_fin\"", ".close", "needs 'close_after_ms'"},
      {"after nothing", "\"close_after_ms\":5", ".close_after_ms",
       "needs \"close\""},
      {"close", "\"close\":\"fni\"", ".close", "did you mean 'fin'"},
      {"interim", "\"interim\":[{\"status\":200}]", ".interim[0].status",
       "must be within 100..199"},
      {"interim header",
       "\"interim\":[{\"status\":103,\"headers\":[[\"a\","
       "\"x\\ny\"]]}]",
       ".interim[0].headers[0][1]", "cannot hold a line break"},
      {"trailing", "\"trailing\":\"{{padd:3}}\"", ".trailing", "is no value"},
      {"quota", "\"quota_headers\":{\"request\":{}}", ".quota_headers.request",
       "did you mean 'requests'"},
      {"quota part", "\"quota_headers\":{\"requests\":{\"left\":1}}",
       ".quota_headers.requests.left", "unknown key 'left'"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct scenario s;
    struct diag d = {0};
    char *path = mem_format("$.steps[0]%s", rows[i].path);
    char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",\"steps\":[{"
                            "\"reply\":\"message\",%s}]}",
                            rows[i].keys);
    if (scenario_parse(&s, "t", bytes_of(text), &d) == 0)
      fail_msg("%s: taken", rows[i].id);
    if (strcmp(d.path, path) != 0 || !strstr(d.text, rows[i].says))
      fail_msg("%s: %s: %s", rows[i].id, d.path, d.text);
    free(text);
    free(path);
  }
}

static size_t count(const struct plan *p, enum op_kind kind)
{
  size_t n = 0;
  for (size_t i = 0; i < p->nops; i++)
    n += p->ops[i].kind == kind;
  return n;
}

static bool ping(void *arg, uint64_t i, struct buf *out)
{
  (void)i;
  buf_adds(out, "p");
  return arg == NULL;
}

static void a_source_without_an_end_stays_as_it_is(void **state)
{
  struct plan p;
  struct shape s = {.every = 1};
  (void)state;
  plan_init(&p);
  plan_send(&p, BYTES("head\r\n\r\n"));
  plan_generate(&p, ping, NULL, NULL, 5, EVENT_CONTENT);
  plan_stall(&p);
  assert_true(shape_apply(&s, &p, 0, BYTES("")));
  assert_int_equal(count(&p, OP_GENERATE), 1);
  assert_int_equal(count(&p, OP_DRIP), 1);
  assert_int_equal(p.ops[p.nops - 1].kind, OP_STALL);
  plan_release(&p);
}

static bool three(void *arg, uint64_t i, struct buf *out)
{
  (void)arg;
  if (i < 3)
    buf_adds(out, "abc");
  return i < 3;
}

static void a_source_is_cut_like_stored_bytes(void **state)
{
  struct plan p;
  struct shape s = {.has_cut = true, .cut = {PLACE_HEAD, 7}};
  (void)state;
  plan_init(&p);
  plan_generate(&p, three, NULL, NULL, 5, EVENT_CONTENT);
  plan_keep(&p);
  assert_false(shape_apply(&s, &p, 0, BYTES("")));
  assert_int_equal(count(&p, OP_SEND), 3);
  assert_int_equal(count(&p, OP_DELAY), 2);
  assert_int_equal(count(&p, OP_KEEP), 0);
  assert_int_equal(p.ops[p.nops - 1].kind, OP_FIN);
  plan_release(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_shapes_are_refused_with_their_place),
      cmocka_unit_test(a_source_without_an_end_stays_as_it_is),
      cmocka_unit_test(a_source_is_cut_like_stored_bytes)};
  return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
