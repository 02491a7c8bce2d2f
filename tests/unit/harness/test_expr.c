#include "tests/unit/unit.h"

#include "harness/expr.h"

#include <string.h>

static struct policy policy;

static const struct {
  const char *id, *text;
  enum expr_result result;
  double value;
} values[] = {
    {"number", "2.5", EXPR_OK, 2.5},
    {"blanks", "  1 +\t2 ", EXPR_OK, 3},
    {"product-first", "1 + 2 * 3", EXPR_OK, 7},
    {"left-to-right", "10 - 4 - 3", EXPR_OK, 3},
    {"division", "8 / 4 / 2", EXPR_OK, 1},
    {"brackets", "(1 + 2) * 3", EXPR_OK, 9},
    {"minus", "-2 * -3", EXPR_OK, 6},
    {"minus-brackets", "-(1 + 2)", EXPR_OK, -3},
    {"min", "min(3, 1, 2)", EXPR_OK, 1},
    {"max", "max(retry_after, 1)", EXPR_OK, 2},
    {"nested", "min(max(1, 2), attempt)", EXPR_OK, 2},
    {"retry-after", "retry_after + policy.slack", EXPR_OK, 6},
    {"breaker", "policy.breaker.opens_after", EXPR_OK, 3},
    {"attempt", "2 * attempt", EXPR_OK, 14},
    {"no-policy", "1 + policy.deadline_s", EXPR_NO_POLICY, 0},
    {"by-zero", "1 / (attempt - 7)", EXPR_NO_VALUE, 0},
};

static void a_text_has_its_value(void **state)
{
  const struct expr_vars vars = {.policy = &policy,
                                 .has_retry_after = true,
                                 .retry_after_s = 2,
                                 .retry_after_text = "2",
                                 .step = 0,
                                 .attempt = 7};
  (void)state;
  for (size_t i = 0; i < COUNT(values); i++) {
    struct expr e;
    char why[160] = "";
    size_t at = 0;
    double v = 0;
    if (expr_parse(&e, values[i].text, why, sizeof why, &at) < 0)
      fail_msg("%s: %s", values[i].id, why);
    enum expr_result r = expr_eval(&e, &vars, NULL, &v, why, sizeof why);
    if (r != values[i].result || v < values[i].value || v > values[i].value)
      fail_msg("%s: result %d, value %g", values[i].id, (int)r, v);
  }
}

static const struct {
  const char *id, *text;
  size_t at;
} errors[] = {
    {"empty", "", 1},
    {"half", "1 +", 4},
    {"two-numbers", "1 2", 3},
    {"bracket", "(1 + 2", 7},
    {"no-open", "1)", 2},
    {"unknown", "1 + retry_aftr", 5},
    {"unknown-policy", "policy.slck", 1},
    {"min-without-bracket", "min", 1},
    {"no-argument", "max()", 5},
    {"two-points", "1.2.3", 1},
    {"too-large", "99999999999", 1},
    {"capitals", "Retry", 1},
    {"deep", "((((((((((((((((((1))))))))))))))))))", 17},
    {"long-name", "policy.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1},
};

static void a_bad_text_is_refused_at_its_place(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(errors); i++) {
    struct expr e;
    char why[160] = "";
    size_t at = 0;
    if (expr_parse(&e, errors[i].text, why, sizeof why, &at) == 0)
      fail_msg("%s was taken", errors[i].id);
    if (at != errors[i].at || why[0] == '\0')
      fail_msg("%s: at %zu, wanted %zu: %s", errors[i].id, at, errors[i].at,
               why);
  }
}

static void too_many_operations_are_refused(void **state)
{
  struct expr e;
  struct buf text;
  char why[160] = "";
  size_t at = 0;
  (void)state;
  buf_init(&text, 4096);
  for (int i = 0; i < EXPR_MAX_OPS; i++)
    buf_adds(&text, "1+");
  buf_adds(&text, "1");
  assert_int_equal(expr_parse(&e, buf_str(&text), why, sizeof why, &at), -1);
  buf_release(&text);
}

static void a_value_says_where_it_comes_from(void **state)
{
  const struct expr_vars vars = {.policy = &policy,
                                 .has_retry_after = true,
                                 .retry_after_s = 2,
                                 .retry_after_text = "2",
                                 .step = 0};
  struct expr e;
  struct buf notes;
  char why[160] = "";
  size_t at = 0;
  double v = 0;
  (void)state;
  buf_init(&notes, 1024);
  assert_int_equal(expr_parse(&e, "retry_after + policy.slack + retry_after",
                              why, sizeof why, &at),
                   0);
  assert_int_equal(expr_eval(&e, &vars, &notes, &v, why, sizeof why), EXPR_OK);
  assert_string_equal(buf_str(&notes),
                      "steps[0].retry_after = \"2\", policy.slack = 4 s");
  buf_release(&notes);
}

static void without_a_retry_after_there_is_no_value(void **state)
{
  const struct expr_vars vars = {.policy = &policy, .step = -1};
  struct expr e;
  char why[160] = "";
  size_t at = 0;
  double v = 5;
  (void)state;
  assert_int_equal(expr_parse(&e, "retry_after", why, sizeof why, &at), 0);
  assert_int_equal(expr_eval(&e, &vars, NULL, &v, why, sizeof why),
                   EXPR_NO_VALUE);
  assert_true(v >= 5 && v <= 5);
  assert_non_null(strstr(why, "retry_after"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_text_has_its_value),
      cmocka_unit_test(a_bad_text_is_refused_at_its_place),
      cmocka_unit_test(too_many_operations_are_refused),
      cmocka_unit_test(a_value_says_where_it_comes_from),
      cmocka_unit_test(without_a_retry_after_there_is_no_value)};
  struct diag diag = {0};
  json_parse(&policy.doc, "policy.json",
             BYTES("{\"breaker\": {\"opens_after\": 3}}"), &diag);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  policy_release(&policy);
  return failed;
}
