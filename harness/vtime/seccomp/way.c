/* Backend S as a way.h has it. */
#include "harness/vtime/way.h"

#include "harness/vtime/seccomp/backend.h"
#include "harness/vtime/seccomp/install.h"

#include <pthread.h>
#include <unistd.h>

/* A listener on its way to the coordinator. */
struct arrival {
  int fd;
  bool killable;
};

struct seccomp {
  struct way way;
  struct backend b;
  pthread_mutex_t lock;
  struct arrival *arrival; /* under `lock`, with its number */
  size_t narrivals;
  bool old_signals; /* as on Linux before 5.19 */
};

struct seccomp_birth {
  struct way_birth birth;
  struct install in;
};

static struct seccomp *of(struct way *w)
{
  return (struct seccomp *)(void *)w;
}

static const struct backend *backend_of(const struct way *w)
{
  return &((const struct seccomp *)(const void *)w)->b;
}

static struct way *make(const struct way_options *o, struct diag *diag)
{
  struct seccomp *s = mem_zalloc(sizeof *s);
  (void)diag; /* it shows when a client is started */
  s->way.kind = &way_seccomp;
  pthread_mutex_init(&s->lock, NULL);
  backend_init(&s->b, o->page, o->page_fd);
  s->b.housekeeping = o->housekeeping;
  s->b.no_getfd = o->no_getfd;
  s->old_signals = o->old_signals;
  return &s->way;
}

static void release(struct way *w)
{
  struct seccomp *s = of(w);
  for (size_t i = 0; i < s->narrivals; i++)
    close(s->arrival[i].fd);
  free(s->arrival);
  backend_release(&s->b);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

/* ---- the coordinator's ---- */

static void take_arrivals(struct seccomp *s)
{
  pthread_mutex_lock(&s->lock);
  for (size_t i = 0; i < s->narrivals; i++)
    backend_add_listener(&s->b, s->arrival[i].fd, s->arrival[i].killable);
  s->narrivals = 0;
  pthread_mutex_unlock(&s->lock);
}

static size_t poll_calls(struct way *w, struct pollfd *own, int64_t real_ns)
{
  take_arrivals(of(w));
  return backend_poll(&of(w)->b, own, real_ns);
}

static size_t settle(struct way *w)
{
  return backend_settle(&of(w)->b);
}

static struct way_next first(struct way *w)
{
  struct backend_next n = backend_first(&of(w)->b);
  return (struct way_next){n.deadline_ns, n.asked_ns, n.pid, n.tid, n.call};
}

static void due(struct way *w)
{
  backend_due(&of(w)->b);
}

static int64_t ends(struct way *w)
{
  return backend_ends(&of(w)->b);
}

static void jumped(struct way *w)
{
  backend_jumped(&of(w)->b);
}

static int64_t floor_of(struct way *w, int64_t real_ns)
{
  return backend_floor(&of(w)->b, real_ns);
}

static bool is_opaque(void *arg, int pid, const struct proc_thread *t)
{
  return backend_is_opaque(&of(arg)->b, pid, t);
}

static bool sees_signal(void *arg, int tid)
{
  return backend_sees_signal(&of(arg)->b, tid);
}

static void note_opaque(struct way *w, int pid, int tid)
{
  backend_note_opaque(&of(w)->b, pid, tid);
}

/* ---- the start of a client ---- */

static struct seccomp_birth *birth_of(struct way_birth *b)
{
  return (struct seccomp_birth *)(void *)b;
}

static struct way_birth *bear(struct way *w, struct diag *diag)
{
  struct seccomp_birth *b = mem_zalloc(sizeof *b);
  b->birth.kind = w->kind;
  if (install_open(&b->in, diag) == 0) {
    b->in.old_signals = of(w)->old_signals;
    return &b->birth;
  }
  free(b);
  return NULL;
}

static char *const *environment(struct way_birth *b, char *const *envp)
{
  (void)b;
  return envp;
}

static int in_child(const struct way_birth *b)
{
  return install_in_child(&((const struct seccomp_birth *)(const void *)b)->in);
}

static void await(struct way_birth *b)
{
  install_wait(&birth_of(b)->in);
}

static int took(struct way *w, struct way_birth *b)
{
  struct seccomp *s = of(w);
  struct arrival a;
  a.fd = install_take(&birth_of(b)->in, &a.killable);
  free(b);
  if (a.fd < 0)
    return -1;
  pthread_mutex_lock(&s->lock);
  s->arrival = mem_realloc(s->arrival, (s->narrivals + 1) * sizeof *s->arrival);
  s->arrival[s->narrivals++] = a;
  pthread_mutex_unlock(&s->lock);
  return 0;
}

/* ---- what there is to tell ---- */

static void count(const struct way *w, struct way_counts *ret)
{
  const struct backend *b = backend_of(w);
  *ret = (struct way_counts){.calls = b->counts.calls,
                             .held = b->counts.held,
                             .clock_reads = b->counts.clock_reads,
                             .ended = b->counts.ended,
                             .signals_exact = b->killable,
                             .copies = !b->no_getfd};
}

static const struct opaque_list *seen(const struct way *w)
{
  return &backend_of(w)->opaque;
}

static double seconds_left(const struct backend *b, int64_t deadline_ns)
{
  return (double)(deadline_ns - backend_now(b)) / (double)NS_PER_S;
}

static void tell_thread(const struct way *w, int tid, struct buf *ret)
{
  size_t i;
  const struct backend *b = backend_of(w);
  const struct hold *h = hold_of(&b->holds, tid, &i);
  if (h)
    buf_addf(ret, " held in %s%s, %.6f s left", opaque_call_name(h->call.nr),
             h->gone ? " (ended)" : "", seconds_left(b, h->deadline_ns));
}

static void tell(const struct way *w, struct buf *ret)
{
  const struct backend *b = backend_of(w);
  for (size_t i = 0; i < b->timers.n; i++) {
    const struct vtimer *t = &b->timers.timer[i];
    if (t->deadline_ns != NO_DEADLINE)
      buf_addf(ret, "  timer of %d, %.6f s left\n", t->tgid,
               seconds_left(b, t->deadline_ns));
  }
}

const struct way_kind way_seccomp = {.name = "seccomp",
                                     .make = make,
                                     .release = release,
                                     .poll = poll_calls,
                                     .settle = settle,
                                     .first = first,
                                     .due = due,
                                     .ends = ends,
                                     .jumped = jumped,
                                     .floor = floor_of,
                                     .opaque = is_opaque,
                                     .held = sees_signal,
                                     .note_opaque = note_opaque,
                                     .bear = bear,
                                     .environment = environment,
                                     .in_child = in_child,
                                     .await = await,
                                     .took = took,
                                     .count = count,
                                     .seen = seen,
                                     .tell_thread = tell_thread,
                                     .tell = tell};
