#include "mutants/template/template.h"

#include "base/file.h"
#include "mutants/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void read_file(const char *path, struct buf *ret)
{
  struct diag diag = {0};
  buf_init(ret, JSON_MAX_BYTES);
  if (file_read(path, ret, &diag) < 0)
    fail_msg("%s: %s", path, diag.text);
}

static void the_catalogue_has_76_mutants_each_once(void **state)
{
  (void)state;
  int n = 0;
  for (const struct template *t = TEMPLATES; t->id; t++, n++)
    for (const struct template *u = TEMPLATES; u != t; u++)
      assert_string_not_equal(t->id, u->id);
  assert_int_equal(n, 76);
}

static void check_scenarios(const struct template *t, const char *list)
{
  for (const char *p = list; *p;) {
    int n = (int)strcspn(p, " ");
    char *path = mem_format(SOURCE_DIR "/harness/scenarios/%.*s%s", n, p,
                            p[n - 1] == '*' ? "" : ".json");
    if (p[n - 1] == '*')
      path[strlen(path) - 2] = '\0'; /* the folder */
    if (!file_exists(path))
      fail_msg("%s: there is no %s", t->id, path);
    free(path);
    p += n;
    p += strspn(p, " ");
  }
}

static void every_scenario_named_is_shipped(void **state)
{
  (void)state;
  for (const struct template *t = TEMPLATES; t->id; t++) {
    check_scenarios(t, t->red);
    check_scenarios(t, t->green);
  }
}

static void every_mutant_of_guard_named_is_in_its_plan(void **state)
{
  (void)state;
  struct buf plan;
  read_file(SOURCE_DIR "/mutants/guard/plan.json", &plan);
  for (const struct template *t = TEMPLATES; t->id; t++) {
    char *id = mem_format("\"id\": \"%s\"", t->guard);
    if (*t->guard && bytes_find(buf_bytes(&plan), bytes_of(id)) < 0)
      fail_msg("%s: the plan of guard has no %s", t->id, t->guard);
    free(id);
  }
  buf_release(&plan);
}

static void each_language_prints_entries_that_a_plan_takes(void **state)
{
  (void)state;
  for (int i = 0; TEMPLATE_LANGUAGES[i]; i++) {
    struct buf list, plan;
    struct plan p;
    struct diag diag = {0};
    buf_init(&list, JSON_MAX_BYTES);
    buf_init(&plan, JSON_MAX_BYTES);
    assert_true(template_plan(TEMPLATE_LANGUAGES[i], "*", &list));
    buf_addf(&plan,
             "{\"version\": 1, \"suite\": {\"command\": [\"s\"]}, "
             "\"mutants\": %s}",
             buf_str(&list));
    if (gate_plan_parse(&p, "p", buf_bytes(&plan), false, &diag) < 0)
      fail_msg("%s: %d: %s", TEMPLATE_LANGUAGES[i], diag.line, diag.text);
    assert_int_equal(p.nmutants, 76);
    gate_plan_release(&p);
    buf_release(&plan);
    buf_release(&list);
  }
}

static void a_glob_picks_entries(void **state)
{
  (void)state;
  struct buf list;
  buf_init(&list, JSON_MAX_BYTES);
  assert_true(template_plan("python", "sleep-off", &list));
  assert_true(bytes_find(buf_bytes(&list), BYTES("time.sleep(WAIT)")) > 0);
  assert_true(bytes_find(buf_bytes(&list), BYTES("cap-off")) < 0);
  assert_false(template_plan("cobol", "*", &list));
  buf_release(&list);
}

static void the_page_is_what_the_program_prints(void **state)
{
  (void)state;
  struct buf page, printed;
  read_file(SOURCE_DIR "/docs/mutant-catalogue.md", &page);
  buf_init(&printed, JSON_MAX_BYTES);
  template_markdown(&printed);
  if (!bytes_equal(buf_bytes(&page), buf_bytes(&printed)))
    fail_msg("write docs/mutant-catalogue.md anew with `faultwire mutate "
             "templates --as markdown`");
  buf_release(&printed);
  buf_release(&page);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_catalogue_has_76_mutants_each_once),
      cmocka_unit_test(every_scenario_named_is_shipped),
      cmocka_unit_test(every_mutant_of_guard_named_is_in_its_plan),
      cmocka_unit_test(each_language_prints_entries_that_a_plan_takes),
      cmocka_unit_test(a_glob_picks_entries),
      cmocka_unit_test(the_page_is_what_the_program_prints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
