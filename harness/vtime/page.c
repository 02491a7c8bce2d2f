#include "harness/vtime/page.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(offsetof(struct vtime_page, wall_offset_ns) == VTIME_AT_WALL &&
                   offsetof(struct vtime_page, boot_offset_ns) ==
                       VTIME_AT_BOOT &&
                   offsetof(struct vtime_page, tick_ns) == VTIME_AT_TICK &&
                   offsetof(struct vtime_page, base_ns) == VTIME_AT_BASE &&
                   offsetof(struct vtime_page, ticks_ns) == VTIME_AT_TICKS,
               "the machine code reads the page by these offsets");
_Static_assert(sizeof(struct vtime_page) <= VTIME_PAGE_BYTES, "one page");

static int64_t read_ns(clockid_t id)
{
  struct timespec t;
  clock_gettime(id, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

static void fill(struct vtime_page *p, int64_t wall_ns)
{
  int64_t mono = read_ns(CLOCK_MONOTONIC);
  p->magic = VTIME_PAGE_MAGIC;
  p->version = VTIME_PAGE_VERSION;
  p->size = VTIME_PAGE_BYTES;
  p->wall_offset_ns = (wall_ns < 0 ? read_ns(CLOCK_REALTIME) : wall_ns) - mono;
  p->boot_offset_ns = read_ns(CLOCK_BOOTTIME) - mono;
  p->tick_ns = VTIME_TICK_NS;
  p->base_ns = mono;
}

struct vtime_page *vtime_page_new(int64_t wall_ns, int *ret_fd,
                                  struct diag *diag)
{
  int fd = memfd_create("faultwire-clock", MFD_CLOEXEC);
  void *m = MAP_FAILED;
  if (fd >= 0 && ftruncate(fd, VTIME_PAGE_BYTES) == 0)
    m = mmap(NULL, VTIME_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (m == MAP_FAILED) {
    diag_set(diag, "cannot make the clock page: %s", strerror(errno));
    if (fd >= 0)
      close(fd);
    return NULL;
  }
  fill(m, wall_ns);
  *ret_fd = fd;
  return m;
}

void vtime_page_free(struct vtime_page *p)
{
  if (p)
    munmap(p, VTIME_PAGE_BYTES);
}

int64_t vtime_page_now_ns(const struct vtime_page *p)
{
  return p->base_ns + p->ticks_ns;
}

int64_t vtime_page_read_ns(struct vtime_page *p)
{
  int64_t tick = p->tick_ns;
  return p->base_ns + atomic_fetch_add(&p->ticks_ns, tick) + tick;
}

bool vtime_page_has(clockid_t id)
{
  switch (id) {
  case CLOCK_REALTIME:
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_BOOTTIME_ALARM:
  case CLOCK_TAI:
    return true;
  default:
    return false;
  }
}

int64_t vtime_page_offset_ns(const struct vtime_page *p, clockid_t id)
{
  switch (id) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
  case CLOCK_TAI: /* minus the leap seconds, which nobody sets in a test */
    return p->wall_offset_ns;
  case CLOCK_BOOTTIME:
  case CLOCK_BOOTTIME_ALARM:
    return p->boot_offset_ns;
  default:
    return 0;
  }
}

void vtime_page_add(struct vtime_page *p, int64_t ns)
{
  assert(ns >= 0);
  atomic_fetch_add(&p->base_ns, ns);
}
