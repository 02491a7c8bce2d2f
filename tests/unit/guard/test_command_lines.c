/*
 * test_command_lines.c - `guard classify` and `guard retry-after` as whole
 * programs: every row of the two vector files through them, and what
 * they refuse.
 */
#include "base/file.h"
#include "tests/unit/unit.h"

#include <cjson/cJSON.h>

#include "tests/unit/guard/command_run.h"

#define VECTORS SOURCE_DIR "/tests/fixtures/vectors/"
#define NOW "1764547200"
enum { NBODIES = 250, NWAITS = 262 };

static const cJSON *member(const cJSON *object, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* What the vectors do not tell (null) is not compared. */
static bool number_holds(const cJSON *row, const cJSON *answer, const char *key)
{
  return cJSON_IsNull(member(row, key)) ||
         cJSON_Compare(member(row, key), member(answer, key), true);
}

static bool body_holds(const char *row_text, const char *answer_text)
{
  cJSON *row = cJSON_Parse(row_text), *answer = cJSON_Parse(answer_text);
  bool same =
      row && answer &&
      cJSON_Compare(member(row, "id"), member(answer, "id"), true) &&
      cJSON_Compare(member(row, "class"), member(answer, "class"), true) &&
      cJSON_Compare(member(row, "retryable"), member(answer, "retryable"),
                    true) &&
      number_holds(row, answer, "wait_ms") &&
      number_holds(row, answer, "reset_epoch") &&
      cJSON_IsString(member(answer, "reason"));

  if (!same)
    print_error("%.60s: got %s\n", row_text, answer_text);
  cJSON_Delete(row);
  cJSON_Delete(answer);
  return same;
}

/* Row by row, after |skip| rows of the file without an answer. */
static void compare(char *rows, char *answers, int skip, int count,
                    bool (*holds)(const char *row, const char *answer))
{
  int n = 0, wrong = 0;
  char *row, *answer;

  while (skip-- > 0)
    strsep(&rows, "\n");
  while ((row = strsep(&rows, "\n")) && row[0]) {
    answer = strsep(&answers, "\n");
    assert_non_null(answer);
    wrong += !holds(row, answer);
    n++;
  }
  assert_string_equal(answers, "");
  assert_int_equal(n, count);
  assert_int_equal(wrong, 0);
}

static void whole_file(const char *path, const char *const *args, int skip,
                       int count, bool (*holds)(const char *, const char *))
{
  struct buf rows, out, err;
  struct diag diag = {0};

  buf_init(&rows, RUN_BYTES);
  assert_int_equal(file_read(path, &rows, &diag), 0);
  assert_int_equal(run_guard(args, buf_bytes(&rows), &out, &err), 0);
  assert_string_equal(buf_str(&err), "");
  compare(rows.p, out.p, skip, count, holds);
  buf_release(&rows);
  buf_release(&out);
  buf_release(&err);
}

static void every_error_body_gets_its_class(void **state)
{
  static const char *const args[] = {"classify", "--jsonl", "--now", NOW, NULL};

  (void)state;
  whole_file(VECTORS "error_bodies.jsonl", args, 0, NBODIES, body_holds);
}

static bool wait_holds(const char *row, const char *answer)
{
  char *copy = mem_strdup(row), *rest = copy, *cells[5];
  char want[128];

  for (size_t i = 0; i < COUNT(cells); i++)
    cells[i] = strsep(&rest, "\t");
  snprintf(want, sizeof want, "%s\t%s", cells[0], cells[4]);
  bool same = strcmp(want, answer) == 0;
  if (!same)
    print_error("%.60s: expected %s, got %s\n", row, want, answer);
  free(copy);
  return same;
}

static void every_retry_after_gets_its_wait(void **state)
{
  static const char *const args[] = {"retry-after", "--tsv", NULL};

  (void)state;
  whole_file(VECTORS "retry_after.tsv", args, 1, NWAITS, wait_holds);
}

#define GOOD                                                                   \
  "{\"id\":\"a\",\"channel\":\"http\",\"status\":503,\"body\":\"\"}\n"
#define GOOD_ANSWER                                                            \
  "{\"id\":\"a\",\"class\":\"server_error\",\"retryable\":true,"               \
  "\"wait_ms\":null,\"reset_epoch\":null,\"reason\":\"status\"}\n"
#define OVERLOADED                                                             \
  "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}"
#define COLUMNS "id\theader\traw\tnow_epoch\n"

static const struct line questions[] = {
    {"text",
     "header and status",
     {"classify", "--status", "529", "--header", "Retry-After: 7", "--header",
      "x-should-retry:false"},
     OVERLOADED,
     0,
     "{\"id\":null,\"class\":\"overloaded\",\"retryable\":false,"
     "\"wait_ms\":7000,\"reset_epoch\":null,"
     "\"reason\":\"anthropic: error.type\"}\n",
     ""},
    {"crlf",
     "line ends of either kind, empty lines, none at the end",
     {"classify", "--jsonl"},
     "\r\n{\"id\":\"a\",\"channel\":\"http\",\"status\":503,\"body\":\"\"}",
     0,
     GOOD_ANSWER,
     ""},
    {"null",
     "null is absent, other fields are left alone",
     {"classify", "--jsonl"},
     "{\"id\":\"a\",\"provider\":null,\"channel\":\"http\",\"status\":503,"
     "\"headers\":null,\"body\":\"\",\"exit_code\":null,\"now_epoch\":null,"
     "\"source\":[1]}",
     0,
     GOOD_ANSWER,
     ""},
    {"nothing", "no line, no answer", {"classify", "--jsonl"}, "", 0, "", ""},
    {"value",
     "a date against a given clock",
     {"retry-after", "Mon, 01 Dec 2025 00:00:20 GMT", "--now", NOW},
     "",
     0,
     "wait 20.000 s, until 2025-12-01T00:00:20Z\n",
     ""},
    {"stop",
     "a value that begins with a dash",
     {"retry-after", "--header", "grpc-retry-pushback-ms", "--", "-1"},
     "",
     0,
     "stop: the server forbids a retry\n",
     ""},
    {"none",
     "no wait in it",
     {"retry-after", "soon"},
     "",
     0,
     "no usable wait: own backoff\n",
     ""},
    {"huge",
     "saturated",
     {"retry-after", "99999999999999999999"},
     "",
     0,
     "wait: longer than can be counted in milliseconds\n",
     ""},
    {"order",
     "columns in another order, escapes",
     {"retry-after", "--tsv"},
     "raw\tnow_epoch\tnote\tid\theader\n"
     "\\x35\\t\t\tn\tA\tretry-after\n\\N\t\tn\tB\tretry-after\n"
     "retry-after-ms=\\x61;retry-after=2\t\t\tC\tcombo\n",
     0,
     "A\t5000\nB\tnone\nC\t2000\n",
     ""},
};

static void one_question_gets_one_answer(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(questions); i++)
    try_line(&questions[i]);
}

static const struct line bad_lines[] = {
    {"json",
     "not JSON",
     {"classify", "--jsonl"},
     GOOD "\n{nope}\n" GOOD,
     2,
     GOOD_ANSWER,
     "standard input:3:"},
    {"array",
     "no object",
     {"classify", "--jsonl"},
     GOOD "[]\n",
     2,
     GOOD_ANSWER,
     "standard input:2:"},
    {"body",
     "a needed field",
     {"classify", "--jsonl"},
     "{\"channel\":\"sse\"}",
     2,
     "",
     "'body' is missing"},
    {"channel",
     "a near word",
     {"classify", "--jsonl"},
     "{\"channel\":\"stdot\",\"body\":\"\"}",
     2,
     "",
     "did you mean 'stdout'"},
    {"status",
     "another type",
     {"classify", "--jsonl"},
     "{\"channel\":\"http\",\"status\":\"429\",\"body\":\"\"}",
     2,
     "",
     "$.status"},
    {"range",
     "no status has four digits",
     {"classify", "--jsonl"},
     "{\"channel\":\"http\",\"status\":1000,\"body\":\"\"}",
     2,
     "",
     "$.status"},
    {"header",
     "a header's value is a string",
     {"classify", "--jsonl"},
     "{\"channel\":\"http\",\"headers\":{\"retry-after\":5},\"body\":\"\"}",
     2,
     "",
     "$.headers"},
    {"columns",
     "a column is missing",
     {"retry-after", "--tsv"},
     "id\theader\traw\n",
     2,
     "",
     "standard input:1:1: the first line names no "
     "column 'now_epoch'"},
    {"empty",
     "no line at all",
     {"retry-after", "--tsv"},
     "",
     2,
     "",
     "no line that names the columns"},
    {"short",
     "a line too short",
     {"retry-after", "--tsv"},
     COLUMNS "A\tretry-after\t1\t\nB\tretry-after\n",
     2,
     "A\t1000\n",
     "standard input:3:1: the line ends before column 'raw'"},
    {"escape",
     "unknown, or cut",
     {"retry-after", "--tsv"},
     COLUMNS "A\tretry-after\t1\\x3\t\n",
     2,
     "",
     "standard input:2:1: raw has an unknown escape '\\x3'"},
    {"last",
     "a backslash alone",
     {"retry-after", "--tsv"},
     COLUMNS "A\tretry-after\t1\\\t\n",
     2,
     "",
     "unknown escape '\\'"},
    {"combo",
     "no '='",
     {"retry-after", "--tsv"},
     COLUMNS "A\tcombo\tretry-after\t\n",
     2,
     "",
     "name=value"},
    {"now",
     "no time",
     {"retry-after", "--tsv"},
     COLUMNS "A\tretry-after\t1\tsoon\n",
     2,
     "",
     "now_epoch"},
};

static void a_bad_line_is_named_and_the_lines_before_it_are_kept(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad_lines); i++)
    try_line(&bad_lines[i]);
}

static void a_line_is_answered_before_the_next_is_written(void **state)
{
  static const char *const args[] = {"classify", "--jsonl", NULL};
  struct run r = run_start(args);
  char got[sizeof GOOD_ANSWER] = "";
  int status;

  (void)state;
  alarm(20); /* ends the test instead of waiting for ever */
  for (int i = 0; i < 2; i++) {
    assert_int_equal(write(r.in, GOOD, sizeof GOOD - 1), sizeof GOOD - 1);
    memset(got, 0, sizeof got);
    assert_int_equal(read(r.out, got, sizeof got), sizeof GOOD_ANSWER - 1);
    assert_string_equal(got, GOOD_ANSWER);
  }
  alarm(0);
  close(r.in), close(r.out), close(r.err);
  assert_int_equal(waitpid(r.pid, &status, 0), r.pid);
  assert_int_equal(status, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_error_body_gets_its_class),
      cmocka_unit_test(every_retry_after_gets_its_wait),
      cmocka_unit_test(one_question_gets_one_answer),
      cmocka_unit_test(a_bad_line_is_named_and_the_lines_before_it_are_kept),
      cmocka_unit_test(a_line_is_answered_before_the_next_is_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
