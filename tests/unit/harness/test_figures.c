#include "tests/unit/unit.h"

#include "harness/figures.h"

#include "tests/unit/harness/literal.h"

#define REFUSED(at, name)                                                      \
  {                                                                            \
    CALL(at, (at) + 0.1, 429), .faulty = true, .retry_after = "1",             \
                               .lane = name, .body = 1                         \
  }
#define ANSWERED(at, name)                                                     \
  {                                                                            \
    CALL(at, (at) + 0.1, 200), .lane = name, .body = 1                         \
  }

static cJSON *figures_of(const char *client, const char *expect,
                         const struct att *a, const struct sta *s)
{
  struct literal l;
  struct diag diag = {0};
  cJSON *result = cJSON_CreateObject();
  if (literal_init(&l, "[]", client, expect, NULL, &diag) < 0)
    fail_msg("%s", diag.text);
  literal_fill(&l, a, s);
  figures_add(result, &l.e);
  literal_release(&l);
  return result;
}

static const cJSON *copy(const cJSON *result, int i)
{
  return cJSON_GetArrayItem(
      param_node(param_node(result, "figures"), "by_copy"), i);
}

static const char *text(const cJSON *object, const char *key)
{
  const char *s = "(none)";
  param_string(object, key, &s);
  return s;
}

static double number(const cJSON *object, const char *key)
{
  double d = -1;
  param_number(object, key, &d);
  return d;
}

static void each_copy_has_a_verdict_of_its_own(void **state)
{
  static const struct att a[] = {REFUSED(0, "copy-1"),
                                 REFUSED(0, "copy-2"),
                                 ANSWERED(0.4, "copy-2"),
                                 ANSWERED(1.2, "copy-1"),
                                 {.end_s = 0}};
  static const struct sta s[] = {{RAN(0, 2), .lane = "copy-1"},
                                 {RAN(0, 2), .lane = "copy-2"},
                                 {RAN(0, 2), .lane = "copy-3"},
                                 {.exit_s = 0}};
  cJSON *r = figures_of("{\"copies\":3}",
                        "{\"check\":\"attempts\",\"exactly\":9},"
                        "{\"check\":\"gap\",\"at_least\":\"retry_after\"},"
                        "{\"check\":\"exit_code\",\"in\":[0]}",
                        a, s);
  (void)state;
  /* attempts counts over all lanes: no copy can be blamed for it */
  assert_string_equal(text(copy(r, 0), "verdict"), "pass");
  assert_string_equal(text(copy(r, 0), "check"), "");
  assert_string_equal(text(copy(r, 1), "verdict"), "fail");
  assert_string_equal(text(copy(r, 1), "check"), "gap");
  assert_string_equal(text(copy(r, 2), "verdict"), "inconclusive");
  assert_true(number(copy(r, 1), "waste") > 0);
  assert_true(number(copy(r, 0), "waste") <= 0);
  cJSON_Delete(r);
}

static void the_figures_are_those_of_all_lanes(void **state)
{
  static const struct att a[] = {
      REFUSED(0, "a"), REFUSED(0, "b"), ANSWERED(1.2, "a"), {.end_s = 0}};
  static const struct sta s[] = {{RAN(0, 2), .lane = "a"},
                                 {RAN(0, 2), .lane = "b", .code = 1},
                                 {.exit_s = 0}};
  cJSON *r = figures_of("{\"lanes\":[\"a\",\"b\"]}",
                        "{\"check\":\"exit_code\",\"in\":[0]}", a, s);
  const cJSON *f = param_node(r, "figures");
  (void)state;
  assert_true(number(f, "copies") > 1.9);
  assert_true(number(f, "completion") > 0.49 && number(f, "completion") < 0.51);
  assert_true(number(f, "amplification") > 1.49 &&
              number(f, "amplification") < 1.51);
  assert_string_equal(text(param_node(f, "lockstep"), "verdict"), "unknown");
  assert_string_equal(
      cJSON_GetArrayItem(param_node(r, "notes"), 0)->valuestring,
      "1 of 2 copies right, 1 of 2 calls completed, 1.5 "
      "attempts a call, 0 wasted");
  cJSON_Delete(r);
}

static void layers_are_told_by_the_retry_number(void **state)
{
  static const struct att a[] = {
      {CALL(0, 0.1, 529), .faulty = true, .body = 1, .sdk_try = 1},
      {CALL(1, 1.1, 529), .faulty = true, .body = 1, .sdk_try = 2},
      {CALL(2, 2.1, 529), .faulty = true, .body = 1, .sdk_try = 1},
      {CALL(3, 3.1, 200), .body = 1, .sdk_try = 2},
      {.end_s = 0}};
  static const struct sta s[] = {{RAN(0, 4)}, {.exit_s = 0}};
  cJSON *r = figures_of("{}", "{\"check\":\"exit_code\",\"in\":[0]}", a, s);
  const cJSON *layers = param_node(param_node(r, "figures"), "layers");
  (void)state;
  assert_int_equal(cJSON_GetArraySize(layers), 2);
  for (int i = 0; i < 2; i++) {
    const cJSON *layer = cJSON_GetArrayItem(layers, i);
    assert_string_equal(text(layer, "layer"), i ? "outer" : "sdk");
    assert_true(number(layer, "amplification") > 1.99 &&
                number(layer, "amplification") < 2.01);
  }
  cJSON_Delete(r);
}

static void copies_and_lanes_exclude_each_other(void **state)
{
  struct literal l;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(literal_init(&l, "[]", "{\"copies\":2,\"lanes\":[\"a\"]}",
                                "{\"check\":\"body_same\"}", NULL, &diag),
                   -1);
  assert_non_null(strstr(diag.text, "excludes 'lanes'"));
}

static void copies_are_lanes_with_names(void **state)
{
  struct literal l;
  struct diag diag = {0};
  (void)state;
  assert_int_equal(literal_init(&l, "[]", "{\"copies\":2}",
                                "{\"check\":\"body_same\"}", NULL, &diag),
                   0);
  assert_int_equal(l.spec.nlanes, 2);
  assert_string_equal(l.spec.lanes[0], "copy-1");
  assert_string_equal(l.spec.lanes[1], "copy-2");
  literal_release(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_copy_has_a_verdict_of_its_own),
      cmocka_unit_test(the_figures_are_those_of_all_lanes),
      cmocka_unit_test(layers_are_told_by_the_retry_number),
      cmocka_unit_test(copies_and_lanes_exclude_each_other),
      cmocka_unit_test(copies_are_lanes_with_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
