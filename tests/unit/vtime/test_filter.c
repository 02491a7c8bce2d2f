#include "tests/unit/unit.h"

#include "harness/vtime/seccomp/filter.h"
#include "harness/vtime/seccomp/kernel_wait.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

/* The instructions filter.c uses, as the kernel runs them. */
static uint32_t run_filter(const struct sock_filter *f, size_t n,
                           const struct seccomp_data *d)
{
  uint32_t a = 0;
  for (size_t pc = 0; pc < n; pc++) {
    uint32_t k = f[pc].k;
    switch (f[pc].code) {
    case BPF_LD | BPF_W | BPF_ABS:
      assert_true(k % 4 == 0 && k < sizeof *d);
      memcpy(&a, (const char *)d + k, sizeof a);
      break;
    case BPF_ALU | BPF_AND | BPF_K:
      a &= k;
      break;
    case BPF_JMP | BPF_JEQ | BPF_K:
      pc += a == k ? f[pc].jt : f[pc].jf;
      break;
    case BPF_JMP | BPF_JSET | BPF_K:
      pc += a & k ? f[pc].jt : f[pc].jf;
      break;
    case BPF_RET | BPF_K:
      return k;
    default:
      fail_msg("instruction %#x", f[pc].code);
    }
  }
  fail_msg("it ran over its end");
  return 0;
}

enum { PASS, TELL, REFUSED };
#define P UINT64_C(0x7f0000000000)

static const struct {
  const char *id;
  int nr;
  uint64_t arg[6];
  int want;
} rows[] = {
    {"write", SYS_write, {1}, PASS},
    {"read", SYS_read, {P}, PASS},
    {"clock", SYS_clock_gettime, {0}, TELL},
    {"time", SYS_time, {0}, TELL},
    {"nanosleep", SYS_nanosleep, {P}, TELL},
    {"arch_prctl", SYS_arch_prctl, {0x1002}, TELL},
    {"poll for ever", SYS_poll, {P, 1, 0xffffffff}, PASS},
    {"poll for ever, 64 bits", SYS_poll, {P, 1, UINT64_MAX}, PASS},
    {"poll not at all", SYS_poll, {P, 1, 0}, PASS},
    {"poll 1 ms", SYS_poll, {P, 1, 1}, TELL},
    {"poll, upper half is junk", SYS_poll, {P, 1, P}, PASS},
    {"epoll 5 s", SYS_epoll_wait, {3, P, 1, 5000}, TELL},
    {"epoll for ever", SYS_epoll_pwait, {3, P, 1, 0xffffffff}, PASS},
    {"epoll2 for ever", SYS_epoll_pwait2, {3, P, 1, 0}, PASS},
    {"epoll2", SYS_epoll_pwait2, {3, P, 1, P}, TELL},
    {"a pointer with a low half of 0", SYS_ppoll, {P, 1, P}, TELL},
    {"a pointer with a high half of 0", SYS_ppoll, {P, 1, 0x1000}, TELL},
    {"ppoll for ever", SYS_ppoll, {P, 1, 0}, PASS},
    {"select", SYS_select, {1, P, 0, 0, P}, TELL},
    {"select for ever", SYS_select, {1, P, 0, 0, 0}, PASS},
    {"pselect", SYS_pselect6, {1, P, 0, 0, P}, TELL},
    {"futex wait for ever", SYS_futex, {P, FUTEX_WAIT, 0, 0}, PASS},
    {"futex wait", SYS_futex, {P, FUTEX_WAIT, 0, P}, TELL},
    {"private", SYS_futex, {P, FUTEX_WAIT_PRIVATE, 0, P}, TELL},
    {"bitset, wall clock",
     SYS_futex,
     {P, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 0, P},
     TELL},
    {"bitset for ever", SYS_futex, {P, FUTEX_WAIT_BITSET, 0, 0}, PASS},
    {"futex wake", SYS_futex, {P, FUTEX_WAKE_PRIVATE, 1}, TELL},
    {"futex requeue", SYS_futex, {P, FUTEX_CMP_REQUEUE, 1, 0}, TELL},
    {"futex lock", SYS_futex, {P, FUTEX_LOCK_PI_PRIVATE, 0, P}, TELL},
    {"futex lock for ever", SYS_futex, {P, FUTEX_LOCK_PI, 0, 0}, PASS},
    {"futex lock 2", SYS_futex, {P, 13, 0, P}, TELL},
    {"futex unlock", SYS_futex, {P, FUTEX_UNLOCK_PI, 0, P}, PASS},
    {"futex wake by bits", SYS_futex, {P, FUTEX_WAKE_BITSET, 1, 0}, TELL},
    {"futex wake and change", SYS_futex, {P, FUTEX_WAKE_OP_PRIVATE, 1}, TELL},
    {"futex wait and requeue",
     SYS_futex,
     {P, FUTEX_WAIT_REQUEUE_PI, 0, P},
     PASS},
    {"futex_waitv", 449, {P, 1, 0, P, 1}, TELL},
    {"futex_waitv for ever", 449, {P, 1, 0, 0, 1}, PASS},
    {"futex_wake", 454, {P, 1, 1, 2}, TELL},
    {"futex_wait", 455, {P, 0, 1, 2, P, 1}, TELL},
    {"futex_wait for ever", 455, {P, 0, 1, 2, 0, 1}, PASS},
    {"futex_requeue", 456, {P, 0, 1, 1}, TELL},
    {"semtimedop", SYS_semtimedop, {1, P, 1, P}, TELL},
    {"semop", SYS_semtimedop, {1, P, 1, 0}, PASS},
    {"mq_timedsend", SYS_mq_timedsend, {1, P, 1, 0, P}, TELL},
    {"mq_timedreceive", SYS_mq_timedreceive, {1, P, 1, 0, P}, TELL},
    {"mq_receive", SYS_mq_timedreceive, {1, P, 1, 0, 0}, PASS},
    {"recvmmsg", SYS_recvmmsg, {1, P, 1, 0, P}, TELL},
    {"io_getevents", SYS_io_getevents, {P, 1, 1, P, P}, TELL},
    {"getsockopt", SYS_getsockopt, {3, SOL_SOCKET, 20, P, P}, TELL},
    {"sigtimedwait", SYS_rt_sigtimedwait, {P, 0, P}, TELL},
    {"sigwait", SYS_rt_sigtimedwait, {P, 0, 0}, PASS},
    {"SO_RCVTIMEO", SYS_setsockopt, {3, SOL_SOCKET, 20, P}, TELL},
    {"SO_SNDTIMEO", SYS_setsockopt, {3, SOL_SOCKET, 21, P}, TELL},
    {"new SO_RCVTIMEO", SYS_setsockopt, {3, SOL_SOCKET, 66, P}, TELL},
    {"new SO_SNDTIMEO", SYS_setsockopt, {3, SOL_SOCKET, 67, P}, TELL},
    {"another option", SYS_setsockopt, {3, SOL_SOCKET, 2, P}, PASS},
    {"of TCP", SYS_setsockopt, {3, 6, 20, P}, PASS},
    {"alarm", SYS_alarm, {1}, TELL},
    {"timer_settime", SYS_timer_settime, {1}, TELL},
    {"timerfd_settime", SYS_timerfd_settime, {1}, TELL},
    {"io_uring", SYS_io_uring_setup, {1}, REFUSED},
    {"x32", SYS_write | 0x40000000, {1}, TELL},
};

static void each_call_goes_the_way_the_table_says(void **state)
{
  static const uint32_t words[] = {SECCOMP_RET_ALLOW, SECCOMP_RET_USER_NOTIF,
                                   SECCOMP_RET_ERRNO | ENOSYS};
  struct sock_filter f[FILTER_MAX];
  size_t n = filter_make(f);
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct seccomp_data d = {.nr = rows[i].nr, .arch = AUDIT_ARCH_X86_64};
    for (int k = 0; k < 6; k++)
      d.args[k] = rows[i].arg[k];
    print_message("%s\n", rows[i].id);
    assert_int_equal(run_filter(f, n, &d), words[rows[i].want]);
  }
}

static void every_call_of_a_32_bit_program_is_told(void **state)
{
  struct sock_filter f[FILTER_MAX];
  size_t n = filter_make(f);
  struct seccomp_data d = {.nr = 4, .arch = AUDIT_ARCH_I386};
  (void)state;
  assert_int_equal(run_filter(f, n, &d), SECCOMP_RET_USER_NOTIF);
}

/* A wait that the filter leaves to the kernel for its time-out's sake must be
 * one that is seen as opaque when a thread sleeps in it. */
static void a_wait_with_a_time_out_is_told_or_opaque(void **state)
{
  static const struct {
    const char *id;
    struct table_call c;
    bool want;
  } calls[] = {
      {"poll", {SYS_poll, {P, 1, 5}}, true},
      {"poll for ever", {SYS_poll, {P, 1, 0xffffffff}}, false},
      {"read", {SYS_read, {1, P, 1}}, false},
      {"semtimedop", {SYS_semtimedop, {1, P, 1, P}}, true},
      {"semop", {SYS_semtimedop, {1, P, 1, 0}}, false},
      {"recvmmsg", {SYS_recvmmsg, {1, P, 1, 0, P}}, true},
      {"mq", {SYS_mq_timedreceive, {1, P, 1, 0, P}}, true},
      {"futex_waitv", {449, {P, 1, 0, P}}, true},
      {"futex_waitv for ever", {449, {P, 1, 0, 0}}, false},
      {"futex_wait", {455, {P, 0, 1, 2, P}}, true},
      {"futex_wait for ever", {455, {P, 0, 1, 2, 0}}, false},
      {"wait and requeue", {SYS_futex, {P, FUTEX_WAIT_REQUEUE_PI, 0, P}}, true},
      {"futex lock", {SYS_futex, {P, FUTEX_LOCK_PI, 0, P}}, true},
      {"futex wait for ever", {SYS_futex, {P, FUTEX_WAIT, 0, 0}}, false},
      {"futex wake", {SYS_futex, {P, FUTEX_WAKE, 1, P}}, false},
      {"ring with a time", {SYS_io_uring_enter, {1, 0, 1, 9, P, 24}}, true},
      {"ring", {SYS_io_uring_enter, {1, 0, 1, 1, P, 8}}, false},
      {"a sleep", {SYS_clock_nanosleep, {0, 0, P}}, true},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(calls); i++) {
    print_message("%s\n", calls[i].id);
    assert_int_equal(opaque_call(&calls[i].c), calls[i].want);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_call_goes_the_way_the_table_says),
      cmocka_unit_test(every_call_of_a_32_bit_program_is_told),
      cmocka_unit_test(a_wait_with_a_time_out_is_told_or_opaque),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
