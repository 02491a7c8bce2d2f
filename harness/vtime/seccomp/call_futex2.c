/* futex_waitv and the futex calls of Linux 6.7. Words of 32 bits, private or
 * not, are in our hands; what else there is (FUTEX2_NUMA) waits in the kernel,
 * which also says what is wrong with a call, and that it has no such call. */
#include "harness/vtime/seccomp/futex.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* With words and flags that are valid nowhere: only a kernel that has the call
 * looks at them. */
static bool kernel_has(int nr)
{
  static int8_t has[8]; /* 0: not asked yet */
  int8_t *known = &has[nr - NR_FUTEX_WAITV];
  if (*known == 0)
    *known = syscall(nr, NULL, 0L, 0L, -1L, NULL, -1L) < 0 && errno == EINVAL
                 ? 1
                 : -1;
  return *known > 0;
}

/* ---- wait ---- */

/* All of them end by a signal only when its handler is without SA_RESTART. */
static struct reply hold(struct backend *b, const struct call *c,
                         struct futex_wait *w)
{
  struct reply r;
  struct hold *h = futex_hold(b, c, w, &r);
  if (h) {
    h->restarts = true;
    h->signal_result = -ERESTARTSYS_CODE;
  }
  return r;
}

static bool take_time(const struct call *c, int timeout, int clock,
                      struct futex_wait *w)
{
  w->time =
      (struct futex_time){true, (clockid_t)c->arg[clock] == CLOCK_REALTIME};
  return futex2_clock(c->arg[clock]) &&
         memory_timespec(c->tid, c->arg[timeout], &w->ns);
}

static bool take_entry(const struct waitv *v, struct futex_wait *w)
{
  w->word[w->n] = (struct futex_word){
      .address = v->address, .value = (uint32_t)v->value, .bits = UINT32_MAX};
  return futex2_entry(v, &w->private[w->n++]);
}

/* Entries, their number, flags (0), time-out, clock (futex_waitv(2)). */
struct reply call_futex_waitv(struct backend *b, const struct call *c)
{
  struct waitv v[WAITV_MAX];
  struct futex_wait w;
  uint32_t n = (uint32_t)c->arg[1];
  w.n = 0;
  if (!kernel_has(c->nr) || n == 0 || n > WAITV_MAX || (uint32_t)c->arg[2] ||
      !take_time(c, 3, 4, &w) ||
      !memory_get(c->tid, c->arg[0], v, n * sizeof *v))
    return REPLY_GO_ON;
  for (uint32_t i = 0; i < n; i++)
    if (!take_entry(&v[i], &w))
      return REPLY_GO_ON;
  return hold(b, c, &w);
}

/* Address, value, bits, flags, time-out, clock. */
struct reply call_futex2_wait(struct backend *b, const struct call *c)
{
  struct futex_wait w;
  w.n = 1;
  w.word[0] = (struct futex_word){.address = c->arg[0],
                                  .value = (uint32_t)c->arg[1],
                                  .bits = (uint32_t)c->arg[2]};
  if (!kernel_has(c->nr) || c->arg[1] > UINT32_MAX || c->arg[2] == 0 ||
      c->arg[2] > UINT32_MAX || !futex2_flags(c->arg[3], &w.private[0]) ||
      !take_time(c, 4, 5, &w))
    return REPLY_GO_ON;
  return hold(b, c, &w);
}

/* ---- wake and requeue ---- */

/* Address, bits, how many (0: none, else at least one), flags. */
struct reply call_futex2_wake(struct backend *b, const struct call *c)
{
  struct futex_at at = {c->arg[0], false};
  int most = (int)c->arg[2];
  if (!kernel_has(c->nr) || c->arg[1] == 0 || c->arg[1] > UINT32_MAX ||
      most == 0 || !futex2_flags(c->arg[3], &at.private))
    return REPLY_GO_ON;
  struct futex_wake w = {futex_key_of(b, c, &at), most > 0 ? most : 1,
                         (uint32_t)c->arg[1]};
  int n = futex_wake_ours(b, &w);
  return n >= w.most ? REPLY_WITH(n) : REPLY_GO_ON;
}

/* Two entries, flags (0), how many to wake and how many to move; the value of
 * the first is compared. */
struct reply call_futex2_requeue(struct backend *b, const struct call *c)
{
  struct waitv v[2];
  struct futex_move m = {.most = (int)c->arg[3]};
  uint32_t word;
  int wake = (int)c->arg[2];
  if (!kernel_has(c->nr) || (uint32_t)c->arg[1] || wake < 0 || m.most < 0 ||
      !memory_get(c->tid, c->arg[0], v, sizeof v) ||
      !futex2_entry(&v[0], &m.from.private) ||
      !futex2_entry(&v[1], &m.to.private) ||
      !memory_get(c->tid, v[0].address, &word, sizeof word) ||
      word != (uint32_t)v[0].value)
    return REPLY_GO_ON;
  m.from.address = v[0].address;
  m.to.address = v[1].address;
  struct futex_wake w = {futex_key_of(b, c, &m.from), wake, UINT32_MAX};
  futex_wake_ours(b, &w);
  futex_move_ours(b, c, &m);
  return REPLY_GO_ON;
}
