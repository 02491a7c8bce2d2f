#include "tests/unit/vtime/child.h"

#include <pthread.h>

/*
 * The looks of proc.c at real processes. What must be noticed is held open
 * for as long as a look takes, or is done by a question of that very look, so
 * that nothing here depends on who is faster.
 */

struct table {
  struct proc_tree tree;
  struct seat *seats[1];
  size_t nseats;
  struct child child;
  pid_t orphan;
  bool woke, says; /* what the tree's questions did and answer */
};

static int orders[2]; /* to the one who leaves an orphan */

static void *compute(void *arg)
{
  for (;;)
    *(volatile int *)arg = 1;
  return NULL;
}

/* Nobody is left over, whatever fails. */
static void end_with(pid_t parent)
{
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(0);
}

/* Its child writes down its number and is without it at once. */
static void leave_an_orphan(void)
{
  static int busy;
  char c;
  if (read(orders[0], &c, 1) != 1 || fork() != 0)
    _exit(0);
  pid_t pid = getpid();
  if (write(orders[0], &pid, sizeof pid) == sizeof pid)
    compute(&busy);
}

/* "r" runs and does nothing else; "p" begins a process that computes, "t" a
 * thread; "z" leaves a zombie; "o" has a child that can leave an orphan. */
static pid_t obey(char letter)
{
  static int busy;
  pthread_t t;
  pid_t self = getpid();
  if (letter == 't')
    return pthread_create(&t, NULL, compute, &busy);
  if (letter == 'o')
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t pid = letter == 'r' ? 1 : fork();
  if (pid == 0)
    end_with(self);
  if (pid == 0 && letter == 'p')
    compute(&busy);
  if (pid == 0 && letter == 'o')
    leave_an_orphan();
  if (pid == 0)
    _exit(0);
  return pid;
}

static int begin(void **state)
{
  static struct table t;
  t = (struct table){.nseats = 0};
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, orders), 0);
  t.child = child_start(obey);
  await_call(t.child.pid, SYS_read);
  proc_tree_init(&t.tree, t.seats, &t.nseats);
  t.tree.arg = &t;
  *state = &t;
  return 0;
}

static int end(void **state)
{
  struct table *t = *state;
  if (t->orphan > 0)
    kill(t->orphan, SIGKILL);
  child_end(&t->child);
  proc_tree_release(&t->tree);
  close(orders[0]);
  close(orders[1]);
  return 0;
}

/* The first looks learn who is there. */
enum { LOOKS = 100 };

static enum rule_word look_until(struct table *t, enum rule_word want)
{
  enum rule_word word = RULE_CHANGED;
  for (int i = 0; i < LOOKS && word != want; i++)
    word = proc_tree_look(&t->tree).word;
  return word;
}

static enum rule_word look(struct table *t)
{
  return proc_tree_look(&t->tree).word;
}

static void who_computes_is_busy(void **state)
{
  struct table *t = *state;
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
  child_ask(&t->child, 'p');
  assert_int_not_equal(look_until(t, RULE_QUIET), RULE_QUIET);
}

/* Between the two passes. */
static void wake(void *arg)
{
  struct table *t = arg;
  if (t->says)
    child_ask(&t->child, 'r');
  t->woke |= t->says;
  t->says = false;
}

static void who_ran_between_two_passes_is_noticed(void **state)
{
  struct table *t = *state;
  t->tree.at_instant = wake;
  t->tree.instant_arg = t;
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
  t->says = true;
  assert_int_equal(look(t), RULE_CHANGED);
  assert_true(t->woke);
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
}

static int64_t slept_at(const struct table *t)
{
  int pid = t->child.pid;
  return proc_find_thread(proc_tree_find(&t->tree, pid), pid)->slept_at;
}

/* Its sleep is another one, though each look found it asleep. */
static void a_sleep_is_that_of_its_count(void **state)
{
  struct table *t = *state;
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
  int64_t before = slept_at(t);
  assert_true(before >= 0);
  assert_int_equal(look(t), RULE_QUIET);
  assert_true(slept_at(t) == before);
  child_ask(&t->child, 'r');
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
  assert_true(slept_at(t) > before);
}

/* One look has to do: after it the newcomer would be known. */
static void a_new_process_is_noticed(void **state)
{
  struct table *t = *state;
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
  child_ask(&t->child, 'p');
  assert_int_equal(look(t), RULE_CHANGED);
}

static void a_new_thread_is_noticed(void **state)
{
  struct table *t = *state;
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
  assert_int_equal(child_ask(&t->child, 't'), 0);
  assert_int_equal(look(t), RULE_CHANGED);
}

/* It comes to a process that has not run since. */
static void an_orphan_is_noticed(void **state)
{
  struct table *t = *state;
  pid_t pid = child_ask(&t->child, 'o');
  await_call(pid, SYS_read);
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
  assert_int_equal(write(orders[1], "x", 1), 1);
  assert_int_equal(read(orders[1], &t->orphan, sizeof t->orphan),
                   sizeof t->orphan);
  await_state(pid, 'Z');
  assert_int_equal(look(t), RULE_CHANGED);
}

/* ---- who is asleep ---- */

static bool say(void *arg)
{
  return ((const struct table *)arg)->says;
}

static bool is_held(void *arg, int tid)
{
  return say(arg) && tid > 0;
}

static bool is_opaque(void *arg, int pid, const struct proc_thread *thread)
{
  return say(arg) && pid > 0 && thread;
}

/* Rail 2: our own table says that it waits, but it was killed. */
static void who_runs_is_not_asleep_though_we_hold_its_call(void **state)
{
  struct table *t = *state;
  t->tree.held = is_held;
  t->says = true;
  child_ask(&t->child, 'p');
  assert_int_not_equal(look_until(t, RULE_QUIET), RULE_QUIET);
}

static void a_zombie_keeps_nobody(void **state)
{
  struct table *t = *state;
  await_state(child_ask(&t->child, 'z'), 'Z');
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
}

static void who_is_stopped_waits_for_nothing(void **state)
{
  struct table *t = *state;
  t->tree.opaque = is_opaque;
  t->says = true;
  assert_int_equal(look_until(t, RULE_OPAQUE), RULE_OPAQUE);
  kill(t->child.pid, SIGSTOP);
  await_state(t->child.pid, 'T');
  assert_int_equal(look_until(t, RULE_QUIET), RULE_QUIET);
}

/* ---- our own threads ---- */

static int own[2];

static void *sleep_in_read(void *arg)
{
  struct seat *s = arg;
  char c;
  s->tid = gettid();
  return read(own[0], &c, 1) == 1 ? NULL : arg;
}

/* Rail 10: asleep for a moment, between two pieces of output. */
static void our_own_thread_runs_as_long_as_it_says_so(void **state)
{
  struct table *t = *state;
  struct seat s = {.tid = 0, .state = SEAT_RUNS};
  pthread_t thread;
  void *failed;
  assert_int_equal(pipe(own), 0);
  pthread_create(&thread, NULL, sleep_in_read, &s);
  while (!*(volatile int *)&s.tid)
    continue;
  await_call(s.tid, SYS_read);
  t->seats[0] = &s;
  t->nseats = 1;
  enum rule_word runs = look_until(t, RULE_QUIET);
  s.state = SEAT_WAITS;
  enum rule_word waits = look_until(t, RULE_QUIET);
  assert_int_equal(write(own[1], "x", 1), 1);
  pthread_join(thread, &failed);
  close(own[0]);
  close(own[1]);
  assert_int_equal(runs, RULE_BUSY);
  assert_int_equal(waits, RULE_QUIET);
  assert_null(failed);
}

#define LOOK(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
  const struct CMUnitTest tests[] = {
      LOOK(who_computes_is_busy),
      LOOK(who_ran_between_two_passes_is_noticed),
      LOOK(a_sleep_is_that_of_its_count),
      LOOK(a_new_process_is_noticed),
      LOOK(a_new_thread_is_noticed),
      LOOK(an_orphan_is_noticed),
      LOOK(who_runs_is_not_asleep_though_we_hold_its_call),
      LOOK(a_zombie_keeps_nobody),
      LOOK(who_is_stopped_waits_for_nothing),
      LOOK(our_own_thread_runs_as_long_as_it_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
