#include "peek.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int read_locked(int fd, struct buf *ret)
{
  char piece[1024];
  ssize_t n;
  while (flock(fd, LOCK_SH) < 0)
    if (errno != EINTR)
      return -1;
  while ((n = read(fd, piece, sizeof piece)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    buf_add(ret, piece, (size_t)n);
    if (ret->full)
      return 0;
  }
  return 0;
}

static enum peek_found judge(const struct buf *text, struct shared *ret)
{
  static const enum peek_found found[] = {[SHARED_OK] = PEEK_STATE,
                                          [SHARED_EMPTY] = PEEK_MISSING,
                                          [SHARED_TORN] = PEEK_TORN,
                                          [SHARED_FOREIGN] = PEEK_FOREIGN};
  return found[shared_decode(buf_bytes(text), ret)];
}

int peek_file(const char *path, enum peek_found *ret_found, struct shared *ret,
              struct diag *diag)
{
  struct buf text;
  /* not to hang at a pipe nobody writes to */
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
    *ret_found = PEEK_MISSING;
    return 0;
  }
  if (fd < 0)
    return diag_set(diag, "state file %s: %s", path, strerror(errno));
  buf_init(&text, STATE_MAX_BYTES);
  int rc = read_locked(fd, &text);
  if (rc < 0)
    diag_set(diag, "state file %s: %s", path, strerror(errno));
  else
    *ret_found = judge(&text, ret);
  buf_release(&text);
  close(fd);
  return rc;
}

static void add_time(int64_t end_ms, int64_t now_ms, struct buf *ret)
{
  char date[21];
  clock_rfc3339((end_ms + 999) / 1000, date);
  buf_addf(ret, " %s (%.1f s from now)", date,
           (double)(end_ms - now_ms) / 1000);
}

static void describe_breaker(const struct guard_breaker *b,
                             const struct guard_policy *p, int64_t now_ms,
                             struct buf *ret)
{
  enum guard_breaker_state state = guard_breaker_state(b, p, now_ms);
  /* no opening lasts longer than its own length from now (breaker.h) */
  int64_t hold_ms = b->hold_ms < p->max_hold_ms ? b->hold_ms : p->max_hold_ms;
  int64_t longest_ms = now_ms + hold_ms;
  bool probe = b->state == GUARD_BREAKER_HALF_OPEN && b->probe &&
               b->probe_end_ms > now_ms;
  buf_addf(ret, "state: %s", guard_breaker_state_name(state));
  if (state == GUARD_BREAKER_OPEN) {
    buf_adds(ret, " until");
    add_time(b->until_ms < longest_ms ? b->until_ms : longest_ms, now_ms, ret);
  } else if (state == GUARD_BREAKER_HALF_OPEN) {
    buf_adds(ret, probe ? ", one call is out as the probe"
                        : ", the next call is the probe");
  }
  buf_addc(ret, '\n');
}

static int64_t count_hits(const struct guard_breaker *b, int64_t window_ms,
                          int64_t now_ms)
{
  int64_t n = 0;
  for (int64_t i = 0; i < b->nhits; i++)
    n += b->hits_ms[i] >= now_ms || now_ms - b->hits_ms[i] < window_ms;
  return n;
}

/* The slots that still count at |now_ms|, summed up. */
static int64_t count_slots(const struct guard_budget *b, const int64_t *count,
                           int64_t window_ms, int64_t now_ms)
{
  int64_t now = now_ms / (window_ms / GUARD_BUDGET_SLOTS), n = 0;
  if (now + GUARD_BUDGET_SLOTS <= b->slot)
    return 0; /* the clock stepped back: the next call empties it */
  for (int64_t slot = b->slot; slot > b->slot - GUARD_BUDGET_SLOTS; slot--)
    if (slot >= 0 && slot > now - GUARD_BUDGET_SLOTS)
      n += count[slot % GUARD_BUDGET_SLOTS];
  return n;
}

void peek_describe(const struct shared *s, const struct guard_policy *p,
                   int64_t now_epoch_ms, struct buf *ret)
{
  const struct guard_budget *b = &s->budget;
  int64_t window_ms = p->budget_window_ms;
  describe_breaker(&s->breaker, p, now_epoch_ms, ret);
  buf_addf(ret, "hits: %" PRId64 " in the last %g s\n",
           count_hits(&s->breaker, p->breaker_window_ms, now_epoch_ms),
           (double)p->breaker_window_ms / 1000);
  buf_addf(ret, "requests: %" PRId64 " in the last %g s\n",
           count_slots(b, b->requests, window_ms, now_epoch_ms),
           (double)window_ms / 1000);
  buf_addf(ret, "retries: %" PRId64 " in the last %g s\n",
           count_slots(b, b->retries, window_ms, now_epoch_ms),
           (double)window_ms / 1000);
}
