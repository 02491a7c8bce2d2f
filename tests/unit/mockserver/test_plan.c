#include "mockserver/plan.h"
#include "tests/unit/unit.h"

static void neighbouring_sends_are_one_segment(void **state)
{
  (void)state;
  struct plan p;
  plan_init(&p);
  plan_send(&p, BYTES("one "));
  plan_send(&p, BYTES("two"));
  plan_send(&p, BYTES(""));
  assert_int_equal(p.nops, 1);
  assert_int_equal(p.ops[0].kind, OP_SEND);
  assert_int_equal(p.ops[0].n, 7);
  plan_segment(&p);
  plan_send(&p, BYTES("three"));
  plan_mark(&p, MARK_HEAD);
  plan_send(&p, BYTES("four"));
  plan_delay(&p, 5);
  plan_send(&p, BYTES("five"));
  static const enum op_kind kinds[] = {OP_SEND, OP_SEND,  OP_MARK,
                                       OP_SEND, OP_DELAY, OP_SEND};
  assert_int_equal(p.nops, COUNT(kinds));
  for (size_t i = 0; i < COUNT(kinds); i++)
    assert_int_equal(p.ops[i].kind, kinds[i]);
  assert_memory_equal(p.bytes.p + p.ops[1].at, "three", 5);
  assert_memory_equal(p.bytes.p + p.ops[5].at, "five", 4);
  plan_release(&p);
}

static void delays_add_up_while_the_plan_is_built(void **state)
{
  (void)state;
  struct plan p;
  plan_init(&p);
  assert_int_equal(p.elapsed_ns, 0);
  plan_delay(&p, 7);
  plan_delay(&p, 0);
  assert_int_equal(p.nops, 1);
  plan_drip(&p, BYTES("0123456789"), 4, 100); /* two waits, three pieces */
  assert_int_equal(p.elapsed_ns, 207);
  plan_drip(&p, BYTES("01234567"), 4, 100);
  assert_int_equal(p.elapsed_ns, 307);
  plan_drip(&p, BYTES(""), 4, 100);
  assert_int_equal(p.elapsed_ns, 307);
  plan_release(&p);
}

static int freed;

static void count_free(void *arg)
{
  (void)arg;
  freed++;
}

static bool nothing(void *arg, uint64_t i, struct buf *out)
{
  (void)arg;
  (void)i;
  (void)out;
  return false;
}

static void arguments_are_freed_once(void **state)
{
  (void)state;
  struct plan p;
  plan_init(&p);
  freed = 0;
  plan_generate(&p, nothing, &p, count_free, 0, EVENT_CONTENT);
  plan_reset(&p);
  assert_int_equal(freed, 1);
  plan_generate(&p, nothing, &p, count_free, 0, EVENT_CONTENT);
  plan_release(&p);
  assert_int_equal(freed, 2);
  plan_release(&p);
  assert_int_equal(freed, 2);
}

static void a_plan_that_was_reset_is_as_new(void **state)
{
  (void)state;
  struct plan p;
  plan_init(&p);
  plan_send(&p, BYTES("old"));
  plan_delay(&p, 9);
  plan_segment(&p);
  p.early = true;
  plan_reset(&p);
  assert_int_equal(p.nops, 0);
  assert_int_equal(p.bytes.n, 0);
  assert_int_equal(p.elapsed_ns, 0);
  assert_false(p.early);
  plan_send(&p, BYTES("a"));
  plan_send(&p, BYTES("b"));
  assert_int_equal(p.nops, 1);
  assert_string_equal(buf_str(&p.bytes), "ab");
  plan_release(&p);
}

static void bytes_over_the_ceiling_are_left_out(void **state)
{
  (void)state;
  struct plan p;
  plan_init(&p);
  p.bytes.max = 10;
  plan_send(&p, BYTES("0123456789"));
  plan_send(&p, BYTES("x"));
  plan_drip(&p, BYTES("y"), 1, 1);
  assert_int_equal(p.nops, 1);
  assert_int_equal(p.ops[0].n, 10);
  assert_true(p.bytes.full);
  plan_release(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbouring_sends_are_one_segment),
      cmocka_unit_test(delays_add_up_while_the_plan_is_built),
      cmocka_unit_test(arguments_are_freed_once),
      cmocka_unit_test(a_plan_that_was_reset_is_as_new),
      cmocka_unit_test(bytes_over_the_ceiling_are_left_out),
  };
  return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
