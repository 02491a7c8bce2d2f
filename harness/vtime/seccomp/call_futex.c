/* futex: waits with a time-out, and the wake-ups that may be for them. */
#include "harness/vtime/seccomp/futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>

static bool is_private(const struct call *c)
{
  return (c->arg[1] & FUTEX_PRIVATE_FLAG) != 0;
}

/* The word of the call with that value, and its time-out. False: the kernel
 * says what is wrong. */
static bool take_wait(const struct call *c, uint32_t value, uint32_t bits,
                      struct futex_wait *ret)
{
  ret->n = 1;
  ret->private[0] = is_private(c);
  ret->word[0] =
      (struct futex_word){.address = c->arg[0], .value = value, .bits = bits};
  return bits && futex_time_of(c->arg[1], &ret->time) &&
         memory_timespec(c->tid, c->arg[3], &ret->ns);
}

/* ---- wait ---- */

static struct reply futex_wait(struct backend *b, const struct call *c)
{
  struct futex_wait w;
  struct reply r;
  bool any = ((int)c->arg[1] & FUTEX_CMD_MASK) == FUTEX_WAIT;
  uint32_t bits = any ? FUTEX_BITSET_MATCH_ANY : (uint32_t)c->arg[5];
  if (!take_wait(c, (uint32_t)c->arg[2], bits, &w))
    return REPLY_GO_ON;
  futex_hold(b, c, &w, &r);
  return r;
}

/* ---- locks with priority inheritance ---- */

/* The kernel takes it, or says what is wrong: nobody owns it, we do, or one
 * that is not there. */
static bool is_kernels_affair(const struct call *c, uint32_t word)
{
  int owner = (int)(word & FUTEX_TID_MASK);
  return owner == 0 || owner == c->tid || kill(owner, 0) != 0;
}

/* The time-out is a moment: of the wall clock, but for FUTEX_LOCK_PI2 without
 * its flag (futex(2)). In our hands, because the kernel would go by its own
 * clocks. */
static struct reply futex_lock(struct backend *b, const struct call *c)
{
  struct futex_wait w;
  struct reply r;
  uint32_t word;
  if (!memory_get(c->tid, c->arg[0], &word, sizeof word) ||
      is_kernels_affair(c, word) ||
      !take_wait(c, word, FUTEX_BITSET_MATCH_ANY, &w))
    return REPLY_GO_ON;
  struct hold *h = futex_hold(b, c, &w, &r);
  if (!h) /* changed since: the kernel looks for itself */
    return r.value == -EAGAIN ? REPLY_GO_ON : r;
  h->lock = h->restarts = true;
  h->signal_result = -ERESTARTNOINTR_CODE;
  return r;
}

size_t backend_look_at_locks(struct backend *b)
{
  size_t done = 0;
  for (size_t i = b->holds.n; i-- > 0;) {
    struct hold *h = b->holds.hold[i];
    uint32_t word;
    if (!h->lock || h->gone ||
        !memory_get(h->call.tid, h->words[0].address, &word, sizeof word) ||
        !is_kernels_affair(&h->call, word))
      continue;
    backend_go_on_until(b, &h->call, h->asked_ns, -ETIMEDOUT);
    kernel_wait_of(&b->waits, h->call.tid)->deadline_ns = h->deadline_ns;
    backend_end(b, i, REPLY_GO_ON);
    done++;
  }
  return done;
}

/* ---- wake ---- */

static struct futex_wake wake_of(const struct backend *b, const struct call *c,
                                 int most, uint32_t bits)
{
  struct futex_at at = {c->arg[0], is_private(c)};
  return (struct futex_wake){futex_key_of(b, c, &at), most, bits};
}

/* Ours first. When some are left to wake the kernel does its own, and its
 * count is short by ours: nobody relies on it. Of 0 and less the kernel makes
 * one (kernel/futex/waitwake.c). */
static struct reply futex_wake(struct backend *b, const struct call *c,
                               uint32_t bits)
{
  if (b->holds.n == 0)
    return REPLY_GO_ON;
  int most = (int)c->arg[2] > 0 ? (int)c->arg[2] : 1;
  struct futex_wake w = wake_of(b, c, most, bits);
  int n = futex_wake_ours(b, &w);
  return n >= most ? REPLY_WITH(n) : REPLY_GO_ON;
}

/* ---- requeue ---- */

/* Wakes some of ours and moves others; then the kernel does the same with its
 * own. FUTEX_CMP_REQUEUE of another word is the kernel's affair. */
static struct reply futex_requeue(struct backend *b, const struct call *c)
{
  uint32_t word;
  int wake = (int)c->arg[2], most = (int)c->arg[3];
  bool compares = ((int)c->arg[1] & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE;
  if (!memory_get(c->tid, c->arg[0], &word, sizeof word) || wake < 0 ||
      most < 0 || (compares && word != (uint32_t)c->arg[5]))
    return REPLY_GO_ON;
  struct futex_wake w = wake_of(b, c, wake, FUTEX_BITSET_MATCH_ANY);
  struct futex_move m = {
      {c->arg[0], is_private(c)}, {c->arg[4], is_private(c)}, most};
  futex_wake_ours(b, &w);
  futex_move_ours(b, c, &m);
  return REPLY_GO_ON;
}

struct reply call_futex(struct backend *b, const struct call *c)
{
  int op = (int)c->arg[1] & FUTEX_CMD_MASK;
  if (op == FUTEX_LOCK_PI || op == OP_LOCK_PI2)
    return futex_lock(b, c);
  if (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET)
    return futex_wait(b, c);
  if (c->arg[1] & FUTEX_CLOCK_REALTIME)
    return REPLY_GO_ON; /* ENOSYS: only waits have it */
  switch (op) {
  case FUTEX_WAKE:
    return futex_wake(b, c, FUTEX_BITSET_MATCH_ANY);
  case FUTEX_WAKE_BITSET:
    return futex_wake(b, c, (uint32_t)c->arg[5]);
  case FUTEX_WAKE_OP:
    return futex_wake_op(b, c);
  default:
    return futex_requeue(b, c);
  }
}
