/*
 * Stand-in commands as a client starts them: bytes, streams, ends, and what
 * the journal says of each.
 */
#include "tests/wire/stage.h"

#include "base/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void every_start_gets_the_next_step(void **state)
{
  struct stage s;
  (void)state;
  stage_open(&s, "{\"command\":\"claude\",\"says\":\"rate_limit_plan\","
                 "\"version\":\"2.0.x\",\"times\":2},"
                 "{\"command\":\"codex\",\"says\":\"quota\"},"
                 "{\"command\":\"claude\",\"reply\":\"message\"}]");
  const char limit[] = "API Error: Rate limit reached\n";
  play_line(&s, "claude -p hello", limit, "", 1);
  play_line(&s, "codex exec hello", "",
            "ERROR: Quota exceeded. Check your plan and billing details.\n"
            "ERROR: Quota exceeded. Check your plan and billing details.\n",
            1);
  play_line(&s, "claude -p hello", limit, "", 1);
  play_line(&s, "claude -p hello", "Hello from faultwire.\n", "", 0);
  play_line(&s, "claude -p hello", "Hello from faultwire.\n", "", 0);
  const struct attempt *a = stage_attempt(&s, 2);
  assert_int_equal(journal_count(s.journal), 5);
  assert_string_equal(a->rule, "step 0");
  assert_string_equal(a->target, "claude -p hello");
  assert_string_equal(a->what, "rate_limit_plan (claude 2.0, text), exit 1");
  assert_true(a->injected && a->delivered && a->complete);
  assert_int_equal(a->end, END_EXIT);
  assert_int_equal(a->exit_code, 1);
  assert_int_equal(a->bytes_sent, strlen(limit));
  assert_string_equal(stage_attempt(&s, 4)->rule, "after_script");
  stage_close(&s);
}

static void the_arguments_choose_the_format(void **state)
{
  static const struct {
    const char *id, *line, *want;
  } rows[] = {
      {"json", "claude -p hi --output-format json", "{\"type\":\"result\""},
      {"with =", "claude -p --output-format=json hi", "{\"type\":\"result\""},
      {"stream", "claude --output-format stream-json -p hi",
       "{\"type\":\"system\",\"subtype\":\"init\""},
      {"behind --", "claude -p -- --output-format json", "Hello from"},
      {"codex", "codex exec --json hi", "{\"type\":\"thread.started\""},
      {"gemini", "gemini -o json -p hi", "{\"session_id\":"},
      {"any other", "agent --output-format json", "Hello from faultwire.\n"}};
  struct stage s;
  (void)state;
  stage_open(&s, "{\"command\":\"claude\",\"reply\":\"message\",\"times\":"
                 "\"always\"},{\"command\":\"codex\",\"reply\":\"message\"},"
                 "{\"command\":\"gemini\",\"reply\":\"message\"},"
                 "{\"command\":\"agent\",\"reply\":\"message\"}]");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct play p;
    play_begin(&p, &s, rows[i].line, false);
    play_end(&p);
    if (!bytes_starts(buf_bytes(&p.got_out), bytes_of(rows[i].want)))
      fail_msg("%s: %s", rows[i].id, buf_str(&p.got_out));
    play_release(&p);
  }
  stage_close(&s);
}

static void pieces_come_in_order_on_both_outputs(void **state)
{
  struct stage s;
  struct play p;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"pieces\":[{\"stdout\":\"one \"},"
                 "{\"stderr\":\"two\"},{\"wait_s\":0.05,\"stdout\":\"three\"},"
                 "{\"close\":\"stdout\"},{\"stderr\":\" four\"}],"
                 "\"exit\":3}]");
  play_begin(&p, &s, "agent", false);
  play_end(&p);
  assert_string_equal(buf_str(&p.got_out), "one three");
  assert_string_equal(buf_str(&p.got_err), "two four");
  assert_int_equal(p.exit_code, 3);
  const struct attempt *a = stage_attempt(&s, 0);
  assert_true(a->answer_last_ns - a->first_byte_ns >= 50 * NS_PER_MS);
  assert_string_equal(a->what, "output, exit 3");
  play_release(&p);
  stage_close(&s);
}

/* Far more than a pipe and a socket hold; nobody reads for a while. */
static void a_big_output_waits_for_its_reader(void **state)
{
  enum { PIECE = 100000, TIMES = 200 };
  struct stage s;
  struct play p;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"pieces\":[{\"stdout\":"
                 "\"{{pad:100000}}\",\"repeat\":200}]}]");
  play_begin(&p, &s, "agent", false);
  play_wait_out(&p, PIECE);
  play_end(&p);
  assert_int_equal(p.got_out.n, PIECE * TIMES);
  assert_int_equal(strspn(buf_str(&p.got_out), "x"), PIECE * TIMES);
  assert_int_equal(stage_attempt(&s, 0)->bytes_sent, PIECE * TIMES);
  play_release(&p);
  stage_close(&s);
}

static void it_dies_of_the_scripted_signal(void **state)
{
  static const struct {
    const char *name;
    int number;
  } rows[] = {{"TERM", SIGTERM}, {"KILL", SIGKILL}, {"SEGV", SIGSEGV},
              {"HUP", SIGHUP},   {"ABRT", SIGABRT}, {"PIPE", SIGPIPE}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct stage s;
    struct play p;
    char *step = mem_format("{\"command\":\"agent\",\"stdout\":\"half\","
                            "\"signal\":\"%s\"}]",
                            rows[i].name);
    stage_open(&s, step);
    play_begin(&p, &s, "agent", false);
    play_end(&p);
    assert_string_equal(buf_str(&p.got_out), "half");
    assert_int_equal(p.signal, rows[i].number);
    assert_int_equal(stage_attempt(&s, 0)->exit_signal, rows[i].number);
    play_release(&p);
    stage_close(&s);
    free(step);
  }
}

static void a_killed_start_is_known_by_its_end(void **state)
{
  struct stage s;
  struct play p;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"stdout\":\"begun\","
                 "\"hang\":true}]");
  play_begin(&p, &s, "agent", false);
  play_wait_out(&p, 5);
  kill((pid_t)p.pid, SIGTERM);
  play_end(&p);
  assert_int_equal(p.signal, SIGTERM);
  const struct attempt *a = stage_attempt(&s, 0);
  assert_int_equal(a->end, END_CLIENT);
  assert_true(a->client_left_ns >= a->answer_last_ns);
  assert_false(a->complete);
  play_release(&p);
  stage_close(&s);
}

static void an_ignored_signal_does_not_end_it(void **state)
{
  struct stage s;
  struct play p;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"ignores\":[\"TERM\",\"INT\"],"
                 "\"pieces\":[{\"stdout\":\"a\"},{\"wait_s\":0.1,"
                 "\"stdout\":\"b\"}]}]");
  play_begin(&p, &s, "agent", false);
  play_wait_out(&p, 1);
  kill((pid_t)p.pid, SIGTERM);
  kill((pid_t)p.pid, SIGINT);
  play_end(&p);
  assert_string_equal(buf_str(&p.got_out), "ab");
  assert_int_equal(p.exit_code, 0);
  play_release(&p);
  stage_close(&s);
}

static void stdin_chooses_the_step_and_is_kept(void **state)
{
  struct stage s;
  struct play p;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"match\":{\"stdin\":\"second\"},"
                 "\"stdout\":\"2\"},"
                 "{\"command\":\"agent\",\"match\":{\"argv\":\"-x *\","
                 "\"env\":\"MARK\"},\"stdout\":\"3\"},"
                 "{\"command\":\"agent\",\"stdout\":\"1\",\"times\":2}]");
  play_line(&s, "agent", "1", "", 0);
  play_begin(&p, &s, "agent", true);
  assert_int_equal(write(p.in, "the second", 10), 10);
  close(p.in);
  p.in = -1;
  play_end(&p);
  assert_string_equal(buf_str(&p.got_out), "2");
  play_release(&p);
  play_line(&s, "agent -x y", "1", "", 0);
  play_line(&s, "env MARK= agent -x y", "3", "", 0);
  const struct attempt *a = stage_attempt(&s, 1);
  assert_int_equal(a->body_bytes, 10);
  assert_memory_equal(a->body, "the second", 10);
  assert_int_equal(a->body_hash, bytes_hash(BYTES("the second")));
  stage_close(&s);
}

/* A pseudo-terminal nobody types at: reading it would never end. */
static void a_terminal_is_never_read(void **state)
{
  struct stage s;
  (void)state;
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  assert_true(master >= 0);
  assert_int_equal(grantpt(master), 0);
  assert_int_equal(unlockpt(master), 0);
  stage_open(&s, "{\"command\":\"agent\",\"reads_stdin\":true,"
                 "\"stdout\":\"on\"}]");
  char *line = mem_format("agent <%s", ptsname(master));
  play_line(&s, line, "on", "", 0);
  /* nor waited for until the host's patience of 3 s is over */
  const struct attempt *a = stage_attempt(&s, 0);
  assert_true(a->end_request_ns - a->first_byte_ns < 2 * NS_PER_S);
  free(line);
  close(master);
  stage_close(&s);
}

static void without_a_server_it_says_so_and_ends_with_70(void **state)
{
  struct stage s;
  struct play p;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"stdout\":\"x\",\"hang\":true}]");
  play_begin(&p, &s, "agent", false);
  play_wait_out(&p, 1);
  stage_stop(&s); /* while it runs */
  play_end(&p);
  assert_int_equal(p.exit_code, 70);
  assert_non_null(strstr(buf_str(&p.got_err), "is gone"));
  play_release(&p);
  play_begin(&p, &s, "agent", false); /* before it starts */
  play_end(&p);
  assert_int_equal(p.exit_code, 70);
  assert_non_null(strstr(buf_str(&p.got_err), "no server answers"));
  assert_non_null(strstr(buf_str(&p.got_err), "serve --shim-dir"));
  play_release(&p);
  stage_close(&s);
}

static void descriptors_that_are_closed_stay_closed(void **state)
{
  struct stage s;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"stdout\":\"out\",\"stderr\":"
                 "\"err\",\"times\":\"always\"}]");
  play_line(&s, "agent <&-", "out", "err", 0);
  play_line(&s, "agent >&-", "", "err", 0);
  play_line(&s, "agent 2>&-", "out", "", 0);
  play_line(&s, "agent <&- >&- 2>&-", "", "", 0);
  stage_close(&s);
}

static void lanes_walk_the_script_on_their_own(void **state)
{
  struct stage s;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"stdout\":\"1\"},"
                 "{\"command\":\"agent\",\"lane\":\"b\",\"stdout\":\"b\"},"
                 "{\"command\":\"agent\",\"stdout\":\"2\"}]");
  play_line(&s, "env FAULTWIRE_LANE=a agent", "1", "", 0);
  play_line(&s, "env FAULTWIRE_LANE=b agent", "1", "", 0);
  play_line(&s, "env FAULTWIRE_LANE=a agent", "2", "", 0);
  play_line(&s, "env FAULTWIRE_LANE=b agent", "b", "", 0);
  play_line(&s, "env FAULTWIRE_LANE=../b agent", "1", "", 0);
  assert_string_equal(stage_attempt(&s, 1)->lane, "b");
  assert_string_equal(stage_attempt(&s, 4)->lane, "");
  stage_close(&s);
}

/* The one that comes first waits for the second, not for the time. */
static void a_barrier_lets_starts_go_together(void **state)
{
  struct stage s;
  struct play p[2];
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"stdout\":\"on\",\"times\":4,"
                 "\"barrier\":{\"requests\":2,\"for_s\":0.2}}]");
  for (int i = 0; i < 2; i++)
    play_begin(&p[i], &s, "agent", false);
  for (int i = 0; i < 2; i++) {
    play_end(&p[i]);
    assert_string_equal(buf_str(&p[i].got_out), "on");
    play_release(&p[i]);
  }
  play_line(&s, "agent", "on", "", 0); /* alone: the time opens it */
  const struct attempt *a = stage_attempt(&s, 0), *b = stage_attempt(&s, 1);
  const struct attempt *c = stage_attempt(&s, 2);
  assert_int_equal(a->barrier_came, 2);
  assert_int_equal(a->barrier_open_ns, b->barrier_open_ns);
  assert_true(a->answer_first_ns >= b->first_byte_ns);
  assert_int_equal(c->barrier_came, 1);
  assert_int_equal(c->barrier_round, 2);
  assert_true(c->answer_first_ns - c->first_byte_ns >= 200 * NS_PER_MS);
  stage_close(&s);
}

/* Killed while it waits: the other one is let go by the time. */
static void a_start_may_be_killed_at_a_barrier(void **state)
{
  struct stage s;
  struct play p;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"stdout\":\"on\",\"times\":4,"
                 "\"barrier\":{\"requests\":4,\"for_s\":0.2},"
                 "\"reads_stdin\":true}]");
  play_begin(&p, &s, "agent", true);
  kill((pid_t)p.pid, SIGKILL);
  play_end(&p);
  play_release(&p);
  play_line(&s, "agent", "on", "", 0);
  stage_close(&s);
}

static void a_question_for_the_version_takes_no_step(void **state)
{
  struct stage s;
  (void)state;
  stage_open(&s, "{\"command\":\"claude\",\"stdout\":\"step\"},"
                 "{\"command\":\"codex\",\"stdout\":\"step\"}],"
                 "\"after_script\":\"error\"");
  play_line(&s, "claude --version", "2.1.332 (Claude Code)\n", "", 0);
  play_line(&s, "codex --version", "codex-cli 0.171.0\n", "", 0);
  play_line(&s, "claude -p x", "step", "", 0);
  play_line(&s, "claude -p x", "",
            "faultwire: the script of this scenario is over\n", 1);
  assert_int_equal(stage_attempt(&s, 0)->cls, ATTEMPT_SIDE);
  assert_int_equal(stage_attempt(&s, 2)->cls, ATTEMPT_CALL);
  stage_close(&s);
}

static void a_control_run_answers_that_all_is_well(void **state)
{
  struct stage s;
  (void)state;
  stage_open_without_faults(&s, "{\"command\":\"claude\",\"says\":"
                                "\"overloaded\",\"delay_s\":60}]");
  play_line(&s, "claude -p x", "Hello from faultwire.\n", "", 0);
  const struct attempt *a = stage_attempt(&s, 0);
  assert_string_equal(a->rule, "no_faults");
  assert_true(a->injected && !a->delivered);
  stage_close(&s);
}

static void keys_in_arguments_are_masked(void **state)
{
  struct stage s;
  struct buf json;
  (void)state;
  stage_open(&s, "{\"command\":\"agent\",\"stdout\":\"x\"}]");
  play_line(
      &s,
      "env -i PATH=\"$PATH\" SECRET=hidden FAULTWIRE_LANE=l agent --api-key "
      "abcdefghijklmnop sk-ant-qrstuvwxyz plain",
      "x", "", 0);
  buf_init(&json, 1 << 20);
  attempt_json(stage_attempt(&s, 0), &json);
  assert_null(strstr(buf_str(&json), "abcdefghijkl"));
  assert_null(strstr(buf_str(&json), "qrstuv"));
  assert_null(strstr(buf_str(&json), "hidden"));
  assert_non_null(strstr(buf_str(&json), "\"channel\":\"command\""));
  assert_non_null(strstr(buf_str(&json), "\"plain\"]"));
  assert_non_null(strstr(buf_str(&json), "\"SECRET\""));
  assert_non_null(strstr(buf_str(&json), "\"exit_code\":0"));
  buf_release(&json);
  stage_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_start_gets_the_next_step),
      cmocka_unit_test(the_arguments_choose_the_format),
      cmocka_unit_test(pieces_come_in_order_on_both_outputs),
      cmocka_unit_test(a_big_output_waits_for_its_reader),
      cmocka_unit_test(it_dies_of_the_scripted_signal),
      cmocka_unit_test(a_killed_start_is_known_by_its_end),
      cmocka_unit_test(an_ignored_signal_does_not_end_it),
      cmocka_unit_test(stdin_chooses_the_step_and_is_kept),
      cmocka_unit_test(a_terminal_is_never_read),
      cmocka_unit_test(without_a_server_it_says_so_and_ends_with_70),
      cmocka_unit_test(descriptors_that_are_closed_stay_closed),
      cmocka_unit_test(lanes_walk_the_script_on_their_own),
      cmocka_unit_test(a_barrier_lets_starts_go_together),
      cmocka_unit_test(a_start_may_be_killed_at_a_barrier),
      cmocka_unit_test(a_question_for_the_version_takes_no_step),
      cmocka_unit_test(a_control_run_answers_that_all_is_well),
      cmocka_unit_test(keys_in_arguments_are_masked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
