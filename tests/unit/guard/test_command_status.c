/*
 * test_command_status.c - `guard status` as a whole program: what it shows of
 * a state, and that it changes nothing.
 */
#include "base/file.h"
#include "guard/command/state.h"
#include "tests/unit/unit.h"

#include "tests/unit/guard/command_run.h"

/* The present is second 1000000000 (2001-09-09T01:46:40Z), slot 50000000. */
#define THEN "1000000000"
#define THEN_MS INT64_C(1000000000000)

/* Pacing of a state that nothing was told. */
#define CALM                                                                   \
  "places: 0 held, 0 waiting\nthrottle: refuses 0.0 %\n"                       \
  "limits: none told\nslowed: no\n"

static const struct shown {
  const char *id, *why;
  struct shared shared;
  const char *out; /* in front of the line with the file */
} shown[] = {
    {"fresh",
     "nothing happened",
     {.breaker = {0}},
     "state: closed\nhits: 0 in the last 120 s\n"
     "requests: 0 in the last 120 s\nretries: 0 in the last 120 s\n" CALM},
    {"open",
     "an end, hits in and out of the window, slots in and out",
     {.breaker = {.state = GUARD_BREAKER_OPEN,
                  .until_ms = THEN_MS + 30500,
                  .hold_ms = 60000,
                  .nhits = 3,
                  .hits_ms = {THEN_MS - 120000, THEN_MS - 119999, THEN_MS + 5}},
      .budget = {.slot = 49999998,
                 .requests = {1, 2, 4, 8, 16, 32},
                 .retries = {1, 1, 1, 1, 1, 1}}},
     "state: open until 2001-09-09T01:47:11Z (30.5 s from now)\n"
     "hits: 2 in the last 120 s\n"
     "requests: 57 in the last 120 s\nretries: 4 in the last 120 s\n" CALM},
    {"far",
     "never longer than its own length",
     {.breaker = {.state = GUARD_BREAKER_OPEN,
                  .until_ms = INT64_MAX,
                  .hold_ms = 600000}},
     "state: open until 2001-09-09T01:56:40Z (600.0 s from now)\n"
     "hits: 0 in the last 120 s\n"
     "requests: 0 in the last 120 s\nretries: 0 in the last 120 s\n" CALM},
    {"over",
     "the cooling is over",
     {.breaker = {.state = GUARD_BREAKER_OPEN, .until_ms = THEN_MS}},
     "state: half-open, the next call is the probe\n"
     "hits: 0 in the last 120 s\n"
     "requests: 0 in the last 120 s\nretries: 0 in the last 120 s\n" CALM},
    {"probe",
     "a probe is out",
     {.breaker = {.state = GUARD_BREAKER_HALF_OPEN,
                  .probe = 3,
                  .probe_end_ms = THEN_MS + 1}},
     "state: half-open, one call is out as the probe\n"
     "hits: 0 in the last 120 s\n"
     "requests: 0 in the last 120 s\nretries: 0 in the last 120 s\n" CALM},
    {"back",
     "the clock stepped back behind the budget",
     {.budget = {.slot = 50000006, .requests = {1, 1, 1, 1, 1, 1}}},
     "state: closed\nhits: 0 in the last 120 s\n"
     "requests: 0 in the last 120 s\nretries: 0 in the last 120 s\n" CALM},
    {"paced",
     "places, waiters, refusals, limits and a slow-down, those in force only",
     {.pace = {.throttle = {.slot = 100000000, .requests = {[4] = 39}},
               .lanes = {.last_ticket = 9,
                         .place = {{1, THEN_MS + 1, 0}, {2, THEN_MS, 0}},
                         .waiter = {{3, 0, 0, THEN_MS},
                                    {4, 1, 0, THEN_MS + 1}}},
               .told = {{.bucket = {50, 60, 180000, THEN_MS - 1000}},
                        {.bucket = {40000, 60, 60000, THEN_MS}}},
               .not_before_ms = THEN_MS + 1200}},
     "state: closed\nhits: 0 in the last 120 s\n"
     "requests: 0 in the last 120 s\nretries: 0 in the last 120 s\n"
     "places: 1 held, 1 waiting\nthrottle: refuses 97.5 %\n"
     "limits: requests 4 of 50 left, tokens 1 of 40000 left\n"
     "slowed: until 2001-09-09T01:46:42Z (1.2 s from now)\n"},
};

/* `guard status` for a file with that text: the answer, and that the file
 * has the same text afterwards. */
static void check_status(const char *id, struct bytes text, const char *out)
{
  struct diag diag = {0};
  char *folder = file_temp_folder("guard-status", &diag);
  char *path = mem_format("%s/x.state", folder);
  char *want = mem_format("%sfile: %s\n", out, path);
  const struct line line = {
      id, out, {"status", "--state", path, "--now", THEN}, "", 0, want, ""};
  struct buf after;

  if (text.p)
    assert_int_equal(file_write(path, text, &diag), 0);
  try_line(&line);
  assert_int_equal(file_exists(path), text.p != NULL);
  buf_init(&after, RUN_BYTES);
  if (text.p)
    assert_int_equal(file_read(path, &after, &diag), 0);
  assert_true(bytes_equal(buf_bytes(&after), text));
  buf_release(&after);
  file_remove_tree(folder);
  free(folder), free(path), free(want);
}

static void status_shows_the_state_and_leaves_it(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(shown); i++) {
    struct buf text;
    buf_init(&text, RUN_BYTES);
    shared_encode(&shown[i].shared, &text);
    check_status(shown[i].id, buf_bytes(&text), shown[i].out);
    buf_release(&text);
  }
}

static void status_says_what_is_no_state(void **state)
{
  (void)state;
  check_status("missing", (struct bytes){NULL, 0},
               "state: closed, no state file\n");
  check_status("empty", (struct bytes){"", 0},
               "state: closed, no state file\n");
  check_status("torn", BYTES("guard-state 1\nstate 1\nunt"),
               "state: closed, the state file is torn or of an older version; "
               "the next call writes it anew\n");
  check_status("foreign", BYTES("my diary\n"),
               "state: unknown, this is not a state file; calls leave it "
               "alone and share nothing\n");
}

static void the_label_names_the_file(void **state)
{
  struct diag diag = {0};
  char *folder = file_temp_folder("guard-status", &diag);
  char *want = mem_format("state: closed, no state file\n"
                          "file: %s/guard/nightly.state\n",
                          folder);
  const struct line line = {"label",
                            "as the calls choose it",
                            {"status", "--label", "nightly"},
                            "",
                            0,
                            want,
                            ""};

  (void)state;
  setenv("XDG_STATE_HOME", folder, 1);
  try_line(&line);
  unsetenv("XDG_STATE_HOME");
  assert_int_equal(file_remove_tree(folder), 0);
  free(folder), free(want);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(status_shows_the_state_and_leaves_it),
      cmocka_unit_test(status_says_what_is_no_state),
      cmocka_unit_test(the_label_names_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
