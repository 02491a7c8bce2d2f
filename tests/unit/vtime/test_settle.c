#include "tests/unit/vtime/child.h"

#include "harness/vtime/way.h"

#include <poll.h>
#include <time.h>

/*
 * The last look before a jump, by seccomp, at a client that waits: what came
 * without a word to us is held open until settle() has found it.
 */

static struct vtime_page *page;
static int page_fd, pair[2];
static struct way *way;
static struct child child;
static struct way_birth *birth;

/* getpid of a 32-bit program. */
static pid_t make_an_old_call(void)
{
  long nr = 20;
  __asm__ volatile("int $0x80" : "+a"(nr) : : "memory");
  return 1;
}

/* "f" puts the filter on; the others wait, as clients do. */
static pid_t obey(char letter)
{
  struct timespec t = {1000, 0};
  struct pollfd f = {pair[1], POLLIN, 0};
  if (letter == 'f')
    return way_seccomp.in_child(birth) == 0;
  if (letter == 'o')
    return make_an_old_call();
  if (letter == 's')
    return nanosleep(&t, NULL);
  close(pair[0]);
  return poll(&f, 1, 1000000);
}

static int begin(void **state)
{
  struct diag diag = {0};
  (void)state;
  page = vtime_page_new(-1, &page_fd, &diag);
  assert_non_null(page);
  way = way_seccomp.make(
      &(struct way_options){.page = page, .page_fd = page_fd}, &diag);
  birth = way_seccomp.bear(way, &diag);
  assert_non_null(birth);
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  child = child_start(obey);
  assert_int_equal(child_ask(&child, 'f'), 1);
  way_seccomp.await(birth);
  assert_int_equal(way_seccomp.took(way, birth), 0);
  assert_int_equal(way_seccomp.poll(way, NULL, 0), 0);
  close(pair[1]);
  return 0;
}

static int end(void **state)
{
  (void)state;
  child_end(&child);
  way_seccomp.release(way);
  vtime_page_free(page);
  close(page_fd);
  close(pair[0]);
  return 0;
}

static void wait_in(char letter, int nr)
{
  assert_int_equal(write(child.fd, &letter, 1), 1);
  await_call(child.pid, nr);
}

/* Step 5 of the rule: it came after the calls were read, and its thread is
 * asleep already. */
static void a_call_that_nobody_has_read_is_found(void **state)
{
  (void)state;
  assert_true(way_seccomp.first(way).deadline_ns == NO_DEADLINE);
  wait_in('s', SYS_clock_nanosleep);
  assert_true(way_seccomp.settle(way) > 0);
  assert_int_equal(way_seccomp.settle(way), 0);
  assert_true(way_seccomp.first(way).deadline_ns ==
              vtime_page_now_ns(page) + 1000 * NS_PER_S);
}

/* Rail 2: our copies of its descriptors would keep a connection open. */
static void the_other_side_of_who_was_killed_sees_the_end(void **state)
{
  struct pollfd f = {pair[0], POLLIN, 0};
  (void)state;
  wait_in('p', SYS_poll);
  assert_true(way_seccomp.settle(way) > 0);
  assert_int_equal(way_seccomp.settle(way), 0);
  kill(child.pid, SIGKILL);
  await_state(child.pid, 'Z');
  assert_true(way_seccomp.settle(way) > 0);
  assert_int_equal(poll(&f, 1, 0), 1);
  assert_true(way_seccomp.first(way).deadline_ns == NO_DEADLINE);
}

/* Rail 9: nobody can say what more it does. */
static void a_32_bit_program_is_lost(void **state)
{
  struct pollfd answer = {child.fd, POLLIN, 0};
  (void)state;
  assert_int_equal(write(child.fd, "o", 1), 1);
  while (poll(&answer, 1, 0) == 0)
    way_seccomp.poll(way, &answer, NS_PER_MS);
  const struct opaque_list *l = way_seccomp.seen(way);
  assert_int_equal(l->n, 1);
  assert_string_equal(l->seen[0].why, "it is a 32-bit program");
}

#define WAIT(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
  const struct CMUnitTest tests[] = {
      WAIT(a_call_that_nobody_has_read_is_found),
      WAIT(the_other_side_of_who_was_killed_sees_the_end),
      WAIT(a_32_bit_program_is_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
