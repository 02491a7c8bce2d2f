/*
 * backend.h - backend S: the calls of clients that know about time, held or
 * answered out of the clock page. Moves no clock itself.
 *
 * The rule: what cannot be emulated is let go on in the kernel and makes its
 * thread opaque (opaque.h): slow and right, never fast and wrong.
 */
#ifndef VTIME_SECCOMP_BACKEND_H
#define VTIME_SECCOMP_BACKEND_H

#include "harness/vtime/page.h"
#include "harness/vtime/proc.h"
#include "harness/vtime/seccomp/hold.h"
#include "harness/vtime/seccomp/kernel_wait.h"
#include "harness/vtime/seccomp/timers.h"
#include "harness/vtime/seccomp/vdso.h"

/* Threads whose process was asked for lately. */
enum { BACKEND_TGIDS = 256 };

struct backend_counts {
  uint64_t calls, held, passed_on, clock_reads, ended;
};

struct backend {
  struct vtime_page *page; /* the caller's */
  int page_fd;
  const char *const *housekeeping; /* rule.h; the caller's */
  bool no_getfd; /* pidfd_getfd is refused: waits stay in the kernel */
  bool killable; /* signals do not end what we hold: we look for them */
  int *listener;
  size_t nlisteners;
  struct hold_table holds;
  struct timer_table timers;
  struct kernel_waits waits;
  struct vdso_table vdso;
  struct pollfd *poll;
  size_t npoll_cap;
  struct {
    int tid, tgid;
  } tgid[BACKEND_TGIDS];
  struct opaque_list opaque;
  int *lost; /* processes that cannot be followed at all */
  size_t nlost;
  struct futex_late *late; /* wake-ups behind a word's change */
  size_t nlate;
  struct backend_counts counts;
};

/* Who has the next deadline. */
struct backend_next {
  int64_t deadline_ns; /* with slack; NO_DEADLINE: nobody */
  int64_t asked_ns;
  int pid, tid;
  const char *call;
};

void backend_init(struct backend *b, struct vtime_page *page, int page_fd);
void backend_release(struct backend *b);
/* Takes over the descriptor; `killable`: its filter was made so. */
void backend_add_listener(struct backend *b, int fd, bool killable);

/* Waits up to `real_ns` for a call, a watched descriptor or `own` (may be
 * NULL) and handles what came; the number of things handled. */
size_t backend_poll(struct backend *b, struct pollfd *own, int64_t real_ns);
/*
 * The last look before a jump: waits whose thread is gone, futexes whose
 * word has changed, signals that came, descriptors that are ready, calls
 * nobody has read. The number of things found: not quiet then.
 */
size_t backend_settle(struct backend *b);
struct backend_next backend_first(struct backend *b);
/* When the first wait or timer ends, housekeeping of a runtime left out;
 * NO_DEADLINE: there is none. Asks for names: not for every look. */
int64_t backend_ends(struct backend *b);
/* Ends what is due; the number of things. */
size_t backend_due(struct backend *b);
/* The clock has jumped: writes the time left where a signal may end a sleep
 * before anybody looks. */
void backend_jumped(struct backend *b);
/* proc_opaque_fn; `arg` is the backend. */
bool backend_is_opaque(void *arg, int pid, const struct proc_thread *t);
/* proc_held_fn. A held thread in state D has been given a signal. */
bool backend_sees_signal(void *arg, int tid);
/* Writes down for the report what an opaque thread waits in. */
void backend_note_opaque(struct backend *b, int pid, int tid);
/* The virtual time that must have come by now, because a time-out of the
 * kernel's is about to end a wait; 0: any. */
int64_t backend_floor(struct backend *b, int64_t real_ns);

/* ---- for the handlers ---- */

typedef struct reply call_handler(struct backend *b, const struct call *c);
#define CALL(name, nr, when, arg, handler) call_handler handler;
#include "harness/vtime/seccomp/calls.def"
#undef CALL

int64_t backend_now(const struct backend *b);
/* One of the page's clocks that sleeps and timers can have; false for the
 * others, whose errors the kernel knows. */
bool clock_can_wait(clockid_t id);
/* A wait for `ns` from now. */
struct hold *backend_hold(struct backend *b, const struct call *c,
                          enum hold_kind kind, int64_t ns);
/* The same until a descriptor has one of the events. NULL: it cannot be
 * watched. */
struct hold *backend_hold_fd(struct backend *b, const struct call *c, int fd,
                             short events, int64_t ns);
/* A copy of a client's descriptor, -1 with errno. Notes when it is refused
 * altogether. */
int backend_copy_fd(struct backend *b, int tgid, int fd);
/* The call goes on in the kernel with its time-out; should the thread fall
 * asleep in it, it is ended at the virtual deadline. */
struct reply backend_go_on(struct backend *b, const struct call *c, int64_t ns);
/* The same, with another result than 0. */
struct reply backend_go_on_until(struct backend *b, const struct call *c,
                                 int64_t ns, int64_t result);
/* Passes on whoever waits for a lock that has no owner any more. Nobody tells
 * us: who gives it back sees no waiter and makes no call. */
size_t backend_look_at_locks(struct backend *b);
/* Wakes those whose word is another than it was. */
size_t backend_look_at_words(struct backend *b);
/* Wake-ups of ours that come behind the change of a word by the kernel;
 * `asleep`: everybody is, so that it has come. */
size_t backend_wake_late(struct backend *b, bool asleep);
/* The answer for a hold, which is dropped. */
void backend_end(struct backend *b, size_t i, struct reply r);
/* A descriptor of the hold is ready, or a signal has come that its call lets
 * through: the kernel does it. */
void backend_pass_on(struct backend *b, size_t i);
/* The process cannot be followed any more, until it has another program. */
void backend_lost(struct backend *b, int tgid, const char *why);
bool backend_is_lost(const struct backend *b, int tgid);
void backend_found(struct backend *b, int tgid);

#endif
