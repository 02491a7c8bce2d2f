/*
 * What the operators make of shapes that mislead: one small text a row, and
 * the edits as "operator: what stands there then".
 */
#include "mutants/generate/operator.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct {
  const char *id, *why;
  enum language_id language;
  const char *text, *edits;
} ROWS[] = {
    {"argument", "a call inside arguments is no statement", LANGUAGE_PYTHON,
     "f(time.sleep(1), 2)\n", "sleep-dropped: f(time.sleep(0 * (1)), 2)\n"},
    {"declared", "a declaration is no call", LANGUAGE_C,
     "void sleep_ms(int ms);\n", ""},
    {"defined", "nor is a definition", LANGUAGE_PYTHON,
     "def sleep(ms):\n    pass\n", ""},
    {"method", "nor a method", LANGUAGE_JAVASCRIPT,
     "class A { sleep(ms) { x; } }\n", ""},
    {"chain", "a line that goes on in the next one is not cut",
     LANGUAGE_TYPESCRIPT, "sleep(1)\n  .then(f)\n",
     "sleep-dropped: sleep(0 * (1))\n"},
    {"directive", "a line of the preprocessor is no part of a statement",
     LANGUAGE_C, "#define X 1\nsleep(9);\n", "sleep-dropped: ;\n"},
    {"headed", "the statement behind an if alone", LANGUAGE_C,
     "if (a) sleep(9); else b();\n", "sleep-dropped: if (a) ; else b();\n"},
    {"label", "a label is no part of the statement", LANGUAGE_C,
     "switch (a) { case 1: sleep(9); }\n",
     "sleep-dropped: switch (a) { case 1: ; }\n"},
    {"ternary", "an answer behind a colon is no statement of its own",
     LANGUAGE_C, "x = a ? b : sleep(9);\n",
     "sleep-dropped: x = a ? b : sleep(0 * (9));\n"},
    {"used", "a counter whose value is used stays", LANGUAGE_C,
     "return hits++;\n", ""},
    {"pointer", "what is pointed at is not the counter", LANGUAGE_C,
     "x; *hits++;\n", ""},
    {"loop", "the step of a loop", LANGUAGE_JAVA, "for (;; a.attempts++) { }\n",
     "counter-stuck: for (;; a.attempts += 0) { }\n"},
    {"generic", "brackets of a type compare nothing", LANGUAGE_TYPESCRIPT,
     "let a: Map<attempts, max> = b;\n", ""},
    {"expression", "an if inside an expression is no branch", LANGUAGE_PYTHON,
     "x = a if retries else b\n", ""},
    {"let", "what is bound in a condition cannot be hidden", LANGUAGE_RUST,
     "if let Some(retry) = a { b(); }\n", ""},
    {"bound", "nor what is declared there", LANGUAGE_GO,
     "if retry := f(); retry {\n}\n", ""},
    {"lines", "a condition of two lines", LANGUAGE_GO,
     "if retry &&\n\tb {\n}\n",
     "branch-never: if false && (retry &&\n\tb) {\n"},
    {"switch", "the break of a switch ends no loop", LANGUAGE_C,
     "while (retry) { switch (a) { case 1: b(); break; } }\n", ""},
    {"measured", "a text whose length is used", LANGUAGE_C,
     "n = strlen(\"retry-after\");\n", ""},
    {"sentence", "a header in a sentence", LANGUAGE_JAVA,
     "f(\"no retry-after came\");\n", ""},
    {"logged", "a line that only logs", LANGUAGE_GO,
     "log.Println(\"status\", 429)\n", ""},
    {"docstring", "a docstring is told nothing about", LANGUAGE_PYTHON,
     "\"\"\"retry-after\"\"\"\n", ""},
    {"zero", "no attempts at all are nobody's limit", LANGUAGE_C,
     "int attempts = 0;\n", ""},
    {"suffix", "the suffix of a number stays", LANGUAGE_RUST,
     "const MAX_RETRIES: u32 = 4u32;\n",
     "attempts-off-by-one: const MAX_RETRIES: u32 = 5u32;\n"
     "attempts-doubled: const MAX_RETRIES: u32 = 8u32;\n"},
    {"wait", "a wait between attempts is no number of them", LANGUAGE_PYTHON,
     "retry_delay_max = 5\n", ""},
    {"clamp-other", "another value is no ceiling of this one", LANGUAGE_C,
     "if (wait > max) other = max;\n",
     "limit-off-by-one: if (wait >= max) other = max;\n"},
    {"one-way", "min of two limits has no cap to take away", LANGUAGE_C,
     "wait = min(max_a, max_b);\n",
     "min-max-swapped: wait = max(max_a, max_b);\n"},
    {"argument-first", "a time-out that is the first argument", LANGUAGE_PYTHON,
     "get(timeout=3, url=u)\n",
     "timeout-dropped: get(url=u)\n"
     "timeout-x1000: get(timeout=(1000 * 3), url=u)\n"},
    {"default", "a time-out in a definition is not dropped", LANGUAGE_PYTHON,
     "def get(u, timeout=3):\n    pass\n",
     "timeout-x1000: def get(u, timeout=(1000 * 3)):\n"},
    {"sum", "400 in a sum is no status", LANGUAGE_C,
     "leap = year % 400 == 0;\n", ""},
    {"open-bracket", "a bracket that is never closed", LANGUAGE_C,
     "sleep((9;\n", ""},
};

static void print(const struct suggestions *found, struct buf *ret)
{
  for (int i = 0; i < found->n; i++)
    buf_addf(ret, "%s: %s\n", found->item[i].operator_->id,
             found->item[i].replace);
}

static void shapes_that_mislead_are_seen_through(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct source s;
    struct suggestions found;
    struct buf edits;
    buf_init(&edits, SOURCE_MAX_BYTES);
    source_init(&s, &LANGUAGES[ROWS[i].language], bytes_of(ROWS[i].text));
    operators_run(&s, UINT64_MAX, 64, &found);
    print(&found, &edits);
    if (strcmp(buf_str(&edits), ROWS[i].edits) != 0)
      fail_msg("%s: %s: %s", ROWS[i].id, ROWS[i].why, buf_str(&edits));
    suggestions_release(&found);
    source_release(&s);
    buf_release(&edits);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_that_mislead_are_seen_through)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
