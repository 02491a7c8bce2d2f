#include "base/words.h"
#include "tests/unit/unit.h"

static const char *const list[] = {"retry_after", "rate_limit", "steps",
                                   "times",       "gap",        NULL};

static void the_nearest_word_is_found(void **state)
{
  (void)state;
  static const struct {
    const char *word, *near;
  } rows[] = {
      {"retry_aftr", "retry_after"},
      {"retyr_after", "retry_after"},
      {"retry-after", "retry_after"},
      {"step", "steps"},
      {"tiems", "times"},
      {"gpa", "gap"},
      {"ratelimit", "rate_limit"},
      {"zebra", NULL},
      {"", NULL},
      {"x", NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const char *near = words_nearest(rows[i].word, list);
    if (!rows[i].near ? near != NULL
                      : !near || !words_has((const char *const[]){near, NULL},
                                            rows[i].near))
      fail_msg("'%s' gave '%s'", rows[i].word, near ? near : "nothing");
  }
}

static void a_hint_names_the_near_word_or_all(void **state)
{
  (void)state;
  char hint[128];
  words_hint("tims", list, hint, sizeof hint);
  assert_string_equal(hint, "; did you mean 'times'?");
  words_hint("zzzzzzz", list, hint, sizeof hint);
  assert_string_equal(hint,
                      "; known: retry_after, rate_limit, steps, times, gap");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_nearest_word_is_found),
      cmocka_unit_test(a_hint_names_the_near_word_or_all),
  };
  return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
