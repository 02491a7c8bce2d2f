/* Waits for sets of descriptors: select and its kin. */
#include "harness/vtime/preload/shim/fds.h"

#include <fcntl.h>
#include <sys/time.h>

static const struct timespec slice = {SHIM_SLICE_S, 0};

static void copy_set(fd_set *to, const fd_set *from, unsigned long n)
{
  unsigned long *t = (unsigned long *)(void *)to;
  const unsigned long *f = (const unsigned long *)(const void *)from;
  for (unsigned long i = 0; i < (n + 63) / 64; i++)
    t[i] = f[i];
}

static long call_select(const struct ask *a, const struct timespec *t,
                        const unsigned long *mask)
{
  struct timespec copy = t ? *t : slice;
  struct {
    const unsigned long *mask;
    size_t size;
  } six = {mask, sizeof *mask};
  for (int i = 0; i < 3; i++)
    if (a->in[i])
      copy_set(a->in[i], a->wanted[i], a->n);
  return S6(SYS_pselect6, a->n, a->in[0], a->in[1], a->in[2], t ? &copy : NULL,
            mask ? &six : NULL);
}

/* Sets that are larger than an fd_set, of programs that have so many
 * descriptors; what is beyond has no room on a thread's stack. */
enum { LARGE_SET = 16384 };

/* As the kernel bounds the number (core_sys_select), by the size of the
 * process's table: programs say getdtablesize(), a million, of a small set. */
static int bounded(int n)
{
  static const char name[] = "FDSize:";
  char text[1024];
  int size = 0, k = 0;
  long fd =
      S4(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, 0);
  long got = S3(SYS_read, fd, text, sizeof text);
  S3(SYS_close, fd, 0, 0);
  for (long i = 0; i < got && size == 0; i++) {
    k = text[i] == name[k] ? k + 1 : text[i] == name[0];
    if (name[k])
      continue;
    for (i++; i < got && (text[i] == '\t' || text[i] == ' '); i++)
      continue;
    for (; i < got && text[i] >= '0' && text[i] <= '9' && size < LARGE_SET; i++)
      size = 10 * size + text[i] - '0';
  }
  size = size > 0 && size < LARGE_SET ? size : LARGE_SET;
  return n < size ? n : size;
}

static long select_for(int n, fd_set *const in[3], int64_t ns,
                       const sigset_t *mask)
{
  enum { WORDS = LARGE_SET / 64 };
  unsigned long room[3][WORDS];
  const fd_set *wanted[3];
  struct ask a = {.call = call_select,
                  .nr = SYS_pselect6,
                  .ns = ns,
                  .mask = mask,
                  .n = (unsigned long)(n > FD_SETSIZE ? bounded(n) : n),
                  .in = in,
                  .wanted = wanted};
  if (n < 0)
    return -EINVAL;
  for (int i = 0; i < 3; i++) {
    wanted[i] = (const fd_set *)(const void *)room[i];
    if (in[i])
      copy_set((fd_set *)(void *)room[i], in[i], a.n);
  }
  return fds_ask(&a);
}

EXPORT int select(int n, fd_set *restrict r, fd_set *restrict w,
                  fd_set *restrict e, struct timeval *restrict t)
{
  fd_set *const in[3] = {r, w, e};
  if (t && (t->tv_sec < 0 || t->tv_usec < 0))
    return (int)shim_result(-EINVAL);
  bool on = shim_on();
  int64_t ns = -1, begin = on ? shim_now() : 0;
  if (t)
    ns = shim_add(shim_seconds(t->tv_sec, 0),
                  shim_seconds(t->tv_usec / 1000000, 0) +
                      t->tv_usec % 1000000 * 1000);
  long rc = select_for(n, in, ns, NULL);
  if (t && on) {
    int64_t left = ns - (shim_now() - begin);
    left = left > 0 ? left : 0;
    *t = (struct timeval){left / NS_PER_S, left % NS_PER_S / 1000};
  }
  return (int)shim_result(rc);
}

EXPORT int __select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t);
int __select(int n, fd_set *r, fd_set *w, fd_set *e, struct timeval *t)
{
  return select(n, r, w, e, t);
}

EXPORT int pselect(int n, fd_set *restrict r, fd_set *restrict w,
                   fd_set *restrict e, const struct timespec *restrict t,
                   const sigset_t *restrict mask)
{
  fd_set *const in[3] = {r, w, e};
  if (t && !shim_valid(t))
    return (int)shim_result(-EINVAL);
  return (int)shim_result(select_for(n, in, t ? shim_ns(t) : -1, mask));
}
