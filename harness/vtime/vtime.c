#include "harness/vtime/vtime.h"

#include "harness/vtime/coordinator.h"
#include "harness/vtime/files.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

struct vtime {
  struct vtime_options o;
  struct vtime_page *page;
  int page_fd;
  struct seat seat;
  struct way *way;
  struct coordinator c;
  pthread_t thread;
  bool started, told;
  _Atomic bool stop;
  int wake_fd; /* of the coordinator */
  int64_t stop_real_ns;
  int explain_fd;
};

/* A client starts, a run ends: dumps go out between two steps. */
static volatile sig_atomic_t explain_wanted;

static const struct way_kind *const ways[NWAYS] = {
    [WAY_SECCOMP] = &way_seccomp, [WAY_PRELOAD] = &way_preload};

/* ---- life ---- */

static int open_all(struct vtime *v, struct diag *diag)
{
  v->page = vtime_page_new(v->o.wall_ns, &v->page_fd, diag);
  if (!v->page || seat_init(&v->seat, v->page, diag) < 0)
    return -1;
  v->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (v->wake_fd < 0)
    return diag_set(diag, "cannot make an event: %s", strerror(errno));
  struct way_options w = {.page = v->page,
                          .page_fd = v->page_fd,
                          .housekeeping = v->o.housekeeping,
                          .no_getfd = v->o.no_getfd,
                          .old_signals = v->o.old_signals};
  v->way = ways[v->o.way]->make(&w, diag);
  if (!v->way)
    return -1;
  v->c.seats[v->c.nseats++] = &v->seat;
  return 0;
}

struct vtime *vtime_new(const struct vtime_options *o, struct diag *diag)
{
  struct vtime *v = mem_zalloc(sizeof *v);
  v->o = *o;
  files_make_room();
  v->page_fd = v->wake_fd = v->seat.wake_fd = v->explain_fd = -1;
  if (open_all(v, diag) == 0) {
    struct coordinator_options co = {.virtual_limit_ns = o->virtual_limit_ns,
                                     .real_limit_ns = o->real_limit_ns,
                                     .largest_jump_ns = o->largest_jump_ns,
                                     .port = o->port};
    coordinator_init(&v->c, v->page, v->way, &co);
    return v;
  }
  vtime_free(v);
  return NULL;
}

void vtime_free(struct vtime *v)
{
  if (!v)
    return;
  vtime_stop(v);
  if (v->way) {
    coordinator_release(&v->c);
    v->way->kind->release(v->way);
  }
  seat_release(&v->seat);
  vtime_page_free(v->page);
  if (v->page_fd >= 0)
    close(v->page_fd);
  if (v->wake_fd >= 0)
    close(v->wake_fd);
  free(v);
}

struct clock *vtime_clock(struct vtime *v)
{
  return &v->seat.clock;
}

int vtime_fd(const struct vtime *v)
{
  return v->seat.wake_fd;
}

enum coordinator_event vtime_woken(struct vtime *v)
{
  int event = v->c.event;
  seat_woken(&v->seat);
  return (enum coordinator_event)event;
}

void vtime_set_port(struct vtime *v, uint16_t port)
{
  v->c.own_server = true;
  v->c.port = port;
}

void vtime_hold(struct vtime *v)
{
  atomic_fetch_add(&v->c.holds, 1);
}

void vtime_let_go(struct vtime *v)
{
  atomic_fetch_sub(&v->c.holds, 1);
}

int64_t vtime_idle_ns(const struct vtime *v)
{
  int64_t since = v->c.idle_since_ns;
  return since == NO_DEADLINE ? 0 : vtime_page_now_ns(v->page) - since;
}

bool vtime_too_far(const struct vtime *v, struct jump *ret,
                   int64_t *ret_largest_ns)
{
  if (v->c.event != EVENT_TOO_FAR)
    return false;
  *ret = v->c.too_far;
  *ret_largest_ns = v->c.o.largest_jump_ns;
  return true;
}

/* ---- the thread ---- */

enum { MAX_DUMP = 1 << 20 };

static void explain(struct vtime *v)
{
  struct buf text;
  if (!explain_wanted || v->explain_fd < 0)
    return;
  explain_wanted = 0;
  buf_init(&text, MAX_DUMP);
  coordinator_dump(&v->c, &text);
  ssize_t n = write(v->explain_fd, buf_str(&text), text.n);
  (void)n; /* nobody to tell */
  buf_release(&text);
}

/* The harness's thread sees an event like a deadline. */
static void tell_event(struct vtime *v)
{
  uint64_t one = 1;
  if (v->told || v->c.event == EVENT_NONE)
    return;
  v->told = true;
  ssize_t n = write(v->seat.wake_fd, &one, sizeof one);
  (void)n; /* full: it is readable anyway */
}

static void *run(void *arg)
{
  struct vtime *v = arg;
  struct pollfd wake = {v->wake_fd, POLLIN, 0};
  uint64_t n;
  prctl(PR_SET_NAME, "clock");
  prctl(PR_SET_TIMERSLACK, 1UL); /* its pauses are tens of microseconds */
  v->c.tree.own_tid = gettid();
  while (!v->stop) {
    coordinator_step(&v->c, &wake);
    if (wake.revents && read(wake.fd, &n, sizeof n) < 0)
      n = 0; /* somebody else's wake-up */
    wake.revents = 0;
    explain(v);
    tell_event(v);
  }
  return NULL;
}

/* Signals are for the threads of the program, not for this one. */
int vtime_start(struct vtime *v, struct diag *diag)
{
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  int rc = pthread_create(&v->thread, NULL, run, v);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (rc != 0)
    return diag_set(diag, "cannot start a thread: %s", strerror(rc));
  v->started = true;
  return 0;
}

static void wake(const struct vtime *v)
{
  uint64_t one = 1;
  ssize_t n = write(v->wake_fd, &one, sizeof one);
  (void)n; /* full: it is awake */
}

void vtime_stop(struct vtime *v)
{
  if (!v->started)
    return;
  v->stop = true;
  wake(v);
  pthread_join(v->thread, NULL);
  v->started = false;
  v->stop_real_ns = clock_now_ns(clock_real());
}

/* ---- clients ---- */

int vtime_launch_open(struct vtime *v, struct way_birth **ret,
                      struct diag *diag)
{
  struct way_birth *b = v->way->kind->bear(v->way, diag);
  if (!b)
    return -1;
  *ret = b;
  return 0;
}

char *const *vtime_launch_environment(struct way_birth *b, char *const *envp)
{
  return b->kind->environment(b, envp);
}

int vtime_launch_in_child(const struct way_birth *b)
{
  files_as_before();
  return b->kind->in_child(b);
}

void vtime_launch_wait(struct way_birth *b)
{
  b->kind->await(b);
}

int vtime_launch_done(struct vtime *v, struct way_birth *b)
{
  if (v->way->kind->took(v->way, b) < 0)
    return -1;
  wake(v);
  return 0;
}

/* ---- afterwards ---- */

void vtime_report(const struct vtime *v, struct vtime_report *ret)
{
  const struct coordinator *c = &v->c;
  assert(!v->started);
  *ret = (struct vtime_report){
      .virtual_ns = vtime_page_now_ns(v->page) - c->start_ns,
      .real_ns = v->stop_real_ns ? v->stop_real_ns - c->start_real_ns : 0,
      .jumps = c->jumps.total,
      .quiet_looks = c->counts.quiet,
      .longest_sleep_ns = c->jumps.longest_ns,
      .slept_ns = c->jumps.sum_ns,
      .crept_ns = c->counts.crept_ns,
      .real_rate_ns = c->counts.real_rate_ns,
      .forced_ns = c->counts.forced_ns,
      .backend = v->way->kind->name,
      .opaque = v->way->kind->seen(v->way),
      .log = &c->jumps,
      .start_ns = c->start_ns};
  v->way->kind->count(v->way, &ret->counts);
}

static void on_signal(int sig)
{
  (void)sig;
  explain_wanted = 1;
}

void vtime_explain_on_signal(struct vtime *v, int fd)
{
  struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  v->explain_fd = fd;
  sigaction(SIGUSR1, &sa, NULL);
}
