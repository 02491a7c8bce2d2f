/*
 * shim.h - inside the shared object that clients load before their library:
 * the clock page, raw system calls, waits.
 *
 * The rule: no library is needed (no DT_NEEDED), so that the object loads
 * into programs of glibc and of musl alike. What the library has to do is
 * asked for by name when it is wanted. Without a page, or when the
 * coordinator has gone, every function does what the library's does.
 */
#ifndef VTIME_PRELOAD_SHIM_H
#define VTIME_PRELOAD_SHIM_H

#include "harness/vtime/page.h"
#include "harness/vtime/preload/board.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)

/* ---- the library ---- */

/* dlsym(3), as a function that gives a function. In glibc before 2.34 it is
 * in a library of its own, hence weak. */
extern void (*shim_dlsym(void *handle, const char *name))(void) __asm__("dlsym")
    __attribute__((weak));
/* RTLD_NEXT (dlfcn.h): the one behind ours. All are asked for at the start:
 * dlsym takes a lock, which a signal handler or a child of fork may never
 * get. */
#define SHIM_NEXT ((void *)-1L)
struct shim_real {
  void (*f)(void);
  const char *name;
};
#define REAL(call)                                                             \
  __extension__({                                                              \
    static struct shim_real r_                                                 \
        __attribute__((section("shim_real"), used)) = {NULL, #call};           \
    if (!r_.f)                                                                 \
      r_.f = shim_dlsym(SHIM_NEXT, r_.name);                                   \
    (__typeof__(&(call)))r_.f;                                                 \
  })

/* ---- system calls, without a library ---- */

static inline long sys6(long n, const long a[6])
{
  long r;
  register long r10 __asm__("r10") = a[3];
  register long r8 __asm__("r8") = a[4];
  register long r9 __asm__("r9") = a[5];
  __asm__ volatile("syscall"
                   : "=a"(r)
                   : "a"(n), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return r;
}
#define S6(n, a, b, c, d, e, f)                                                \
  sys6(n, (const long[6]){(long)(a), (long)(b), (long)(c), (long)(d),          \
                          (long)(e), (long)(f)})
#define S3(n, a, b, c) S6(n, a, b, c, 0, 0, 0)
#define S4(n, a, b, c, d) S6(n, a, b, c, d, 0, 0)

/* As a library returns it: -1 with errno. */
static inline long shim_result(long r)
{
  if (r >= 0 || r < -4095)
    return r;
  errno = (int)-r;
  return -1;
}

/* ---- the page ---- */

extern struct vtime_page *shim_page;
extern struct board *shim_board;
extern volatile bool shim_gone; /* the coordinator */
bool shim_start(void);
/* False: real time. */
static inline bool shim_on(void)
{
  return LIKELY(shim_page != NULL && !shim_gone) || shim_start();
}
/* The coordinator has gone: real time from now on. */
bool shim_alone(void);
/* What exec puts back into an environment; NULL: nothing. Of the first the
 * path of the object, without an end of its own. */
extern const char *shim_variable[2];
extern const char *shim_object;
extern size_t shim_object_bytes;

static inline int shim_pid(void)
{
  return (int)S3(SYS_getpid, 0, 0, 0);
}

/* ---- time ---- */

#define SHIM_EVER NO_DEADLINE
static inline int64_t shim_now(void)
{
  return vtime_page_now_ns(shim_page);
}
/* Centuries are for ever. */
static inline int64_t shim_seconds(time_t s, int64_t ns)
{
  if (s >= SHIM_EVER / NS_PER_S)
    return SHIM_EVER;
  if (s <= -(SHIM_EVER / NS_PER_S))
    return -SHIM_EVER;
  return (int64_t)s * NS_PER_S + ns;
}
static inline int64_t shim_ns(const struct timespec *t)
{
  return shim_seconds(t->tv_sec, t->tv_nsec);
}
static inline bool shim_valid(const struct timespec *t)
{
  return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < NS_PER_S;
}
static inline void shim_put(int64_t ns, struct timespec *ret)
{
  ret->tv_sec = ns / NS_PER_S;
  ret->tv_nsec = ns % NS_PER_S;
}
static inline int64_t shim_add(int64_t a, int64_t b)
{
  int64_t r;
  return __builtin_add_overflow(a, b, &r) ? SHIM_EVER : r;
}
/* A time of that clock as a deadline. */
static inline int64_t shim_deadline(clockid_t id, const struct timespec *t)
{
  int64_t ns = shim_ns(t), r;
  if (ns == SHIM_EVER ||
      __builtin_sub_overflow(ns, vtime_page_offset_ns(shim_page, id), &r))
    return ns;
  return r;
}

/* ---- waits ---- */

/* No wait in the kernel is longer, in real time; then the coordinator's life
 * is looked at. */
#define SHIM_SLICE_S 2
/* Of waits that only look: a multiple of what a look costs. */
#define SHIM_GLANCE_NS (20 * NS_PER_MS)

struct wait {
  struct board_slot *slot;
  int64_t deadline_ns, asked_ns;
  int how, nr;
  bool nested; /* in a handler, in the middle of another */
  bool kicked; /* the other was, before */
};
/* False: there is no slot; the wait is the kernel's and opaque. */
bool wait_begin(struct wait *w);
/* Once more, after something that did not end it. */
void wait_again(const struct wait *w);
void wait_end(const struct wait *w);
static inline bool wait_is_over(const struct wait *w)
{
  return shim_now() >= w->deadline_ns;
}
/* The signal has come since wait_begin() or wait_again(). */
bool wait_kicked(void);
void wait_set_kick(bool kicked);
/* Until the deadline: 0, or EINTR. */
int wait_until(int64_t deadline_ns, int64_t asked_ns);
/* The real clock in `ns`. */
struct timespec shim_real_in(clockid_t id, int64_t ns);
void shim_give_up(int what);

/* What exec and the signal handler need of the timers. */
void shim_arm_due(void);
void timerfd_inherit(void);
/* These descriptors end, or become others. */
void timerfd_close(unsigned first, unsigned last);
/* A wait for one descriptor: 1, 0 at the end, or -errno. */
long shim_poll_one(int fd, short events, int64_t ns);

#endif
