#include "base/file.h"
#include "harness/shard.h"
#include "tests/unit/unit.h"

#include <string.h>

static void words_of_the_option_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    bool good;
    uint64_t k, n;
  } rows[] = {
      {NULL, true, 0, 0},        {"1/1", true, 1, 1},   {"4/4", true, 4, 4},
      {"5/4", false, 0, 0},      {"0/4", false, 0, 0},  {"0/0", false, 0, 0},
      {"1", false, 0, 0},        {"1/", false, 0, 0},   {"/2", false, 0, 0},
      {"1/2x", false, 0, 0},     {"-1/2", false, 0, 0}, {"1/-2", false, 0, 0},
      {" 1/2", false, 0, 0},     {"", false, 0, 0},     {"1/2/3", false, 0, 0},
      {"1/100001", false, 0, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct shard s;
    struct diag diag = {0};
    int rc = shard_parse(&s, rows[i].text, &diag);
    if ((rc == 0) != rows[i].good || s.k != rows[i].k || s.n != rows[i].n)
      fail_msg("'%s': %d %s", rows[i].text, rc, diag.text);
  }
}

static struct suite suite_of(const char *const *paths, size_t n)
{
  struct suite s = {.items = mem_zalloc((n + 1) * sizeof *s.items), .n = n};
  for (size_t i = 0; i < n; i++) {
    s.items[i].path = mem_strdup(paths[i]);
    s.items[i].address = mem_format("%zu", i);
  }
  return s;
}

/* The paths of shard k, joined by a blank. */
static char *part(const char *const *paths, size_t n, uint64_t k, uint64_t of)
{
  struct suite s = suite_of(paths, n);
  struct shard shard = {k, of};
  struct buf b;
  buf_init(&b, 4096);
  buf_adds(&b, "");
  shard_keep(&s, &shard);
  for (size_t i = 0; i < s.n; i++)
    buf_addf(&b, "%s%s", i ? " " : "", s.items[i].path);
  suite_release(&s);
  return buf_detach(&b);
}

static void files_are_dealt_out_by_their_names(void **state)
{
  (void)state;
  static const char *const paths[] = {"e", "a", "d", "b", "c"};
  static const struct {
    uint64_t k, n;
    const char *want;
  } rows[] = {{0, 0, "e a d b c"}, {1, 1, "e a d b c"}, {1, 2, "e a c"},
              {2, 2, "d b"},       {5, 5, "e"},         {6, 6, ""}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    char *got = part(paths, COUNT(paths), rows[i].k, rows[i].n);
    if (strcmp(got, rows[i].want) != 0)
      fail_msg("%d/%d: %s", (int)rows[i].k, (int)rows[i].n, got);
    free(got);
  }
}

static void points_of_one_file_stay_together(void **state)
{
  (void)state;
  static const char *const paths[] = {"a", "b", "b", "b", "c"};
  char *first = part(paths, COUNT(paths), 1, 2);
  char *second = part(paths, COUNT(paths), 2, 2);
  assert_string_equal(first, "a c");
  assert_string_equal(second, "b b b");
  free(first);
  free(second);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_of_the_option_are_read),
      cmocka_unit_test(files_are_dealt_out_by_their_names),
      cmocka_unit_test(points_of_one_file_stay_together),
  };
  return cmocka_run_group_tests_name("shard", tests, NULL, NULL);
}
