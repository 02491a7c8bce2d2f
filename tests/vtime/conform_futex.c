/* Futexes: the calls of newer kernels, and each way of waking one. */
#include "base/clock.h"
#include "tests/vtime/conform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t word[WAITV_MOST];
static struct waitv list[WAITV_MOST];

static long futex_2(void *p, int op, uint32_t n)
{
  return syscall(SYS_futex, p, op, n, NULL, NULL, 0);
}

/* ---- waits ---- */

static void take(int i, void *p, uint32_t flags)
{
  list[i] = (struct waitv){0, (uint64_t)(uintptr_t)p, flags, 0};
}

static int wait_list(int n, clockid_t id, int64_t ns)
{
  struct timespec t = at(id, ns);
  return (int)syscall(NR_WAITV, list, n, 0, &t, id);
}

static int wait_words(int n, clockid_t id, int64_t ns)
{
  memset(word, 0, sizeof word);
  for (int i = 0; i < n; i++)
    take(i, &word[i], U32_PRIVATE);
  return wait_list(n, id, ns);
}

static int w_waitv(int64_t ns)
{
  return wait_words(3, CLOCK_MONOTONIC, ns);
}

static int w_waitv_wall(int64_t ns)
{
  return wait_words(WAITV_MOST, CLOCK_REALTIME, ns);
}

static int wait_one(clockid_t id, int64_t ns, unsigned bits)
{
  struct timespec t = at(id, ns);
  word[1] = 0;
  return (int)syscall(NR_WAIT, &word[1], 0L, (long)bits, U32_PRIVATE, &t, id);
}

static int w_wait(int64_t ns)
{
  return wait_one(CLOCK_MONOTONIC, ns, UINT32_MAX);
}

static int w_wait_wall(int64_t ns)
{
  return wait_one(CLOCK_REALTIME, ns, UINT32_MAX);
}

/* ---- what wakes them; no word changes, so that nothing else does ---- */

static void by_wake(void)
{
  futex_2(&word[1], FUTEX_WAKE_PRIVATE, 1);
}

static void by_new_wake(void)
{
  syscall(NR_WAKE, &word[1], (long)UINT32_MAX, 1, U32_PRIVATE);
}

static const struct way waitv_ways[] = {
    {"futex_waitv", w_waitv, true, true, by_wake, NULL, false},
    {"futex_waitv_wall", w_waitv_wall, true, true, by_wake, NULL, false},
};
static const struct way wait_ways[] = {
    {"futex2", w_wait, true, true, by_new_wake, NULL, false},
    {"futex2_wall", w_wait_wall, true, true, by_new_wake, NULL, false},
};

static bool has(int nr)
{
  return syscall(nr, NULL, 0L, 0L, -1L, NULL, -1L) == 0 || errno != ENOSYS;
}

/* ---- one that waits, another that does something a unit later ---- */

static void *later(void *how)
{
  struct timespec t = spec(unit_ns);
  union {
    void *p;
    void (*f)(void);
  } u = {how};
  nanosleep(&t, NULL);
  u.f();
  return NULL;
}

static void meanwhile(const char *name, const char *when, void (*how)(void),
                      int (*wait)(int64_t))
{
  pthread_t other;
  union {
    void (*f)(void);
    void *p;
  } u = {how};
  begin();
  pthread_create(&other, NULL, later, u.p);
  say(name, when, wait(4 * unit_ns));
  pthread_join(other, NULL);
}

static int old_wait(int64_t ns)
{
  struct timespec t = spec(ns);
  memset(word, 0, sizeof word);
  return (int)syscall(SYS_futex, &word[1], FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0);
}

static int bit_wait(int64_t ns)
{
  struct timespec t = at(CLOCK_MONOTONIC, ns);
  memset(word, 0, sizeof word);
  return (int)syscall(SYS_futex, &word[1], FUTEX_WAIT_BITSET_PRIVATE, 0, &t,
                      NULL, 4);
}

static int new_bit_wait(int64_t ns)
{
  return wait_one(CLOCK_MONOTONIC, ns, 4);
}

static void pause_a_unit(void)
{
  struct timespec t = spec(unit_ns);
  nanosleep(&t, NULL);
}

static void by_bits(void)
{
  syscall(SYS_futex, &word[1], FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 3);
  pause_a_unit();
  syscall(SYS_futex, &word[1], FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 6);
}

static void by_new_bits(void)
{
  syscall(NR_WAKE, &word[1], 3L, 1, U32_PRIVATE);
  pause_a_unit();
  syscall(NR_WAKE, &word[1], 6L, 1, U32_PRIVATE);
}

static int wake_op(int one, int other, int op)
{
  union {
    void *p;
    unsigned long n; /* futex(2): how many of the second */
  } most = {.n = 1};
  return (int)syscall(SYS_futex, &word[one], FUTEX_WAKE_OP_PRIVATE, 1, most.p,
                      &word[other], op);
}

static void by_op(void)
{
  wake_op(1, 9, FUTEX_OP(FUTEX_OP_SET, 5, FUTEX_OP_CMP_EQ, 7));
}

/* The first time it is not 7. */
static void by_op_of_second(void)
{
  wake_op(8, 1, FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 7));
  pause_a_unit();
  wake_op(8, 1, FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0));
}

/* 0 and less wake one. */
static void by_none(void)
{
  futex_2(&word[1], FUTEX_WAKE_PRIVATE, 0);
}

static int old_requeue(uint32_t wake, int op)
{
  union {
    void *p;
    unsigned long n; /* futex(2): how many go to the other futex */
  } most = {.n = 1};
  return (int)syscall(SYS_futex, &word[1], op, wake, most.p, &word[5], 0);
}

static void by_requeue(void)
{
  old_requeue(0, FUTEX_CMP_REQUEUE_PRIVATE);
  pause_a_unit();
  futex_2(&word[5], FUTEX_WAKE_PRIVATE, 1);
}

static void by_new_requeue(void)
{
  struct waitv v[2] = {{0, (uint64_t)(uintptr_t)&word[1], U32_PRIVATE, 0},
                       {0, (uint64_t)(uintptr_t)&word[5], U32_PRIVATE, 0}};
  syscall(NR_REQUEUE, v, 0, 0, 1);
  pause_a_unit();
  futex_2(&word[5], FUTEX_WAKE_PRIVATE, 1);
}

/* Less than none is an error, and nothing is done. */
static void by_wrong_requeue(void)
{
  old_requeue(UINT32_MAX, FUTEX_CMP_REQUEUE_PRIVATE);
  pause_a_unit();
  futex_2(&word[1], FUTEX_WAKE_PRIVATE, 1);
}

/* The kernel's: it writes 0 when the thread ends, and wakes. Without its own
 * such word nobody can join it. */
static void *end_with_word(void *arg)
{
  struct timespec t = spec(unit_ns);
  syscall(SYS_set_tid_address, &word[1]);
  nanosleep(&t, NULL);
  return arg;
}

static void thread_ends(void)
{
  pthread_t other;
  memset(word, 0, sizeof word);
  word[1] = 1;
  take(0, &word[0], U32_PRIVATE);
  take(1, &word[1], U32);
  list[1].value = 1;
  begin();
  pthread_create(&other, NULL, end_with_word, NULL);
  pthread_detach(other);
  say("futex_waitv", "thread ends", wait_list(2, CLOCK_MONOTONIC, 4 * unit_ns));
}

/* What the operation changes is what the waiter waits for: one that is woken
 * before it finds nothing, and waits in vain. */
enum { ROUNDS = 200, DONE = 9, ROUND = 10 };

static void *operate(void *arg)
{
  for (uint32_t i = 1; i <= ROUNDS; i++) {
    do {
      struct timespec t = spec(unit_ns / 100);
      nanosleep(&t, NULL);
    } while (__atomic_load_n(&word[ROUND], __ATOMIC_SEQ_CST) < i);
    wake_op(1, DONE, FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 7));
  }
  return arg;
}

static void operation_first(void)
{
  pthread_t other;
  int lost = 0;
  memset(word, 0, sizeof word);
  pthread_create(&other, NULL, operate, NULL);
  for (uint32_t i = 1; i <= ROUNDS; i++) {
    struct timespec t = spec(20 * unit_ns); /* no load makes that */
    __atomic_store_n(&word[DONE], 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&word[ROUND], i, __ATOMIC_SEQ_CST);
    long rc = 0;
    while (rc == 0 && !__atomic_load_n(&word[DONE], __ATOMIC_SEQ_CST))
      rc = syscall(SYS_futex, &word[1], FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0);
    lost += rc != 0;
  }
  pthread_join(other, NULL);
  printf("futex woken before the operation: %d\n", lost);
}

/* ---- other processes ---- */

static int wake_from_child(void *arg)
{
  struct timespec t = spec(unit_ns);
  nanosleep(&t, NULL);
  futex_2(arg, FUTEX_WAKE, 1);
  return 0;
}

static void shared_words(void)
{
  uint32_t *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  take(0, &word[0], U32);
  take(1, p + 3, U32);
  begin();
  pid_t pid = fork();
  if (pid == 0)
    _exit(wake_from_child(p + 3));
  say("futex_waitv", "woken by a child",
      wait_list(2, CLOCK_MONOTONIC, 4 * unit_ns));
  waitpid(pid, NULL, 0);
  munmap(p, 4096);
}

static int wake_in_same_memory(void *arg)
{
  struct timespec t = spec(unit_ns);
  syscall(SYS_nanosleep, &t, NULL);
  futex_2(arg, FUTEX_WAKE_PRIVATE, 1);
  return 0;
}

/* A process of its own in the same memory. */
static void same_memory(void)
{
  static char stack[65536] __attribute__((aligned(16)));
  begin();
  int pid = clone(wake_in_same_memory, stack + sizeof stack, CLONE_VM | SIGCHLD,
                  &word[1]);
  say("futex", "woken by a process in its memory", old_wait(4 * unit_ns));
  waitpid(pid, NULL, 0);
}

/* ---- order ---- */

static int order[3];
static _Atomic int norder;

static _Atomic pid_t waiter;

static void *stand_in_line(void *arg)
{
  int *i = arg;
  struct timespec t = spec(9 * unit_ns);
  waiter = gettid();
  if (syscall(SYS_futex, &word[1], FUTEX_WAIT_PRIVATE, 0, &t, NULL, 0) == 0)
    order[norder++] = *i; /* one at a time */
  return NULL;
}

/* Until the last one stands there: in the call, as /proc says. */
static void await_waiter(void)
{
  char path[48], room[8] = "";
  while (!waiter)
    sched_yield();
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", waiter);
  while (strncmp(room, "202 ", 4) != 0) { /* futex */
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (read(fd, room, sizeof room - 1) < 0)
      room[0] = '\0';
    close(fd);
  }
  waiter = 0;
}

static void in_line(void)
{
  static int number[3] = {0, 1, 2};
  pthread_t t[3];
  int woken = 0;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t[i], NULL, stand_in_line, &number[i]);
    await_waiter();
  }
  for (int i = 0; i < 3; i++) {
    woken += (int)futex_2(&word[1], FUTEX_WAKE_PRIVATE, 1);
    while (norder <= i && woken > i)
      sched_yield();
  }
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  printf("futex line: %d %d %d, %d woken\n", order[0], order[1], order[2],
         woken);
}

/* ---- all ---- */

static void old_ones(void)
{
  meanwhile("futex", "woken by bits", by_bits, bit_wait);
  meanwhile("futex", "woken by an operation", by_op, old_wait);
  meanwhile("futex", "woken by the second half", by_op_of_second, old_wait);
  meanwhile("futex", "none is one", by_none, old_wait);
  meanwhile("futex", "requeued wrongly", by_wrong_requeue, old_wait);
  operation_first();
  same_memory();
  in_line();
  wrong_old();
}

static void lists(void)
{
  meanwhile("futex_waitv", "woken by bits", by_bits, w_waitv);
  meanwhile("futex_waitv", "woken by an operation", by_op, w_waitv);
  meanwhile("futex_waitv", "requeued", by_requeue, w_waitv);
  thread_ends();
  shared_words();
  wrong_list();
  wrong_entry();
}

static void new_ones(void)
{
  meanwhile("futex2", "woken by bits", by_new_bits, new_bit_wait);
  meanwhile("futex2", "woken by the old call", by_wake, w_wait);
  meanwhile("futex2", "requeued", by_new_requeue, w_wait);
  meanwhile("futex2", "requeued by the old call", by_requeue, w_wait);
  wrong_new();
}

void futexes(void (*all_of)(const struct way *))
{
  old_ones();
  for (int i = 0; i < 2 && has(NR_WAITV); i++)
    all_of(&waitv_ways[i]);
  if (has(NR_WAITV))
    lists();
  for (int i = 0; i < 2 && has(NR_WAIT); i++)
    all_of(&wait_ways[i]);
  if (has(NR_WAIT))
    new_ones();
}

const char *missing_lines(void)
{
  if (!has(NR_WAITV))
    return "^futex_waitv|^futex2";
  return has(NR_WAIT) ? "^$" : "^futex2";
}
