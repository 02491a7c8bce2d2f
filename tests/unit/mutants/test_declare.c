#include "mutants/declare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
  "{ // why\n  \"version\": 1, \"suite\": {\"command\": [\"s\"]},\n"           \
  "  \"mutants\": [ "
#define A "\"id\": \"a\", \"cmd\": \"x\", \"touches\": [\"f\"]"
#define B "{\"id\": \"b\", \"cmd\": \"x\", \"touches\": [\"f\"]}"

/* Tests of one letter: upper case fell, lower case stayed green, behind '~'
 * it flickers, behind '-' it was skipped. */
static void add_tests(struct verdicts *v, const char *letters)
{
  for (const char *p = letters; *p; p++) {
    bool noisy = *p == '~', skipped = *p == '-';
    p += noisy || skipped;
    bool fell = *p < 'a';
    char name[] = {(char)(*p | 32), '\0'};
    struct test *t = verdicts_add(v, name, "");
    t->noisy = noisy;
    t->skipped = skipped;
    t->verdict = fell ? VERDICT_RED : VERDICT_GREEN;
    t->kind = fell ? KIND_ASSERT : KIND_NONE;
  }
}

static void fill(struct records *r, const char *a, enum outcome outcome,
                 const char *b)
{
  *r = (struct records){.n = 2, .problem = mem_strdup("")};
  r->item = mem_zalloc(3 * sizeof *r->item);
  add_tests(&r->tests, "xyzc");
  texts_add(&r->canary, r->tests.item[3].name);
  for (int i = 0; i < 2; i++) {
    r->item[i] = (struct record){.id = mem_strdup(i ? "b" : "a"),
                                 .why = mem_strdup(""),
                                 .outcome = i ? OUTCOME_CAUGHT : outcome,
                                 .kinds = (int)KIND_BIT(KIND_ASSERT),
                                 .done = true};
    add_tests(&r->item[i].tests, i ? b : a);
  }
}

static const struct {
  const char *id, *why, *a;
  enum outcome outcome;
  const char *b;
  const char *red, *green; /* of a; NULL: nothing is declared */
} SEEN[] = {
    {"red and green", "y can fall, z never did", "Xyzc", OUTCOME_CAUGHT, "xYzc",
     "x", "y"},
    {"flickers", "neither", "X~yzc", OUTCOME_CAUGHT, "xYzc", "x", ""},
    {"skipped", "it looked at nothing", "X-yzc", OUTCOME_CAUGHT, "xYzc", "x",
     ""},
    {"all fell", "", "XYZc", OUTCOME_CAUGHT, "xYzc", "xyz", ""},
    {"only noise fell", "", "~Xyzc", OUTCOME_CAUGHT, "xYzc", NULL, NULL},
    {"missed", "", "xyzc", OUTCOME_MISSED, "xYzc", NULL, NULL},
    {"canary", "it broke everything", "XyzC", OUTCOME_OVERKILL, "xYzc", NULL,
     NULL},
};

static char *joined(const struct texts *t)
{
  struct buf b;
  buf_init(&b, 100);
  for (int i = 0; i < t->n; i++)
    buf_adds(&b, t->item[i]);
  buf_adds(&b, "");
  return buf_detach(&b);
}

static void what_fell_and_what_can_fall_is_declared(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof SEEN / sizeof SEEN[0]; i++) {
    struct records r;
    struct texts red = {0}, green = {0};
    fill(&r, SEEN[i].a, SEEN[i].outcome, SEEN[i].b);
    bool any = declare_tests(&r, &r.item[0], &red, &green);
    char *reds = joined(&red), *greens = joined(&green);
    if (any != (SEEN[i].red != NULL))
      fail_msg("%s: %s", SEEN[i].id, SEEN[i].why);
    if (any &&
        (strcmp(reds, SEEN[i].red) != 0 || strcmp(greens, SEEN[i].green) != 0))
      fail_msg("%s: %s: red %s green %s", SEEN[i].id, SEEN[i].why, reds,
               greens);
    free(reds);
    free(greens);
    texts_release(&red);
    texts_release(&green);
    records_release(&r);
  }
}

static const struct {
  const char *id, *why, *before, *after;
} PLANS[] = {
    {"put in", "behind the last member, the comment stays",
     HEAD "{" A "  /* so */ }," B "]}",
     HEAD "{" A
          ",\n      \"red\": [\"x\"],\n      \"green\": [\"y\"]  /* so */ }," B
          "]}"},
    {"replaced", "where it stood",
     HEAD "{\"red\": [\"old\",\n \"er\"], " A ", \"green\": []}," B "]}",
     HEAD "{\"red\": [\"x\"], " A ", \"green\": [\"y\"]}," B "]}"},
    {"one of them", "", HEAD "{\"red\": [\"old\"], " A "}," B "]}",
     HEAD "{\"red\": [\"x\"], " A ",\n      \"green\": [\"y\"]}," B "]}"},
};

static void the_text_of_the_plan_stays_as_it_is(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof PLANS / sizeof PLANS[0]; i++) {
    struct plan p;
    struct records r;
    struct diag diag = {0};
    struct buf text;
    buf_init(&text, 10000);
    fill(&r, "Xyzc", OUTCOME_CAUGHT, "xYzc");
    r.item[1].done = false; /* left alone, though it says that y can fall */
    if (gate_plan_parse(&p, "p", bytes_of(PLANS[i].before), true, &diag) < 0 ||
        declare_text(&p, bytes_of(PLANS[i].before), &r, &text, &diag) < 0)
      fail_msg("%s: %s", PLANS[i].id, diag.text);
    if (strcmp(buf_str(&text), PLANS[i].after) != 0)
      fail_msg("%s: %s: %s", PLANS[i].id, PLANS[i].why, buf_str(&text));
    gate_plan_release(&p);
    records_release(&r);
    buf_release(&text);
  }
}

static void another_text_than_the_plan_is_refused(void **state)
{
  (void)state;
  struct plan p;
  struct records r;
  struct diag diag = {0};
  struct buf text;
  buf_init(&text, 10000);
  fill(&r, "Xyzc", OUTCOME_CAUGHT, "xYzc");
  assert_int_equal(gate_plan_parse(&p, "p", BYTES(HEAD B "]}"), true, &diag),
                   0);
  assert_int_equal(declare_text(&p, BYTES(HEAD B " ]}"), &r, &text, &diag), -1);
  assert_non_null(strstr(diag.text, "changed during the run"));
  gate_plan_release(&p);
  records_release(&r);
  buf_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_fell_and_what_can_fall_is_declared),
      cmocka_unit_test(the_text_of_the_plan_stays_as_it_is),
      cmocka_unit_test(another_text_than_the_plan_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
