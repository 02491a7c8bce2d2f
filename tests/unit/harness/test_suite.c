#include "tests/unit/unit.h"

#include "harness/suite.h"

#include "base/file.h"

#include <string.h>
#include <unistd.h>

static char *root;

static void put(const char *name, const char *tags, const char *provider)
{
  struct diag diag = {0};
  char *path = mem_format("%s/%s", root, name);
  char *slash = strrchr(path, '/');
  char *text = mem_format("{\"name\":\"n\",\"why\":\"w\",\"tags\":%s,"
                          "\"provider\":\"%s\",\"steps\":[],"
                          "\"after_script\":\"reply\"}",
                          tags, provider);
  *slash = '\0';
  assert_int_equal(file_mkdirs(path, &diag), 0);
  *slash = '/';
  assert_int_equal(file_write(path, bytes_of(text), &diag), 0);
  free(text);
  free(path);
}

static int set_up(void **state)
{
  struct diag diag = {0};
  (void)state;
  root = file_temp_folder("suite", &diag);
  put("b/two.json", "[\"quick\"]", "any");
  put("b/one.json", "[]", "anthropic");
  put("a/deep/three.json", "[\"slow\",\"quick\"]", "gemini");
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  file_remove_tree(root);
  free(root);
  return 0;
}

/* The addresses, joined by a blank. */
static char *addresses(const struct suite_filter *f, const char *const *more)
{
  struct suite s;
  struct diag diag = {0};
  struct buf b;
  char *paths[4] = {root};
  int n = 1;
  for (; more && more[n - 1]; n++)
    paths[n] = mem_format("%s/%s", root, more[n - 1]);
  buf_init(&b, 4096);
  buf_adds(&b, "");
  if (suite_load(&s, paths, n, f, &diag) < 0)
    fail_msg("%s", diag.text);
  for (size_t i = 0; i < s.n; i++)
    buf_addf(&b, "%s%s", i ? " " : "", s.items[i].address);
  suite_release(&s);
  while (--n > 0)
    free(paths[n]);
  char *text = buf_detach(&b);
  return text ? text : mem_strdup("");
}

static void expect(const struct suite_filter *f, const char *wanted)
{
  char *got = addresses(f, NULL);
  assert_string_equal(got, wanted);
  free(got);
}

static void a_folder_is_walked_in_order_of_its_paths(void **state)
{
  const struct suite_filter all = {0};
  (void)state;
  expect(&all, "deep/three b/one b/two");
}

static void a_file_named_twice_runs_once(void **state)
{
  const struct suite_filter all = {0};
  static const char *const more[] = {"b/two.json", "b/two.json", NULL};
  (void)state;
  char *got = addresses(&all, more);
  assert_string_equal(got, "deep/three b/one b/two");
  free(got);
}

static void filters_choose(void **state)
{
  const struct option_list only = {{"b/*"}, 1}, two = {{"b/one", "*/three"}, 2};
  const struct option_list quick = {{"quick"}, 1};
  const struct suite_filter by_name = {.only = &only}, by_two = {.only = &two};
  const struct suite_filter by_tag = {.tags = &quick};
  const struct suite_filter by_provider = {.provider = "anthropic"};
  const struct suite_filter by_all = {
      .only = &only, .tags = &quick, .provider = "gemini"};
  (void)state;
  expect(&by_name, "b/one b/two");
  expect(&by_two, "deep/three b/one");
  expect(&by_tag, "deep/three b/two");
  expect(&by_provider, "b/one b/two");
  expect(&by_all, "b/two");
}

static void a_tag_leaves_out_whatever_else_chose(void **state)
{
  const struct option_list quick = {{"quick"}, 1}, slow = {{"slow"}, 1};
  const struct option_list both = {{"slow", "quick"}, 2}, none = {{"no"}, 1};
  const struct suite_filter no_slow = {.not_tags = &slow};
  const struct suite_filter quick_no_slow = {.tags = &quick, .not_tags = &slow};
  const struct suite_filter no_both = {.not_tags = &both};
  const struct suite_filter unknown = {.not_tags = &none};
  (void)state;
  expect(&no_slow, "b/one b/two");
  expect(&quick_no_slow, "b/two");
  expect(&no_both, "b/one");
  expect(&unknown, "deep/three b/one b/two");
}

/* The step about a command makes a scenario one of that channel. */
static void a_channel_leaves_out_the_other_unless_named(void **state)
{
  static const char *const more[] = {"c/start.json", NULL};
  const struct suite_filter both = {0}, http = {.channel = "http"};
  const struct suite_filter command = {.channel = "command"};
  const struct suite_filter https = {.channel = "https"};
  const struct suite_filter named = {.channel = "http", .named_anyway = true};
  struct diag diag = {0};
  (void)state;
  char *folder = mem_format("%s/c", root);
  char *path = mem_format("%s/start.json", folder);
  assert_int_equal(file_mkdirs(folder, &diag), 0);
  assert_int_equal(
      file_write(path,
                 BYTES("{\"name\":\"n\",\"why\":\"w\",\"steps\":["
                       "{\"command\":\"claude\",\"says\":\"auth\"}]}"),
                 &diag),
      0);
  expect(&both, "deep/three b/one b/two c/start");
  expect(&http, "deep/three b/one b/two");
  expect(&command, "c/start");
  assert_int_equal(
      file_write(path,
                 BYTES("{\"name\":\"n\",\"why\":\"w\",\"tls\":true,"
                       "\"steps\":[{\"reply\":\"message\"}]}"),
                 &diag),
      0);
  expect(&http, "deep/three b/one b/two");
  expect(&https, "c/start");
  char *got = addresses(&named, more);
  assert_string_equal(got, "deep/three b/one b/two c/start");
  free(got);
  file_remove_tree(folder);
  free(folder);
  free(path);
}

static void the_client_is_told_a_provider(void **state)
{
  const struct suite_filter all = {0};
  struct suite s;
  struct diag diag = {0};
  char *paths[] = {root};
  (void)state;
  assert_int_equal(suite_load(&s, paths, 1, &all, &diag), 0);
  assert_string_equal(suite_provider(&s.items[0], "openai"), "gemini");
  assert_string_equal(suite_provider(&s.items[2], "openai"), "openai");
  assert_string_equal(suite_provider(&s.items[2], NULL), "anthropic");
  suite_release(&s);
}

static void a_missing_file_is_an_error(void **state)
{
  const struct suite_filter all = {0};
  struct suite s;
  struct diag diag = {0};
  char *paths[] = {mem_format("%s/b/nothing.json", root)};
  (void)state;
  assert_int_equal(suite_load(&s, paths, 1, &all, &diag), -1);
  assert_non_null(strstr(diag.text, "nothing.json"));
  free(paths[0]);
}

/* --- sweeps ---------------------------------------------------------------
 */

/* The addresses of one file's points, or the sentence of its error. */
static char *points_of(const char *text)
{
  const struct suite_filter all = {0};
  struct suite s;
  struct diag diag = {0};
  char *folder = file_temp_folder("sweep", &diag), *paths[1];
  char said[1024];
  struct buf b;
  paths[0] = mem_format("%s/s.json", folder);
  buf_init(&b, 4096);
  assert_int_equal(file_write(paths[0], bytes_of(text), &diag), 0);
  if (suite_load(&s, paths, 1, &all, &diag) < 0) {
    diag_format(&diag, said, sizeof said);
    buf_adds(&b, said);
  } else {
    for (size_t i = 0; i < s.n; i++)
      buf_addf(&b, "%s%s %zu/%zu", i ? ", " : "",
               strchr(s.items[i].address, '@'), s.items[i].point.number,
               s.items[i].point.points);
    suite_release(&s);
  }
  file_remove_tree(folder);
  free(paths[0]);
  free(folder);
  return buf_detach(&b);
}

#define SWEPT(step, sweep)                                                     \
  "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\",\"steps\":[" step  \
  "],\"sweep\":" sweep "}"
#define CUT "{\"fault\":\"stream_cut\",\"ending\":\"clean\",\"after_event\":0}"

static void a_sweep_is_one_item_a_point(void **state)
{
  static const struct {
    const char *id, *text, *is;
  } rows[] = {
      {"row",
       SWEPT(CUT, "{\"path\":\"steps[0].after_event\",\"from\":0,\"to\":2}"),
       "@after_event=0 1/3, @after_event=1 2/3, @after_event=2 3/3"},
      {"values alike in an address",
       SWEPT(
           "{\"fault\":\"rate_limit\",\"retry_after\":\"1\"}",
           "{\"path\":\"steps[0].retry_after\",\"values\":[\"1 s\",\"1/s\"]}"),
       "@retry_after=1_s 1/2, @retry_after=1_s.2 2/2"},
      {"until there is no such event",
       SWEPT(CUT, "{\"path\":\"steps[0].after_event\",\"from\":6,\"to\":200,"
                  "\"until\":\"not_delivered\"}"),
       "@after_event=6 1/3, @after_event=7 2/3, @after_event=8 3/3"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *got = points_of(rows[i].text);
    if (strcmp(got, rows[i].is) != 0)
      fail_msg("%s: %s", rows[i].id, got);
    free(got);
  }
}

static void a_point_that_is_wrong_is_an_error_of_the_file(void **state)
{
  static const struct {
    const char *id, *text, *says;
  } rows[] = {
      {"beyond the last event",
       SWEPT(CUT, "{\"path\":\"steps[0].after_event\",\"from\":0,\"to\":90}"),
       "$.steps[0].after_event"},
      {"the very first, whatever until says",
       SWEPT(CUT, "{\"path\":\"steps[0].after_event\",\"from\":80,\"to\":90,"
                  "\"until\":\"not_delivered\"}"),
       "$.steps[0].after_event"},
      {"no such place", SWEPT(CUT, "{\"path\":\"steps[3]\",\"values\":[1]}"),
       "s.json:1:"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *got = points_of(rows[i].text);
    if (!strstr(got, rows[i].says) || got[0] == '@')
      fail_msg("%s: %s", rows[i].id, got);
    free(got);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sweep_is_one_item_a_point),
      cmocka_unit_test(a_point_that_is_wrong_is_an_error_of_the_file),
      cmocka_unit_test(a_folder_is_walked_in_order_of_its_paths),
      cmocka_unit_test(a_file_named_twice_runs_once),
      cmocka_unit_test(filters_choose),
      cmocka_unit_test(a_tag_leaves_out_whatever_else_chose),
      cmocka_unit_test(a_channel_leaves_out_the_other_unless_named),
      cmocka_unit_test(the_client_is_told_a_provider),
      cmocka_unit_test(a_missing_file_is_an_error)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
