/*
 * page.h - the clock page: one page of memory that the server, the harness
 * and every program of a client's tree read the time from.
 *
 * The rule (the model of a frozen clock with jumps): virtual monotonic time is
 * base + ticks. Only the coordinator adds to `base`. Every reader in a client
 * adds `tick` to `ticks`, so that a busy wait on the clock gets on and time
 * never stands still between two reads. The wall clock and the boot clock
 * are the monotonic one plus an offset, fixed when the page is made; that is
 * how a test chooses its date.
 *
 * Clients map the page at a fixed address and read it with a few machine
 * instructions (seccomp/vdso_code.c), hence the fixed offsets.
 */
#ifndef VTIME_PAGE_H
#define VTIME_PAGE_H

#include "base/clock.h"
#include "base/diag.h"

#include <stdatomic.h>
#include <time.h>

#define VTIME_PAGE_BYTES 4096
#define VTIME_PAGE_MAGIC UINT32_C(0x31745646)
#define VTIME_PAGE_VERSION 1

/* One microsecond a read: a clock read takes less, so no program can tell. */
#define VTIME_TICK_NS INT64_C(1000)

struct vtime_page {
  uint32_t magic, version;
  uint32_t size, unused;
  int64_t wall_offset_ns; /* CLOCK_REALTIME minus CLOCK_MONOTONIC */
  int64_t boot_offset_ns; /* CLOCK_BOOTTIME minus CLOCK_MONOTONIC */
  _Atomic int64_t tick_ns;
  _Atomic int64_t base_ns;
  _Atomic int64_t ticks_ns;
};

/* Where the machine code finds them. */
enum {
  VTIME_AT_WALL = 16,
  VTIME_AT_BOOT = 24,
  VTIME_AT_TICK = 32,
  VTIME_AT_BASE = 40,
  VTIME_AT_TICKS = 48
};

/*
 * A fresh page in a file without a name. Virtual time begins at the real
 * monotonic clock; the wall clock at `wall_ns` since 1970, or at the real one
 * when it is negative. *ret_fd is the caller's to close.
 */
struct vtime_page *vtime_page_new(int64_t wall_ns, int *ret_fd,
                                  struct diag *diag);
void vtime_page_free(struct vtime_page *p);
/* Virtual CLOCK_MONOTONIC; does not add a tick. */
int64_t vtime_page_now_ns(const struct vtime_page *p);
/* The same with a tick, as a client's read does it. */
int64_t vtime_page_read_ns(struct vtime_page *p);
/* True for the clocks that are virtual; those of CPU time are not. */
bool vtime_page_has(clockid_t id);
/* What to add to the monotonic clock to get this one. */
int64_t vtime_page_offset_ns(const struct vtime_page *p, clockid_t id);
/* Time goes on by `ns`; for the coordinator alone. */
void vtime_page_add(struct vtime_page *p, int64_t ns);

#endif
