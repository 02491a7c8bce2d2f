/*
 * test_dead_letter.c - the line of a call that was given up, and the file it
 * is appended to: whole lines only, whoever writes and whatever died before.
 */
#include "base/file.h"
#include "base/json.h"
#include "guard/command/dead_letter.h"
#include "tests/unit/unit.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char sh[] = "sh", c[] = "-c", quoted[] = "say \"\xff\"\n";
static char *const argv[] = {sh, c, quoted, NULL};

static const struct gate_end given_up = {
    .step = GUARD_GIVE_UP,
    .why = "the attempts are used up",
    .verdict = {.cls = GUARD_RATE_LIMIT,
                .hint = GUARD_HINT_WAIT,
                .wait_ms = 2500,
                .reset_epoch_s = 1000000060,
                .rule = "error.type"},
    .tries = 4,
    .waited_ms = 7001};
static const struct gate_end refused = {
    .step = GUARD_DEGRADE, .why = "the breaker is open", .retry_in_ms = 60000};

static const struct {
  const char *id, *why;
  struct dead_letter letter;
  const char *want;
} lines[] = {
    {"http",
     "an API call, its prompt as a hash only",
     {.now_ms = 1000000000999,
      .label = "nightly",
      .end = &given_up,
      .once = "report/\"1\"",
      .provider = "anthropic",
      .model = "m",
      .prompt = "secret",
      .idempotency_key = "guard-1-0"},
     "{\"time\":\"2001-09-09T01:46:40Z\",\"label\":\"nightly\","
     "\"form\":\"http\",\"end\":\"given_up\",\"class\":\"rate_limit\","
     "\"rule\":\"error.type\",\"why\":\"the attempts are used up\","
     "\"tries\":4,\"waited_s\":7.001,\"asked_s\":2.500,\"retry_in_s\":null,"
     "\"reset\":\"2001-09-09T01:47:40Z\",\"once\":\"report/\\\"1\\\"\","
     "\"provider\":\"anthropic\",\"model\":\"m\","
     "\"idempotency_key\":\"guard-1-0\",\"hash\":\"fnv1a64:"
     "ab23f0eec020c951\"}\n"},
    {"content",
     "the prompt itself was asked for",
     {.now_ms = 1000000000000,
      .label = "x",
      .end = &refused,
      .provider = "gemini",
      .model = "m",
      .prompt = "",
      .idempotency_key = "k",
      .content = true},
     "{\"time\":\"2001-09-09T01:46:40Z\",\"label\":\"x\",\"form\":\"http\","
     "\"end\":\"degraded\",\"class\":\"none\",\"rule\":null,"
     "\"why\":\"the breaker is open\",\"tries\":0,\"waited_s\":0.000,"
     "\"asked_s\":null,\"retry_in_s\":60.000,\"reset\":null,\"once\":null,"
     "\"provider\":\"gemini\",\"model\":\"m\",\"idempotency_key\":\"k\","
     "\"hash\":\"fnv1a64:cbf29ce484222325\",\"prompt\":\"\"}\n"},
    {"command",
     "a CLI's prompt is in its arguments, so they are a hash too",
     {.now_ms = 1000000000000, .label = "x", .end = &refused, .argv = argv},
     "{\"time\":\"2001-09-09T01:46:40Z\",\"label\":\"x\","
     "\"form\":\"command\",\"end\":\"degraded\",\"class\":\"none\","
     "\"rule\":null,\"why\":\"the breaker is open\",\"tries\":0,"
     "\"waited_s\":0.000,\"asked_s\":null,\"retry_in_s\":60.000,"
     "\"reset\":null,\"once\":null,\"command\":\"sh\","
     "\"hash\":\"fnv1a64:463ddf47b4310cd0\"}\n"},
    {"argv",
     "the arguments were asked for; what is no UTF-8 is replaced",
     {.now_ms = 1000000000000,
      .label = "x",
      .end = &refused,
      .argv = argv,
      .content = true},
     "{\"time\":\"2001-09-09T01:46:40Z\",\"label\":\"x\","
     "\"form\":\"command\",\"end\":\"degraded\",\"class\":\"none\","
     "\"rule\":null,\"why\":\"the breaker is open\",\"tries\":0,"
     "\"waited_s\":0.000,\"asked_s\":null,\"retry_in_s\":60.000,"
     "\"reset\":null,\"once\":null,\"command\":\"sh\","
     "\"hash\":\"fnv1a64:463ddf47b4310cd0\",\"argv\":[\"sh\",\"-c\","
     "\"say \\\"\xef\xbf\xbd\\\"\\n\"]}\n"},
};

static void a_letter_says_all_about_the_end(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(lines); i++) {
    struct json_doc doc;
    struct diag diag = {0};
    struct buf line;
    buf_init(&line, 1 << 20);
    dead_letter_encode(&lines[i].letter, &line);
    if (strcmp(buf_str(&line), lines[i].want) != 0)
      fail_msg("%s (%s): %s", lines[i].id, lines[i].why, buf_str(&line));
    assert_int_equal(json_parse(&doc, "line", buf_bytes(&line), &diag), 0);
    json_release(&doc);
    buf_release(&line);
  }
}

static char *folder, *path;

static int make_folder(void **state)
{
  struct diag diag = {0};
  (void)state;
  folder = file_temp_folder("guard-letters", &diag);
  path = mem_format("%s/dead", folder);
  return folder ? 0 : -1;
}

static int drop_folder(void **state)
{
  (void)state;
  file_remove_tree(folder);
  free(folder), free(path);
  return 0;
}

static void assert_file(const char *want)
{
  struct buf text;
  struct diag diag = {0};
  buf_init(&text, 1 << 20);
  assert_int_equal(file_read(path, &text, &diag), 0);
  assert_string_equal(buf_str(&text), want);
  buf_release(&text);
}

static void lines_are_appended(void **state)
{
  struct diag diag = {0};
  (void)state;
  assert_int_equal(dead_letter_append(path, BYTES("one\n"), &diag), 0);
  assert_int_equal(dead_letter_append(path, BYTES("two\n"), &diag), 0);
  assert_file("one\ntwo\n");
}

static void a_line_that_was_cut_is_ended_first(void **state)
{
  struct diag diag = {0};
  (void)state;
  assert_int_equal(file_write(path, BYTES("one\n{\"ti"), &diag), 0);
  assert_int_equal(dead_letter_append(path, BYTES("two\n"), &diag), 0);
  assert_file("one\n{\"ti\ntwo\n");
}

static void what_cannot_be_written_says_why(void **state)
{
  struct diag diag = {0};
  (void)state;
  assert_int_equal(dead_letter_append(folder, BYTES("x\n"), &diag), -1);
  assert_non_null(strstr(diag.text, "Is a directory"));
  diag_clear(&diag);
  assert_int_equal(dead_letter_append("/dev/full", BYTES("x\n"), &diag), -1);
  assert_non_null(strstr(diag.text, "No space left"));
  diag_clear(&diag);
  assert_int_equal(dead_letter_append("/dev/null", BYTES("x\n"), &diag), 0);
}

/* Longer than what a pipe or a page takes at once. */
enum { WRITERS = 6, LETTERS = 20, LONG = 100000 };

static void write_letters(char letter)
{
  char *line = mem_alloc(LONG + 1);
  struct diag diag = {0};
  memset(line, letter, LONG);
  line[LONG] = '\n';
  for (int i = 0; i < LETTERS; i++)
    if (dead_letter_append(path, (struct bytes){line, LONG + 1}, &diag) < 0)
      _exit(1);
  _exit(0);
}

static void writers_at_once_mix_no_lines(void **state)
{
  struct buf text;
  struct diag diag = {0};
  int status, lines_n = 0;
  (void)state;
  for (int i = 0; i < WRITERS; i++)
    if (fork() == 0)
      write_letters((char)('a' + i));
  for (int i = 0; i < WRITERS; i++)
    assert_true(wait(&status) > 0 && status == 0);
  buf_init(&text, (size_t)WRITERS * LETTERS * (LONG + 1) + 1);
  assert_int_equal(file_read(path, &text, &diag), 0);
  for (const char *p = buf_str(&text); *p; p += LONG + 1, lines_n++) {
    char letter[2] = {*p, '\0'};
    assert_int_equal(strspn(p, letter), LONG);
    assert_int_equal(p[LONG], '\n');
  }
  assert_int_equal(lines_n, WRITERS * LETTERS);
  buf_release(&text);
}

#define TEST(name)                                                             \
  cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_letter_says_all_about_the_end),
      TEST(lines_are_appended),
      TEST(a_line_that_was_cut_is_ended_first),
      TEST(what_cannot_be_written_says_why),
      TEST(writers_at_once_mix_no_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
