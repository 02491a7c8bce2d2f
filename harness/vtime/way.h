/*
 * way.h - a way of having clients in virtual time, as one struct of
 * functions. The coordinator decides (rule.h) and moves the clock; a way sees
 * what clients wait for and ends their waits.
 *
 * There are two (check.h chooses): seccomp/ takes the calls of any program in
 * the kernel, preload/ takes the functions of programs that load a shared
 * object.
 */
#ifndef VTIME_WAY_H
#define VTIME_WAY_H

#include "base/buf.h"
#include "base/diag.h"
#include "harness/vtime/event.h"
#include "harness/vtime/page.h"
#include "harness/vtime/proc.h"

#include <poll.h>

/* The next deadline, and whose. */
struct way_next {
  int64_t deadline_ns; /* with slack; NO_DEADLINE: nobody */
  int64_t asked_ns;
  int pid, tid;
  const char *call; /* static */
};

struct way_counts {
  uint64_t calls, held, clock_reads;
  uint64_t ended;     /* waits that ptrace or a signal of ours ended */
  bool signals_exact; /* held calls end as the kernel would end them */
  bool copies;        /* descriptors of clients can be copied */
};

struct way_options {
  struct vtime_page *page; /* the caller's, both */
  int page_fd;
  const char *const *housekeeping; /* rule.h; the caller's, as long as it is */
  bool no_getfd;                   /* as if pidfd_getfd were refused */
  bool old_signals;                /* as on Linux before 5.19 */
};

/* The first members of the structs a way really has. */
struct way {
  const struct way_kind *kind;
};
struct way_birth {
  const struct way_kind *kind;
};

struct way_kind {
  const char *name; /* for reports */
  struct way *(*make)(const struct way_options *o, struct diag *diag);
  void (*release)(struct way *w); /* also frees it */

  /* Waits up to `real_ns` for news of clients or for `own` (may be NULL) and
   * handles what came; the number of things. */
  size_t (*poll)(struct way *w, struct pollfd *own, int64_t real_ns);
  /* The last look before a jump; the number of things found: not quiet. */
  size_t (*settle)(struct way *w);
  struct way_next (*first)(struct way *w);
  /* When the first wait or timer ends, housekeeping of a runtime left out;
   * NO_DEADLINE: there is none. NULL: not known. */
  int64_t (*ends)(struct way *w);
  void (*due)(struct way *w);    /* ends what is due */
  void (*jumped)(struct way *w); /* before due(); NULL: nothing */
  /* The virtual time that must have come by now; 0: any. NULL: the same. */
  int64_t (*floor)(struct way *w, int64_t real_ns);
  /* Both get the way; held may be NULL. */
  proc_opaque_fn *opaque;
  proc_held_fn *held;
  /* Writes down what an opaque thread waits in. */
  void (*note_opaque)(struct way *w, int pid, int tid);

  /* The start of a client: before the fork, its environment (which lives
   * until took()), in the child (0, or -1 with errno), until the child has
   * come so far, and after exec (-1: it is not in virtual time). took() frees
   * the birth. All but the third run in the harness's thread. */
  struct way_birth *(*bear)(struct way *w, struct diag *diag);
  char *const *(*environment)(struct way_birth *b, char *const *envp);
  int (*in_child)(const struct way_birth *b);
  void (*await)(struct way_birth *b);
  int (*took)(struct way *w, struct way_birth *b);

  void (*count)(const struct way *w, struct way_counts *ret);
  const struct opaque_list *(*seen)(const struct way *w);
  /* For a dump: of one thread behind its line, and lines of its own. */
  void (*tell_thread)(const struct way *w, int tid, struct buf *ret);
  void (*tell)(const struct way *w, struct buf *ret);
};

/* The second choice of check.h comes second. */
enum vtime_way { WAY_SECCOMP, WAY_PRELOAD, NWAYS };
extern const struct way_kind way_seccomp, way_preload;

#endif
