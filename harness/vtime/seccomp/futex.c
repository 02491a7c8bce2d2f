#include "harness/vtime/seccomp/futex.h"

#include "harness/vtime/table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- which futex ---- */

enum { MAX_MAPS = 16 << 20 };
/* In `c` of a key: memory of one process. No file is so long. */
#define ONE_PROCESS UINT64_MAX

static void read_maps(int tgid, struct buf *ret)
{
  char path[48], chunk[4096];
  snprintf(path, sizeof path, "/proc/%d/maps", tgid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  for (ssize_t n; fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0;)
    buf_add(ret, chunk, (size_t)n);
  if (fd >= 0)
    close(fd);
}

static bool map_of(struct bytes maps, uint64_t address, struct table_map *ret)
{
  while (table_map(&maps, ret))
    if (address >= ret->start && address < ret->end)
      return true;
  return false;
}

/* As the kernel tells futexes apart (futex(2)): by address in one process,
 * or by file and place in memory that is shared. `maps` is read when it is
 * needed and still empty. */
static struct futex_key key_of(int tgid, const struct futex_at *at,
                               struct buf *maps)
{
  struct table_map m;
  if (!at->private && maps->n == 0)
    read_maps(tgid, maps);
  if (at->private || !map_of(buf_bytes(maps), at->address, &m) || !m.shared)
    return (struct futex_key){(uint64_t)tgid, at->address, ONE_PROCESS};
  return (struct futex_key){m.device, m.inode,
                            m.offset + (at->address - m.start)};
}

static struct futex_key one_key(int tgid, const struct futex_at *at)
{
  struct buf maps;
  buf_init(&maps, MAX_MAPS);
  struct futex_key key = key_of(tgid, at, &maps);
  buf_release(&maps);
  return key;
}

static bool is_shared(const struct futex_key *key)
{
  return key->c != ONE_PROCESS;
}

/* Two processes may have one memory (clone(2), CLONE_VM). */
static bool same_memory(uint64_t a, uint64_t b)
{
  return syscall(SYS_kcmp, (pid_t)a, (pid_t)b, KCMP_VM, 0, 0) == 0;
}

static bool same_key(const struct futex_key *a, const struct futex_key *b)
{
  if (memcmp(a, b, sizeof *a) == 0)
    return true;
  return !is_shared(a) && !is_shared(b) && a->b == b->b &&
         same_memory(a->a, b->a);
}

static bool is_ours(const struct hold *h)
{
  return h->kind == HOLD_FUTEX && !h->gone && !h->lock;
}

static bool any_shared(const struct backend *b)
{
  for (size_t i = 0; i < b->holds.n; i++)
    for (size_t k = 0; k < b->holds.hold[i]->nwords; k++)
      if (is_shared(&b->holds.hold[i]->words[k].key))
        return true;
  return false;
}

/* Of a wake-up. While no word of ours is shared it is private, or private
 * memory named as if it were not, or none of ours. */
struct futex_key futex_key_of(const struct backend *b, const struct call *c,
                              const struct futex_at *at)
{
  struct futex_at local = {at->address, at->private || !any_shared(b)};
  return one_key(c->tgid, &local);
}

/* ---- wait ---- */

static int64_t length_of(const struct backend *b, const struct futex_wait *w)
{
  if (!w->time.moment || w->ns == NO_DEADLINE)
    return w->ns;
  return w->ns - backend_now(b) - (w->time.wall ? b->page->wall_offset_ns : 0);
}

/* In their order, as the kernel does. */
static bool compare(const struct call *c, const struct futex_wait *w,
                    struct reply *ret_now)
{
  uint32_t word;
  *ret_now = REPLY_GO_ON;
  for (size_t i = 0; i < w->n; i++) {
    const struct futex_word *f = &w->word[i];
    if (f->address % sizeof word != 0 ||
        !memory_get(c->tid, f->address, &word, sizeof word))
      return false;
    if (word == f->value)
      continue;
    *ret_now = REPLY_WITH(-EAGAIN);
    return false;
  }
  return true;
}

static void fill_keys(const struct call *c, struct futex_wait *w)
{
  struct buf maps;
  buf_init(&maps, MAX_MAPS);
  for (size_t i = 0; i < w->n; i++) {
    struct futex_at at = {w->word[i].address, w->private[i]};
    w->word[i].key = key_of(c->tgid, &at, &maps);
    w->word[i].tid = c->tid;
  }
  buf_release(&maps);
}

struct hold *futex_hold(struct backend *b, const struct call *c,
                        struct futex_wait *w, struct reply *ret_now)
{
  if (!compare(c, w, ret_now))
    return NULL;
  int64_t ns = length_of(b, w);
  if (ns <= 0) {
    *ret_now = REPLY_WITH(-ETIMEDOUT);
    return NULL;
  }
  fill_keys(c, w);
  struct hold *h = backend_hold(b, c, HOLD_FUTEX, ns);
  h->moment = w->time.moment;
  h->words = mem_zalloc(w->n * sizeof *h->words);
  h->nwords = w->n;
  memcpy(h->words, w->word, w->n * sizeof *h->words);
  *ret_now = REPLY_LATER;
  return h;
}

/* ---- wake ---- */

/* Which of its words that is; -1: none. */
static int word_of(const struct hold *h, const struct futex_key *key,
                   uint32_t bits)
{
  for (size_t k = 0; k < h->nwords; k++)
    if ((h->words[k].bits & bits) && same_key(&h->words[k].key, key))
      return (int)k;
  return -1;
}

/* Of futex_waitv the answer is which one (and one alone is number 0). */
int futex_wake_ours(struct backend *b, const struct futex_wake *w)
{
  int done = 0;
  for (size_t i = 0; i < b->holds.n && done < w->most;) {
    const struct hold *h = b->holds.hold[i];
    int k = is_ours(h) ? word_of(h, &w->key, w->bits) : -1;
    if (k < 0) {
      i++;
      continue;
    }
    done += call_answer(&h->call, REPLY_WITH(k));
    hold_drop(&b->holds, i);
  }
  return done;
}

size_t backend_look_at_words(struct backend *b)
{
  size_t done = 0;
  for (size_t i = b->holds.n; i-- > 0;) {
    const struct hold *h = b->holds.hold[i];
    for (size_t k = 0; is_ours(h) && k < h->nwords; k++) {
      const struct futex_word *f = &h->words[k];
      uint32_t word;
      if (!memory_get(f->tid, f->address, &word, sizeof word) ||
          word == f->value)
        continue;
      backend_end(b, i, REPLY_WITH((int64_t)k));
      done++;
      break;
    }
  }
  return done;
}

/* ---- requeue ---- */

/* In the memory of another process it may be elsewhere, or not at all. */
static void move(struct futex_word *f, const struct hold *h,
                 const struct call *c, const struct futex_word *to)
{
  uint32_t bits = f->bits;
  *f = *to;
  f->bits = bits;
  f->tid = h->call.tgid == c->tgid ? h->call.tid : c->tid;
}

void futex_move_ours(struct backend *b, const struct call *c,
                     const struct futex_move *m)
{
  struct futex_word to = {.address = m->to.address};
  int done = 0;
  if (b->holds.n == 0 ||
      !memory_get(c->tid, to.address, &to.value, sizeof to.value))
    return;
  struct futex_key from = futex_key_of(b, c, &m->from);
  to.key = one_key(c->tgid, &m->to);
  for (size_t i = 0; i < b->holds.n && done < m->most; i++) {
    struct hold *h = b->holds.hold[i];
    int k = is_ours(h) ? word_of(h, &from, UINT32_MAX) : -1;
    if (k < 0)
      continue;
    move(&h->words[k], h, c, &to);
    done++;
  }
}
