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
/* RTLD_NEXT (dlfcn.h): the one behind ours. */
#define SHIM_NEXT ((void *)-1L)
#define REAL(name)                                                             \
  __extension__({                                                              \
    static __typeof__(&(name)) f_;                                             \
    if (!f_)                                                                   \
      f_ = (__typeof__(&(name)))shim_dlsym(SHIM_NEXT, #name);                  \
    f_;                                                                        \
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
/* What exec puts back into an environment; NULL: nothing. */
extern const char *shim_variable[2];

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
static inline int64_t shim_ns(const struct timespec *t)
{
  if (t->tv_sec >= SHIM_EVER / NS_PER_S)
    return SHIM_EVER;
  return (int64_t)t->tv_sec * NS_PER_S + t->tv_nsec;
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
  int64_t ns = shim_ns(t);
  return ns == SHIM_EVER ? ns : ns - vtime_page_offset_ns(shim_page, id);
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
void wait_forget_kick(void);
/* Until the deadline: 0, or EINTR. */
int wait_until(int64_t deadline_ns, int64_t asked_ns);
/* The real clock in `ns`. */
struct timespec shim_real_in(clockid_t id, int64_t ns);
void shim_give_up(int what);

/* What exec and the signal handler need of the timers. */
void shim_arm_due(void);
/* A wait for one descriptor: 1, 0 at the end, or -errno. */
long shim_poll_one(int fd, short events, int64_t ns);

#endif
