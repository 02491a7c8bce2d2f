/*
 * test_seam.c - what of a continuation repeats the text before, whole and in
 * pieces.
 */
#include "guard/command/seam.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct {
  const char *id, *why, *kept, *rest;
  bool may_repeat;
  size_t skip;
} rows[] = {
    {"none", "nothing is repeated", "Hello from", " faultwire.", true, 0},
    {"assistant", "a prefilled model never repeats: these words are new",
     "na na na na na na", "na na na na na na", false, 0},
    {"all", "it began again", "Hello from", "Hello from faultwire.", true, 10},
    {"last words", "it took the end up again",
     "This is the beginning of a long", "beginning of a long story", true, 19},
    {"short", "all of it, and not too short", "ha ha", "ha ha!", true, 5},
    {"too short", "three letters are no proof", "bye", "bye-bye", true, 0},
    {"short end", "a short end of a long text may be meant",
     "one two three four", "four five", true, 0},
    {"longest", "the longest one counts", "abababababababababababab",
     "ababababababababababababX", true, 24},
    {"only that", "it said it again and stopped", "Hello from", "Hello from",
     true, 10},
    {"half of it", "the text ended within the repetition", "Hello from",
     "Hello", true, 0},
    {"empty", "nothing came", "Hello from", "", true, 0},
    {"no kept", "a text from its start", "", "Hello", false, 0},
};

static void what_repeats_the_end_is_found(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct seam s = {.kept = bytes_of(rows[i].kept),
                     .may_repeat = rows[i].may_repeat};
    size_t skip = 99;
    assert_true(seam_skip(&s, bytes_of(rows[i].rest), true, &skip));
    if (skip != rows[i].skip)
      fail_msg("%s (%s): %zu", rows[i].id, rows[i].why, skip);
  }
}

/* Byte by byte: once it is decided it is the same, and it is not decided
 * while more could change it. */
static void pieces_change_nothing(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct seam s = {.kept = bytes_of(rows[i].kept),
                     .may_repeat = rows[i].may_repeat};
    size_t n = strlen(rows[i].rest), skip = 99;
    for (size_t k = 1; k <= n; k++)
      if (seam_skip(&s, (struct bytes){rows[i].rest, k}, false, &skip) &&
          skip != rows[i].skip)
        fail_msg("%s at %zu: %zu", rows[i].id, k, skip);
    assert_true(seam_skip(&s, bytes_of(rows[i].rest), true, &skip));
    assert_int_equal(skip, rows[i].skip);
  }
}

static void a_very_long_text_may_be_repeated_as_a_whole(void **state)
{
  enum { LONG = 100000 };
  char *text = mem_alloc(LONG + 1);
  size_t skip = 0;
  (void)state;
  for (size_t i = 0; i < LONG; i++)
    text[i] = (char)('a' + i * i % 23);
  text[LONG] = '!';
  struct seam s = {.kept = {text, LONG}, .may_repeat = true};
  assert_true(seam_skip(&s, (struct bytes){text, LONG + 1}, false, &skip));
  assert_int_equal(skip, LONG);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_repeats_the_end_is_found),
      cmocka_unit_test(pieces_change_nothing),
      cmocka_unit_test(a_very_long_text_may_be_repeated_as_a_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
