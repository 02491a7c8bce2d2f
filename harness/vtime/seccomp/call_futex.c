/* futex: waits with a time-out, and the wake-ups that may be for them. */
#include "harness/vtime/seccomp/backend.h"

#include "harness/vtime/table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { MAX_MAPS = 16 << 20 };
/* linux/futex.h from 5.14 on. */
enum { OP_LOCK_PI2 = 13 };

static bool map_of(int tgid, uint64_t address, struct table_map *ret)
{
  char path[48], chunk[4096];
  struct buf text;
  snprintf(path, sizeof path, "/proc/%d/maps", tgid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  buf_init(&text, MAX_MAPS);
  for (ssize_t n; fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0;)
    buf_add(&text, chunk, (size_t)n);
  if (fd >= 0)
    close(fd);
  struct bytes rest = buf_bytes(&text);
  bool found = false;
  while (!found && table_map(&rest, ret))
    found = address >= ret->start && address < ret->end;
  buf_release(&text);
  return found;
}

/* As the kernel tells futexes apart (futex(2)): by address in one process,
 * or by file and place in memory that is shared. */
static struct futex_key key_of(const struct call *c, bool *ret_shared)
{
  struct table_map m;
  *ret_shared = !(c->arg[1] & FUTEX_PRIVATE_FLAG) &&
                map_of(c->tgid, c->arg[0], &m) && m.shared;
  if (!*ret_shared)
    return (struct futex_key){(uint64_t)c->tgid, c->arg[0], 0};
  return (struct futex_key){m.device, m.inode,
                            m.offset + (c->arg[0] - m.start)};
}

/* ---- wait ---- */

/* FUTEX_WAIT has a length, FUTEX_WAIT_BITSET a moment (futex(2)). */
static int64_t length_of(const struct backend *b, const struct call *c,
                         int64_t ns)
{
  bool wall = (c->arg[1] & FUTEX_CLOCK_REALTIME) != 0;
  if ((c->arg[1] & (uint64_t)FUTEX_CMD_MASK) == FUTEX_WAIT || ns == NO_DEADLINE)
    return ns;
  return ns - backend_now(b) - (wall ? b->page->wall_offset_ns : 0);
}

static struct hold *hold_futex(struct backend *b, const struct call *c,
                               uint32_t word, int64_t ns)
{
  bool shared;
  struct futex_key key = key_of(c, &shared);
  struct hold *h = backend_hold(b, c, HOLD_FUTEX, ns);
  h->key = key;
  h->shared = shared;
  h->word = c->arg[0];
  h->value = word;
  return h;
}

static struct reply futex_wait(struct backend *b, const struct call *c)
{
  int64_t ns;
  uint32_t word;
  if (!memory_timespec(c->tid, c->arg[3], &ns) ||
      !memory_get(c->tid, c->arg[0], &word, sizeof word))
    return REPLY_GO_ON;
  if (word != (uint32_t)c->arg[2])
    return REPLY_WITH(-EAGAIN);
  ns = length_of(b, c, ns);
  if (ns <= 0)
    return REPLY_WITH(-ETIMEDOUT);
  hold_futex(b, c, word, ns);
  return REPLY_LATER;
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
  int64_t ns;
  uint32_t word;
  bool wall = (c->arg[1] & (uint64_t)FUTEX_CMD_MASK) == FUTEX_LOCK_PI ||
              (c->arg[1] & FUTEX_CLOCK_REALTIME);
  if (!memory_timespec(c->tid, c->arg[3], &ns) ||
      !memory_get(c->tid, c->arg[0], &word, sizeof word) ||
      is_kernels_affair(c, word))
    return REPLY_GO_ON;
  if (ns != NO_DEADLINE)
    ns -= backend_now(b) + (wall ? b->page->wall_offset_ns : 0);
  if (ns <= 0)
    return REPLY_WITH(-ETIMEDOUT);
  struct hold *h = hold_futex(b, c, word, ns);
  h->lock = h->restarts = true;
  h->signal_result = -ERESTARTNOINTR_CODE;
  return REPLY_LATER;
}

size_t backend_look_at_locks(struct backend *b)
{
  size_t done = 0;
  for (size_t i = b->holds.n; i-- > 0;) {
    struct hold *h = b->holds.hold[i];
    uint32_t word;
    if (!h->lock || h->gone ||
        !memory_get(h->call.tid, h->word, &word, sizeof word) ||
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

static bool any_shared(const struct backend *b)
{
  for (size_t i = 0; i < b->holds.n; i++)
    if (b->holds.hold[i]->kind == HOLD_FUTEX && b->holds.hold[i]->shared)
      return true;
  return false;
}

/* Private, or private memory named as if it were not. */
static struct futex_key wake_key(const struct backend *b, const struct call *c)
{
  bool shared;
  if (any_shared(b))
    return key_of(c, &shared);
  return (struct futex_key){(uint64_t)c->tgid, c->arg[0], 0};
}

static int wake_ours(struct backend *b, const struct call *c, int most)
{
  int n = 0;
  if (b->holds.n == 0)
    return 0;
  struct futex_key key = wake_key(b, c);
  for (size_t i = 0; i < b->holds.n && n < most;) {
    struct hold *h = b->holds.hold[i];
    if (h->kind != HOLD_FUTEX || h->gone || h->lock ||
        memcmp(&h->key, &key, sizeof key) != 0) {
      i++;
      continue;
    }
    n += call_answer(&h->call, REPLY_WITH(0));
    hold_drop(&b->holds, i);
  }
  return n;
}

/* Ours first. When some are left to wake the kernel does its own, and its
 * count is short by ours: nobody relies on it. */
static struct reply futex_wake(struct backend *b, const struct call *c)
{
  int most = (int)c->arg[2];
  int n = most > 0 ? wake_ours(b, c, most) : 0;
  return n && n >= most ? REPLY_WITH(n) : REPLY_GO_ON;
}

/* ---- requeue ---- */

/* A waiter waits for another futex from now on; its word is what that one's
 * is now. */
static void move_ours(struct backend *b, const struct call *c, int most)
{
  bool shared;
  struct call to = *c;
  uint32_t word;
  to.arg[0] = c->arg[4];
  if (most <= 0 || b->holds.n == 0 ||
      !memory_get(c->tid, to.arg[0], &word, sizeof word))
    return;
  struct futex_key from = wake_key(b, c), key = key_of(&to, &shared);
  for (size_t i = 0; i < b->holds.n && most > 0; i++) {
    struct hold *h = b->holds.hold[i];
    if (h->kind != HOLD_FUTEX || h->gone || h->lock ||
        memcmp(&h->key, &from, sizeof from) != 0)
      continue;
    h->key = key;
    h->shared = shared;
    h->word = to.arg[0];
    h->value = word;
    most--;
  }
}

/* Wakes some of ours and moves others; then the kernel does the same with its
 * own. FUTEX_CMP_REQUEUE of another word is the kernel's affair. */
static struct reply futex_requeue(struct backend *b, const struct call *c)
{
  uint32_t word;
  bool compares = (c->arg[1] & (uint64_t)FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE;
  if (!memory_get(c->tid, c->arg[0], &word, sizeof word) ||
      (compares && word != (uint32_t)c->arg[5]))
    return REPLY_GO_ON;
  int most = (int)c->arg[2];
  if (most > 0)
    wake_ours(b, c, most);
  move_ours(b, c, (int)c->arg[3]);
  return REPLY_GO_ON;
}

struct reply call_futex(struct backend *b, const struct call *c)
{
  switch ((int)c->arg[1] & FUTEX_CMD_MASK) {
  case FUTEX_WAKE:
    return futex_wake(b, c);
  case FUTEX_REQUEUE:
  case FUTEX_CMP_REQUEUE:
    return futex_requeue(b, c);
  case FUTEX_LOCK_PI:
  case OP_LOCK_PI2:
    return futex_lock(b, c);
  default:
    return futex_wait(b, c);
  }
}
