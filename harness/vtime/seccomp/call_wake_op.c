/* FUTEX_WAKE_OP: the kernel changes a word and wakes its own; ours are woken
 * behind that change. One that is woken before it finds its condition not yet
 * true, waits again, and nobody wakes it a second time. */
#include "harness/vtime/seccomp/futex.h"

#include <linux/futex.h>
#include <string.h>

struct futex_late {
  int tid; /* who changes the word */
  uint64_t address;
  uint32_t old;
  int64_t since_real_ns;
  struct futex_wake wake[2];
};

/* After so much real time the change has come and the word was then given its
 * old value again: no thread waits so long for a CPU. */
#define LATE_MAX_NS NS_PER_S

static int64_t real_now(void)
{
  return clock_now_ns(clock_real());
}

/* 0 and less wakes one, as in the kernel (kernel/futex/waitwake.c). */
static struct futex_wake wake_of(const struct backend *b, const struct call *c,
                                 int which, int most)
{
  struct futex_at at = {c->arg[which], (c->arg[1] & FUTEX_PRIVATE_FLAG) != 0};
  return (struct futex_wake){futex_key_of(b, c, &at), most > 0 ? most : 1,
                             FUTEX_BITSET_MATCH_ANY};
}

static void wake_both(struct backend *b, const struct futex_late *l)
{
  for (int i = 0; i < 2; i++)
    if (l->wake[i].most)
      futex_wake_ours(b, &l->wake[i]);
}

static void keep(struct backend *b, const struct futex_late *l)
{
  b->late = mem_realloc(b->late, (b->nlate + 1) * sizeof *b->late);
  b->late[b->nlate++] = *l;
}

/* Words of the call: what to wake, operation, how many, how many of the
 * second, the second, which is changed, and how (futex(2)). */
struct reply futex_wake_op(struct backend *b, const struct call *c)
{
  struct futex_op o;
  struct futex_late l = {.tid = c->tid, .address = c->arg[4]};
  if (!futex_op_read((uint32_t)c->arg[5], &o) ||
      !memory_get(c->tid, l.address, &l.old, sizeof l.old))
    return REPLY_GO_ON;
  l.wake[0] = wake_of(b, c, 0, (int)c->arg[2]);
  if (futex_op_wakes(&o, l.old))
    l.wake[1] = wake_of(b, c, 4, (int)c->arg[3]);
  l.since_real_ns = real_now();
  if (futex_op_makes(&o, l.old) == l.old)
    wake_both(b, &l);
  else
    keep(b, &l);
  return REPLY_GO_ON;
}

static bool has_come(const struct futex_late *l)
{
  uint32_t word;
  return !memory_get(l->tid, l->address, &word, sizeof word) ||
         word != l->old || real_now() - l->since_real_ns > LATE_MAX_NS;
}

size_t backend_wake_late(struct backend *b, bool asleep)
{
  size_t done = 0;
  for (size_t i = 0; i < b->nlate;) {
    if (!asleep && !has_come(&b->late[i])) {
      i++;
      continue;
    }
    struct futex_late l = b->late[i];
    b->nlate--;
    memmove(&b->late[i], &b->late[i + 1], (b->nlate - i) * sizeof *b->late);
    wake_both(b, &l);
    done++;
  }
  return done;
}
