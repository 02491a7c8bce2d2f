/*
 * test_command_records.c - what the program guard writes down beside its
 * answers, as a whole program: the metrics line, dead letters, the Prometheus
 * file. What cannot be written changes no exit code.
 */
#include "tests/unit/unit.h"

#include "tests/unit/guard/loopback.h"

#include "base/json.h"

static void expect_line(const struct rig *r, const char *id, const char *part)
{
  if (!strstr(buf_str(&r->err), part))
    fail_msg("%s: '%s' is not in: %s", id, part, buf_str(&r->err));
}

static void the_line_tells_of_retries(void **state)
{
  static const char *const answers[] = {LIMITED, WHOLE("a"), NULL};
  static const char *const args[] = {"-p", "x", NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "retry", rig_http(&r, args), 0, "a\n");
  expect_line(&r, "retry", " hits=1 ");
  expect_line(&r, "retry",
              " limit_rate=0.500 retried=1 recovered=1 recovery_rate=1.000 ");
  expect_line(&r, "retry", " overruns=0 retries_mean=1.000 retries_max=1");
  rig_end(&r);
}

static const struct {
  const char *id, *why;
  const char *answers[2];
  const char *more[6];
  int code;
} overruns[] = {
    {"wait",
     "the wait would overrun it",
     {BROKEN},
     {"--deadline", "1", "--base", "5", "--max-backoff", "5"},
     75},
    {"late", "the try took all of it", {SILENCE}, {"--deadline", "0.2"}, 75},
};

static void a_deadline_that_ends_a_call_is_counted(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(overruns); i++) {
    const char *args[9] = {"-p", "x"};
    struct rig r;
    for (int k = 0; k < 6; k++)
      args[2 + k] = overruns[i].more[k];
    rig_start(&r, overruns[i].answers);
    int code = rig_http(&r, args);
    rig_expect(&r, overruns[i].id, code, overruns[i].code, "");
    expect_line(&r, overruns[i].id, " overruns=1 ");
    rig_end(&r);
  }
}

/* The only line of the file, parsed; the caller releases. */
static void read_letter(const struct rig *r, struct json_doc *ret)
{
  struct diag diag = {0};
  char *text = rig_read(r, "dead");

  assert_ptr_equal(strchr(text, '\n') + 1, text + strlen(text));
  if (json_parse(ret, "dead", bytes_of(text), &diag) < 0)
    fail_msg("%s: %s", diag.text, text);
  free(text);
}

static void expect_member(const struct json_doc *doc, const char *key,
                          const char *want)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(doc->root, key);
  char *got = item ? cJSON_PrintUnformatted(item) : mem_strdup("absent");

  if (strcmp(got, want) != 0)
    fail_msg("%s is %s and not %s", key, got, want);
  free(got);
}

static void a_call_that_was_given_up_leaves_a_letter(void **state)
{
  static const char *const answers[] = {BROKEN, NULL};
  struct json_doc doc;
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  char *path = rig_path(&r, "dead");
  const char *const args[] = {"-p",      "my secret", "--retries",      "1",
                              "--label", "nightly",   "--dead-letters", path,
                              NULL};
  rig_expect(&r, "given up", rig_http(&r, args), 1, "");
  read_letter(&r, &doc);
  expect_member(&doc, "label", "\"nightly\"");
  expect_member(&doc, "form", "\"http\"");
  expect_member(&doc, "end", "\"given_up\"");
  expect_member(&doc, "class", "\"server_error\"");
  expect_member(&doc, "tries", "2");
  expect_member(&doc, "model", "\"claude-sonnet-4-5\"");
  expect_member(&doc, "prompt", "absent");
  const cJSON *key =
      cJSON_GetObjectItemCaseSensitive(doc.root, "idempotency_key");
  char *header = mem_format("idempotency-key: %s\r\n", key->valuestring);
  assert_int_equal(rig_asked(&r, header), 2);
  free(header);
  json_release(&doc);
  free(path);
  rig_end(&r);
}

static void a_command_that_was_given_up_leaves_a_letter(void **state)
{
  static const char *const answers[] = {SILENCE, NULL};
  struct json_doc doc;
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  char *path = rig_path(&r, "dead");
  const char *const args[] = {
      "--dead-letters", path, "--dead-letters-content", "--", "sh", "-c",
      "exit 3",         NULL};
  rig_expect(&r, "given up", rig_guard(&r, args), 1, "");
  read_letter(&r, &doc);
  expect_member(&doc, "form", "\"command\"");
  expect_member(&doc, "argv", "[\"sh\",\"-c\",\"exit 3\"]");
  expect_member(&doc, "command", "\"sh\"");
  expect_member(&doc, "rule", "\"unknown failure\"");
  json_release(&doc);
  free(path);
  rig_end(&r);
}

static void a_success_and_a_busy_key_leave_none(void **state)
{
  static const char *const answers[] = {EVENTS TEXT("half"), WHOLE("a"), NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  char *path = rig_path(&r, "dead");
  const char *const claim[] = {"-p",     "x", "--retries", "0",
                               "--once", "k", NULL};
  const char *const busy[] = {"-p", "x", "--once", "k", "--dead-letters",
                              path, NULL};
  const char *const good[] = {"-p", "x", "--dead-letters", path, NULL};
  rig_expect(&r, "claimed", rig_http(&r, claim), 1, "");
  rig_expect(&r, "busy", rig_http(&r, busy), 75, "");
  rig_expect(&r, "good", rig_http(&r, good), 0, "a\n");
  assert_false(file_exists(path));
  free(path);
  rig_end(&r);
}

static void a_letter_that_cannot_be_written_changes_no_exit_code(void **state)
{
  static const char *const answers[] = {REFUSED, NULL};
  static const char *const args[] = {"-p", "x", "--dead-letters", "/dev/full",
                                     NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "full", rig_http(&r, args), 1, "");
  expect_line(&r, "full",
              "guard: the dead letter is lost: cannot write "
              "'/dev/full': No space left on device");
  rig_end(&r);
}

static void totals_grow_over_processes(void **state)
{
  static const char *const answers[] = {LIMITED, WHOLE("a"), NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  char *path = rig_path(&r, "guard.prom");
  const char *const args[] = {"-p",           "x",  "--label", "nightly",
                              "--prometheus", path, NULL};
  rig_expect(&r, "first", rig_http(&r, args), 0, "a\n");
  rig_expect(&r, "second", rig_http(&r, args), 0, "a\n");
  char *text = rig_read(&r, "guard.prom");
  assert_non_null(strstr(text, "\nguard_calls_total{label=\"nightly\"} 2\n"));
  assert_non_null(
      strstr(text, "\nguard_attempts_total{label=\"nightly\"} 3\n"));
  assert_non_null(strstr(
      text, "\nguard_call_duration_seconds_count{label=\"nightly\"} 2\n"));
  free(text);
  free(path);
  rig_end(&r);
}

static void totals_that_cannot_be_written_change_no_exit_code(void **state)
{
  static const char *const answers[] = {WHOLE("a"), NULL};
  static const char *const args[] = {"-p", "x", "--prometheus",
                                     "/no/such/folder/x.prom", NULL};
  struct rig r;

  (void)state;
  rig_start(&r, answers);
  rig_expect(&r, "no folder", rig_http(&r, args), 0, "a\n");
  expect_line(&r, "no folder",
              "guard: the totals miss this process: cannot "
              "open '/no/such/folder/x.prom.lock'");
  rig_end(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_line_tells_of_retries),
      cmocka_unit_test(a_deadline_that_ends_a_call_is_counted),
      cmocka_unit_test(a_call_that_was_given_up_leaves_a_letter),
      cmocka_unit_test(a_command_that_was_given_up_leaves_a_letter),
      cmocka_unit_test(a_success_and_a_busy_key_leave_none),
      cmocka_unit_test(a_letter_that_cannot_be_written_changes_no_exit_code),
      cmocka_unit_test(totals_grow_over_processes),
      cmocka_unit_test(totals_that_cannot_be_written_change_no_exit_code),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
