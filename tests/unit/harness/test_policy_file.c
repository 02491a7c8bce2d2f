#include "tests/unit/unit.h"

#include "harness/policy.h"

#include "base/file.h"

#include <string.h>

static int load_text(struct policy *p, const char *text, struct diag *diag)
{
  char *dir = file_temp_folder("policy", diag);
  char *path = mem_format("%s/policy.json", dir);
  memset(diag, 0, sizeof *diag);
  int rc = file_write(path, bytes_of(text), diag);
  if (rc == 0)
    rc = policy_load(p, path, diag);
  file_remove_tree(dir);
  free(path);
  free(dir);
  return rc;
}

static void without_a_file_only_the_slack_is_known(void **state)
{
  struct policy p;
  double v = 0;
  const char *text = NULL;
  (void)state;
  policy_none(&p);
  assert_true(policy_number(&p, "slack", &v));
  assert_true(v >= 4 && v <= 4);
  assert_false(policy_number(&p, "attempts", &v));
  assert_false(policy_has(&p, "breaker"));
  assert_false(policy_text(&p, "metrics_line", &text));
}

static void values_are_read_by_dotted_name(void **state)
{
  struct policy p;
  struct diag diag = {0};
  double v = 0;
  const char *text = NULL;
  (void)state;
  if (load_text(&p,
                "{ // a comment\n \"attempts\": 6, \"truncated\": \"retry\","
                " \"breaker\": {\"opens_after\": 3, \"cooldown_s\": 60} }",
                &diag) < 0)
    fail_msg("%s", diag.text);
  assert_true(policy_number(&p, "breaker.opens_after", &v));
  assert_true(v >= 3 && v <= 3);
  assert_true(policy_number(&p, "slack", &v));
  assert_true(policy_text(&p, "truncated", &text));
  assert_string_equal(text, "retry");
  assert_true(policy_has(&p, "breaker"));
  assert_false(policy_has(&p, "breaker.window_s"));
  policy_release(&p);
}

static void null_means_no_such_thing(void **state)
{
  struct policy p;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(load_text(&p,
                             "{\"breaker\": null, \"metrics_line\": null,"
                             " \"slows_down\": false}",
                             &diag),
                   0);
  assert_false(policy_has(&p, "slows_down"));
  assert_false(policy_has(&p, "breaker"));
  assert_false(policy_has(&p, "metrics_line"));
  policy_release(&p);
}

static const struct {
  const char *id, *text, *says;
} bad[] = {
    {"unknown", "{\"atempts\": 3}", "did you mean 'attempts'"},
    {"word", "{\"truncated\": \"retri\"}", "did you mean 'retry'"},
    {"type", "{\"attempts\": \"3\"}", "number"},
    {"range", "{\"attempts\": 0}", "1"},
    {"breaker-key", "{\"breaker\": {\"opens_after\": 1, \"cooldwn_s\": 2}}",
     "cooldown_s"},
    {"breaker-empty", "{\"breaker\": {}}", "opens_after"},
    {"pattern", "{\"metrics_line\": \"hits=(\"}", "regular expression"},
};

static void a_wrong_file_is_a_placed_error(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct policy p;
    struct diag diag = {0};
    if (load_text(&p, bad[i].text, &diag) == 0)
      fail_msg("%s was taken", bad[i].id);
    if (!strstr(diag.text, bad[i].says) || diag.line != 1 || !diag.file[0])
      fail_msg("%s: %d: %s", bad[i].id, diag.line, diag.text);
  }
}

static void the_tables_say_what_is_known(void **state)
{
  (void)state;
  assert_true(policy_knows("slack"));
  assert_true(policy_knows("breaker.opens_after"));
  assert_false(policy_knows("opens_after"));
  assert_false(policy_knows("breaker.slack"));
  for (const struct param *p = policy_params; p->name; p++)
    assert_true(p->summary && p->summary[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_file_only_the_slack_is_known),
      cmocka_unit_test(values_are_read_by_dotted_name),
      cmocka_unit_test(null_means_no_such_thing),
      cmocka_unit_test(a_wrong_file_is_a_placed_error),
      cmocka_unit_test(the_tables_say_what_is_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
