#include "tests/unit/unit.h"

#include "harness/vtime/rule.h"

#include <string.h>

/* Two threads of a client and one of ours, all asleep. */
enum { NTHREADS = 3, OURS = 2 };
static const struct rule_thread sleepers[NTHREADS] = {
    {10, 10, 'S', 5, false, false, false},
    {10, 11, 'S', 7, false, false, false},
    {1, 1, 'S', 9, true, false, false}};

/* What is different in a pass; 0: as above. */
struct change {
  int thread;
  char state;
  int64_t switches;
  int tid;
  bool runs, opaque;
};

static void apply(struct rule_thread *t, const struct change *c)
{
  t += c->thread;
  t->state = c->state ? c->state : t->state;
  t->switches = c->switches ? c->switches : t->switches;
  t->tid = c->tid ? c->tid : t->tid;
  t->runs = c->runs;
  t->opaque = c->opaque;
}

struct row {
  const char *id, *why;
  struct change first, last;
  bool other_epoch, fewer, news;
  enum rule_word want;
};

static enum rule_word word_of(const struct row *r)
{
  struct rule_thread first[NTHREADS], last[NTHREADS];
  struct rule_pass a = {first, NTHREADS, 1};
  struct rule_pass b = {last, NTHREADS - r->fewer, 1 + r->other_epoch};
  memcpy(first, sleepers, sizeof first);
  memcpy(last, sleepers, sizeof last);
  apply(first, &r->first);
  apply(last, &r->last);
  return rule_quiet(&a, !r->news, &b).word;
}

static void a_tree_is_quiet_only_when_nothing_says_otherwise(void **state)
{
  static const struct row rows[] = {
      {"asleep", "all of it", .want = RULE_QUIET},
      {"runs", "first pass", {1, .state = 'R'}, .want = RULE_BUSY},
      {"disk", "it will go on by itself", {0, .state = 'D'}, .want = RULE_BUSY},
      {"idle",
       "what is unknown is not asleep",
       {0, .state = 'I'},
       .want = RULE_BUSY},
      {"zombie",
       "does nothing any more",
       {1, .state = 'Z'},
       {1, .state = 'Z'},
       .want = RULE_QUIET},
      {"stopped",
       "SIGSTOP",
       {1, .state = 'T'},
       {1, .state = 'T'},
       .want = RULE_QUIET},
      {"woken", "rail 1: its count is still the old one",
       .last = {0, .state = 'R'}, .want = RULE_CHANGED},
      {"ran", "rail 1: it sleeps again, the count tells",
       .last = {0, .switches = 6}, .want = RULE_CHANGED},
      {"killed",
       "rail 2: a registered wait that SIGKILL ended",
       {OURS, .state = 'R'},
       .want = RULE_BUSY},
      {"became a zombie", "rail 3: nothing comes from it",
       .last = {1, .state = 'Z'}, .want = RULE_QUIET},
      {"gone", "between the passes", .last = {0, .state = 'X', .switches = -1},
       .want = RULE_CHANGED},
      {"fewer", "threads went", .fewer = true, .want = RULE_CHANGED},
      {"other", "another thread in its place", .last = {1, .tid = 12},
       .want = RULE_CHANGED},
      {"news", "a process the lists did not have", .news = true,
       .want = RULE_CHANGED},
      {"epoch", "our thread waited anew", .other_epoch = true,
       .want = RULE_CHANGED},
      {"ours runs",
       "asleep by /proc, but in another call",
       {OURS, .runs = true},
       .want = RULE_BUSY},
      {"ours woken", "we woke it after the first pass",
       .last = {OURS, .runs = true}, .want = RULE_CHANGED},
      {"opaque", "a wait nobody emulates", .last = {1, .opaque = true},
       .want = RULE_OPAQUE},
      {"opaque and busy",
       "busy is stronger",
       {0, .state = 'R'},
       {1, .opaque = true},
       .want = RULE_BUSY},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    print_message("%s: %s\n", rows[i].id, rows[i].why);
    assert_int_equal(word_of(&rows[i]), rows[i].want);
  }
}

static void a_fingerprint_changes_with_each_count_and_the_epoch(void **state)
{
  struct rule_thread t[NTHREADS];
  struct rule_pass p = {t, NTHREADS, 3};
  memcpy(t, sleepers, sizeof t);
  uint64_t before = rule_fingerprint(&p);
  (void)state;
  assert_true(rule_fingerprint(&p) == before);
  t[1].switches++;
  assert_false(rule_fingerprint(&p) == before);
  t[1].switches--;
  p.epoch++;
  assert_false(rule_fingerprint(&p) == before);
}

static void jumps_go_forward_and_not_too_far(void **state)
{
  static const struct {
    const char *id;
    struct rule_jump j;
    enum rule_jump_word want;
  } rows[] = {
      {"ahead", {100, 200, 1000}, RULE_GO},
      {"largest", {100, 1100, 1000}, RULE_GO},
      {"too far", {100, 1101, 1000}, RULE_TOO_FAR},
      {"now", {100, 100, 1000}, RULE_NOT_YET},
      {"past", {100, 99, 1000}, RULE_NOT_YET},
      {"none", {100, NO_DEADLINE, 1000}, RULE_NONE},
      {"overflow", {100, NO_DEADLINE - 1, 1000}, RULE_TOO_FAR},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    print_message("%s\n", rows[i].id);
    assert_int_equal(rule_jump(&rows[i].j), rows[i].want);
  }
}

static void time_creeps_only_after_two_seconds_of_cpu(void **state)
{
  struct rule_creep c = {0};
  (void)state;
  assert_int_equal(rule_creep(&c, NS_PER_S, 1, 0), 0);
  assert_int_equal(rule_creep(&c, NS_PER_S, 1, 0), 0);
  assert_int_equal(rule_creep(&c, 5 * NS_PER_MS, 1, 0), 5 * NS_PER_MS);
  assert_int_equal(rule_creep(&c, 7 * NS_PER_MS, 1, 0), 7 * NS_PER_MS);
  assert_int_equal(rule_creep(&c, 0, 0, 0), 0);
}

static void three_programs_that_start_together_count_as_one(void **state)
{
  struct rule_creep c = {0};
  (void)state;
  assert_int_equal(rule_creep(&c, 5 * NS_PER_S, 3, 0), 0);
  assert_int_equal(rule_creep(&c, 3 * NS_PER_S, 3, 0),
                   5 * NS_PER_S / 3 + NS_PER_S - RULE_CREEP_AFTER_NS);
}

static void nobody_waits_so_time_creeps_after_ten_seconds(void **state)
{
  struct rule_creep c = {0};
  (void)state;
  assert_int_equal(rule_creep(&c, 9 * NS_PER_S, 1, NO_DEADLINE), 0);
  /* somebody waits now: from here on, not for what was before */
  assert_int_equal(rule_creep(&c, NS_PER_MS, 1, 0), NS_PER_MS);
  assert_int_equal(rule_creep(&c, 2 * NS_PER_S, 1, NO_DEADLINE),
                   NS_PER_S + NS_PER_MS);
}

/* It is looked at late, and the wait was of 1 ms. */
static void time_creeps_to_the_end_of_the_wait_and_no_further(void **state)
{
  struct rule_creep c = {0};
  (void)state;
  assert_int_equal(rule_creep(&c, 3 * NS_PER_S, 1, NS_PER_MS), NS_PER_MS);
  assert_int_equal(rule_creep(&c, NS_PER_MS / 2, 1, NS_PER_MS), NS_PER_MS / 2);
  /* one that ends later than anybody could mean, after ten seconds */
  assert_int_equal(rule_creep(&c, NS_PER_S, 1, NS_PER_S), 0);
  assert_int_equal(rule_creep(&c, 10 * NS_PER_S, 1, NS_PER_S), NS_PER_S);
}

static void a_busy_wait_on_the_clock_raises_the_tick(void **state)
{
  (void)state;
  static const struct {
    const char *id;
    int64_t tick_ns, reads, cpu_ns, want_ns;
  } rows[] = {
      {"a few", 1000, RULE_TICK_READS, 0, 1000},
      {"a busy wait", 1000, RULE_TICK_READS + 1, 20 * NS_PER_MS, 4000},
      {"to the largest", NS_PER_MS / 2, 7200000, NS_PER_S, RULE_TICK_MAX_NS},
      {"no further", RULE_TICK_MAX_NS, 3600000, NS_PER_S, RULE_TICK_MAX_NS},
      {"sixty programs start, seen once a second", 1000, 60000, 2 * NS_PER_S,
       1000},
      {"one read a microsecond", 1000, 40000, 40 * NS_PER_MS, 1000},
      {"and one more", 1000, 40001, 40 * NS_PER_MS, 4000}};
  for (size_t i = 0; i < COUNT(rows); i++)
    if (rule_tick(rows[i].tick_ns, rows[i].reads * rows[i].tick_ns,
                  rows[i].cpu_ns) != rows[i].want_ns)
      fail_msg("%s", rows[i].id);
}

static void only_long_waits_of_housekeepers_may_be_late(void **state)
{
  (void)state;
  static const char *const more[] = {"ticker", "a name cut at fifteen", NULL};
  assert_int_equal(rule_slack(NULL, "VM Periodic Tas", 50 * NS_PER_MS),
                   RULE_SLACK_NS);
  assert_int_equal(rule_slack(NULL, "VM Thread", 10 * NS_PER_MS),
                   0); /* rail 4 */
  assert_int_equal(rule_slack(more, "java", 50 * NS_PER_MS), 0);
  assert_int_equal(rule_slack(more, "ticker", 50 * NS_PER_MS), RULE_SLACK_NS);
  assert_int_equal(rule_slack(more, "ticker", 10 * NS_PER_MS), 0);
  assert_true(rule_is_housekeeping(NULL, "VM Thread"));
  assert_true(rule_is_housekeeping(more, "VM Thread"));
  assert_true(rule_is_housekeeping(more, "a name cut at f"));
  assert_false(rule_is_housekeeping(NULL, "ticker"));
  assert_false(rule_is_housekeeping(more, "tickers"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tree_is_quiet_only_when_nothing_says_otherwise),
      cmocka_unit_test(a_fingerprint_changes_with_each_count_and_the_epoch),
      cmocka_unit_test(jumps_go_forward_and_not_too_far),
      cmocka_unit_test(time_creeps_only_after_two_seconds_of_cpu),
      cmocka_unit_test(three_programs_that_start_together_count_as_one),
      cmocka_unit_test(nobody_waits_so_time_creeps_after_ten_seconds),
      cmocka_unit_test(time_creeps_to_the_end_of_the_wait_and_no_further),
      cmocka_unit_test(a_busy_wait_on_the_clock_raises_the_tick),
      cmocka_unit_test(only_long_waits_of_housekeepers_may_be_late),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
