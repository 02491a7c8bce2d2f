/* The log of jumps: what is asked of it, and that it can be read again. */
#include "tests/unit/unit.h"

#include "harness/vtime/jump_log.h"

#include "base/clock.h"

#include <string.h>

#define S NS_PER_S

static void add(struct jump_log *l, int64_t at_ns, int64_t length_ns,
                const char *comm, int pid)
{
  struct jump j = {.at_ns = at_ns,
                   .length_ns = length_ns,
                   .asked_ns = length_ns + 1,
                   .pid = pid,
                   .tid = pid,
                   .call = "poll"};
  snprintf(j.comm, sizeof j.comm, "%s", comm);
  jump_log_add(l, &j);
}

/* Begins at 100 s: asleep to 110, computing to 111, asleep to 131, at the
 * real rate to 134. */
static void fill(struct jump_log *l)
{
  jump_log_init(l);
  add(l, 110 * S, 10 * S, "a \"b\"", 5);
  jump_log_add_slow(l, SLOW_COMPUTING, 110 * S + S / 2, S / 2);
  jump_log_add_slow(l, SLOW_COMPUTING, 111 * S, S / 4);
  add(l, 131 * S + 1, 20 * S + 1, "a \"b\"", 5);
  jump_log_add_slow(l, SLOW_REAL_RATE, 134 * S, 3 * S);
}

static void a_stretch_has_its_parts(void **state)
{
  struct jump_log l;
  (void)state;
  fill(&l);
  assert_int_equal(l.nslow, 2); /* one between two jumps */
  struct jump_sum all = jump_log_between(&l, 0, INT64_MAX);
  assert_int_equal(all.slept_ns, 30 * S + 1);
  assert_int_equal(all.longest_ns, 20 * S + 2);
  assert_int_equal(all.computing_ns, 3 * S / 4);
  assert_int_equal(all.real_rate_ns, 3 * S);
  struct jump_sum some = jump_log_between(&l, 105 * S, 121 * S + 1);
  assert_int_equal(some.slept_ns, 5 * S + 10 * S + 1);
  assert_int_equal(some.computing_ns, 3 * S / 4);
  assert_int_equal(some.real_rate_ns, 0);
  some = jump_log_between(&l, 133 * S, 200 * S);
  assert_int_equal(some.slept_ns, 0);
  assert_int_equal(some.longest_ns, 0);
  assert_int_equal(some.real_rate_ns, 1 * S);
  jump_log_release(&l);
}

/* Behind its end nobody knows what was slept, and says so. */
static void a_log_knows_where_it_ends(void **state)
{
  struct jump_log l;
  (void)state;
  fill(&l);
  assert_true(jump_log_between(&l, 0, INT64_MAX).whole);
  l.total++;
  assert_true(jump_log_between(&l, 0, 131 * S + 1).whole);
  assert_false(jump_log_between(&l, 0, 131 * S + 2).whole);
  jump_log_release(&l);
}

/* More slow stretches than have room: their sum stays, as the kind that has
 * the wider bound. */
static void slow_stretches_without_room_are_one(void **state)
{
  struct jump_log l;
  (void)state;
  jump_log_init(&l);
  for (int i = 1; i <= JUMP_LOG_MAX + 9; i++) {
    l.total++; /* a jump between each two */
    jump_log_add_slow(&l, i > JUMP_LOG_MAX ? SLOW_REAL_RATE : SLOW_COMPUTING,
                      i * S, S);
  }
  assert_int_equal(l.nslow, JUMP_LOG_MAX);
  struct jump_sum all = jump_log_between(&l, 0, INT64_MAX);
  assert_int_equal(all.computing_ns, (JUMP_LOG_MAX - 1) * S);
  assert_int_equal(all.real_rate_ns, 10 * S);
  jump_log_release(&l);
}

/* Else a stretch would reach over a wait, and be taken for a part of it. */
static void a_jump_parts_two_stretches(void **state)
{
  struct jump_log l;
  (void)state;
  jump_log_init(&l);
  jump_log_add_slow(&l, SLOW_COMPUTING, 101 * S, 1 * S);
  add(&l, 111 * S, 10 * S, "a", 5);
  jump_log_add_slow(&l, SLOW_COMPUTING, 112 * S, 1 * S);
  jump_log_add_slow(&l, SLOW_COMPUTING, 113 * S, 0);
  assert_int_equal(l.nslow, 2);
  assert_int_equal(jump_log_between(&l, 102 * S, 110 * S).computing_ns, 0);
  jump_log_release(&l);
}

static void what_is_written_is_read_to_the_nanosecond(void **state)
{
  struct jump_log l, back;
  struct buf text, again;
  struct diag diag = {0};
  (void)state;
  fill(&l);
  l.total += 3; /* as if there had been more than are kept */
  buf_init(&text, 65536);
  buf_init(&again, 65536);
  jump_log_write(&l, 100 * S, &text);
  if (jump_log_read(&back, 100 * S, "jumps.jsonl", buf_bytes(&text), &diag) < 0)
    fail_msg("%d: %s", diag.line, diag.text);
  assert_int_equal(back.n, l.n);
  assert_int_equal(back.total, l.total);
  assert_int_equal(back.nslow, l.nslow);
  assert_true(back.jump[1].at_ns == 131 * S + 1);
  assert_string_equal(back.jump[0].comm, "a \"b\"");
  assert_true(back.slow[0].length_ns == 3 * S / 4);
  assert_true(back.slow[0].from_ns == l.slow[0].from_ns);
  struct jump_sum a = jump_log_between(&l, 105 * S, 132 * S);
  struct jump_sum b = jump_log_between(&back, 105 * S, 132 * S);
  assert_true(a.slept_ns == b.slept_ns && a.longest_ns == b.longest_ns);
  assert_true(a.computing_ns == b.computing_ns && a.whole == b.whole);
  assert_true(a.real_rate_ns == b.real_rate_ns);
  buf_release(&text);
  buf_release(&again);
  jump_log_release(&back);
  jump_log_release(&l);
}

#define GOOD "{\"at_s\":1,\"length_s\":1,\"asked_s\":1,\"pid\":1}\n"
static const struct {
  const char *id, *text, *says;
  int line;
} bad[] = {
    {"no json", GOOD "{\"at_s\":\n", "", 2},
    {"no object", "[]\n", "object", 1},
    {"unknown key", GOOD GOOD "{\"at\":1}\n", "did you mean 'at_s'", 3},
    {"a text", "{\"at_s\":\"1\",\"length_s\":1}\n", "number", 1},
    {"too large", "{\"at_s\":1e300,\"length_s\":1}\n", "", 1},
    {"negative", "{\"at_s\":-1,\"length_s\":1}\n", "", 1},
    {"no length", "{\"at_s\":1}\n", "is no jump", 1},
    {"nothing", "{}\n", "is no jump", 1},
    {"unknown slowness",
     "{\"at_s\":1,\"length_s\":1,\"from_s\":0,\"slow\":\"computin\"}\n",
     "did you mean 'computing'", 1},
    {"cut off", GOOD "{\"at_s\":1,\"len", "", 2},
};

static void a_bad_line_is_named(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(bad); i++) {
    struct jump_log l;
    struct diag diag = {0};
    if (jump_log_read(&l, 0, "j.jsonl", bytes_of(bad[i].text), &diag) == 0)
      fail_msg("%s was taken", bad[i].id);
    if (diag.line != bad[i].line || strcmp(diag.file, "j.jsonl") != 0 ||
        !strstr(diag.text, bad[i].says))
      fail_msg("%s: %s:%d: %s", bad[i].id, diag.file, diag.line, diag.text);
  }
}

static void nothing_is_an_empty_log(void **state)
{
  struct jump_log l;
  struct diag diag = {0};
  char comm[17];
  int64_t asked_ns = 5;
  (void)state;
  assert_int_equal(jump_log_read(&l, 0, "j", BYTES("\n\n"), &diag), 0);
  assert_int_equal(l.total, 0);
  assert_int_equal(jump_log_busiest(&l, comm, &asked_ns), 0);
  assert_int_equal(asked_ns, 0);
  assert_string_equal(comm, "");
  jump_log_release(&l);
}

static void the_busiest_thread_is_a_client_s(void **state)
{
  struct jump_log l;
  char comm[17];
  int64_t asked_ns = 0;
  (void)state;
  jump_log_init(&l);
  for (int i = 0; i < 9; i++)
    add(&l, i * S, 1, "-", 0); /* the server */
  for (int i = 0; i < 3; i++)
    add(&l, i * S, 1 + i, "worker", 4);
  add(&l, 50 * S, 40 * S, "main", 3);
  assert_int_equal(jump_log_busiest(&l, comm, &asked_ns), 3);
  assert_int_equal(asked_ns, 3); /* lengths 1, 2, 3, each asked for 1 more */
  assert_string_equal(comm, "worker");
  jump_log_release(&l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stretch_has_its_parts),
      cmocka_unit_test(a_log_knows_where_it_ends),
      cmocka_unit_test(slow_stretches_without_room_are_one),
      cmocka_unit_test(a_jump_parts_two_stretches),
      cmocka_unit_test(what_is_written_is_read_to_the_nanosecond),
      cmocka_unit_test(a_bad_line_is_named),
      cmocka_unit_test(nothing_is_an_empty_log),
      cmocka_unit_test(the_busiest_thread_is_a_client_s),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
