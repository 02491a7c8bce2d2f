/* /__admin/...: what each path shows and changes. */
#include "tests/unit/unit.h"

#include "base/json.h"
#include "tests/contract/answer.h"

#include <string.h>

#define TWO_THEN_OK                                                            \
  "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\","                  \
  "\"steps\":[{\"fault\":\"rate_limit\",\"times\":2},"                         \
  "{\"reply\":\"message\"}]}"

static void open_admin(struct bench *b)
{
  bench_open_with(b, TWO_THEN_OK, false, true);
}

static int status_of(const struct answer *a)
{
  int status = 0;
  for (const char *p = a->wire.p + strlen("HTTP/1.1 "); *p >= '0' && *p <= '9';
       p++)
    status = 10 * status + (*p - '0');
  return status;
}

/* The answer's JSON after a look at its status; the caller releases. */
static struct json_doc ask(struct bench *b, const char *method,
                           const char *target, const char *body, int status)
{
  struct answer a;
  struct json_doc doc;
  struct diag diag = {0};
  bench_ask(b, method, target, "", body, &a);
  if (status_of(&a) != status)
    fail_msg("%s %s: %s", method, target, buf_str(&a.wire));
  assert_true(a.unlogged);
  assert_int_equal(json_parse(&doc, "answer", answer_body(&a), &diag), 0);
  answer_release(&a);
  return doc;
}

static void check_json(struct bench *b, const char *method, const char *target,
                       const char *body, const char *json)
{
  struct json_doc doc = ask(b, method, target, body, 200);
  char *text = cJSON_PrintUnformatted(doc.root);
  assert_string_equal(text, json);
  cJSON_free(text);
  json_release(&doc);
}

/* The error's text must hold `part`. */
static void check_error(struct bench *b, const char *method, const char *target,
                        const char *body, int status, const char *part)
{
  struct json_doc doc = ask(b, method, target, body, status);
  const cJSON *error = cJSON_GetObjectItem(doc.root, "error");
  assert_true(cJSON_IsString(error));
  if (!strstr(error->valuestring, part))
    fail_msg("'%s' is not in '%s'", part, error->valuestring);
  json_release(&doc);
}

static void call(struct bench *b, const char *what)
{
  struct answer a;
  bench_call(b, "anthropic", "", false, &a);
  assert_string_equal(a.attempt.what, what);
  answer_release(&a);
}

static void health_says_ok(void **state)
{
  struct bench b;
  (void)state;
  open_admin(&b);
  check_json(&b, "GET", "/__admin/health", "", "{\"status\":\"ok\"}");
  check_json(&b, "GET", "/__admin/health?x=1", "", "{\"status\":\"ok\"}");
  bench_close(&b);
}

static void requests_are_the_journal(void **state)
{
  struct bench b;
  (void)state;
  open_admin(&b);
  struct attempt *a = journal_add(b.journal);
  journal_done(b.journal, a);
  journal_add(b.journal);
  struct json_doc doc = ask(&b, "GET", "/__admin/requests", "", 200);
  const cJSON *list = cJSON_GetObjectItem(doc.root, "attempts");
  assert_int_equal(cJSON_GetArraySize(list), 2);
  assert_int_equal(
      cJSON_GetObjectItem(cJSON_GetArrayItem(list, 1), "seq")->valueint, 2);
  assert_int_equal(cJSON_GetObjectItem(doc.root, "dropped")->valueint, 0);
  json_release(&doc);
  bench_close(&b);
}

static void scenarios_show_the_script_and_its_uses(void **state)
{
  struct bench b;
  (void)state;
  open_admin(&b);
  call(&b, "429 rate_limit_error");
  check_json(&b, "GET", "/__admin/scenarios", "",
             "{\"scenarios\":[{\"name\":\"n\",\"why\":\"w\",\"number\":1,"
             "\"steps\":[{\"step\":0,\"fault\":\"rate_limit\",\"uses\":1},"
             "{\"step\":1,\"fault\":\"none\",\"uses\":0}]}]}");
  check_error(&b, "GET", "/__admin/scenario", "", 404,
              "did you mean 'scenarios'?");
  bench_close(&b);
  bench_open_with(&b, NULL, false, true);
  check_json(&b, "GET", "/__admin/scenarios", "", "{\"scenarios\":[]}");
  bench_close(&b);
}

#define SETTINGS(no_faults, delay_ms, seed)                                    \
  "{\"no_faults\":" no_faults ",\"delay_ms\":" delay_ms                        \
  ",\"allow_force\":false,\"seed\":" seed "}"
#define AS_BEGUN SETTINGS("false", "0", "7")

static void settings_take_effect_at_once(void **state)
{
  struct bench b;
  (void)state;
  open_admin(&b);
  check_json(&b, "GET", "/__admin/settings", "", AS_BEGUN);
  check_json(&b, "POST", "/__admin/settings", "{\"no_faults\":true}",
             SETTINGS("true", "0", "7"));
  call(&b, "200 message");
  check_json(&b, "POST", "/__admin/settings", "{}", SETTINGS("true", "0", "7"));
  check_json(&b, "POST", "/__admin/settings",
             "{\"no_faults\":false,\"delay_ms\":250,\"seed\":9}",
             SETTINGS("false", "250", "9"));
  struct answer a;
  bench_call(&b, "anthropic", "", false, &a);
  assert_string_equal(a.attempt.what, "429 rate_limit_error");
  assert_non_null(strstr(buf_str(&a.trace), "delay:250"));
  answer_release(&a);
  bench_close(&b);
}

static void wrong_settings_change_nothing(void **state)
{
  static const struct {
    const char *id, *body, *part;
  } rows[] = {
      {"near word", "{\"no_fault\":true}", "did you mean 'no_faults'?"},
      {"no near word", "{\"x\":1}", "no_faults"},
      {"a right key beside it", "{\"no_faults\":true,\"sede\":1}", "'seed'"},
      {"out of range", "{\"no_faults\":true,\"delay_ms\":-1}", "delay_ms"},
      {"wrong type", "{\"no_faults\":1}", "$.no_faults"},
      {"no object", "[]", "object"},
      {"no JSON", "no_faults=true", "settings:1:1"},
      {"nothing", "", "settings"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct bench b;
    open_admin(&b);
    check_error(&b, "POST", "/__admin/settings", rows[i].body, 400,
                rows[i].part);
    check_json(&b, "GET", "/__admin/settings", "", AS_BEGUN);
    bench_close(&b);
  }
}

static void reset_empties_the_journal_and_keeps_the_script(void **state)
{
  struct bench b;
  (void)state;
  open_admin(&b);
  call(&b, "429 rate_limit_error");
  journal_done(b.journal, journal_add(b.journal));
  check_json(&b, "POST", "/__admin/reset", "", "{}");
  assert_int_equal(journal_count(b.journal), 0);
  assert_int_equal(server_step_uses(b.server, 0), 1);
  bench_close(&b);
}

static void rewind_starts_the_script_anew(void **state)
{
  struct bench b;
  (void)state;
  open_admin(&b);
  call(&b, "429 rate_limit_error");
  journal_add(b.journal);
  check_json(&b, "POST", "/__admin/rewind", "", "{}");
  assert_int_equal(server_step_uses(b.server, 0), 0);
  assert_int_equal(journal_count(b.journal), 1);
  bench_close(&b);
}

static double number(const cJSON *o, const char *key)
{
  const cJSON *n = cJSON_GetObjectItem(o, key);
  if (!cJSON_IsNumber(n))
    fail_msg("no number %s", key);
  return n->valuedouble;
}

static void stats_show_the_engine(void **state)
{
  struct bench b;
  struct diag diag = {0};
  (void)state;
  open_admin(&b);
  check_error(&b, "GET", "/__admin/stats", "", 404, "no engine");
  const struct engine_options o = {.clock = &b.clock.base,
                                   .journal = b.journal,
                                   .handler = server_handle,
                                   .handler_arg = b.server};
  struct engine *e = engine_new(&o, &diag);
  assert_non_null(e);
  server_set_engine(b.server, e);
  struct json_doc doc = ask(&b, "GET", "/__admin/stats", "", 200);
  assert_true(number(doc.root, "requests") <= 0);
  assert_true(number(doc.root, "open_attempts") <= 0);
  assert_true(number(doc.root, "open_connections") <= 0);
  /* a page for the stack and one for the code, at least */
  assert_true(number(doc.root, "resident_bytes") > 8192);
  const cJSON *late = cJSON_GetObjectItem(doc.root, "lateness");
  static const char *const keys[] = {"count", "p50_ns", "p99_ns", "max_ns"};
  for (size_t i = 0; i < COUNT(keys); i++)
    assert_true(number(late, keys[i]) <= 0);
  json_release(&doc);
  check_json(&b, "POST", "/__admin/reset", "", "{}");
  engine_free(e);
  bench_close(&b);
}

static void wrong_paths_and_methods_are_told(void **state)
{
  struct bench b;
  (void)state;
  open_admin(&b);
  check_error(&b, "GET", "/__admin/reset", "", 405, "takes POST");
  check_error(&b, "POST", "/__admin/health", "", 405, "takes GET");
  check_error(&b, "GET", "/__admin/heath", "", 404, "did you mean 'health'?");
  check_error(&b, "GET", "/__admin/", "", 404, "known: ");
  check_error(&b, "GET", "/__admin/health/x", "", 404, "'health/x'");
  bench_close(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(health_says_ok),
      cmocka_unit_test(requests_are_the_journal),
      cmocka_unit_test(scenarios_show_the_script_and_its_uses),
      cmocka_unit_test(settings_take_effect_at_once),
      cmocka_unit_test(wrong_settings_change_nothing),
      cmocka_unit_test(reset_empties_the_journal_and_keeps_the_script),
      cmocka_unit_test(rewind_starts_the_script_anew),
      cmocka_unit_test(stats_show_the_engine),
      cmocka_unit_test(wrong_paths_and_methods_are_told)};
  return cmocka_run_group_tests_name("admin", tests, NULL, NULL);
}
