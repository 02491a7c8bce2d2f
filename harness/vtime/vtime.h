/*
 * vtime.h - a run in virtual time, as the harness uses it: a clock for its
 * own thread, a thread that moves it, clients that live in it, and what
 * there is to tell afterwards.
 *
 *   v = vtime_new(&options, &diag);        the clock stands
 *   clock = vtime_clock(v);                for the calling thread
 *   vtime_start(v, &diag);                 now it may jump
 *   vtime_launch_open / _in_child / _done  around each fork of a client
 *   vtime_stop(v);                         it stands again
 *   vtime_report(v, &report); vtime_free(v);
 */
#ifndef VTIME_VTIME_H
#define VTIME_VTIME_H

#include "base/clock.h"
#include "base/diag.h"
#include "harness/vtime/event.h"
#include "harness/vtime/jump_log.h"
#include "harness/vtime/way.h"

struct vtime;

struct vtime_options {
  int64_t wall_ns; /* where the wall clock begins, < 0: the real one */
  int64_t virtual_limit_ns, real_limit_ns, largest_jump_ns; /* 0: default */
  uint16_t port; /* of a server that is a client's child; 0: none */
  enum vtime_way way;
  /* Names of threads that may wake late (rule.h), ended by NULL; the
   * caller's until vtime_free(). NULL: those of runtimes alone. */
  const char *const *housekeeping;
  bool no_getfd;    /* as if pidfd_getfd were refused; for tests */
  bool old_signals; /* as on Linux before 5.19; for tests */
};

struct vtime *vtime_new(const struct vtime_options *o, struct diag *diag);
void vtime_free(struct vtime *v);
/* The clock of the thread that called vtime_new(), and the descriptor to
 * watch beside its others: readable when a deadline has come or an event
 * happened; then vtime_woken(). */
struct clock *vtime_clock(struct vtime *v);
int vtime_fd(const struct vtime *v);
enum coordinator_event vtime_woken(struct vtime *v);
/* The port of a server in this process, once it is known. */
void vtime_set_port(struct vtime *v, uint16_t port);

int vtime_start(struct vtime *v, struct diag *diag);
void vtime_stop(struct vtime *v);
/* While it is held the clock does not jump. */
void vtime_hold(struct vtime *v);
void vtime_let_go(struct vtime *v);

/* Before fork, in the child, after exec; the client gets the environment of
 * _environment(), which lives until _done. _done must be called even when the
 * start failed. -1: the client is not in virtual time. */
int vtime_launch_open(struct vtime *v, struct way_birth **ret,
                      struct diag *diag);
char *const *vtime_launch_environment(struct way_birth *b, char *const *envp);
int vtime_launch_in_child(const struct way_birth *b);
/* For those who do not know by other means when the child has come so far:
 * until it has, or the child has ended. */
void vtime_launch_wait(struct way_birth *b);
int vtime_launch_done(struct vtime *v, struct way_birth *b);

/* The wait of EVENT_TOO_FAR, and what was allowed; false: there is none. */
bool vtime_too_far(const struct vtime *v, struct jump *ret,
                   int64_t *ret_largest_ns);

/* How long no thread of a client has had a timer; 0: one has. */
int64_t vtime_idle_ns(const struct vtime *v);

struct vtime_report {
  int64_t virtual_ns, real_ns;
  uint64_t jumps, quiet_looks;
  int64_t longest_sleep_ns, slept_ns;
  int64_t crept_ns, real_rate_ns, forced_ns;
  const char *backend; /* static: the name of the way */
  struct way_counts counts;
  const struct opaque_list *opaque;
  const struct jump_log *log; /* all of these until vtime_free() */
  int64_t start_ns;           /* virtual, of the log */
};
/* After vtime_stop(). */
void vtime_report(const struct vtime *v, struct vtime_report *ret);

/* From now on SIGUSR1 makes the run say on `fd` why its clock stands. */
void vtime_explain_on_signal(struct vtime *v, int fd);

#endif
