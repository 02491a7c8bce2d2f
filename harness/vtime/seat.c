#include "harness/vtime/seat.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static struct seat *of(struct clock *c)
{
  return (struct seat *)(void *)c;
}

static int64_t now_ns(struct clock *c)
{
  of(c)->state = SEAT_RUNS;
  return vtime_page_now_ns(of(c)->page);
}

static int64_t wall_ns(struct clock *c)
{
  return vtime_page_now_ns(of(c)->page) + of(c)->page->wall_offset_ns;
}

static int64_t block_ns(struct clock *c, int64_t deadline_ns)
{
  struct seat *s = of(c);
  if (deadline_ns <= now_ns(c))
    return 0;
  s->deadline_ns = deadline_ns;
  atomic_fetch_add(&s->waits, 1);
  s->state = SEAT_WAITS;
  return -1;
}

static void wait_until(struct clock *c, int64_t deadline_ns)
{
  struct pollfd wake = {of(c)->wake_fd, POLLIN, 0};
  while (block_ns(c, deadline_ns) != 0)
    if (poll(&wake, 1, -1) > 0)
      seat_woken(of(c));
}

void seat_woken(struct seat *s)
{
  uint64_t n;
  ssize_t done = read(s->wake_fd, &n, sizeof n);
  (void)done; /* nothing there: somebody was faster */
}

int seat_init(struct seat *s, struct vtime_page *page, struct diag *diag)
{
  *s = (struct seat){.clock = {now_ns, wall_ns, wait_until, block_ns},
                     .page = page,
                     .tid = gettid(),
                     .wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                     .deadline_ns = NO_DEADLINE};
  if (s->wake_fd < 0)
    return diag_set(diag, "cannot make an event: %s", strerror(errno));
  return 0;
}

void seat_release(struct seat *s)
{
  if (s->wake_fd >= 0)
    close(s->wake_fd);
  s->wake_fd = -1;
}

void seat_wake(struct seat *s)
{
  int waits = SEAT_WAITS;
  uint64_t one = 1;
  if (!atomic_compare_exchange_strong(&s->state, &waits, SEAT_WOKEN))
    return;
  ssize_t n = write(s->wake_fd, &one, sizeof one);
  (void)n; /* full: it is awake anyway */
}
