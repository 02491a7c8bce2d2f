/* `faultwire merge` and `compare`: the joining and the comparing, pure, and
 * the two commands as a user meets them. */
#include "base/file.h"
#include "harness/runs/change.h"
#include "harness/runs/join.h"
#include "tests/unit/harness/results.h"

#include <stdio.h>
#include <sys/wait.h>

/* A run of scenarios "name verdict calls seconds", one a line. */
static struct loaded_run run_of(const char *name, const char *more,
                                const char *lines)
{
  struct loaded_run r;
  struct diag diag = {0};
  struct buf b;
  buf_init(&b, OUT_MAX);
  buf_addf(&b, "{\"faultwire\":\"1\",%s\"scenarios\":[", more);
  char *copy = mem_strdup(lines), *rest = copy, *line = NULL;
  for (bool first = true; (line = strsep(&rest, "\n")) && *line;
       first = false) {
    const char *word = strsep(&line, " "), *verdict = strsep(&line, " "),
               *calls = strsep(&line, " ");
    buf_addf(&b,
             "%s{\"name\":\"%s\",\"verdict\":\"%s\",\"seconds\":%s,"
             "\"reason\":\"r\",\"attempts\":[",
             first ? "" : ",", word, verdict, line);
    for (int i = 0; i < calls[0] - '0'; i++)
      buf_addf(&b, "%s{\"class\":\"call\"}", i ? "," : "");
    buf_addf(&b, "%s{\"class\":\"side\"}]}", calls[0] == '0' ? "" : ",");
  }
  buf_adds(&b, "]}");
  if (run_parse(&r, name, buf_bytes(&b), &diag) < 0)
    fail_msg("%s\n%s", diag.text, buf_str(&b));
  buf_release(&b);
  free(copy);
  return r;
}

#define EXIT0 "\"exit\":0,"

/* The joined names with their verdicts, or the error. */
static char *joined(struct loaded_run *runs, size_t n, enum join_twice twice,
                    int *ret_code)
{
  struct join_options o = {.twice = twice};
  struct loaded_run all;
  struct diag diag = {0};
  struct buf b;
  buf_init(&b, OUT_MAX);
  buf_adds(&b, "");
  if (join_runs(&all, runs, n, &o, &diag) < 0) {
    buf_adds(&b, diag.text);
    *ret_code = 2;
  } else {
    for (size_t i = 0; i < all.run.n; i++)
      buf_addf(&b, "%s%s %s", i ? ", " : "", all.run.results[i].name,
               verdict_name(all.run.results[i].verdict));
    for (size_t i = 0; all.notes && all.notes[i]; i++)
      buf_addf(&b, "; %s", all.notes[i]);
    *ret_code = all.run.exit_code;
    run_unload(&all);
  }
  for (size_t i = 0; i < n; i++)
    run_unload(&runs[i]);
  return buf_detach(&b);
}

static void shards_become_one_run_in_order_of_names(void **state)
{
  (void)state;
  int code = -1;
  struct loaded_run runs[] = {
      run_of("a", EXIT0, "c pass 1 1\na pass 1 1\n"),
      run_of("b", "\"exit\":1,", "d fail 1 1\nb warn 1 1\n")};
  char *text = joined(runs, 2, JOIN_ERROR, &code);
  assert_string_equal(text, "a pass, b warn, c pass, d fail");
  assert_int_equal(code, 1);
  free(text);
}

static void a_scenario_met_twice_is_an_error_unless_told(void **state)
{
  (void)state;
  static const struct {
    const char *id, *second;
    enum join_twice twice;
    const char *want;
    int code;
  } rows[] = {
      {"the same", "a pass 1 1\n", JOIN_ERROR, "a pass", 0},
      {"not the same", "a pass 1 2\n", JOIN_ERROR,
       "'a' is in x and in y with different results; --twice first, last or "
       "worst says which counts",
       2},
      {"first", "a fail 1 1\n", JOIN_FIRST, "a pass", 0},
      {"last", "a fail 1 1\n", JOIN_LAST, "a fail", 1},
      {"worst", "a inconclusive 1 1\n", JOIN_WORST, "a inconclusive", 3},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    int code = -1;
    struct loaded_run runs[] = {run_of("x", EXIT0, "a pass 1 1\n"),
                                run_of("y", EXIT0, rows[i].second)};
    /* its own exit code is none of the matter here */
    runs[1].run.exit_code = run_exit_code(&runs[1].run);
    char *text = joined(runs, 2, rows[i].twice, &code);
    if (strcmp(text, rows[i].want) != 0 || code != rows[i].code)
      fail_msg("%s: %d, %s", rows[i].id, code, text);
    free(text);
  }
}

static void what_the_shards_do_not_share_is_noted(void **state)
{
  (void)state;
  int code = -1;
  struct loaded_run runs[] = {
      run_of("x", EXIT0 "\"seed\":1,\"client\":[\"a\"],", "a pass 1 1\n"),
      run_of("y", EXIT0 "\"seed\":2,\"client\":[\"a\",\"b\"],",
             "b pass 1 1\n")};
  free(runs[1].version);
  runs[1].version = mem_strdup("2");
  char *text = joined(runs, 2, JOIN_ERROR, &code);
  assert_string_equal(text, "a pass, b pass; x is of faultwire 1, y of 2; "
                            "x has the seed 1, y 2; "
                            "x and y are of different clients' commands");
  assert_int_equal(code, 0);
  free(text);
}

static void a_shard_s_exit_code_is_not_lost(void **state)
{
  (void)state;
  static const struct {
    const char *id, *exit, *lines, *note;
    int code;
  } rows[] = {
      {"strict", "\"exit\":1,", "b warn 1 1\n", NULL, 1},
      {"not strict", "\"exit\":0,", "b warn 1 1\n", NULL, 0},
      {"interrupted", "\"exit\":130,", "b pass 1 1\n", "exit code 130", 3},
      {"interrupted, failed", "\"exit\":130,", "b fail 1 1\n", "130", 1},
      {"nothing ran", "\"exit\":3,", "", NULL, 0},
      {"inconclusive", "\"exit\":3,", "b inconclusive 1 1\n", NULL, 3},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    int code = -1;
    struct loaded_run runs[] = {run_of("x", EXIT0, "a pass 1 1\n"),
                                run_of("y", rows[i].exit, rows[i].lines)};
    char *text = joined(runs, 2, JOIN_ERROR, &code);
    if (code != rows[i].code ||
        (rows[i].note ? !strstr(text, rows[i].note) : strchr(text, ';') != 0))
      fail_msg("%s: %d, %s", rows[i].id, code, text);
    free(text);
  }
}

/* --- compare -------------------------------------------------------------- */

static void each_change_is_told_and_counts_as_it_should(void **state)
{
  (void)state;
  static const struct {
    const char *id, *before, *after, *want;
    bool worse, with_subset, with_figures;
  } rows[] = {
      {"nothing", "a pass 2 1\n", "a pass 2 1\n", "1 with the same verdict, 0",
       false, false, false},
      {"fails now", "a pass 1 1\n", "a fail 1 1\n",
       "newly failing (1)\n  a: pass -> fail\n    r\n", true, true, true},
      {"passes now", "a fail 1 1\n", "a pass 1 1\n",
       "newly passing (1)\n  a: fail -> pass\n", false, false, false},
      {"warns now", "a pass 1 1\n", "a warn 1 1\n",
       "worse (1)\n  a: pass -> warn\n", true, true, true},
      {"is skipped now", "a pass 1 1\n", "a skip 1 1\n",
       "worse (1)\n  a: pass -> skip\n", true, true, true},
      {"proves nothing now", "a warn 1 1\n", "a inconclusive 1 1\n",
       "worse (1)\n  a: warn -> inconclusive\n", true, true, true},
      {"no failure any more", "a fail 1 1\n", "a inconclusive 1 1\n",
       "better (1)\n  a: fail -> inconclusive\n", false, false, false},
      {"gone", "a pass 1 1\nb pass 1 1\n", "b pass 1 1\n",
       "gone (1)\n  a: pass -> not there\n", true, false, true},
      {"new and good", "b pass 1 1\n", "a pass 1 1\nb pass 1 1\n",
       "new (1)\n  a: not there -> pass\n", false, false, false},
      {"new and bad", "b pass 1 1\n", "a fail 1 1\nb pass 1 1\n",
       "new, and not passing (1)\n  a: not there -> fail\n", true, true, true},
      {"more calls", "a pass 2 1\n", "a pass 4 1\n",
       "other numbers of calls (1)\n  a: 2 -> 4 calls (pass)\n", false, false,
       true},
      {"one call more", "a pass 2 1\n", "a pass 3 1\n", "0 changes", false,
       false, false},
      {"slower", "a pass 2 1\n", "a pass 2 2.5\n",
       "slower (1)\n  a: 1.00 -> 2.50 s (pass)\n", false, false, true},
      {"faster", "a pass 2 9\n", "a pass 2 2.5\n", "faster (1)\n", false, false,
       false},
      {"a bit slower", "a pass 2 1\n", "a pass 2 1.9\n", "0 changes", false,
       false, false},
      {"slow, and a bit slower", "a pass 2 10\n", "a pass 2 19\n", "0 changes",
       false, false, false},
      {"many calls, and two more", "a pass 6 1\n", "a pass 8 1\n", "0 changes",
       false, false, false},
      {"much slower, but nothing", "a pass 2 0.1\n", "a pass 2 1\n",
       "0 changes", false, false, false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct loaded_run a = run_of("a", EXIT0, rows[i].before);
    struct loaded_run b = run_of("b", EXIT0, rows[i].after);
    struct change_rule rules[3] = {{0}, {.subset = true}, {.figures = true}};
    const bool wants[3] = {rows[i].worse, rows[i].with_subset,
                           rows[i].with_figures};
    struct changes c;
    struct buf out;
    changes_find(&c, &a.run, &b.run);
    buf_init(&out, OUT_MAX);
    changes_print(&c, &rules[0], &out);
    if (!strstr(buf_str(&out), rows[i].want))
      fail_msg("%s: %s", rows[i].id, buf_str(&out));
    for (int k = 0; k < 3; k++)
      if ((c.n && change_counts(c.list[0].kind, &rules[k])) != wants[k])
        fail_msg("%s: rule %d", rows[i].id, k);
    buf_release(&out);
    changes_release(&c);
    run_unload(&a);
    run_unload(&b);
  }
}

/* --- the commands --------------------------------------------------------- */

static int run(const char *folder, const char *args, struct buf *ret)
{
  char *line = mem_format("cd '%s' && '%s/faultwire' %s 2>&1 </dev/null",
                          folder, BUILD_DIR, args);
  FILE *f = popen(line, "r");
  char chunk[4096];
  size_t n;
  assert_non_null(f);
  buf_init(ret, OUT_MAX);
  while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
    buf_add(ret, chunk, n);
  int status = pclose(f);
  free(line);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void put(const char *folder, const char *name, const char *text)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", folder, name);
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  free(path);
}

static void the_commands_say_what_they_did(void **state)
{
  (void)state;
  static const struct {
    const char *id, *args;
    int code;
    const char *want;
  } rows[] = {
      {"joined", "merge good.json bad.json --report html=o.html", 1,
       "1 passed, 1 failed, 0 inconclusive"},
      {"the page is there", "merge good.json --format html", 0,
       "<title>passed: 1 of 1 scenarios passed"},
      {"joined again", "merge good.json bad.json --format json", 1,
       "\"counts\":{\"pass\":1,\"warn\":0,\"skip\":0,\"inconclusive\":0,"
       "\"fail\":1}"},
      {"one twice", "merge bad.json other.json", 2, "'b' is in bad.json and"},
      {"one twice, told", "merge bad.json other.json --twice last", 0,
       "1 passed"},
      {"word", "merge good.json --twice lats", 2, "did you mean 'last'?"},
      {"kind", "merge good.json --report htlm=x", 2, "did you mean 'html'?"},
      {"no report", "merge none.json", 2,
       "none.json:1:1: $: no report of faultwire: it has no 'faultwire'"},
      {"no file", "merge nowhere.json", 2, "cannot open 'nowhere.json'"},
      {"nothing", "merge", 2, "which reports?"},
      {"merge help", "merge --help", 0, "--twice WORD"},
      {"worse", "compare other.json bad.json", 1, "newly failing (1)"},
      {"better", "compare bad.json other.json", 0, "newly passing (1)"},
      {"gone", "compare good.json other.json", 1, "gone (1)"},
      {"a part", "compare good.json other.json --subset", 0, "0 for the worse"},
      {"compare one", "compare good.json", 2, "1 given"},
      {"compare no report", "compare good.json none.json", 2, "none.json:1:1"},
      {"compare help", "compare --help", 0, "--subset"},
  };
  struct diag diag = {0};
  char *folder = file_temp_folder("faultwire-runs", &diag);
  put(folder, "good.json",
      "{\"faultwire\":\"1\",\"exit\":0,\"scenarios\":[{\"name\":\"a\","
      "\"verdict\":\"pass\"}]}");
  put(folder, "bad.json",
      "{\"faultwire\":\"1\",\"exit\":1,\"scenarios\":[{\"name\":\"b\","
      "\"verdict\":\"fail\",\"kind\":\"assert\",\"reason\":\"r\"}]}");
  put(folder, "other.json",
      "{\"faultwire\":\"1\",\"exit\":0,\"scenarios\":[{\"name\":\"b\","
      "\"verdict\":\"pass\"}]}");
  put(folder, "none.json", "{}");
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct buf out;
    int code = run(folder, rows[i].args, &out);
    if (code != rows[i].code || !strstr(buf_str(&out), rows[i].want))
      fail_msg("%s: exit %d, no '%s' in\n%s", rows[i].id, code, rows[i].want,
               buf_str(&out));
    buf_release(&out);
  }
  file_remove_tree(folder);
  free(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shards_become_one_run_in_order_of_names),
      cmocka_unit_test(a_scenario_met_twice_is_an_error_unless_told),
      cmocka_unit_test(what_the_shards_do_not_share_is_noted),
      cmocka_unit_test(a_shard_s_exit_code_is_not_lost),
      cmocka_unit_test(each_change_is_told_and_counts_as_it_should),
      cmocka_unit_test(the_commands_say_what_they_did),
  };
  return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
