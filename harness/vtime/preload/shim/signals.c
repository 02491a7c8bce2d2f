/* sigtimedwait, and what would block or take away the signal that ends
 * waits. */
#include "harness/vtime/preload/shim/shim.h"

#define KICK_BIT (1UL << (BOARD_KICK - 1))
/* Signals 32 and 33 are glibc's own (nptl(7)). */
#define LIBRARY_BITS (3UL << 31)

static unsigned long bits(const sigset_t *set)
{
  return *(const unsigned long *)(const void *)set;
}

/* ---- sigtimedwait ---- */

static long wait_for_signal(const sigset_t *set, siginfo_t *info,
                            const struct wait *w)
{
  static const struct timespec slice = {SHIM_SLICE_S, 0}, none = {0, 0};
  unsigned long mask = bits(set) | KICK_BIT;
  for (;;) {
    long r = S4(SYS_rt_sigtimedwait, &mask, info, &slice, sizeof mask);
    if (r != BOARD_KICK && r != -EAGAIN)
      return r;
    if (r == BOARD_KICK)
      shim_arm_due();
    if (wait_is_over(w) || (r == -EAGAIN && shim_alone()))
      return S4(SYS_rt_sigtimedwait, set, info, &none, sizeof mask);
    wait_again(w);
  }
}

EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                        const struct timespec *restrict t)
{
  unsigned long kick = KICK_BIT;
  struct wait w = {.how = SLOT_BY_KICK, .nr = SYS_rt_sigtimedwait};
  if (!shim_on() || !t || !shim_valid(t) || shim_ns(t) == 0)
    return (int)shim_result(
        S4(SYS_rt_sigtimedwait, set, info, t, sizeof(unsigned long)));
  w.asked_ns = shim_ns(t);
  w.deadline_ns = shim_add(shim_now(), w.asked_ns);
  if (!wait_begin(&w))
    return (int)shim_result(
        S4(SYS_rt_sigtimedwait, set, info, t, sizeof(unsigned long)));
  S4(SYS_rt_sigprocmask, SIG_BLOCK, &kick, NULL, sizeof kick);
  long r = wait_for_signal(set, info, &w);
  wait_end(&w);
  S4(SYS_rt_sigprocmask, SIG_UNBLOCK, &kick, NULL, sizeof kick);
  return (int)shim_result(r);
}

/* ---- masks ---- */

static int set_mask(int how, const sigset_t *set, sigset_t *old)
{
  unsigned long mask = 0, was = 0;
  if (set)
    mask = bits(set) & ~(LIBRARY_BITS | KICK_BIT);
  long r = S4(SYS_rt_sigprocmask, how, set ? &mask : NULL, old ? &was : NULL,
              sizeof mask);
  if (r == 0 && old) {
    sigemptyset(old);
    *(unsigned long *)(void *)old = was;
  }
  return (int)-r;
}

EXPORT int pthread_sigmask(int how, const sigset_t *restrict set,
                           sigset_t *restrict old)
{
  if (!shim_on())
    return REAL(pthread_sigmask)(how, set, old);
  return set_mask(how, set, old);
}

EXPORT int sigprocmask(int how, const sigset_t *restrict set,
                       sigset_t *restrict old)
{
  if (!shim_on())
    return REAL(sigprocmask)(how, set, old);
  return (int)shim_result(-set_mask(how, set, old));
}

/* ---- handlers ---- */

EXPORT int sigaction(int sig, const struct sigaction *restrict a,
                     struct sigaction *restrict old)
{
  struct sigaction copy;
  if (!shim_on())
    return REAL(sigaction)(sig, a, old);
  if (sig == BOARD_KICK) { /* ours; as if it were set and never came */
    if (old)
      *old = (struct sigaction){.sa_handler = SIG_DFL};
    return 0;
  }
  if (a) {
    copy = *a;
    *(unsigned long *)(void *)&copy.sa_mask &= ~KICK_BIT;
  }
  return REAL(sigaction)(sig, a ? &copy : NULL, old);
}

EXPORT sighandler_t signal(int sig, sighandler_t handler)
{
  if (shim_on() && sig == BOARD_KICK)
    return SIG_DFL;
  return REAL(signal)(sig, handler);
}
