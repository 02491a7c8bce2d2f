#include "tests/unit/vtime/child.h"

#include "harness/vtime/coordinator.h"
#include "tests/unit/vtime/loopback.h"

#include <netinet/tcp.h>
#include <string.h>
#include <time.h>

/*
 * Steps of the coordinator with a way of having clients that says what a test
 * wants it to say. A step is whole when it returns, so that what does not
 * happen is known by a count of steps, and not by waiting for it.
 */

struct fake {
  struct way way;
  struct way_next next;
  int64_t floor_ns;
  bool opaque;
  int settles, dues;
};

static struct fake *of(struct way *w)
{
  return (struct fake *)(void *)w;
}

static size_t poll_nothing(struct way *w, struct pollfd *own, int64_t real_ns)
{
  (void)w;
  (void)own;
  (void)real_ns; /* the next step comes at once */
  return 0;
}

static size_t settle(struct way *w)
{
  of(w)->settles++;
  return 0;
}

static struct way_next first(struct way *w)
{
  return of(w)->next;
}

static void due(struct way *w)
{
  of(w)->dues++;
}

static int64_t floor_of(struct way *w, int64_t real_ns)
{
  return real_ns > 0 ? of(w)->floor_ns : 0;
}

static bool is_opaque(void *arg, int pid, const struct proc_thread *t)
{
  return of(arg)->opaque && pid > 0 && t;
}

static void note_opaque(struct way *w, int pid, int tid)
{
  assert_true(of(w)->opaque && pid > 0 && tid > 0);
}

static void count(const struct way *w, struct way_counts *ret)
{
  (void)w;
  *ret = (struct way_counts){.held = 1}; /* nobody begins to wait */
}

static const struct way_kind fake_kind = {.name = "fake",
                                          .poll = poll_nothing,
                                          .settle = settle,
                                          .first = first,
                                          .due = due,
                                          .floor = floor_of,
                                          .opaque = is_opaque,
                                          .note_opaque = note_opaque,
                                          .count = count};

static struct fake fake;
static struct coordinator c;
static struct vtime_page *page;

static void begin_with(const struct coordinator_options *o)
{
  struct diag diag = {0};
  int fd;
  page = vtime_page_new(-1, &fd, &diag);
  assert_non_null(page);
  close(fd);
  fake = (struct fake){.way = {&fake_kind},
                       .next = {.deadline_ns = NO_DEADLINE, .call = "fake"}};
  c = (struct coordinator){.nseats = 0};
  coordinator_init(&c, page, &fake.way, o);
}

static int end(void **state)
{
  (void)state;
  coordinator_release(&c);
  vtime_page_free(page);
  return 0;
}

static int64_t now(void)
{
  return vtime_page_now_ns(page);
}

static void step(int n)
{
  while (n-- > 0)
    coordinator_step(&c, NULL);
}

/* The first looks learn who is there. */
enum { SOME = 20 };

/* ---- the jump ---- */

static void a_jump_is_made_and_told(void **state)
{
  int64_t end_ns;
  (void)state;
  begin_with(&(struct coordinator_options){0});
  end_ns = now() + 3600 * NS_PER_S;
  fake.next = (struct way_next){end_ns, 7 * NS_PER_S, 0, 0, "nanosleep"};
  step(SOME);
  assert_true(now() == end_ns);
  assert_int_equal(c.jumps.total, 1);
  assert_true(c.jumps.jump[0].length_ns == 3600 * NS_PER_S);
  assert_true(c.jumps.jump[0].asked_ns == 7 * NS_PER_S);
  assert_string_equal(c.jumps.jump[0].call, "nanosleep");
  assert_true(fake.settles > 0 && fake.dues > 0);
}

static void a_jump_of_24_hours_is_the_largest(void **state)
{
  int64_t day = 24 * 3600 * NS_PER_S, begin_ns;
  (void)state;
  begin_with(&(struct coordinator_options){0});
  begin_ns = now();
  fake.next = (struct way_next){begin_ns + day + 1, 0, 7, 7, "nanosleep"};
  step(SOME);
  assert_true(now() == begin_ns);
  fake.next.deadline_ns = begin_ns + day;
  step(SOME);
  assert_true(now() == begin_ns + day);
}

/* ---- rail 5 ---- */

/* Held back by a cork, for 200 ms at most (tcp(7)). */
static void hold_a_byte(int fd)
{
  int one = 1;
  assert_int_equal(setsockopt(fd, IPPROTO_TCP, TCP_CORK, &one, sizeof one), 0);
  assert_int_equal(write(fd, "x", 1), 1);
}

static bool has_arrived(int fd)
{
  char b;
  return recv(fd, &b, 1, MSG_DONTWAIT | MSG_PEEK) == 1;
}

/* How far time went while the kernel held a byte: a step that began before
 * it arrived counts, and only when it has not arrived after the step
 * either. */
static int64_t jumped_with_bytes_held(bool own_server)
{
  int64_t begin_ns = now(), went = 0;
  int fd[2];
  bool counted = false;
  while (!counted) {
    c.port = connect_pair(fd);
    c.own_server = own_server;
    c.bytes.nown = -1; /* our connections are looked for anew */
    fake.next.deadline_ns = NO_DEADLINE;
    step(SOME);
    hold_a_byte(fd[0]);
    begin_ns = now();
    fake.next.deadline_ns = begin_ns + 300 * NS_PER_S;
    step(1);
    went = now() - begin_ns;
    counted = !has_arrived(fd[1]);
    close(fd[0]);
    close(fd[1]);
  }
  return went;
}

static void bytes_in_the_kernel_hold_a_long_jump(void **state)
{
  (void)state;
  begin_with(&(struct coordinator_options){0});
  assert_true(jumped_with_bytes_held(false) == 0);
  assert_true(jumped_with_bytes_held(true) == 0);
  assert_true(c.counts.held >= 2);
  c.port = 0; /* it would have been made */
  step(SOME);
  assert_true(now() == fake.next.deadline_ns);
}

/* ---- what ends a run ---- */

static void the_virtual_limit_ends_a_run(void **state)
{
  int64_t begin_ns;
  (void)state;
  begin_with(&(struct coordinator_options){.virtual_limit_ns = 100 * NS_PER_S});
  begin_ns = now();
  fake.next.deadline_ns = begin_ns + 1000 * NS_PER_S;
  step(SOME);
  assert_true(now() == begin_ns + 100 * NS_PER_S);
  assert_int_equal(c.event, EVENT_VIRTUAL_LIMIT);
}

static void the_real_limit_ends_a_run(void **state)
{
  struct timespec t = {0, 1000};
  (void)state;
  begin_with(&(struct coordinator_options){.real_limit_ns = 1});
  nanosleep(&t, NULL);
  step(1);
  assert_int_equal(c.event, EVENT_REAL_LIMIT);
}

/* 200 ms of nothing; the last step begins later than that. */
static void nothing_armed_is_a_stall(void **state)
{
  int64_t end_ns = clock_now_ns(clock_real()) + NS_PER_S;
  (void)state;
  begin_with(&(struct coordinator_options){0});
  step(SOME);
  assert_int_equal(c.event, EVENT_NONE);
  while (c.event == EVENT_NONE && clock_now_ns(clock_real()) < end_ns)
    step(1);
  step(1);
  assert_int_equal(c.event, EVENT_STALLED);
}

/* ---- time that goes on without a jump ---- */

/* Rail 8: a tick that was raised is small again when all have slept. */
static void a_quiet_moment_makes_the_tick_small(void **state)
{
  (void)state;
  begin_with(&(struct coordinator_options){0});
  page->tick_ns = RULE_TICK_MAX_NS;
  step(SOME);
  assert_int_equal(page->tick_ns, VTIME_TICK_NS);
}

static void a_wait_that_the_kernel_ends_first_takes_time_along(void **state)
{
  int64_t begin_ns;
  (void)state;
  begin_with(&(struct coordinator_options){0});
  begin_ns = now();
  fake.floor_ns = begin_ns + NS_PER_S / 2;
  step(1);
  assert_true(now() == fake.floor_ns);
  assert_true(c.counts.forced_ns == NS_PER_S / 2);
}

static pid_t do_nothing(char letter)
{
  return letter;
}

/* Rail 9: while a client is asleep in a wait that nobody emulates, time goes
 * as far as real time does between the steps, and nothing is jumped to. */
static void an_opaque_wait_goes_at_the_real_rate(void **state)
{
  struct timespec t = {0, NS_PER_MS};
  int64_t begin_ns;
  (void)state;
  int64_t real_ns = clock_now_ns(clock_real());
  begin_with(&(struct coordinator_options){0});
  begin_ns = now();
  struct child child = child_start(do_nothing);
  await_call(child.pid, SYS_read);
  fake.opaque = true;
  fake.next.deadline_ns = begin_ns + 3600 * NS_PER_S;
  for (int i = 0; i < SOME; i++) {
    step(1);
    nanosleep(&t, NULL);
  }
  step(1);
  real_ns = clock_now_ns(clock_real()) - real_ns;
  child_end(&child);
  assert_true(c.counts.opaque > 0);
  /* the first looks learn who is there */
  assert_true(now() - begin_ns >= SOME / 2 * NS_PER_MS);
  /* and ahead of it by what a step takes at most */
  assert_true(now() - begin_ns <= 2 * real_ns + NS_PER_MS);
}

#define STEPS(name) cmocka_unit_test_teardown(name, end)

int main(void)
{
  const struct CMUnitTest tests[] = {
      STEPS(a_jump_is_made_and_told),
      STEPS(a_jump_of_24_hours_is_the_largest),
      STEPS(bytes_in_the_kernel_hold_a_long_jump),
      STEPS(the_virtual_limit_ends_a_run),
      STEPS(the_real_limit_ends_a_run),
      STEPS(nothing_armed_is_a_stall),
      STEPS(a_quiet_moment_makes_the_tick_small),
      STEPS(a_wait_that_the_kernel_ends_first_takes_time_along),
      STEPS(an_opaque_wait_goes_at_the_real_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
