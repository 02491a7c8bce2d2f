/* Counters of starts of commands; those of requests are in
 * tests/wire/test_wire_control.c. */
#include "tests/unit/unit.h"

#include "mockserver/journal.h"
#include "mockserver/metrics.h"

#include <string.h>

#define SCENARIO                                                               \
  "{\"name\":\"n\",\"why\":\"w\",\"steps\":["                                  \
  "{\"command\":\"claude\",\"says\":\"rate_limit_plan\"},"                     \
  "{\"command\":\"codex\",\"reply\":\"message\"}]}"

static struct metrics *open_metrics(struct scenario *s)
{
  struct diag diag = {0};
  struct metrics *m = metrics_new();
  if (scenario_parse(s, "test", BYTES(SCENARIO), &diag) < 0)
    fail_msg("%s", diag.text);
  metrics_arm(m, s);
  return m;
}

static void must_say(const struct metrics *m, const char *line)
{
  struct buf text;
  struct metrics_now now = {.armed = 1};
  buf_init(&text, 1 << 20);
  metrics_write(m, &now, &text);
  if (!strstr(buf_str(&text), line))
    fail_msg("'%s' is not in %s", line, buf_str(&text));
  buf_release(&text);
}

static struct attempt start_of(const char *command, enum attempt_end end,
                               int code, int signal)
{
  struct attempt a = {.is_start = true,
                      .end = end,
                      .exit_code = code,
                      .exit_signal = signal,
                      .cls = ATTEMPT_CALL,
                      .step = 0,
                      .rule = "step 0",
                      .fault = "rate_limit_plan",
                      .first_byte_ns = 0};
  snprintf(a.provider, sizeof a.provider, "%s", command);
  return a;
}

#define STARTS(command, exit)                                                  \
  "faultwire_command_starts_total{command=\"" command "\",exit=\"" exit "\"} "
#define FAULTS                                                                 \
  "faultwire_faults_injected_total{kind=\"command\",rule=\"step 0\"} "
#define TIMES "faultwire_request_duration_seconds_count{provider=\"command\"} "

static void starts_are_there_at_zero(void **state)
{
  struct scenario s;
  (void)state;
  struct metrics *m = open_metrics(&s);
  must_say(m, STARTS("claude", "0") "0\n");
  must_say(m, STARTS("codex", "0") "0\n");
  must_say(m, FAULTS "0\n");
  must_say(m, TIMES "0\n");
  metrics_free(m);
  scenario_release(&s);
}

static void starts_count_by_command_and_exit(void **state)
{
  static const struct {
    const char *id, *command;
    enum attempt_end end;
    int code, signal;
    const char *line;
  } rows[] = {
      {"well", "claude", END_EXIT, 0, 0, STARTS("claude", "0") "1\n"},
      {"an error", "claude", END_EXIT, 1, 0, STARTS("claude", "1") "1\n"},
      {"once more", "claude", END_EXIT, 1, 0, STARTS("claude", "1") "2\n"},
      {"a signal", "codex", END_EXIT, 0, 9, STARTS("codex", "137") "1\n"},
      {"killed", "codex", END_CLIENT, 0, 0, STARTS("codex", "none") "1\n"},
      {"not in the scenario", "agent", END_EXIT, 0, 0,
       STARTS("agent", "0") "1\n"},
      {"a name that is no label", "a\"b", END_EXIT, 0, 0,
       STARTS("a_b", "0") "1\n"}};
  struct scenario s;
  (void)state;
  struct metrics *m = open_metrics(&s);
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct attempt a =
        start_of(rows[i].command, rows[i].end, rows[i].code, rows[i].signal);
    metrics_ended(m, &a, 30 * NS_PER_MS);
    must_say(m, rows[i].line);
  }
  must_say(m, TIMES "7\n");
  must_say(m, "path=\"/v1/messages\",status=\"200\"} 0\n"); /* no request */
  metrics_clear(m);
  must_say(m, STARTS("claude", "1") "0\n");
  metrics_free(m);
  scenario_release(&s);
}

static void only_a_fault_that_went_out_counts_as_one(void **state)
{
  struct scenario s;
  (void)state;
  struct metrics *m = open_metrics(&s);
  struct attempt a = start_of("claude", END_EXIT, 1, 0);
  metrics_ended(m, &a, 0);
  a.injected = true;
  metrics_ended(m, &a, 0);
  must_say(m, FAULTS "0\n");
  a.delivered = true;
  metrics_ended(m, &a, 0);
  must_say(m, FAULTS "1\n");
  metrics_free(m);
  scenario_release(&s);
}

static void more_names_than_are_kept_are_one(void **state)
{
  struct scenario s;
  char name[16];
  (void)state;
  struct metrics *m = open_metrics(&s);
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "c%d", i);
    struct attempt a = start_of(name, END_EXIT, 0, 0);
    metrics_ended(m, &a, 0);
  }
  must_say(m, STARTS("c61", "0") "1\n");
  must_say(m, STARTS("other", "0") "38\n");
  metrics_free(m);
  scenario_release(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_are_there_at_zero),
      cmocka_unit_test(starts_count_by_command_and_exit),
      cmocka_unit_test(only_a_fault_that_went_out_counts_as_one),
      cmocka_unit_test(more_names_than_are_kept_are_one)};
  return cmocka_run_group_tests_name("metrics_starts", tests, NULL, NULL);
}
