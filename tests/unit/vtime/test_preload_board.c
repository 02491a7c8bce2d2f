/* What the coordinator reads out of the board, on boards made by hand. */
#include "tests/unit/unit.h"

#include "harness/vtime/preload/preload.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No thread has such a number (proc(5), pid_max). */
enum { NOBODY = 1 << 23 };

struct made {
  struct preload p;
  struct board board;
  struct vtime_page page;
};

static struct made *make(void)
{
  struct made *m = mem_zalloc(sizeof *m);
  m->p.page = &m->page;
  m->p.board = &m->board;
  return m;
}

static struct board_slot *add(struct made *m, int tid, int64_t deadline_ns)
{
  struct board_slot *s = &m->board.slot[m->board.high++];
  *s = (struct board_slot){.state = SLOT_WAITS,
                           .entered = 7,
                           .pid = tid,
                           .tid = tid,
                           .how = SLOT_BY_WORD,
                           .nr = SYS_futex,
                           .deadline_ns = deadline_ns,
                           .asked_ns = deadline_ns};
  return s;
}

static void the_earliest_deadline_is_the_next(void **state)
{
  struct made *m = make();
  (void)state;
  add(m, getpid(), 300);
  add(m, getpid(), 200);
  add(m, getpid(), NO_DEADLINE);
  struct way_next n = preload_next_slot(&m->p);
  assert_int_equal(n.deadline_ns, 200);
  assert_int_equal(n.tid, getpid());
  assert_string_equal(n.call, "futex");
  free(m);
}

static void a_thread_that_has_gone_has_no_deadline(void **state)
{
  struct made *m = make();
  (void)state;
  const struct board_slot *gone = add(m, NOBODY, 100);
  add(m, getpid(), 200);
  assert_int_equal(preload_next_slot(&m->p).deadline_ns, 200);
  assert_int_equal(gone->state, SLOT_FREE);
  free(m);
}

static void a_wait_left_behind_has_no_deadline(void **state)
{
  struct made *m = make();
  (void)state;
  struct board_slot *s = add(m, getpid(), 100);
  m->p.seen[0].stale = s->entered;
  assert_int_equal(preload_next_slot(&m->p).deadline_ns, NO_DEADLINE);
  s->entered++; /* the thread waits anew */
  assert_int_equal(preload_next_slot(&m->p).deadline_ns, 100);
  free(m);
}

static void what_is_due_is_woken_and_not_quiet(void **state)
{
  struct made *m = make();
  (void)state;
  const struct board_slot *due = add(m, getpid(), 100);
  const struct board_slot *later = add(m, getpid(), 5000);
  m->page.base_ns = 1000;
  assert_int_equal(preload_woken(&m->p), 0);
  preload_wake_due(&m->p);
  assert_int_equal(due->state, SLOT_WOKEN);
  assert_int_equal(due->word, 1);
  assert_int_equal(later->state, SLOT_WAITS);
  assert_int_equal(preload_woken(&m->p), 1);
  free(m);
}

static void slots_of_threads_that_have_gone_are_swept(void **state)
{
  struct made *m = make();
  (void)state;
  const struct board_slot *here = add(m, getpid(), 100);
  struct board_slot *gone = add(m, NOBODY, NO_DEADLINE);
  gone->state = SLOT_RUNS;
  preload_sweep(&m->p);
  preload_sweep(&m->p);
  assert_int_equal(here->state, SLOT_WAITS);
  assert_int_equal(gone->state, SLOT_FREE);
  free(m);
}

static void a_slot_that_is_being_taken_is_nobodys(void **state)
{
  struct made *m = make();
  (void)state;
  struct board_slot *taken = add(m, NOBODY, 100); /* of the one before */
  taken->state = SLOT_TAKEN;
  preload_sweep(&m->p);
  m->board.crowded = 1;
  preload_make_room(&m->p);
  assert_int_equal(taken->state, SLOT_TAKEN);
  assert_null(preload_slot(&m->p, NOBODY, NOBODY));
  assert_int_equal(preload_next_slot(&m->p).deadline_ns, NO_DEADLINE);
  free(m);
}

static void a_crowded_board_is_swept_at_once(void **state)
{
  struct made *m = make();
  (void)state;
  const struct board_slot *gone[2] = {add(m, NOBODY, 100), add(m, NOBODY, 200)};
  const struct board_slot *here = add(m, getpid(), 300);
  preload_make_room(&m->p);
  assert_int_equal(gone[0]->state, SLOT_WAITS); /* nobody asked */
  m->board.crowded = 1;
  preload_make_room(&m->p);
  assert_int_equal(gone[0]->state, SLOT_FREE);
  assert_int_equal(gone[1]->state, SLOT_FREE);
  assert_int_equal(here->state, SLOT_WAITS);
  assert_int_equal(m->board.crowded, 0);
  free(m);
}

static void a_timer_that_is_being_written_is_left_alone(void **state)
{
  struct made *m = make();
  struct way_next n = {.deadline_ns = NO_DEADLINE};
  (void)state;
  struct board_timer *t = &m->board.timer[0];
  t->pid = NOBODY; /* of the one before */
  t->deadline_ns = 100;
  t->state = TIMER_BUSY;
  m->page.base_ns = 1000;
  preload_offer_timers(&m->p, &n);
  preload_fire_due(&m->p);
  assert_int_equal(t->state, TIMER_BUSY);
  assert_int_equal(n.deadline_ns, NO_DEADLINE);
  free(m);
}

static void a_timer_repeats_at_its_interval(void **state)
{
  struct made *m = make();
  struct way_next n = {.deadline_ns = NO_DEADLINE};
  (void)state;
  struct board_timer *t = &m->board.timer[3];
  t->kind = TIMER_POSIX; /* without a signal */
  t->pid = getpid();
  t->deadline_ns = 1000;
  t->interval_ns = 400;
  t->state = TIMER_ON;
  m->page.base_ns = 1900; /* late by two intervals and more */
  preload_fire_due(&m->p);
  assert_int_equal(t->deadline_ns, 2200);
  assert_int_equal(t->state, TIMER_ON);
  preload_offer_timers(&m->p, &n);
  assert_int_equal(n.deadline_ns, 2200);
  t->interval_ns = 0;
  m->page.base_ns = 2200;
  preload_fire_due(&m->p);
  assert_int_equal(t->state, TIMER_OFF);
  free(m);
}

static void the_timers_of_a_process_that_has_gone_are_no_deadlines(void **state)
{
  struct made *m = make();
  struct way_next n = {.deadline_ns = NO_DEADLINE};
  (void)state;
  m->board.timer[0].pid = NOBODY;
  m->board.timer[0].deadline_ns = 100;
  m->board.timer[0].state = TIMER_ON;
  preload_offer_timers(&m->p, &n);
  assert_int_equal(n.deadline_ns, NO_DEADLINE);
  assert_int_equal(m->board.timer[0].state, TIMER_FREE);
  free(m);
}

static void a_slot_means_its_own_call_alone(void **state)
{
  (void)state;
  assert_true(preload_means(SYS_ppoll, SYS_ppoll));
  assert_true(preload_means(SYS_ppoll, SYS_restart_syscall));
  assert_false(preload_means(SYS_ppoll, SYS_read));
}

static const struct {
  const char *id, *why;
  const char *in[4], *out[5];
} environments[] = {
    {"empty",
     "the two variables",
     {NULL},
     {"LD_PRELOAD=/o.so", "FAULTWIRE_CLOCK=/proc/1/fd/2", NULL}},
    {"others stay",
     "in their order",
     {"A=1", "LD_PRELOADED=x", NULL},
     {"A=1", "LD_PRELOADED=x", "LD_PRELOAD=/o.so",
      "FAULTWIRE_CLOCK=/proc/1/fd/2", NULL}},
    {"theirs too",
     "what somebody else loads stays, behind ours",
     {"LD_PRELOAD=/a.so:/b.so", "A=1", NULL},
     {"A=1", "LD_PRELOAD=/o.so:/a.so:/b.so", "FAULTWIRE_CLOCK=/proc/1/fd/2",
      NULL}},
    {"one of another run",
     "a run inside of a run has its own clock",
     {"FAULTWIRE_CLOCK=/proc/9/fd/9", "LD_PRELOAD=", NULL},
     {"LD_PRELOAD=/o.so", "FAULTWIRE_CLOCK=/proc/1/fd/2", NULL}},
};

static void the_environment_gets_two_variables(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(environments); i++) {
    char *in[4];
    size_t n = 0;
    memcpy(in, environments[i].in, sizeof in);
    char **out = preload_environment("/o.so", "/proc/1/fd/2", in);
    print_message("%s: %s\n", environments[i].id, environments[i].why);
    for (; environments[i].out[n]; n++)
      assert_string_equal(out[n], environments[i].out[n]);
    assert_null(out[n]);
    free(out);
  }
}

static void the_object_lies_beside_the_program(void **state)
{
  struct diag diag = {0};
  (void)state;
  char *path = preload_object(&diag);
  assert_non_null(path);
  assert_string_equal(path, BUILD_DIR "/" BOARD_OBJECT);
  free(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_earliest_deadline_is_the_next),
      cmocka_unit_test(a_thread_that_has_gone_has_no_deadline),
      cmocka_unit_test(a_wait_left_behind_has_no_deadline),
      cmocka_unit_test(what_is_due_is_woken_and_not_quiet),
      cmocka_unit_test(slots_of_threads_that_have_gone_are_swept),
      cmocka_unit_test(a_slot_that_is_being_taken_is_nobodys),
      cmocka_unit_test(a_crowded_board_is_swept_at_once),
      cmocka_unit_test(a_timer_that_is_being_written_is_left_alone),
      cmocka_unit_test(a_timer_repeats_at_its_interval),
      cmocka_unit_test(the_timers_of_a_process_that_has_gone_are_no_deadlines),
      cmocka_unit_test(a_slot_means_its_own_call_alone),
      cmocka_unit_test(the_environment_gets_two_variables),
      cmocka_unit_test(the_object_lies_beside_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
