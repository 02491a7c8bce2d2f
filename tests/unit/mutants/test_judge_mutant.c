#include "mutants/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

/*
 * Tests of a suite as letters, in the order canary, a, b, c:
 * g green, r red by assertion, h hang, k crash, n no contact, d not
 * delivered.
 */
static const char *const NAMES[] = {"canary", "a", "b", "c"};

static const struct {
  const char *id, *why;
  const char *verdicts, *red, *green; /* red, green: letters of tests */
  int64_t at_least;
  const char *equivalent;
  enum outcome outcome;
  const char *text; /* in the reason */
} CASES[] = {
    {"caught", "the declared red fell", "grgg", "a", "b", 0, NULL,
     OUTCOME_CAUGHT, ""},
    {"hang", "a hanging client is a kill", "ghgg", "a", "", 0, NULL,
     OUTCOME_CAUGHT, ""},
    {"more fell", "undeclared reds are no fault", "grrr", "a", "", 0, NULL,
     OUTCOME_CAUGHT, ""},
    {"missed", "nothing fell", "gggg", "a", "", 0, NULL, OUTCOME_MISSED,
     "every test stayed green"},
    {"other fell", "by the wrong test", "ggrg", "a", "", 0, NULL, OUTCOME_WEAK,
     "must go red: a (green)"},
    {"half fell", "each declared red counts", "grgg", "ab", "", 0, NULL,
     OUTCOME_WEAK, "b (green)"},
    {"crash", "a crash is no assertion", "gkgg", "a", "", 0, NULL, OUTCOME_WEAK,
     "a (crash)"},
    {"no contact", "no request, no kill", "gngg", "a", "", 0, NULL,
     OUTCOME_WEAK, "a (no-contact)"},
    {"not delivered", "no fault, no kill", "gdgg", "a", "", 0, NULL,
     OUTCOME_WEAK, "a (not-delivered)"},
    {"green fell", "a declared green", "grrg", "a", "b", 0, NULL,
     OUTCOME_OVERKILL, "must stay green: b (assert)"},
    {"canary fell", "the mutant is broken", "rrrr", "a", "", 0, NULL,
     OUTCOME_OVERKILL, "canary (assert)"},
    {"canary silent", "a client that never connects is broken", "nnnn", "a", "",
     0, NULL, OUTCOME_OVERKILL, "canary (no-contact)"},
    {"green wins", "a broken mutant is not a weak one", "rggg", "a", "", 0,
     NULL, OUTCOME_OVERKILL, "canary"},
    {"any", "a star is any test", "ggrg", "*", "", 0, NULL, OUTCOME_CAUGHT, ""},
    {"any crash", "a star still needs a kind that counts", "ggkg", "*", "", 0,
     NULL, OUTCOME_WEAK, "kind that counts"},
    {"enough", "as many as declared", "grrg", "a", "", 2, NULL, OUTCOME_CAUGHT,
     ""},
    {"too few", "fewer than declared", "grgg", "a", "", 2, NULL, OUTCOME_WEAK,
     "killed by 1 tests, declared are 2 or more"},
    {"equivalent", "nothing fell", "gggg", "", "", 0, "reason",
     OUTCOME_EQUIVALENT, "reason"},
    {"stale", "killed after all", "ggrg", "", "", 0, "reason",
     OUTCOME_STALE_EQUIVALENT, "b (assert)"},
    {"stale silent", "equivalent changes nothing at all", "ggng", "", "", 0,
     "reason", OUTCOME_STALE_EQUIVALENT, "b (no-contact)"},
};

static void fill(struct verdicts *v, const char *letters)
{
  static const struct {
    char letter;
    enum verdict verdict;
    enum kind kind;
  } LETTERS[] = {{'g', VERDICT_GREEN, KIND_NONE},
                 {'r', VERDICT_RED, KIND_ASSERT},
                 {'h', VERDICT_RED, KIND_HANG},
                 {'k', VERDICT_RED, KIND_CRASH},
                 {'n', VERDICT_UNDECIDED, KIND_NO_CONTACT},
                 {'d', VERDICT_UNDECIDED, KIND_NOT_DELIVERED}};
  for (int i = 0; letters[i]; i++) {
    struct test *t = verdicts_add(v, NAMES[i], "");
    for (size_t k = 0; k < sizeof LETTERS / sizeof LETTERS[0]; k++)
      if (LETTERS[k].letter == letters[i]) {
        t->verdict = LETTERS[k].verdict;
        t->kind = LETTERS[k].kind;
      }
  }
}

static void letters_to_names(const char *letters, struct texts *ret)
{
  static const char *const WORDS[] = {"a", "b", "c", "*"};
  for (; *letters; letters++)
    texts_add(ret, WORDS[*letters == '*' ? 3 : *letters - 'a']);
}

static void each_row_comes_to_its_outcome(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    struct plan_mutant m = {.id = "m",
                            .kinds =
                                KIND_BIT(KIND_ASSERT) | KIND_BIT(KIND_HANG),
                            .red_at_least = CASES[i].at_least,
                            .equivalent = CASES[i].equivalent};
    struct texts canary = {0};
    struct verdicts v = {0};
    struct buf why;
    texts_add(&canary, "canary");
    letters_to_names(CASES[i].red, &m.red);
    letters_to_names(CASES[i].green, &m.green);
    fill(&v, CASES[i].verdicts);
    buf_init(&why, 1000);
    enum outcome o = judge_mutant(&m, &canary, &v, &why);
    if (o != CASES[i].outcome || !strstr(buf_str(&why), CASES[i].text))
      fail_msg("%s: %s: %s: %s", CASES[i].id, CASES[i].why, outcome_word(o),
               buf_str(&why));
    if (o == OUTCOME_CAUGHT)
      assert_string_equal(buf_str(&why), "");
    buf_release(&why);
    verdicts_release(&v);
    texts_release(&canary);
    texts_release(&m.red);
    texts_release(&m.green);
  }
}

static void only_the_declared_kinds_count(void **state)
{
  (void)state;
  struct plan_mutant m = {.kinds = KIND_BIT(KIND_CRASH)};
  struct test t = {.verdict = VERDICT_RED, .kind = KIND_CRASH};
  assert_true(judge_kills(&m, &t));
  t.kind = KIND_ASSERT;
  assert_false(judge_kills(&m, &t));
  t.kind = KIND_CRASH;
  t.verdict = VERDICT_GREEN;
  assert_false(judge_kills(&m, &t));
}

static const struct {
  const char *id, *why, *verdicts, *red, *green;
  enum outcome outcome;
  const char *disputed; /* names, a blank behind each */
} DISPUTES[] = {
    {"caught", "nothing hangs on one run", "grgg", "a", "b", OUTCOME_CAUGHT,
     ""},
    {"overkill", "the green that fell", "grrg", "a", "b", OUTCOME_OVERKILL,
     "b "},
    {"canary", "and the canary", "rrgg", "a", "b", OUTCOME_OVERKILL, "canary "},
    {"weak", "the red that stayed", "grgg", "ab", "", OUTCOME_WEAK, "b "},
    {"crash", "a kind that does not count is a red that stayed", "gkgg", "a",
     "", OUTCOME_WEAK, "a "},
    {"missed", "", "gggg", "a", "", OUTCOME_MISSED, "a "},
    {"any, missed", "all of them is no question", "gggg", "*", "",
     OUTCOME_MISSED, ""},
    {"any, few", "one red may be noise", "grgg", "*", "", OUTCOME_CAUGHT, "a "},
    {"any, many", "four will not be", "rrrr", "*", "", OUTCOME_CAUGHT, ""},
    {"stale", "", "ggrg", "", "", OUTCOME_STALE_EQUIVALENT, "b "},
};

static void a_bad_outcome_hangs_on_few_tests(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof DISPUTES / sizeof DISPUTES[0]; i++) {
    struct plan_mutant m = {.kinds =
                                KIND_BIT(KIND_ASSERT) | KIND_BIT(KIND_HANG)};
    struct texts canary = {0}, disputed = {0};
    struct verdicts v = {0};
    struct buf names;
    texts_add(&canary, "canary");
    letters_to_names(DISPUTES[i].red, &m.red);
    letters_to_names(DISPUTES[i].green, &m.green);
    fill(&v, DISPUTES[i].verdicts);
    judge_disputed(&m, &canary, &v, DISPUTES[i].outcome, &disputed);
    buf_init(&names, 1000);
    for (int k = 0; k < disputed.n; k++)
      buf_addf(&names, "%s ", disputed.item[k]);
    if (strcmp(buf_str(&names), DISPUTES[i].disputed) != 0)
      fail_msg("%s: %s: %s", DISPUTES[i].id, DISPUTES[i].why, buf_str(&names));
    buf_release(&names);
    verdicts_release(&v);
    texts_release(&disputed);
    texts_release(&canary);
    texts_release(&m.red);
    texts_release(&m.green);
  }
}

static void another_answer_the_second_time_is_told(void **state)
{
  (void)state;
  const struct plan_mutant m = {.kinds = KIND_BIT(KIND_ASSERT)};
  struct verdicts first = {0}, again = {0};
  struct texts disputed = {0};
  struct buf why;
  buf_init(&why, 1000);
  fill(&first, "grgk");
  fill(&again, "ggg");
  for (int i = 0; i < 4; i++)
    texts_add(&disputed, NAMES[i]);
  assert_int_equal(judge_differing(&m, &disputed, &first, &again, &why), 2);
  assert_string_equal(buf_str(&why),
                      "a: red among the others, green alone, c: red among the "
                      "others, not run alone");
  buf_release(&why);
  texts_release(&disputed);
  verdicts_release(&first);
  verdicts_release(&again);
}

static void what_is_observed_needs_no_declaration(void **state)
{
  (void)state;
  static const struct {
    const char *verdicts;
    enum outcome outcome;
  } ROWS[] = {{"grgg", OUTCOME_CAUGHT},
              {"gggg", OUTCOME_MISSED},
              {"gkgg", OUTCOME_MISSED},
              {"rrgg", OUTCOME_OVERKILL}};
  for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
    const struct plan_mutant m = {.kinds = KIND_BIT(KIND_ASSERT)};
    struct verdicts v = {0};
    struct texts canary = {0};
    struct buf why;
    buf_init(&why, 1000);
    texts_add(&canary, "canary");
    fill(&v, ROWS[i].verdicts);
    assert_int_equal(judge_observed(&m, &canary, &v, &why), ROWS[i].outcome);
    buf_release(&why);
    texts_release(&canary);
    verdicts_release(&v);
  }
}

static void the_exit_codes_are_those_of_the_manual(void **state)
{
  (void)state;
  static const struct {
    enum outcome outcome;
    int code;
  } CODES[] = {{OUTCOME_CAUGHT, 0},
               {OUTCOME_EQUIVALENT, 0},
               {OUTCOME_MISSED, 2},
               {OUTCOME_WEAK, 2},
               {OUTCOME_STALE_EQUIVALENT, 2},
               {OUTCOME_TIMEOUT, 3},
               {OUTCOME_FLAKY, 3},
               {OUTCOME_HARNESS_ERROR, 3},
               {OUTCOME_OVERKILL, 5},
               {OUTCOME_NOT_APPLIED, 6},
               {OUTCOME_UNVIABLE, 6},
               {OUTCOME_IDENTICAL, 6}};
  assert_int_equal(sizeof CODES / sizeof CODES[0], OUTCOME_COUNT);
  for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++)
    assert_int_equal(class_exit(outcome_class(CODES[i].outcome)),
                     CODES[i].code);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_row_comes_to_its_outcome),
      cmocka_unit_test(only_the_declared_kinds_count),
      cmocka_unit_test(a_bad_outcome_hangs_on_few_tests),
      cmocka_unit_test(another_answer_the_second_time_is_told),
      cmocka_unit_test(what_is_observed_needs_no_declaration),
      cmocka_unit_test(the_exit_codes_are_those_of_the_manual)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
