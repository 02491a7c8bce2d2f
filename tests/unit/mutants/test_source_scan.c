/*
 * Texts and comments of seven languages, letter by letter: c code, t text,
 * k comment, r regular expression.
 */
#include "mutants/generate/scan.h"
#include "tests/unit/unit.h"

#include <string.h>

static const struct {
  const char *id, *why;
  enum language_id language;
  const char *text, *kinds;
} SCANS[] = {
    {"c-block", "a quote in a comment opens nothing", LANGUAGE_C, "a/*\"*/b",
     "ckkkkkc"},
    {"c-line", "a comment ends before the line's end", LANGUAGE_C, "a//b\nc",
     "ckkkcc"},
    {"c-joined", "a comment is joined with the next line", LANGUAGE_C,
     "//a\\\nb\nc", "kkkkkkcc"},
    {"c-joined-crlf", "also where lines end with CR LF", LANGUAGE_C,
     "//a\\\r\nb\nc", "kkkkkkkcc"},
    {"c-nested", "block comments do not nest", LANGUAGE_C, "/*/*a*/b",
     "kkkkkkkc"},
    {"c-slash-star", "/*/ is not whole", LANGUAGE_C, "/*/a", "kkkk"},
    {"c-escape", "a quote behind a backslash ends nothing", LANGUAGE_C,
     "\"a\\\"b\"c", "ttttttc"},
    {"c-quote", "a quote as a character", LANGUAGE_C, "'\"'a'\\''b",
     "tttcttttc"},
    {"c-open", "a text that is not ended ends with its line", LANGUAGE_C,
     "\"ab\nc", "tttcc"},
    {"c-text-joined", "a text is joined with the next line", LANGUAGE_C,
     "\"a\\\nb\"c", "ttttttc"},
    {"c-prefix", "L before a quote is a part of it", LANGUAGE_C, "L'a'L",
     "ttttc"},
    {"c-separator", "1'000 is a number", LANGUAGE_C, "1'000'", "ccccct"},
    {"py-hash", "# begins a comment, // does not", LANGUAGE_PYTHON,
     "a//b#'c\nd", "cccckkkcc"},
    {"py-triple", "quotes inside three quotes", LANGUAGE_PYTHON,
     "'''a'b''c'''d", "ttttttttttttc"},
    {"py-raw", "a backslash hides a quote even in r''", LANGUAGE_PYTHON,
     "r'\\''b", "tttttc"},
    {"py-format", "code inside f''", LANGUAGE_PYTHON, "f'a{b}c'd",
     "ttttcttt"
     "c"},
    {"py-format-double", "{{ is a brace", LANGUAGE_PYTHON, "f'{{b}}'d",
     "tttttttt"
     "c"},
    {"py-format-text", "a text in code in a text", LANGUAGE_PYTHON,
     "f'{b[\"}\"]}'d", "tttcctttcttc"},
    {"py-plain-brace", "no code without f", LANGUAGE_PYTHON, "'{b}'d",
     "tttttc"},
    {"js-template", "code inside a template", LANGUAGE_JAVASCRIPT, "`a${b}c`d",
     "ttttcttt"
     "c"},
    {"js-nested", "templates in templates", LANGUAGE_JAVASCRIPT, "`${`${a}`}`b",
     "ttttttcttttc"},
    {"js-brace", "a brace in the code of a template", LANGUAGE_JAVASCRIPT,
     "`${{a}}`b",
     "tttccctt"
     "c"},
    {"js-regex", "a quote in a regular expression", LANGUAGE_JAVASCRIPT,
     "=/\"/g;", "crrrrc"},
    {"js-divide", "a value is divided", LANGUAGE_JAVASCRIPT, "a/b/c", "ccccc"},
    {"js-class", "a slash in a class ends nothing", LANGUAGE_JAVASCRIPT,
     "(/[/]/)", "crrrrrc"},
    {"js-return", "return is no value", LANGUAGE_JAVASCRIPT, "return /'/",
     "cccccccrrr"},
    {"js-if", "behind the brackets of an if", LANGUAGE_JAVASCRIPT, "if(a)/'/;",
     "cccccrrrc"},
    {"js-call", "behind the brackets of a call", LANGUAGE_JAVASCRIPT,
     "f(a)/b/c", "cccccccc"},
    {"js-postfix", "x++ is a value", LANGUAGE_JAVASCRIPT, "x++/y/z", "ccccccc"},
    {"js-shebang", "a path is no regular expression", LANGUAGE_JAVASCRIPT,
     "#!/a/b\nc", "kkkkkkcc"},
    {"go-raw", "no escapes between back-ticks", LANGUAGE_GO, "`a\\`b", "ttttc"},
    {"go-lines", "lines between back-ticks", LANGUAGE_GO, "`a\n\"`b", "tttttc"},
    {"go-rune", "a back-tick as a rune", LANGUAGE_GO, "'`'a", "tttc"},
    {"java-block", "three quotes, and one behind a backslash", LANGUAGE_JAVA,
     "\"\"\"a\"\\\"\"\"\"b",
     "tttttttttt"
     "c"},
    {"java-ticks", "three apostrophes are no text block", LANGUAGE_JAVA,
     "''''a", "ttttc"},
    {"rust-nested", "block comments nest", LANGUAGE_RUST, "/*/*a*/*/b",
     "kkkkkkkkkc"},
    {"rust-lifetime", "a lifetime is code", LANGUAGE_RUST, "&'a b", "ccccc"},
    {"rust-char", "a letter is not", LANGUAGE_RUST, "'a'b", "tttc"},
    {"rust-char-quote", "nor is a quote", LANGUAGE_RUST, "'\"';'\\''",
     "tttctttt"},
    {"rust-char-wide", "nor one of two bytes", LANGUAGE_RUST, "'\303\274'b",
     "ttttc"},
    {"rust-raw", "quotes between hashes", LANGUAGE_RUST, "r#\"a\"b\"#c",
     "tttttttt"
     "c"},
    {"rust-raw-two", "one hash of two ends nothing", LANGUAGE_RUST,
     "r##\"a\"#b\"##c", "tttttttttttc"},
    {"rust-raw-plain", "a backslash in r\"\" hides nothing", LANGUAGE_RUST,
     "r\"\\\"c", "ttttc"},
    {"rust-raw-name", "r#type is a name", LANGUAGE_RUST, "r#type", "cccccc"},
    {"rust-lines", "a text of two lines", LANGUAGE_RUST, "\"a\nb\"c", "tttttc"},
    {"rust-attribute", "#! is no shebang here", LANGUAGE_RUST, "#![a]",
     "ccccc"},
    {"nothing", "an empty file", LANGUAGE_C, "", ""},
};

static void texts_and_comments_end_where_they_end(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SCANS); i++) {
    char kinds[64] = "";
    struct spans spans;
    size_t at = 0;
    scan(&LANGUAGES[SCANS[i].language], bytes_of(SCANS[i].text), &spans);
    for (int k = 0; k < spans.n; k++) {
      assert_int_equal(spans.item[k].start, at);
      for (; at < spans.item[k].end; at++)
        kinds[at] = "ctkr"[spans.item[k].kind];
    }
    assert_int_equal(at, strlen(SCANS[i].text));
    if (strcmp(kinds, SCANS[i].kinds) != 0)
      fail_msg("%s: %s: %s is read as %s", SCANS[i].id, SCANS[i].why,
               SCANS[i].text, kinds);
    spans_release(&spans);
  }
}

static void the_inner_part_of_a_plain_text_is_known(void **state)
{
  static const struct {
    const char *id, *why, *text, *inner;
    enum language_id language;
  } rows[] = {
      {"plain", "between the quotes", "\"ab\"", "ab", LANGUAGE_C},
      {"prefix", "not the prefix", "rb'ab'", "ab", LANGUAGE_PYTHON},
      {"raw", "not the hashes", "r#\"ab\"#", "ab", LANGUAGE_RUST},
      {"open", "what is not ended is not plain", "\"ab", "", LANGUAGE_C},
      {"lines", "nor what has two lines", "`a\nb`", "", LANGUAGE_GO},
      {"triple", "nor a docstring", "'''ab'''", "", LANGUAGE_PYTHON},
      {"holes", "nor what has code in it", "`a`", "", LANGUAGE_JAVASCRIPT}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct spans spans;
    struct bytes text = bytes_of(rows[i].text);
    scan(&LANGUAGES[rows[i].language], text, &spans);
    assert_true(spans.n > 0);
    struct bytes inner = {text.p + spans.item[0].inner_start,
                          spans.item[0].inner_end - spans.item[0].inner_start};
    if (!bytes_equal(inner, bytes_of(rows[i].inner)))
      fail_msg("%s: %s", rows[i].id, rows[i].why);
    spans_release(&spans);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_and_comments_end_where_they_end),
      cmocka_unit_test(the_inner_part_of_a_plain_text_is_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
