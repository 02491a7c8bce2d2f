/* What a sight is taken for: waits obeyed, time-outs, breakers, deadlines,
 * streams, baselines. All evidence is written down by hand. */
#include "tests/unit/unit.h"

#include "harness/probe/baseline.h"
#include "harness/probe/delays.h"
#include "harness/probe/obeyed.h"
#include "harness/probe/opening.h"
#include "harness/probe/patience.h"
#include "harness/probe/span.h"
#include "harness/probe/steps.h"
#include "harness/probe/tries.h"
#include "harness/probe/verdict_of.h"
#include "probe_sights.h"

static const struct {
  const char *id;
  struct seen_call calls[3];
  struct seen_start start[2];
  double asked_s;
  enum obeyed want;
  bool closely;
} wait_rows[] = {
    {"waited",
     {{SEEN(0.1, 0.2)}, {SEEN(3.3, 3.4)}},
     {{LIVED(0, 3.5)}},
     3,
     OBEYED_WAITED,
     true},
    {"a quarter more",
     {{SEEN(0.1, 0.2)}, {SEEN(5.1, 5.2)}},
     {{LIVED(0, 5.3)}},
     4,
     OBEYED_WAITED,
     true},
    {"its own, longer",
     {{SEEN(0.1, 0.2)}, {SEEN(9.1, 9.2)}},
     {{LIVED(0, 9.3)}},
     3,
     OBEYED_WAITED,
     false},
    {"early",
     {{SEEN(0.1, 0.2)}, {SEEN(0.7, 0.8)}},
     {{LIVED(0, 0.9)}},
     3,
     OBEYED_EARLY,
     false},
    {"a timer's rounding",
     {{SEEN(0.1, 0.2)}, {SEEN(3.16, 3.2)}},
     {{LIVED(0, 3.3)}},
     3,
     OBEYED_WAITED,
     true},
    {"stopped",
     {{SEEN(0.1, 0.2)}},
     {{LIVED(0, 0.3), .code = 1}},
     300,
     OBEYED_STOPPED,
     false},
    {"silent",
     {{SEEN(0.1, 0.2)}},
     {{LIVED(0, 4), .timed_out = true}},
     300,
     OBEYED_SILENT,
     false},
    {"no call", {{.end_s = 0}}, {{LIVED(0, 4)}}, 300, OBEYED_UNKNOWN, false},
};

static void a_wait_is_obeyed_or_broken(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(wait_rows); i++) {
    struct sight s;
    sight_literal(&s, wait_rows[i].calls, wait_rows[i].start);
    if (obeyed_of(&s, wait_rows[i].asked_s) != wait_rows[i].want)
      fail_msg("%s: %d", wait_rows[i].id,
               (int)obeyed_of(&s, wait_rows[i].asked_s));
    if (obeyed_closely(&s, wait_rows[i].asked_s, wait_rows[i].asked_s) !=
        wait_rows[i].closely)
      fail_msg("%s: closely", wait_rows[i].id);
    sight_release(&s);
  }
}

static void a_form_is_understood_cut_or_ignored(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    double came_s; /* the next call; 0: none */
    bool timed_out;
    enum understood want;
  } rows[] = {
      {"in time", 3.4, false, UNDERSTOOD_YES},
      {"whole seconds of a date", 2.5, false, UNDERSTOOD_YES},
      {"its own wait", 1.1, false, UNDERSTOOD_NO},
      {"cut to two seconds", 1.85, false, UNDERSTOOD_SHORT},
      {"who knows", 9, false, UNDERSTOOD_EITHER},
      {"stops", 0, false, UNDERSTOOD_STOPS},
      {"sleeps", 0, true, UNDERSTOOD_LONG},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct sight s;
    struct seen_call calls[3] = {{SEEN(0.1, 0.2)}};
    struct seen_start starts[2] = {
        {LIVED(0, 10), .timed_out = rows[i].timed_out}};
    if (rows[i].came_s > 0)
      calls[1] = (struct seen_call){SEEN(0.2 + rows[i].came_s, 9.9)};
    sight_literal(&s, calls, starts);
    enum understood u = understood_of(&s, 2, 3, 1);
    if (u != rows[i].want)
      fail_msg("%s: %d", rows[i].id, (int)u);
    sight_release(&s);
  }
}

/* One call; returns what two copies tell of the machine, the other of which
 * took 0.1 s to start, nothing for its answer and 0.1 s to end. */
static double delay_by(double at_s, double answered_s, double exit_s)
{
  struct delays d = {0};
  struct sight s;
  sight_literal(&s, (struct seen_call[]){{SEEN(0.1, 0.1)}, {.end_s = 0}},
                (struct seen_start[]){{LIVED(0, 0.2)}, {.exit_s = 0}});
  delays_add(&d, &s);
  sight_release(&s);
  sight_literal(&s,
                (struct seen_call[]){{SEEN(at_s, answered_s)}, {.end_s = 0}},
                (struct seen_start[]){{LIVED(0, exit_s)}, {.exit_s = 0}});
  delays_add(&d, &s);
  sight_release(&s);
  return delays_most(&d);
}

static void a_machines_delay_is_the_worst_it_did_to_any_copy(void **state)
{
  (void)state;
  assert_float_equal(delay_by(0.1, 0.1, 0.2), 0, 0.001);
  assert_float_equal(delay_by(0.5, 0.5, 0.6), 0.4, 0.001);
  assert_float_equal(delay_by(0.1, 0.4, 0.5), 0.3, 0.001);
  assert_float_equal(delay_by(0.1, 0.1, 0.9), 0.7, 0.001);
  struct delays none = {0};
  assert_float_equal(delays_most(&none), 0, 0);
}

/* Plays a client that obeys up to `cap_s`; returns the longest found, or -1
 * when it takes more than `rounds`. */
static double search(double cap_s, double from_s, double to_s, int rounds)
{
  struct tried list[64] = {{from_s, OBEYED_SILENT}, {to_s, OBEYED_STOPPED}};
  size_t n = 2;
  for (int i = 0; i < rounds; i++) {
    double next[8];
    struct bracket b = bracket_of(list, n);
    size_t k = bracket_next(&b, next, 8);
    if (k == 0)
      return b.low_s;
    for (size_t m = 0; m < k; m++)
      list[n++] = (struct tried){next[m], next[m] <= cap_s ? OBEYED_SILENT
                                                           : OBEYED_STOPPED};
  }
  return -1;
}

static void the_search_finds_every_cap_in_few_rounds(void **state)
{
  (void)state;
  assert_float_equal(search(60, 59, 61, 2), 60, 0);
  assert_float_equal(search(299, 121, 300, 4), 299, 0);
  assert_float_equal(search(121, 121, 300, 4), 121, 0);
  assert_float_equal(search(5400, 3600, 7200, 5), 5400, 0);
  assert_float_equal(search(2, 2, 4, 2), 2, 0);
  assert_float_equal(search(3, 2, 4, 2), 3, 0);
}

static void a_bracket_needs_both_ends(void **state)
{
  (void)state;
  double next[8];
  struct bracket b = bracket_of(
      (struct tried[]){{60, OBEYED_SILENT}, {120, OBEYED_WAITED}}, 2);
  assert_true(b.has_low);
  assert_false(b.has_high);
  assert_int_equal(bracket_next(&b, next, 8), 0);
  b = bracket_of((struct tried[]){{60, OBEYED_EARLY}, {120, OBEYED_SILENT}}, 2);
  assert_false(b.has_low); /* what is above the first break does not count */
  assert_true(b.has_high);
  assert_int_equal(b.above, OBEYED_EARLY);
  b = bracket_of((struct tried[]){{60, OBEYED_UNKNOWN}}, 1);
  assert_false(b.has_low || b.has_high);
}

static void patience_is_its_own_and_not_the_limits(void **state)
{
  (void)state;
  struct sight s;
  sight_literal(
      &s,
      (struct seen_call[]){{SEEN(0.1, 2.1), .left = true},
                           {SEEN(2.4, 5.4), .left = true},
                           {.end_s = 0}},
      (struct seen_start[]){{LIVED(0, 5.5), .code = 1}, {.exit_s = 0}});
  struct patience p = patience_of(&s);
  assert_true(p.known && p.ended);
  assert_float_equal(p.s, 2, 0.001);
  assert_float_equal(p.stretch, 1.5, 0.001);
  assert_int_equal(p.retries, 1);
  sight_release(&s);

  /* ended by the limit: that it left is our doing */
  sight_literal(
      &s, (struct seen_call[]){{SEEN(0.1, 20.1), .left = true}, {.end_s = 0}},
      (struct seen_start[]){{LIVED(0, 20.2), .timed_out = true},
                            {.exit_s = 0}});
  p = patience_of(&s);
  assert_false(p.known);
  assert_false(p.no_silence);
  assert_float_equal(p.s, 20.1, 0.001);
  sight_release(&s);

  /* it got a whole answer, so nothing is known of silence */
  sight_literal(&s, (struct seen_call[]){{SEEN(0.1, 0.2)}, {.end_s = 0}},
                (struct seen_start[]){{LIVED(0, 0.3)}, {.exit_s = 0}});
  p = patience_of(&s);
  assert_true(p.no_silence);
  sight_release(&s);
}

static void an_open_breaker_is_a_start_without_a_call(void **state)
{
  (void)state;
  struct sight s;
  sight_literal(&s,
                (struct seen_call[]){{SEEN(0.1, 0.2)},
                                     {SEEN(0.4, 0.5)},
                                     {SEEN(1.1, 1.2), .start = 1},
                                     {SEEN(4.3, 4.4), .start = 4},
                                     {.end_s = 0}},
                (struct seen_start[]){{LIVED(0, 0.6), .code = 1},
                                      {LIVED(1, 1.3), .code = 1},
                                      {LIVED(2, 2.1), .code = 75},
                                      {LIVED(3, 3.1), .code = 75},
                                      {LIVED(4.2, 4.5), .code = 1},
                                      {.exit_s = 0}});
  struct opening o = opening_of(&s);
  assert_true(o.opened && o.closed_again);
  assert_int_equal(o.after, 3);
  assert_int_equal(o.code, 75);
  assert_float_equal(o.cool_least_s, 1.8, 0.001);
  assert_float_equal(o.cool_most_s, 3.1, 0.001);
  sight_release(&s);

  sight_literal(&s,
                (struct seen_call[]){{SEEN(0.1, 0.2)},
                                     {SEEN(1.1, 1.2), .start = 1},
                                     {.end_s = 0}},
                (struct seen_start[]){{LIVED(0, 0.6), .code = 1},
                                      {LIVED(1, 1.3), .code = 1},
                                      {.exit_s = 0}});
  o = opening_of(&s);
  assert_false(o.opened);
  sight_release(&s);

  /* what never called was not stopped by a breaker */
  sight_literal(
      &s, (struct seen_call[]){{SEEN(1.1, 1.2), .start = 1}, {.end_s = 0}},
      (struct seen_start[]){{LIVED(0, 0.6), .code = 1},
                            {LIVED(1, 1.3), .code = 1},
                            {.exit_s = 0}});
  o = opening_of(&s);
  assert_false(o.opened);
  sight_release(&s);
}

static void probes_count_only_where_copies_share_a_breaker(void **state)
{
  (void)state;
  struct sight s;
  const struct seen_call calls[] = {{SEEN(0.1, 0.9)},
                                    {SEEN(0.1, 0.9), .start = 2},
                                    {SEEN(5.1, 5.9), .start = 1},
                                    {SEEN(5.3, 6.0), .start = 3},
                                    {.end_s = 0}};
  sight_literal(&s, calls,
                (struct seen_start[]){{LIVED(0, 1), .code = 75},
                                      {LIVED(5, 6)},
                                      {LIVED(0, 1), .code = 75},
                                      {LIVED(5, 6.1)},
                                      {.exit_s = 0}});
  struct trial_probes p = probes_of(&s);
  assert_true(p.shared);
  assert_int_equal(p.at_once, 2);
  sight_release(&s);
  /* one got through at once: it had a breaker of its own, or none */
  sight_literal(&s, calls,
                (struct seen_start[]){{LIVED(0, 1)},
                                      {LIVED(5, 6)},
                                      {LIVED(0, 1), .code = 75},
                                      {LIVED(5, 6.1)},
                                      {.exit_s = 0}});
  p = probes_of(&s);
  assert_false(p.shared);
  sight_release(&s);
}

static void a_deadline_lies_between_what_was_done_and_what_was_not(void **state)
{
  (void)state;
  struct sight s;
  struct span span = {0};
  sight_literal(
      &s,
      (struct seen_call[]){
          {SEEN(0.1, 0.2)}, {SEEN(4.2, 4.3)}, {SEEN(8.3, 8.4)}, {.end_s = 0}},
      (struct seen_start[]){{LIVED(0, 8.5), .code = 75}, {.exit_s = 0}});
  span_add(&span, &s, 5, 4);
  assert_true(span.has_high);
  assert_float_equal(span.low_s, 8.2, 0.001);
  assert_float_equal(span.high_s, 12.3, 0.001);
  /* all attempts were made: only the lower end is learnt */
  struct span all = {0};
  span_add(&all, &s, 3, 4);
  assert_false(all.has_high);
  assert_float_equal(all.low_s, 8.2, 0.001);
  /* the waits were not obeyed: nothing is */
  struct span none = {0};
  span_add(&none, &s, 5, 6);
  assert_false(none.has_high);
  assert_float_equal(none.low_s, 0, 0);
  sight_release(&s);
}

static void an_outcome_is_told_by_exit_code_and_text(void **state)
{
  (void)state;
  static const struct {
    const char *id, *out;
    int code;
    bool timed_out, again;
    enum seen_verdict want;
  } rows[] = {
      {"whole", PROBE_TEXT, 0, false, false, SEEN_WHOLE},
      {"part", FIRST_WORD " second", 0, false, false, SEEN_PARTIAL},
      {"twice", FIRST_WORD " se" PROBE_TEXT, 0, false, true, SEEN_DOUBLED},
      {"empty", "", 0, false, false, SEEN_EMPTY},
      {"error with text", FIRST_WORD, 1, false, false, SEEN_ERROR},
      {"hangs", FIRST_WORD, 0, true, false, SEEN_HANGS},
      {"again", FIRST_WORD, 0, true, true, SEEN_AGAIN},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct sight s;
    struct seen_call calls[3] = {{SEEN(0.1, 0.2)}};
    struct seen_start starts[2] = {{LIVED(0, 1), .code = rows[i].code,
                                    .timed_out = rows[i].timed_out,
                                    .out = rows[i].out},
                                   {.exit_s = 0}};
    if (rows[i].again)
      calls[1] = (struct seen_call){SEEN(0.5, 0.6), .body = 0};
    sight_literal(&s, calls, starts);
    struct outcome_seen o = outcome_seen(&s);
    if (o.verdict != rows[i].want)
      fail_msg("%s: %d", rows[i].id, (int)o.verdict);
    sight_release(&s);
  }
}

static void tries_are_those_of_the_first_call(void **state)
{
  (void)state;
  struct sight s;
  sight_literal(
      &s,
      (struct seen_call[]){{SEEN(0.1, 0.2), .body = 7},
                           {SEEN(0.3, 0.4), .body = 8},
                           {SEEN(1.1, 1.2), .body = 7},
                           {.end_s = 0}},
      (struct seen_start[]){{LIVED(0, 1.3), .code = 1}, {.exit_s = 0}});
  struct tries t = tries_of(&s);
  assert_int_equal(t.n, 2);
  assert_true(t.ended);
  assert_false(t.fast);
  sight_release(&s);
}

static void a_client_that_is_not_wired_is_told_from_one_that_fails(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    struct seen_call calls[2];
    struct seen_start starts[2];
    enum wired want;
    const char *words;
  } rows[] = {
      {"wired", {{SEEN(0.1, 0.2)}}, {{LIVED(0, 0.3)}}, WIRED, NULL},
      {"a service",
       {{SEEN(0.1, 0.2)}},
       {{LIVED(0, 9), .timed_out = true}},
       WIRED,
       NULL},
      {"no call",
       {{.end_s = 0}},
       {{LIVED(0, 0.3), .out = "hi"}},
       WIRED_NO_CALL,
       "ANTHROPIC_BASE_URL"},
      {"fails",
       {{SEEN(0.1, 0.2)}},
       {{LIVED(0, 0.3), .code = 4}},
       WIRED_FAILS,
       "plain 200"},
      {"no start",
       {{.end_s = 0}},
       {{.exit_s = 0}},
       WIRED_NO_START,
       "could not be started"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct sight s;
    sight_literal(&s, rows[i].calls, rows[i].starts);
    enum wired w = wired_of(&s);
    if (w != rows[i].want)
      fail_msg("%s: %d", rows[i].id, (int)w);
    if (rows[i].words) {
      char *text = wired_text(&s, w, false);
      if (!strstr(text, rows[i].words))
        fail_msg("%s: no '%s' in %s", rows[i].id, rows[i].words, text);
      free(text);
    }
    sight_release(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_wait_is_obeyed_or_broken),
      cmocka_unit_test(a_form_is_understood_cut_or_ignored),
      cmocka_unit_test(a_machines_delay_is_the_worst_it_did_to_any_copy),
      cmocka_unit_test(the_search_finds_every_cap_in_few_rounds),
      cmocka_unit_test(a_bracket_needs_both_ends),
      cmocka_unit_test(patience_is_its_own_and_not_the_limits),
      cmocka_unit_test(an_open_breaker_is_a_start_without_a_call),
      cmocka_unit_test(probes_count_only_where_copies_share_a_breaker),
      cmocka_unit_test(a_deadline_lies_between_what_was_done_and_what_was_not),
      cmocka_unit_test(an_outcome_is_told_by_exit_code_and_text),
      cmocka_unit_test(tries_are_those_of_the_first_call),
      cmocka_unit_test(a_client_that_is_not_wired_is_told_from_one_that_fails),
  };
  return cmocka_run_group_tests_name("probe_seen", tests, NULL, NULL);
}
