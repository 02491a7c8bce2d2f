/* What the JSON of a scenario has for the page: times, windows, the ends of
 * the outputs, the client's own counters, lines of expectations. */
#include "tests/unit/unit.h"

#include "harness/judge.h"
#include "harness/judge_picture.h"
#include "tests/unit/harness/literal.h"

static const struct att calls[] = {
    {CALL(1, 1.1, 429), .retry_after = "2", .faulty = true},
    {CALL(2, 2.1, 429), .retry_after = "soon", .faulty = true},
    {CALL(3, 3.1, 429), .retry_after = "0", .faulty = true},
    {CALL(4, 4.1, 429), .retry_after = "2160000", .faulty = true},
    {CALL(5, 5.1, 200)},
    {.end_s = 0}};

/* The object, printed and read as a worker's is. */
static cJSON *object_of(struct literal *l)
{
  static const struct judge_names names = {"a/b", "a/b.json", "again", 1, 1};
  cJSON *made = judge_json(&l->e, &names);
  char *text = cJSON_PrintUnformatted(made);
  cJSON *read = cJSON_Parse(text);
  assert_non_null(read);
  cJSON_free(text);
  cJSON_Delete(made);
  return read;
}

static double number_at(const cJSON *list, int i, const char *key)
{
  double d = -1;
  if (!param_number(cJSON_GetArrayItem(list, i), key, &d))
    fail_msg("no number '%s' in item %d", key, i);
  return d;
}

static void literal_of(struct literal *l, const struct sta *starts,
                       const char *policy)
{
  struct diag diag = {0};
  static const char expect[] = "{\"check\":\"attempts\",\"exactly\":5},\n\n"
                               "{\"check\":\"exit_code\",\"in\":[0]}";
  if (literal_init(l, "[{\"fault\":\"rate_limit\"}]", "{}", expect, policy,
                   &diag) < 0)
    fail_msg("%s", diag.text);
  literal_fill(l, calls, starts);
}

static void a_window_goes_from_the_answer_to_what_it_asked(void **state)
{
  (void)state;
  static const struct sta starts[] = {{RAN(0, 6)}, {.exit_s = 0}};
  struct literal l;
  literal_of(&l, starts, NULL);
  cJSON *o = object_of(&l);
  const cJSON *list = param_node(o, "windows");
  /* "soon" is no time, 0 no wait, and 25 days are 25 days */
  assert_int_equal(cJSON_GetArraySize(list), 2);
  assert_true(number_at(list, 0, "seq") == 1);
  assert_true(number_at(list, 0, "from_ns") == 101.1e9);
  assert_true(number_at(list, 0, "until_ns") == 103.1e9);
  assert_true(number_at(list, 1, "seq") == 4);
  assert_true(number_at(list, 1, "until_ns") == 2160104.1e9);
  double start = 0;
  assert_true(param_number(o, "start_ns", &start) && start == 100e9);
  cJSON_Delete(o);
  literal_release(&l);
}

static void an_expectation_has_its_line(void **state)
{
  (void)state;
  static const struct sta starts[] = {{RAN(0, 6)}, {.exit_s = 0}};
  struct literal l;
  literal_of(&l, starts, NULL);
  cJSON *o = object_of(&l);
  const cJSON *list = param_node(o, "checks");
  assert_true(number_at(list, 0, "line") == 1);
  assert_true(number_at(list, 1, "line") == 3);
  cJSON_Delete(o);
  literal_release(&l);
}

static char *repeated(const char *s, size_t n)
{
  struct buf b;
  buf_init(&b, SIZE_MAX / 2);
  while (b.n < n)
    buf_adds(&b, s);
  return buf_detach(&b);
}

static void outputs_are_kept_at_both_ends(void **state)
{
  (void)state;
  enum { KEPT = (int)PICTURE_OUTPUT_BYTES };
  static const struct {
    const char *id;
    size_t n, front, end; /* bytes of three-byte characters */
  } rows[] = {
      {"short", 30, 30, 0},
      {"just all of it", KEPT - KEPT % 3, KEPT - KEPT % 3, 0},
      {"the rest is the end", 9000, KEPT + 1, 9000 - KEPT - 1},
      {"something between is left out", 90000, KEPT + 1, KEPT - KEPT % 3},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *text = repeated("\xe2\x82\xac", rows[i].n);
    struct sta starts[] = {{RAN(0, 6), .out = text, .err = "e"}, {.exit_s = 0}};
    struct literal l;
    literal_of(&l, starts, NULL);
    cJSON *o = object_of(&l);
    const cJSON *start = cJSON_GetArrayItem(param_node(o, "starts"), 0);
    const char *front = "", *end = "", *err = "";
    param_string(start, "stdout", &front);
    param_string(start, "stdout_end", &end);
    param_string(start, "stderr", &err);
    if (strlen(front) != rows[i].front || strlen(end) != rows[i].end ||
        strcmp(err, "e") != 0 || strstr(front, "\xef\xbf\xbd") ||
        strstr(end, "\xef\xbf\xbd"))
      fail_msg("%s: %zu and %zu bytes", rows[i].id, strlen(front), strlen(end));
    cJSON_Delete(o);
    literal_release(&l);
    free(text);
  }
}

static void any_byte_of_an_output_can_be_told(void **state)
{
  (void)state;
  struct sta starts[] = {{RAN(0, 6)}, {.exit_s = 0}};
  struct literal l;
  literal_of(&l, starts, NULL);
  l.starts[0].out = BYTES("a\0b\xff"
                          "c\"\\\n\x01");
  cJSON *o = object_of(&l);
  const char *text = "";
  param_string(cJSON_GetArrayItem(param_node(o, "starts"), 0), "stdout", &text);
  assert_string_equal(text, "a\x1a"
                            "b\xef\xbf\xbd"
                            "c\"\\\n\x01");
  cJSON_Delete(o);
  literal_release(&l);
}

static void the_clients_counters_are_those_of_its_last_line(void **state)
{
  (void)state;
  static const char policy[] = "{\"metrics_line\":\"m state=(?<state>\\\\S+) "
                               "opened=(?<opened>\\\\d+)\"}";
  static const struct sta starts[] = {
      {RAN(0, 3), .err = "m state=closed opened=0\nm state=open opened=1\n"},
      {RAN(3, 6), .err = "nothing"},
      {.exit_s = 0}};
  struct literal l;
  literal_of(&l, starts, policy);
  cJSON *o = object_of(&l);
  const cJSON *list = param_node(o, "starts");
  const cJSON *m = param_node(cJSON_GetArrayItem(list, 0), "metrics");
  const char *state_word = "", *opened = "";
  param_string(m, "state", &state_word);
  param_string(m, "opened", &opened);
  assert_string_equal(state_word, "open");
  assert_string_equal(opened, "1");
  assert_int_equal(cJSON_GetArraySize(m), 2);
  assert_null(param_node(cJSON_GetArrayItem(list, 1), "metrics"));
  cJSON_Delete(o);
  literal_release(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_window_goes_from_the_answer_to_what_it_asked),
      cmocka_unit_test(an_expectation_has_its_line),
      cmocka_unit_test(outputs_are_kept_at_both_ends),
      cmocka_unit_test(any_byte_of_an_output_can_be_told),
      cmocka_unit_test(the_clients_counters_are_those_of_its_last_line),
  };
  return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
