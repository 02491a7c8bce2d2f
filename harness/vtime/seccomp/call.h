/*
 * call.h - one system call of a client that waits for our word, and what we
 * can say. Also the client's memory.
 */
#ifndef VTIME_SECCOMP_CALL_H
#define VTIME_SECCOMP_CALL_H

#include "base/clock.h"

#include <stddef.h>
#include <sys/time.h>
#include <time.h>

struct call {
  int listener;
  uint64_t id;
  int tid, tgid, nr;
  uint64_t arg[6];
};

enum reply_word {
  REPLY_CONTINUE, /* the kernel does it */
  REPLY_VALUE,    /* `value` is the result, or -errno */
  REPLY_HELD      /* nothing yet: the thread waits in its call */
};
struct reply {
  enum reply_word word;
  int64_t value;
};

#define REPLY_GO_ON ((struct reply){REPLY_CONTINUE, 0})
#define REPLY_WITH(v) ((struct reply){REPLY_VALUE, (v)})
#define REPLY_LATER ((struct reply){REPLY_HELD, 0})

/* Inside the kernel (linux/errno.h): again when the handler has SA_RESTART,
 * always, and when no handler runs; else EINTR. */
enum {
  ERESTARTSYS_CODE = 512,
  ERESTARTNOINTR_CODE = 513,
  ERESTARTNOHAND_CODE = 514
};

/* False: it is no longer there (killed, or a signal came). */
bool call_answer(const struct call *c, struct reply r);
bool call_is_valid(const struct call *c);
/* The same call with the same arguments. */
bool call_same(const struct call *a, const struct call *b);

/* Memory of a thread's process; false when it cannot be reached. */
bool memory_get(int tid, uint64_t address, void *ret, size_t n);
bool memory_put(int tid, uint64_t address, const void *p, size_t n);

/* A timespec or timeval in the client's memory as nanoseconds, NO_DEADLINE
 * for centuries; false when it cannot be read or is out of range: the kernel
 * shall say what is wrong. */
bool memory_timespec(int tid, uint64_t address, int64_t *ret_ns);
bool memory_timeval(int tid, uint64_t address, int64_t *ret_ns);
bool timespec_ns(int64_t s, int64_t ns, int64_t *ret_ns);
void memory_put_timespec(int tid, uint64_t address, int64_t ns);
void memory_put_timeval(int tid, uint64_t address, int64_t ns);

/* a + b, both not negative, at most NO_DEADLINE. */
int64_t ns_add(int64_t a, int64_t b);

#endif
