#include "harness/vtime/seccomp/call.h"

#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

bool call_answer(const struct call *c, struct reply r)
{
  struct seccomp_notif_resp resp = {.id = c->id};
  if (r.word == REPLY_HELD)
    return true;
  if (r.word == REPLY_CONTINUE)
    resp.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  else if (r.value < 0)
    resp.error = (int)r.value;
  else
    resp.val = r.value;
  return ioctl(c->listener, SECCOMP_IOCTL_NOTIF_SEND, &resp) == 0;
}

bool call_is_valid(const struct call *c)
{
  uint64_t id = c->id;
  return ioctl(c->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

bool call_same(const struct call *a, const struct call *b)
{
  return a->nr == b->nr && memcmp(a->arg, b->arg, sizeof a->arg) == 0;
}

/* An address of the client as process_vm_readv(2) wants it. */
static struct iovec there(uint64_t address, size_t n)
{
  return (struct iovec){(void *)(uintptr_t)address, n};
}

bool memory_get(int tid, uint64_t address, void *ret, size_t n)
{
  struct iovec here = {ret, n}, other = there(address, n);
  return process_vm_readv(tid, &here, 1, &other, 1, 0) == (ssize_t)n;
}

bool memory_put(int tid, uint64_t address, const void *p, size_t n)
{
  union {
    const void *in;
    void *out; /* not written to */
  } u = {p};
  struct iovec here = {u.out, n}, other = there(address, n);
  return process_vm_writev(tid, &here, 1, &other, 1, 0) == (ssize_t)n;
}

/* 285 years are "for ever", and no sum with the clock overflows. */
#define FOR_EVER_S INT64_C(9000000000)

bool timespec_ns(int64_t s, int64_t ns, int64_t *ret_ns)
{
  if (s < 0 || ns < 0 || ns >= NS_PER_S)
    return false;
  *ret_ns = s >= FOR_EVER_S ? NO_DEADLINE : s * NS_PER_S + ns;
  return true;
}

bool memory_timespec(int tid, uint64_t address, int64_t *ret_ns)
{
  struct timespec t;
  return memory_get(tid, address, &t, sizeof t) &&
         timespec_ns(t.tv_sec, t.tv_nsec, ret_ns);
}

bool memory_timeval(int tid, uint64_t address, int64_t *ret_ns)
{
  struct timeval t;
  return memory_get(tid, address, &t, sizeof t) && t.tv_usec >= 0 &&
         t.tv_usec < 1000000 && timespec_ns(t.tv_sec, t.tv_usec * 1000, ret_ns);
}

void memory_put_timespec(int tid, uint64_t address, int64_t ns)
{
  struct timespec t = {ns / NS_PER_S, ns % NS_PER_S};
  memory_put(tid, address, &t, sizeof t);
}

void memory_put_timeval(int tid, uint64_t address, int64_t ns)
{
  struct timeval t = {ns / NS_PER_S, ns % NS_PER_S / 1000};
  memory_put(tid, address, &t, sizeof t);
}

int64_t ns_add(int64_t a, int64_t b)
{
  return a > NO_DEADLINE - b ? NO_DEADLINE : a + b;
}
