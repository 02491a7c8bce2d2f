#include "harness/vtime/seccomp/filter.h"

#include <assert.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/socket.h>

enum when { ALWAYS, POSITIVE, POINTER, FUTEX, SOCKET_TIMEOUT, REFUSE };

struct row {
  const char *name;
  int nr;
  enum when when;
  unsigned arg;
};

#define CALL(name, nr, when, arg, handler) {#name, nr, when, arg},
static const struct row rows[] = {
#include "harness/vtime/seccomp/calls.def"
};
#undef CALL
enum { NROWS = sizeof rows / sizeof rows[0] };

/* SO_RCVTIMEO and SO_SNDTIMEO, the old numbers and those of 64-bit time
 * (asm-generic/socket.h). */
static const uint32_t timeouts[] = {20, 21, 66, 67};
/* linux/futex.h from 5.14 on. */
#define OP_LOCK_PI2 13U
/* Of x32 (asm/unistd.h, __X32_SYSCALL_BIT). */
#define X32_BIT 0x40000000U
#define LOW(i) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (i)))
#define HIGH(i) (LOW(i) + 4)
#define SIGN_BIT 0x80000000U

struct program {
  struct sock_filter *f;
  size_t n;
};

static void add(struct program *p, uint16_t code, uint32_t k)
{
  assert(p->n < FILTER_MAX);
  p->f[p->n++] = (struct sock_filter)BPF_STMT(code, k);
}

static void load(struct program *p, uint32_t at)
{
  add(p, BPF_LD | BPF_W | BPF_ABS, at);
}

static void give(struct program *p, uint32_t what)
{
  add(p, BPF_RET | BPF_K, what);
}

/* Goes on behind `yes` or `no` instructions. */
static void jump(struct program *p, uint16_t test, uint32_t k, uint8_t yes,
                 uint8_t no)
{
  assert(p->n < FILTER_MAX);
  p->f[p->n++] = (struct sock_filter)BPF_JUMP(
      (uint16_t)(BPF_JMP | BPF_K | test), k, yes, no);
}

static void always(struct program *p, unsigned arg)
{
  (void)arg;
  give(p, SECCOMP_RET_USER_NOTIF);
}

static void positive(struct program *p, unsigned arg)
{
  load(p, LOW(arg));
  jump(p, BPF_JEQ, 0, 2, 0);
  jump(p, BPF_JSET, SIGN_BIT, 1, 0);
  give(p, SECCOMP_RET_USER_NOTIF);
  give(p, SECCOMP_RET_ALLOW);
}

static void pointer(struct program *p, unsigned arg)
{
  load(p, LOW(arg));
  jump(p, BPF_JEQ, 0, 0, 2); /* the low half is not 0: a pointer */
  load(p, HIGH(arg));
  jump(p, BPF_JEQ, 0, 1, 0);
  give(p, SECCOMP_RET_USER_NOTIF);
  give(p, SECCOMP_RET_ALLOW);
}

static void futex(struct program *p, unsigned arg)
{
  static const uint32_t wakes[] = {FUTEX_WAKE, FUTEX_WAKE_BITSET, FUTEX_WAKE_OP,
                                   FUTEX_REQUEUE, FUTEX_CMP_REQUEUE};
  static const uint32_t waits[] = {FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_LOCK_PI,
                                   OP_LOCK_PI2};
  enum { NWAITS = sizeof waits / sizeof waits[0] };
  load(p, LOW(arg));
  /* FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME are flags in the command */
  add(p, BPF_ALU | BPF_AND | BPF_K, (uint32_t)FUTEX_CMD_MASK);
  for (size_t i = 0; i < sizeof wakes / sizeof wakes[0]; i++) {
    jump(p, BPF_JEQ, wakes[i], 0, 1);
    give(p, SECCOMP_RET_USER_NOTIF);
  }
  for (uint8_t i = 0; i < NWAITS; i++)
    jump(p, BPF_JEQ, waits[i], (uint8_t)(NWAITS - i), 0);
  give(p, SECCOMP_RET_ALLOW);
  pointer(p, 3);
}

static void socket_timeout(struct program *p, unsigned arg)
{
  enum { N = sizeof timeouts / sizeof timeouts[0] };
  (void)arg;
  load(p, LOW(1));
  jump(p, BPF_JEQ, SOL_SOCKET, 0, N + 1);
  load(p, LOW(2));
  for (uint8_t i = 0; i < N; i++)
    jump(p, BPF_JEQ, timeouts[i], (uint8_t)(N - i), 0);
  give(p, SECCOMP_RET_ALLOW);
  give(p, SECCOMP_RET_USER_NOTIF);
}

static void refuse(struct program *p, unsigned arg)
{
  (void)arg;
  give(p, SECCOMP_RET_ERRNO | ENOSYS);
}

static void add_row(struct program *p, const struct row *r)
{
  static void (*const part[])(struct program *, unsigned) = {
      [ALWAYS] = always,   [POSITIVE] = positive,
      [POINTER] = pointer, [FUTEX] = futex,
      [REFUSE] = refuse,   [SOCKET_TIMEOUT] = socket_timeout};
  size_t test = p->n;
  jump(p, BPF_JEQ, (uint32_t)r->nr, 0, 0);
  part[r->when](p, r->arg);
  p->f[test].jf = (uint8_t)(p->n - test - 1);
}

size_t filter_make(struct sock_filter ret[FILTER_MAX])
{
  struct program p = {ret, 0};
  load(&p, offsetof(struct seccomp_data, arch));
  jump(&p, BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0);
  give(&p, SECCOMP_RET_USER_NOTIF);
  load(&p, offsetof(struct seccomp_data, nr));
  jump(&p, BPF_JSET, X32_BIT, 0, 1);
  give(&p, SECCOMP_RET_USER_NOTIF);
  for (size_t i = 0; i < NROWS; i++)
    add_row(&p, &rows[i]);
  give(&p, SECCOMP_RET_ALLOW);
  return p.n;
}

const char *filter_call_name(int nr)
{
  for (size_t i = 0; i < NROWS; i++)
    if (rows[i].nr == nr)
      return rows[i].name;
  return NULL;
}
