#include "harness/vtime/seccomp/hold.h"

#include "base/buf.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void hold_close_fds(struct hold *h)
{
  for (size_t i = 0; i < h->nfds; i++)
    if (h->fd[i].fd >= 0)
      close(h->fd[i].fd);
  free(h->fd);
  h->fd = NULL;
  h->nfds = 0;
}

static void free_hold(struct hold *h)
{
  hold_close_fds(h);
  free(h->words);
  free(h);
}

void hold_table_release(struct hold_table *t)
{
  for (size_t i = 0; i < t->n; i++)
    free_hold(t->hold[i]);
  free(t->hold);
  *t = (struct hold_table){.n = 0};
}

struct hold *hold_add(struct hold_table *t, const struct call *c,
                      enum hold_kind kind)
{
  if (t->n == t->cap) {
    t->cap = t->cap ? 2 * t->cap : 32;
    t->hold = mem_realloc(t->hold, t->cap * sizeof(struct hold *));
  }
  struct hold *h = mem_zalloc(sizeof *h);
  h->call = *c;
  h->kind = kind;
  h->signal_result = -EINTR;
  t->hold[t->n++] = h;
  return h;
}

void hold_drop(struct hold_table *t, size_t i)
{
  free_hold(t->hold[i]);
  t->n--;
  memmove(&t->hold[i], &t->hold[i + 1], (t->n - i) * sizeof t->hold[0]);
}

struct hold *hold_of(const struct hold_table *t, int tid, size_t *ret_i)
{
  for (size_t i = 0; i < t->n; i++)
    if (t->hold[i]->call.tid == tid) {
      *ret_i = i;
      return t->hold[i];
    }
  return NULL;
}

void hold_put_left(const struct hold *h, int64_t now_ns)
{
  int64_t left = h->deadline_ns > now_ns ? h->deadline_ns - now_ns : 0;
  if (h->left_form == LEFT_TIMESPEC)
    memory_put_timespec(h->call.tid, h->left, left);
  else if (h->left_form == LEFT_TIMEVAL)
    memory_put_timeval(h->call.tid, h->left, left);
}

/* struct pollfd has revents, two bytes, at 6 (poll(2)). */
static void clear_polls(const struct hold *h)
{
  static const short none = 0;
  for (size_t i = 0; i < h->npolls; i++)
    memory_put(h->call.tid, h->polls + 8 * i + 6, &none, sizeof none);
}

static void clear_sets(const struct hold *h)
{
  static const char none[8192]; /* 65536 descriptors; call_fd.c takes less */
  for (int i = 0; i < 3; i++)
    if (h->sets[i])
      memory_put(h->call.tid, h->sets[i], none, h->set_bytes);
}

struct reply hold_expired(const struct hold *h)
{
  switch (h->kind) {
  case HOLD_FDS:
    clear_polls(h);
    clear_sets(h);
    hold_put_left(h, h->deadline_ns);
    return REPLY_WITH(h->end_result);
  case HOLD_FUTEX:
    return REPLY_WITH(-ETIMEDOUT);
  case HOLD_SIGNALS:
    return REPLY_WITH(-EAGAIN);
  case HOLD_SLEEP:
    break;
  }
  return REPLY_WITH(0);
}
