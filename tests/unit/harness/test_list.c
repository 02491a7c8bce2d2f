#include "harness/check/check.h"
#include "harness/list.h"
#include "harness/report/report.h"
#include "mockserver/fault.h"
#include "mockserver/provider/provider.h"
#include "tests/unit/unit.h"

#include "base/json.h"

#include <string.h>

#define OUT_MAX ((size_t)1 << 20)

static const char *const tables[] = {"faults",  "checks", "providers",
                                     "reports", "policy", NULL};

static void print(const char *table, enum list_format format, struct buf *ret)
{
  struct diag diag = {0};
  buf_init(ret, OUT_MAX);
  if (list_table(table, NULL, format, ret, &diag) < 0)
    fail_msg("%s: %s", table, diag.text);
}

static size_t lines_of(const struct buf *b)
{
  size_t n = 0;
  for (size_t i = 0; i < b->n; i++)
    n += b->p[i] == '\n';
  return n;
}

static void every_table_has_a_line_for_each_thing(void **state)
{
  (void)state;
  size_t n[COUNT(tables)] = {0};
  while (faults[n[0]])
    n[0]++;
  while (checks[n[1]])
    n[1]++;
  while (providers[n[2]])
    n[2]++;
  while (reports[n[3]])
    n[3]++;
  for (size_t i = 0; i < 4; i++) {
    struct buf out;
    print(tables[i], LIST_TEXT, &out);
    assert_int_equal(lines_of(&out), n[i]);
    buf_release(&out);
  }
}

static void a_line_holds_the_name_and_the_sentence(void **state)
{
  (void)state;
  struct buf out;
  print("checks", LIST_TEXT, &out);
  for (size_t i = 0; checks[i]; i++) {
    char *start = mem_format("%s ", checks[i]->name);
    const char *at = strstr(buf_str(&out), start);
    if (!at || strncmp(at + strcspn(at, "\n") - strlen(checks[i]->summary),
                       checks[i]->summary, strlen(checks[i]->summary)) != 0)
      fail_msg("'%s' has no good line in\n%s", checks[i]->name, buf_str(&out));
    free(start);
  }
  buf_release(&out);
}

static void markdown_rows_have_the_columns_of_the_head(void **state)
{
  (void)state;
  for (size_t i = 0; tables[i]; i++) {
    struct buf out;
    int want = 0;
    print(tables[i], LIST_MARKDOWN, &out);
    for (char *save = NULL, *line = strtok_r(out.p, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
      int bars = 0;
      for (char *p = line; *p; p++)
        bars += *p == '|' && (p == line || p[-1] != '\\');
      want = want ? want : bars;
      if (bars != want || line[0] != '|')
        fail_msg("%s: '%s'", tables[i], line);
    }
    assert_in_range(want, 3, 4);
    buf_release(&out);
  }
}

static void json_is_an_array_of_named_objects(void **state)
{
  (void)state;
  for (size_t i = 0; tables[i]; i++) {
    struct buf out;
    struct json_doc doc;
    struct diag diag = {0};
    print(tables[i], LIST_JSON, &out);
    if (json_parse(&doc, tables[i], buf_bytes(&out), &diag) < 0)
      fail_msg("%s: %s", tables[i], diag.text);
    assert_true(cJSON_GetArraySize(doc.root) > 0);
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, doc.root)
    {
      assert_true(cJSON_IsString(cJSON_GetObjectItem(item, "name")));
      const cJSON *summary = cJSON_GetObjectItem(item, "summary");
      assert_true(cJSON_IsString(summary) && summary->valuestring[0]);
    }
    json_release(&doc);
    buf_release(&out);
  }
}

static void scenarios_come_with_address_and_reason(void **state)
{
  (void)state;
  struct diag diag = {0};
  struct buf out;
  buf_init(&out, OUT_MAX);
  if (list_table("scenarios", SOURCE_DIR "/harness/scenarios/baseline",
                 LIST_TEXT, &out, &diag) < 0)
    fail_msg("%s", diag.text);
  assert_non_null(strstr(buf_str(&out), "baseline/plain-200 "));
  buf_release(&out);
}

static void wrong_words_are_errors_with_the_nearest(void **state)
{
  (void)state;
  static const struct {
    const char *id, *table, *argument, *want;
  } rows[] = {
      {"singular", "fault", NULL, "did you mean 'faults'?"},
      {"swapped", "hcecks", NULL, "did you mean 'checks'?"},
      {"far off", "zzzzzzzzz", NULL, "; known: faults, checks"},
      {"mutants", "mutants", NULL, "list mutants PLAN"},
      {"no folder", "scenarios", "/nonexistent/x.json", "nonexistent"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct diag diag = {0};
    struct buf out;
    char text[2048];
    buf_init(&out, OUT_MAX);
    assert_int_equal(
        list_table(rows[i].table, rows[i].argument, LIST_TEXT, &out, &diag),
        -1);
    diag_format(&diag, text, sizeof text);
    if (!strstr(text, rows[i].want) || out.n > 0)
      fail_msg("%s said '%s'", rows[i].id, text);
    buf_release(&out);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_table_has_a_line_for_each_thing),
      cmocka_unit_test(a_line_holds_the_name_and_the_sentence),
      cmocka_unit_test(markdown_rows_have_the_columns_of_the_head),
      cmocka_unit_test(json_is_an_array_of_named_objects),
      cmocka_unit_test(scenarios_come_with_address_and_reason),
      cmocka_unit_test(wrong_words_are_errors_with_the_nearest),
  };
  return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
