/*
 * Each operator on a client of each language: tests/fixtures/generate has the
 * sources, and beside each the edits that are expected, with the reason.
 */
#include "base/file.h"
#include "mutants/edit.h"
#include "mutants/generate/names.h"
#include "mutants/generate/operator.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER SOURCE_DIR "/tests/fixtures/generate/"

static const char *const FILES[] = {"client.c",  "client.py", "client.js",
                                    "client.ts", "client.go", "Client.java",
                                    "client.rs"};

struct fixture {
  const char *name;
  struct buf text;
  struct source source;
  struct suggestions found;
};

static void read_text(const char *name, const char *end, struct buf *ret)
{
  struct diag diag = {0};
  char *path = mem_format(FOLDER "%s%s", name, end);
  buf_init(ret, SOURCE_MAX_BYTES);
  if (file_read(path, ret, &diag) < 0)
    fail_msg("%s", diag.text);
  free(path);
}

static void open_fixture(struct fixture *f, const char *name)
{
  struct diag diag = {0};
  f->name = name;
  read_text(name, "", &f->text);
  source_init(&f->source, language_of_file(name, &diag), buf_bytes(&f->text));
  operators_run(&f->source, UINT64_MAX, 64, &f->found);
}

static void close_fixture(struct fixture *f)
{
  suggestions_release(&f->found);
  source_release(&f->source);
  buf_release(&f->text);
}

/* "LINE operator text", a tab between, line ends written as \n. */
static void print_row(const struct suggestion *s, struct buf *ret)
{
  buf_addf(ret, "%d\t%s\t", s->line, s->operator_->id);
  for (const char *p = s->replace; *p; p++)
    if (*p == '\n')
      buf_adds(ret, "\\n");
    else if (*p == '\\')
      buf_adds(ret, "\\\\");
    else
      buf_addc(ret, *p);
  buf_addc(ret, '\t');
}

/* The next line that is no comment, without its end; false at the end. */
static bool next_row(struct bytes *rest, struct bytes *ret)
{
  do {
    ptrdiff_t end = bytes_find(*rest, BYTES("\n"));
    if (end < 0)
      return false;
    *ret = (struct bytes){rest->p, (size_t)end};
    *rest = (struct bytes){rest->p + end + 1, rest->n - (size_t)end - 1};
  } while (bytes_starts(*ret, BYTES("#")));
  return true;
}

static void each_language_gets_the_expected_mutants(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(FILES); i++) {
    struct fixture f;
    struct buf expected;
    struct bytes row;
    open_fixture(&f, FILES[i]);
    read_text(FILES[i], ".expected", &expected);
    struct bytes rest = buf_bytes(&expected);
    for (int k = 0; k < f.found.n; k++) {
      struct buf have;
      buf_init(&have, SOURCE_MAX_BYTES);
      print_row(&f.found.item[k], &have);
      if (!next_row(&rest, &row) || !bytes_starts(row, buf_bytes(&have)))
        fail_msg("%s: not expected here: %s", FILES[i], buf_str(&have));
      if (row.n == have.n)
        fail_msg("%s: without a reason: %s", FILES[i], buf_str(&have));
      buf_release(&have);
    }
    if (next_row(&rest, &row))
      fail_msg("%s: not found: %.*s", FILES[i], (int)row.n, row.p);
    buf_release(&expected);
    close_fixture(&f);
  }
}

static int line_of_traps(const struct fixture *f)
{
  ptrdiff_t at = bytes_find(buf_bytes(&f->text), BYTES("TRAPS"));
  int line = 1;
  assert_true(at > 0);
  for (ptrdiff_t i = 0; i < at; i++)
    line += buf_str(&f->text)[i] == '\n';
  return line;
}

static void comments_and_texts_yield_nothing(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(FILES); i++) {
    struct fixture f;
    open_fixture(&f, FILES[i]);
    int traps = line_of_traps(&f);
    for (int k = 0; k < f.found.n; k++)
      if (f.found.item[k].line >= traps || f.found.item[k].line == 1)
        fail_msg("%s:%d: %s", FILES[i], f.found.item[k].line,
                 f.found.item[k].operator_->id);
    close_fixture(&f);
  }
}

static void each_edit_fits_once_and_there(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(FILES); i++) {
    struct fixture f;
    open_fixture(&f, FILES[i]);
    struct bytes text = buf_bytes(&f.text);
    for (int k = 0; k < f.found.n; k++) {
      const struct suggestion *s = &f.found.item[k];
      struct plan_edit e = {FILES[i], s->find, s->replace, 1};
      struct diag diag = {0};
      struct buf after, want;
      buf_init(&after, SOURCE_MAX_BYTES);
      buf_init(&want, SOURCE_MAX_BYTES);
      buf_add(&want, text.p, s->start);
      buf_adds(&want, s->with);
      buf_add(&want, text.p + s->end, text.n - s->end);
      if (edit_apply(&e, text, &after, &diag) < 0)
        fail_msg("%s:%d: %s", FILES[i], s->line, diag.text);
      assert_string_equal(buf_str(&after), buf_str(&want));
      buf_release(&want);
      buf_release(&after);
    }
    close_fixture(&f);
  }
}

static void each_operator_finds_a_place(void **state)
{
  uint64_t seen = 0;
  (void)state;
  for (size_t i = 0; i < COUNT(FILES); i++) {
    struct fixture f;
    open_fixture(&f, FILES[i]);
    for (int k = 0; k < f.found.n; k++)
      seen |= UINT64_C(1) << (f.found.item[k].operator_ - OPERATORS);
    close_fixture(&f);
  }
  for (int i = 0; i < OPERATOR_COUNT; i++)
    if (!(seen >> i & 1))
      fail_msg("no fixture has a place for %s", OPERATORS[i].id);
}

static void a_line_gives_no_more_than_asked_for(void **state)
{
  struct fixture f;
  struct suggestions few;
  (void)state;
  open_fixture(&f, "client.py");
  operators_run(&f.source, UINT64_MAX, 1, &few);
  assert_true(few.n < f.found.n);
  for (int k = 1; k < few.n; k++)
    assert_true(few.item[k].line > few.item[k - 1].line);
  suggestions_release(&few);
  close_fixture(&f);
}

static void what_cannot_be_told_apart_is_left_out(void **state)
{
  struct source s;
  struct suggestions found;
  struct buf text;
  (void)state;
  buf_init(&text, SOURCE_MAX_BYTES);
  for (int i = 0; i < 100; i++)
    buf_adds(&text, "sleep(1);\n");
  source_init(&s, &LANGUAGES[LANGUAGE_C], buf_bytes(&text));
  operators_run(&s, UINT64_MAX, 2, &found);
  for (int i = 0; i < found.n; i++)
    assert_int_equal(edit_count(buf_bytes(&text), bytes_of(found.item[i].find)),
                     1);
  assert_true(found.n < 100);
  suggestions_release(&found);
  source_release(&s);
  buf_release(&text);
}

static void a_name_speaks_by_its_parts(void **state)
{
  static const char *const words[] = {"tries", "ratelimit", "retr*", NULL};
  static const struct {
    const char *name;
    bool has;
    const char *why;
  } rows[] = {{"maxTries", true, "a part at a capital"},
              {"entries", false, "letters inside a part"},
              {"MAX_TRIES", true, "a part at '_'"},
              {"rate_limit", true, "two parts in a row"},
              {"rateLimit", true, "in the other spelling"},
              {"ratelimit", true, "and in one word"},
              {"rate_my_limit", false, "not in a row"},
              {"retry2", true, "the beginning of a part"},
              {"", false, "no name"},
              {"__", false, "a name without parts"}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    if (name_has(bytes_of(rows[i].name), words) != rows[i].has)
      fail_msg("%s: %s", rows[i].name, rows[i].why);
}

static void unknown_words_come_with_the_nearest(void **state)
{
  struct diag diag = {0}, other = {0}, third = {0};
  (void)state;
  assert_null(language_named("pyton", &diag));
  assert_non_null(strstr(diag.text, "did you mean 'python'"));
  assert_null(operator_named("sleep-droped", &other));
  assert_non_null(strstr(other.text, "did you mean 'sleep-dropped'"));
  assert_null(language_of_file("a/b.zig", &third));
  assert_non_null(strstr(third.text, "a/b.zig"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_language_gets_the_expected_mutants),
      cmocka_unit_test(comments_and_texts_yield_nothing),
      cmocka_unit_test(each_edit_fits_once_and_there),
      cmocka_unit_test(each_operator_finds_a_place),
      cmocka_unit_test(a_line_gives_no_more_than_asked_for),
      cmocka_unit_test(what_cannot_be_told_apart_is_left_out),
      cmocka_unit_test(a_name_speaks_by_its_parts),
      cmocka_unit_test(unknown_words_come_with_the_nearest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
