#include "harness/report/load.h"
#include "tests/unit/harness/results.h"

static void what_was_printed_comes_back_as_it_was(void **state)
{
  (void)state;
  static const char *const client[] = {"./my client", "-v", "\xc3\xbc", NULL};
  static const char *const formats[] = {"json", "html",    "junit", "tap",
                                        "text", "summary", "sarif"};
  struct result r[] = {result_of(passed_json), result_of(failed_json),
                       result_of(unwired_json), result_of(warned_json)};
  struct loaded_run loaded;
  struct diag diag = {0};
  struct buf out;
  print_results("json", r, COUNT(r), client, &out);
  if (run_parse(&loaded, "x.json", buf_bytes(&out), &diag) < 0)
    fail_msg("%s", diag.text);
  buf_release(&out);
  assert_true(loaded.run.seed == UINT64_MAX);
  for (size_t i = 0; i < COUNT(formats); i++) {
    struct buf again;
    print_results(formats[i], r, COUNT(r), client, &out);
    buf_init(&again, OUT_MAX);
    report_find(formats[i])->print(&loaded.run, &again);
    if (strcmp(buf_str(&out), buf_str(&again)) != 0)
      fail_msg("%s is not the same", formats[i]);
    buf_release(&again);
    buf_release(&out);
  }
  run_unload(&loaded);
  for (size_t i = 0; i < COUNT(r); i++)
    result_release(&r[i]);
}

#define HEAD "{\"faultwire\":\"1\",\"exit\":0,"

static void a_file_that_is_no_report_is_a_placed_error(void **state)
{
  (void)state;
  static const struct {
    const char *id, *text, *path, *want;
  } rows[] = {
      {"empty", "", "", "ends too early"},
      {"a list", "[]", "$", "must be an object"},
      {"another program's", "{\"runs\":[]}", "$",
       "no report of faultwire: it has no 'faultwire'"},
      {"version", "{\"faultwire\":1,\"exit\":0,\"scenarios\":[]}",
       "$.faultwire", "must be a string"},
      {"no exit code", "{\"faultwire\":\"1\",\"scenarios\":[]}", "$",
       "no 'exit'"},
      {"exit code", "{\"faultwire\":\"1\",\"exit\":256,\"scenarios\":[]}",
       "$.exit", "255"},
      {"no scenarios", "{\"faultwire\":\"1\",\"exit\":0}", "$",
       "no 'scenarios'"},
      {"scenarios", HEAD "\"scenarios\":{}}", "$.scenarios", "must be a"},
      {"a scenario", HEAD "\"scenarios\":[1]}", "$.scenarios[0]",
       "must be an object"},
      {"no name", HEAD "\"scenarios\":[{\"verdict\":\"pass\"}]}",
       "$.scenarios[0]", "without a name"},
      {"empty name", HEAD "\"scenarios\":[{\"name\":\"\"}]}",
       "$.scenarios[0].name", "without a name"},
      {"verdict", HEAD "\"scenarios\":[{\"name\":\"a\",\"verdict\":\"good\"}]}",
       "$.scenarios[0]", "unknown verdict 'good'"},
      {"kind",
       HEAD "\"scenarios\":[{\"name\":\"a\",\"verdict\":\"pass\","
            "\"kind\":\"odd\"}]}",
       "$.scenarios[0]", "unknown kind 'odd'"},
      {"twice",
       HEAD "\"scenarios\":[{\"name\":\"a\",\"verdict\":\"pass\"},"
            "{\"name\":\"a\",\"verdict\":\"fail\"}]}",
       "$.scenarios", "two scenarios are called 'a'"},
      {"seed", HEAD "\"seed\":1.5,\"scenarios\":[]}", NULL, NULL},
      {"seed below 0", HEAD "\"seed\":-1,\"scenarios\":[]}", "$.seed", ""},
      {"seconds", HEAD "\"seconds\":-1,\"scenarios\":[]}", "$.seconds", ""},
      {"client", HEAD "\"client\":[1],\"scenarios\":[]}", "$.client[0]",
       "must be a string"},
      {"notes", HEAD "\"notes\":\"x\",\"scenarios\":[]}", "$.notes",
       "must be a"},
      {"cut", HEAD "\"scenarios\":[{\"name\":\"a\",", "", "ends too early"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct loaded_run r;
    struct diag diag = {0};
    int rc = run_parse(&r, "x.json", bytes_of(rows[i].text), &diag);
    if (!rows[i].want) {
      if (rc == 0)
        run_unload(&r);
      continue;
    }
    if (rc == 0)
      fail_msg("%s was taken", rows[i].id);
    if (strcmp(diag.path, rows[i].path) != 0 ||
        !strstr(diag.text, rows[i].want) || strcmp(diag.file, "x.json") != 0)
      fail_msg("%s: %s: '%s' '%s'", rows[i].id, diag.file, diag.path,
               diag.text);
  }
}

static void the_seed_keeps_its_bits_wherever_it_stands(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "{\"seed\":18446744073709551557,\"faultwire\":\"1\",\"exit\":0,"
      "\"scenarios\":[]}",
      "{\"faultwire\":\"\xc3\xbc\",\n\n  \"exit\":0, \"seed\" : "
      "18446744073709551557\n,\"scenarios\":[]}"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct loaded_run r;
    struct diag diag = {0};
    if (run_parse(&r, "x", bytes_of(texts[i]), &diag) < 0)
      fail_msg("%s", diag.text);
    assert_true(r.run.seed == UINT64_C(18446744073709551557));
    run_unload(&r);
  }
}

static void a_report_of_an_older_version_can_be_drawn(void **state)
{
  (void)state;
  struct loaded_run r;
  struct diag diag = {0};
  struct buf out;
  assert_int_equal(
      run_parse(&r, "x",
                BYTES("{\"faultwire\":\"0.0.1\",\"exit\":1,\"scenarios\":["
                      "{\"name\":\"a\",\"verdict\":\"fail\",\"attempts\":7,"
                      "\"checks\":{},\"starts\":\"x\",\"transcript\":[1]}]}"),
                &diag),
      0);
  for (size_t i = 0; reports[i]; i++) {
    buf_init(&out, OUT_MAX);
    reports[i]->print(&r.run, &out);
    assert_true(out.n > 0);
    buf_release(&out);
  }
  run_unload(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_printed_comes_back_as_it_was),
      cmocka_unit_test(a_file_that_is_no_report_is_a_placed_error),
      cmocka_unit_test(the_seed_keeps_its_bits_wherever_it_stands),
      cmocka_unit_test(a_report_of_an_older_version_can_be_drawn),
  };
  return cmocka_run_group_tests_name("report_load", tests, NULL, NULL);
}
