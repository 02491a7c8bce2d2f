/* Between the trials and the reader: sights as bytes, scenarios as text,
 * findings as table, policy and JSON. */
#include "tests/unit/unit.h"

#include "harness/probe/baseline.h"
#include "harness/probe/metrics_line.h"
#include "harness/probe/output.h"
#include "harness/probe/probe.h"
#include "harness/probe/steps.h"
#include "mockserver/provider/provider.h"
#include "probe_sights.h"

#include "base/file.h"
#include "harness/pattern.h"
#include "literal.h"

static void a_sight_survives_the_way_through_bytes(void **state)
{
  (void)state;
  struct sight s, back;
  struct buf bytes;
  sight_literal(
      &s,
      (struct seen_call[]){{SEEN(0.125, 0.25), .start = 1, .left = true,
                            .body = UINT64_C(0xfedcba9876543210)},
                           {.end_s = 0}},
      (struct seen_start[]){{LIVED(0, 0.5), .code = 3, .timed_out = true,
                             .out = "a \"text\"\nof \xff bytes"},
                            {.exit_s = 0}});
  snprintf(s.provider, sizeof s.provider, "gemini");
  buf_init(&bytes, 1 << 20);
  sight_write(&s, &bytes);
  assert_int_equal(sight_read(&back, buf_bytes(&bytes)), 0);
  assert_int_equal(back.ncalls, 1);
  assert_float_equal(back.calls[0].at_s, 0.125, 1e-6);
  assert_true(back.calls[0].left);
  assert_true(back.calls[0].body == UINT64_C(0xfedcba9876543210));
  assert_int_equal(back.calls[0].start, 1);
  assert_true(back.starts[0].timed_out);
  assert_int_equal(back.starts[0].code, 3);
  assert_non_null(strstr(back.starts[0].out, "a \"text\"\nof "));
  assert_string_equal(back.provider, "gemini");
  assert_null(back.why);
  sight_release(&back);
  sight_release(&s);
  buf_release(&bytes);
}

static void bytes_that_are_no_sight_are_refused(void **state)
{
  (void)state;
  static const char *const rows[] = {
      "", "{", "[]", "{}", "{\"calls\":[]}", "{\"calls\":{},\"starts\":[]}"};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct sight s;
    if (sight_read(&s, bytes_of(rows[i])) == 0)
      fail_msg("taken: %s", rows[i]);
  }
}

static void a_sight_is_made_of_evidence(void **state)
{
  (void)state;
  struct literal l;
  struct diag diag = {0};
  struct sight s;
  assert_int_equal(literal_init(&l, "[]", "{}", "", NULL, &diag), 0);
  literal_fill(
      &l,
      (struct att[]){{CALL(1, 1.5, 429), .body = 5},
                     {CALL(2, 9, 0), .body = 5, .stream = true, .left_s = 4},
                     {.end_s = 0}},
      (struct sta[]){{RAN(0, 5), .code = 2, .out = "hello"}, {.exit_s = 0}});
  sight_of(&s, &l.e);
  assert_null(s.why);
  assert_int_equal(s.ncalls, 2);
  assert_float_equal(sight_gap(&s, 0), 0.5, 0.001);
  assert_false(s.calls[0].left);
  assert_true(s.calls[1].left);
  assert_float_equal(s.calls[1].end_s, 4, 0.001);
  assert_int_equal(s.calls[1].start, 0);
  assert_string_equal(s.starts[0].out, "hello");
  char *text = sight_sentence(&s);
  assert_string_equal(text, "2 requests at 0.00 1.00 s, exit 2 after 4.00 s");
  free(text);
  sight_release(&s);
  l.starts[0].launched = false;
  snprintf(l.starts[0].launch_error, sizeof l.starts[0].launch_error,
           "no such program");
  sight_of(&s, &l.e);
  assert_string_equal(s.why, "no such program");
  sight_release(&s);
  literal_release(&l);
}

/* --- scenarios ------------------------------------------------------------
 */

/* Every trial any experiment asks for first must be one the scenario
 * language takes, for every provider and for commands. */
static void parse_all(const struct book *b, const char *who)
{
  for (size_t i = 0; i < b->n; i++) {
    struct scenario scenario;
    struct spec spec;
    struct diag diag = {0};
    char *text = book_scenario(b, b->trials[i]);
    if (scenario_parse(&scenario, "trial", bytes_of(text), &diag) < 0)
      fail_msg("%s, %s: %s in %s", who, b->trials[i]->name, diag.text, text);
    if (spec_load(&spec, &scenario, &diag) < 0)
      fail_msg("%s, %s: %s in %s", who, b->trials[i]->name, diag.text, text);
    spec_release(&spec);
    scenario_release(&scenario);
    free(text);
  }
}

/* What a client showed that asks again twice, half a second apart, and
 * opens a breaker: with it the experiments ask for all they can. */
static void answer_all(struct book *b)
{
  for (size_t i = 0; i < b->n; i++) {
    if (b->trials[i]->done)
      continue;
    bool starts = b->trials[i]->ask.starts > 1;
    sight_literal(&b->trials[i]->sight,
                  (struct seen_call[]){{SEEN(0.1, 0.2)},
                                       {SEEN(0.8, 0.9)},
                                       {SEEN(1.5, 1.6)},
                                       {SEEN(4.1, 4.2), .start = 2},
                                       {.end_s = 0}},
                  starts ? (struct seen_start[]){{LIVED(0, 2), .code = 1},
                                                 {LIVED(2, 2.5), .code = 75},
                                                 {LIVED(4, 4.5), .code = 1},
                                                 {.exit_s = 0}}
                         : (struct seen_start[]){{LIVED(0, 4.5), .code = 1},
                                                 {.exit_s = 0}});
    b->trials[i]->done = true;
    b->pending--;
  }
}

static void play(const struct face *face, const char *who)
{
  struct book b = {.face = *face, .limit_s = 20};
  size_t most = 0;
  want_baseline(&b);
  for (int round = 0; round < 24; round++) {
    struct findings f = {0};
    for (size_t i = 0; probes[i]; i++)
      probes[i]->measure(&b, &f);
    findings_release(&f);
    if (b.pending == 0)
      break;
    most = b.n;
    answer_all(&b);
  }
  if (b.pending || most < 10)
    fail_msg("%s: %zu trials, %zu of them pending", who, b.n, b.pending);
  parse_all(&b, who);
  book_release(&b);
}

static void every_trial_is_a_scenario_of_the_language(void **state)
{
  (void)state;
  static const char *const commands[] = {"claude", "codex", "gemini"};
  for (size_t i = 0; providers[i]; i++)
    play(&(struct face){providers[i]->name, NULL, true}, providers[i]->name);
  play(&(struct face){"anthropic", "claude", true}, commands[0]);
}

static void two_that_ask_for_the_same_share_a_trial(void **state)
{
  (void)state;
  struct book b = {.face = {"anthropic", NULL, true}, .limit_s = 20};
  struct trial_ask ask = {.steps = mem_strdup("[]"), .limit_s = 99};
  assert_null(book_want(&b, "x", &ask));
  ask.steps = mem_strdup("[]");
  assert_null(book_want(&b, "x", &ask));
  assert_int_equal(b.n, 1);
  assert_int_equal(b.pending, 1);
  assert_float_equal(b.trials[0]->ask.limit_s, 20, 0);
  assert_null(book_find(&b, "x"));
  book_release(&b);
}

/* --- a metrics line -------------------------------------------------------
 */

static void a_line_of_counters_becomes_a_pattern(void **state)
{
  (void)state;
  static const struct {
    const char *id, *text, *pattern;
  } rows[] = {
      {"the article's",
       "working\nrate_limit metrics label=good state=closed hits=0 "
       "total=0.0s\nbye\n",
       "rate_limit metrics label=\\S+ state=\\S+ hits=(?<hits>\\d+) "
       "total=(?<total>[0-9.]+)s"},
      {"signs of patterns", "[x] (a+b) n=1 m=2",
       "\\[x\\] \\(a\\+b\\) n=(?<n>\\d+) m=(?<m>\\d+)"},
      {"a name twice", "a=1 a=2 b=3", "a=(?<a>\\d+) a=[0-9.]+ b=(?<b>\\d+)"},
      {"the last of two", "a=1 b=2\nc=3 d=4\n", "c=(?<c>\\d+) d=(?<d>\\d+)"},
      {"one number is no line", "exit=1", NULL},
      {"none", "hello\n", NULL},
      {"empty", "", NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *line = NULL, *got = metrics_pattern(rows[i].text, &line);
    if (!got != !rows[i].pattern || (got && strcmp(got, rows[i].pattern) != 0))
      fail_msg("%s: %s", rows[i].id, got ? got : "nothing");
    free(got);
    free(line);
  }
}

/* --- findings -------------------------------------------------------------
 */

static const char *const command[] = {"./my client", "--x", NULL};
static const struct face face = {"anthropic", NULL, true};
static const struct output_names names = {.command = command,
                                          .policy = "p.json",
                                          .seconds = 1,
                                          .limit_s = 20,
                                          .face = &face};

static void fill(struct findings *f)
{
  memset(f, 0, sizeof *f);
  f->probe = "attempts";
  take_value(f, "attempts: 429", mem_strdup("4, then exit 1"),
             mem_strdup("4 requests\nat 0.00"));
  take_nothing(f, "breaker", mem_strdup("nobody looked"));
  take_setting(f, "attempts", mem_strdup("4"), mem_strdup("4 requests"));
  take_no_setting(f, "deadline_s", mem_strdup("longer than the limit"));
  take_no_setting(f, "attempts", mem_strdup("too late"));
  take_setting(f, "metrics_line", mem_strdup("\"a=(?<a>\\\\d+)\""),
               mem_strdup("a=1"));
  take_danger(f, HARM_WASTES, "auth/401-not-retried", mem_strdup("second"));
  take_danger(f, HARM_WRONG_RESULT, "stream/cut-clean", mem_strdup("first"));
  findings_sort(f);
}

static void the_table_has_values_reasons_and_dangers_in_order(void **state)
{
  (void)state;
  struct findings f;
  struct buf out;
  fill(&f);
  buf_init(&out, 1 << 20);
  output_text(&f, &names, &out);
  static const char *const want[] = {
      "4, then exit 1",
      "4 requests at 0.00\n",
      "not measured, because: nobody looked",
      " 1. first\n",
      " 2. second\n",
      ("faultwire test --policy p.json "
       "harness/scenarios/stream/cut-clean.json -- './my client' --x\n")};
  for (size_t i = 0; i < COUNT(want); i++)
    if (!strstr(buf_str(&out), want[i]))
      fail_msg("no '%s' in\n%s", want[i], buf_str(&out));
  buf_release(&out);
  findings_release(&f);
}

static void the_policy_is_one_that_test_takes_and_names_every_key(void **state)
{
  (void)state;
  struct findings f;
  struct buf out;
  struct diag diag = {0};
  struct policy policy;
  double attempts = 0;
  fill(&f);
  buf_init(&out, 1 << 20);
  output_policy(&f, &names, &out);
  char *folder = file_temp_folder("probe", &diag);
  char *path = mem_format("%s/p.json", folder);
  assert_int_equal(file_write(path, buf_bytes(&out), &diag), 0);
  if (policy_load(&policy, path, &diag) < 0)
    fail_msg("%s in\n%s", diag.text, buf_str(&out));
  assert_true(policy_number(&policy, "attempts", &attempts));
  assert_float_equal(attempts, 4, 0);
  assert_false(policy_has(&policy, "deadline_s"));
  assert_true(policy_has(&policy, "metrics_line"));
  for (const struct param *p = policy_params; p->name; p++)
    if (!strstr(buf_str(&out), p->name))
      fail_msg("not a word about %s", p->name);
  assert_non_null(
      strstr(buf_str(&out), "deadline_s is left out: longer than the limit"));
  policy_release(&policy);
  file_remove_tree(folder);
  free(path);
  free(folder);
  buf_release(&out);
  findings_release(&f);
}

static void the_json_says_the_same(void **state)
{
  (void)state;
  struct findings f;
  struct buf out;
  fill(&f);
  buf_init(&out, 1 << 20);
  output_json(&f, &names, &out);
  cJSON *root = cJSON_Parse(buf_str(&out));
  assert_non_null(root);
  assert_int_equal(cJSON_GetArraySize(json_member(root, "facts")), 2);
  assert_int_equal(cJSON_GetArraySize(json_member(root, "dangers")), 2);
  const cJSON *policy = json_member(root, "policy");
  assert_float_equal(json_member(policy, "attempts")->valuedouble, 4, 0);
  assert_non_null(json_member(json_member(root, "left_out"), "deadline_s"));
  cJSON_Delete(root);
  buf_release(&out);
  findings_release(&f);
}

/* A danger that names a scenario nobody has helps nobody. */
static void every_scenario_of_a_danger_is_there(void **state)
{
  (void)state;
  struct buf text;
  struct diag diag = {0};
  static const char *const files[] = {
      "attempts",     "backoff", "bodies", "breaker", "forms",
      "longest_wait", "metrics", "output", "streams", "timeouts"};
  static const char *const areas[] = {"auth/",     "backoff/",    "body/",
                                      "breaker/",  "command/",    "baseline/",
                                      "overload/", "rate-limit/", "stream/",
                                      "timeout/",  "usage-limit/"};
  size_t seen = 0;
  for (size_t i = 0; i < COUNT(files); i++) {
    char *path = mem_format("%s/harness/probe/%s.c", SOURCE_DIR, files[i]);
    buf_init(&text, 1 << 20);
    assert_int_equal(file_read(path, &text, &diag), 0);
    for (const char *at = buf_str(&text); (at = strchr(at, '"')); at++)
      for (size_t k = 0; k < COUNT(areas); k++) {
        size_t n = strlen(areas[k]);
        if (strncmp(at + 1, areas[k], n) != 0)
          continue;
        char *file = mem_format("%s/harness/scenarios/%.*s.json", SOURCE_DIR,
                                (int)strcspn(at + 1, "\""), at + 1);
        if (!file_exists(file))
          fail_msg("%s: no %s", files[i], file);
        free(file);
        seen++;
      }
    buf_release(&text);
    free(path);
  }
  assert_true(seen > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sight_survives_the_way_through_bytes),
      cmocka_unit_test(bytes_that_are_no_sight_are_refused),
      cmocka_unit_test(a_sight_is_made_of_evidence),
      cmocka_unit_test(every_trial_is_a_scenario_of_the_language),
      cmocka_unit_test(two_that_ask_for_the_same_share_a_trial),
      cmocka_unit_test(a_line_of_counters_becomes_a_pattern),
      cmocka_unit_test(the_table_has_values_reasons_and_dangers_in_order),
      cmocka_unit_test(the_policy_is_one_that_test_takes_and_names_every_key),
      cmocka_unit_test(the_json_says_the_same),
      cmocka_unit_test(every_scenario_of_a_danger_is_there),
  };
  return cmocka_run_group_tests_name("probe_output", tests, NULL, NULL);
}
