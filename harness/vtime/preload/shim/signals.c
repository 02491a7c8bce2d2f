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
    if (wait_is_over(w) || (r == -EAGAIN && shim_alone())) {
      mask &= ~KICK_BIT;
      return S4(SYS_rt_sigtimedwait, &mask, info, &none, sizeof mask);
    }
    wait_again(w);
  }
}

EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                        const struct timespec *restrict t)
{
  unsigned long kick = KICK_BIT, mask = bits(set);
  struct wait w = {.how = SLOT_BY_KICK, .nr = SYS_rt_sigtimedwait};
  if (shim_on() && !t)
    return sigwaitinfo(set, info);
  if (shim_on())
    mask &= ~KICK_BIT;
  if (!shim_on() || !shim_valid(t) || shim_ns(t) == 0)
    return (int)shim_result(
        S4(SYS_rt_sigtimedwait, &mask, info, t, sizeof mask));
  w.asked_ns = shim_ns(t);
  w.deadline_ns = shim_add(shim_now(), w.asked_ns);
  if (!wait_begin(&w))
    return (int)shim_result(
        S4(SYS_rt_sigtimedwait, &mask, info, t, sizeof mask));
  S4(SYS_rt_sigprocmask, SIG_BLOCK, &kick, NULL, sizeof kick);
  long r = wait_for_signal(set, info, &w);
  wait_end(&w);
  S4(SYS_rt_sigprocmask, SIG_UNBLOCK, &kick, NULL, sizeof kick);
  return (int)shim_result(r);
}

/* ---- waits without an end ---- */

/*
 * One that is ended by any handler (pause, sigsuspend) or that takes signals
 * (sigwait): ours is kept off the thread meanwhile. Of a process it goes to
 * another thread; if all wait like this, nobody is there who could wait for
 * what it says.
 */
static sigset_t without_kick(const sigset_t *set)
{
  sigset_t copy = *set;
  *(unsigned long *)(void *)&copy &= ~KICK_BIT;
  return copy;
}

static void kick_blocked(int how)
{
  unsigned long kick = KICK_BIT;
  S4(SYS_rt_sigprocmask, how, &kick, NULL, sizeof kick);
}

EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
  if (!shim_on())
    return REAL(sigwaitinfo)(set, info);
  sigset_t copy = without_kick(set);
  kick_blocked(SIG_BLOCK);
  int rc = REAL(sigwaitinfo)(&copy, info);
  kick_blocked(SIG_UNBLOCK);
  return rc;
}

EXPORT int sigwait(const sigset_t *restrict set, int *restrict ret)
{
  if (!shim_on())
    return REAL(sigwait)(set, ret);
  sigset_t copy = without_kick(set);
  kick_blocked(SIG_BLOCK);
  int rc = REAL(sigwait)(&copy, ret);
  kick_blocked(SIG_UNBLOCK);
  return rc;
}

EXPORT int sigsuspend(const sigset_t *set)
{
  if (!shim_on())
    return REAL(sigsuspend)(set);
  sigset_t copy = *set;
  *(unsigned long *)(void *)&copy |= KICK_BIT;
  return REAL(sigsuspend)(&copy);
}

EXPORT int pause(void)
{
  sigset_t mask;
  if (!shim_on())
    return REAL(pause)();
  S4(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof(unsigned long));
  return sigsuspend(&mask);
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
