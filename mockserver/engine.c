#include "mockserver/engine_priv.h"

#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Few, so that the parser, which takes all requests of a turn in one go,
 * does not hold up the timers: 64 requests are about 300 us of it. */
#define EVENTS_PER_TURN 64
/* No turn takes longer. What is due later, as time-outs of requests are, is
 * not worth reading the clock for between two events. */
#define TURN_MAX_NS (2 * NS_PER_S)
/* Descriptors that are no connections: files, epolls, and the parser's
 * copies of those whose request is being read. */
#define SPARE_FILES 128

/* With fewer not even one call gets through, and the client would be blamed
 * for it: 32 are needed by one curl in virtual time, measured. */
#define MIN_FILES 64

/* ---- the process ---- */

/* As the first engine found the process; -1: no engine yet. */
static struct {
  int slack_ns;
  struct rlimit files;
} found = {.slack_ns = -1};

static void remember_process(void)
{
  if (found.slack_ns >= 0)
    return;
  getrlimit(RLIMIT_NOFILE, &found.files);
  found.slack_ns = prctl(PR_GET_TIMERSLACK);
}

void engine_undo_in_child(void)
{
  if (found.slack_ns < 0)
    return;
  setrlimit(RLIMIT_NOFILE, &found.files);
  prctl(PR_SET_TIMERSLACK, (unsigned long)found.slack_ns);
}

static size_t raise_file_limit(void)
{
  struct rlimit l;
  if (getrlimit(RLIMIT_NOFILE, &l) != 0)
    return 1024; /* POSIX asks for less; every Linux gives this much */
  l.rlim_cur = l.rlim_max;
  setrlimit(RLIMIT_NOFILE, &l);
  getrlimit(RLIMIT_NOFILE, &l);
  return l.rlim_cur == RLIM_INFINITY ? (size_t)1 << 20 : (size_t)l.rlim_cur;
}

static void prepare_process(void)
{
  remember_process();
  signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_TIMERSLACK, 1UL);
  /* Else glibc gives the parser's pools back to the kernel whenever a batch
   * of them is freed: three times the CPU, measured. */
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 4 << 20);
  /* Each freed pool would also walk the fast bins (free() of 64 KiB or more,
   * FASTBIN_CONSOLIDATION_THRESHOLD); the thread cache serves small ones. */
  mallopt(M_MXFAST, 0);
}

static size_t conn_limit(size_t files)
{
  return files > 2 * SPARE_FILES ? files - SPARE_FILES : files / 2;
}

/* ---- life ---- */

static void on_wake(struct engine *e, struct source *s, uint32_t events)
{
  (void)s;
  (void)events;
  uint64_t n;
  ssize_t done = read(e->wake_fd, &n, sizeof n);
  (void)done; /* the flag says the rest */
}

static int open_loop(struct engine *e, struct diag *diag)
{
  e->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  e->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (e->epoll_fd < 0 || e->wake_fd < 0)
    return diag_set(diag, "cannot make the event loop: %s", strerror(errno));
  e->wake_source.event = on_wake;
  struct epoll_event ev = {.events = EPOLLIN, .data.ptr = &e->wake_source};
  epoll_ctl(e->epoll_fd, EPOLL_CTL_ADD, e->wake_fd, &ev);
  return 0;
}

static void set_defaults(struct engine_options *o)
{
  struct engine_limits *l = &o->limits;
  if (!o->max_body_bytes)
    o->max_body_bytes = ENGINE_MAX_BODY;
  if (!o->request_timeout_ns)
    o->request_timeout_ns = ENGINE_REQUEST_TIMEOUT_S * NS_PER_S;
  l->head_bytes = l->head_bytes ? l->head_bytes : ENGINE_MAX_HEAD;
  l->target_bytes = l->target_bytes ? l->target_bytes : ENGINE_MAX_TARGET;
  l->headers = l->headers ? l->headers : ENGINE_MAX_HEADERS;
  if (!l->body_in_memory_bytes)
    l->body_in_memory_bytes = ENGINE_BODY_IN_MEMORY;
}

struct engine *engine_new(const struct engine_options *o, struct diag *diag)
{
  assert(o->clock && o->journal && o->handler);
  prepare_process();
  size_t files = raise_file_limit();
  if (files < MIN_FILES) {
    diag_set(diag,
             "only %zu files may be open at once, and %d are needed: "
             "ulimit -n %d",
             files, MIN_FILES, MIN_FILES);
    return NULL;
  }
  struct engine *e = mem_zalloc(sizeof *e);
  e->o = *o;
  set_defaults(&e->o);
  e->epoll_fd = e->listen_fd = e->wake_fd = -1;
  for (size_t i = 0; i < FILLERS; i++)
    e->fillers[i] = -1;
  e->max_conns = conn_limit(files);
  if (e->o.limits.connections && e->o.limits.connections < e->max_conns)
    e->max_conns = e->o.limits.connections;
  e->ready_end = &e->ready;
  e->now_ns = clock_now_ns(e->o.clock);
  timers_init(&e->timers);
  buf_init(&e->scratch, PLAN_MAX_BYTES);
  if (open_loop(e, diag) != 0 || listen_open(e, diag) != 0 ||
      parser_start(e, diag) != 0) {
    engine_free(e);
    return NULL;
  }
  return e;
}

void engine_free(struct engine *e)
{
  if (!e)
    return;
  e->closing = true;
  listen_close(e);
  port_close(e);
  parser_stop(e);
  conn_free_all(e);
  intakes_free(e);
  known_release(&e->known);
  watches_free(e);
  timers_release(&e->timers);
  buf_release(&e->scratch);
  free(e->head_room);
  if (e->wake_fd >= 0)
    close(e->wake_fd);
  if (e->epoll_fd >= 0)
    close(e->epoll_fd);
  journal_flush(e->o.journal);
  free(e);
}

uint16_t engine_port(const struct engine *e)
{
  return e->port;
}

void engine_stop(struct engine *e)
{
  uint64_t one = 1;
  e->stop = true;
  ssize_t done = write(e->wake_fd, &one, sizeof one);
  (void)done; /* full means that it is awake anyway */
}

void engine_stop_accepting(struct engine *e)
{
  listen_close(e);
}

size_t engine_open_attempts(const struct engine *e)
{
  return e->open_attempts;
}

size_t engine_timers(const struct engine *e)
{
  return e->timers.n;
}

size_t engine_open_connections(const struct engine *e)
{
  return e->nconns;
}

struct engine_lateness engine_lateness(const struct engine *e)
{
  return (struct engine_lateness){.count = e->late.n,
                                  .p50_ns = late_percentile(&e->late, 50),
                                  .p99_ns = late_percentile(&e->late, 99),
                                  .max_ns = e->late.max_ns};
}

uint64_t engine_requests(const struct engine *e)
{
  return e->requests;
}

void engine_clear_counts(struct engine *e)
{
  e->requests = 0;
  late_clear(&e->late);
}

void engine_on_attempt(struct engine *e, engine_attempt_fn *fn, void *arg)
{
  e->on_attempt = fn;
  e->on_attempt_arg = arg;
}

/* ---- the loop ---- */

static int wait_for_events(struct engine *e, struct epoll_event *ev)
{
  int64_t ns = 0;
  if (!e->ready && !parser_is_busy(e))
    ns = clock_block_ns(e->o.clock, timers_first_due_ns(&e->timers));
  struct timespec t = {.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
  return epoll_pwait2(e->epoll_fd, ev, EVENTS_PER_TURN, ns < 0 ? NULL : &t,
                      NULL);
}

static void fire_timers(struct engine *e)
{
  uint64_t below = e->timers.next_seq;
  if (timers_first_due_ns(&e->timers) > e->now_ns + TURN_MAX_NS)
    return;
  int64_t now = clock_now_ns(e->o.clock);
  for (struct timer *t; (t = timers_take_due(&e->timers, now, below)) != NULL;)
    t->fire(e, t);
}

/* In the order of arrival. What gets ready meanwhile waits a turn. */
static void run_ready(struct engine *e)
{
  struct conn *c = e->ready;
  e->ready = NULL;
  e->ready_end = &e->ready;
  while (c) {
    struct conn *next = c->next_ready;
    c->ready = false;
    conn_run(e, c);
    fire_timers(e);
    c = next;
  }
}

static int turn(struct engine *e, struct diag *diag)
{
  struct epoll_event ev[EVENTS_PER_TURN];
  int n = wait_for_events(e, ev);
  if (n < 0 && errno != EINTR)
    return diag_set(diag, "waiting for events: %s", strerror(errno));
  e->now_ns = clock_now_ns(e->o.clock);
  fire_timers(e);
  for (int i = 0; i < n; i++) {
    struct source *s = ev[i].data.ptr;
    s->event(e, s, ev[i].events);
    fire_timers(e);
  }
  if (parser_is_busy(e))
    parser_run(e);
  run_ready(e);
  journal_flush(e->o.journal);
  conn_recycle_dead(e);
  watches_recycle(e);
  return 0;
}

int engine_run(struct engine *e, struct diag *diag)
{
  while (!e->stop)
    if (turn(e, diag) != 0)
      return -1;
  e->stop = false;
  return 0;
}
