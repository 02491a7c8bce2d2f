#include "harness/vtime/coordinator.h"

#include <unistd.h>

/* The pause between two looks is half of the time since the last jump, within
 * these: a look at one running thread costs about 10 us. */
#define PAUSE_MIN_NS INT64_C(20000)
#define PAUSE_MAX_NS NS_PER_MS
/* CPU time is asked for as often, the clock reads as often. */
#define LOOK_CPU_NS (2 * NS_PER_MS)
#define LOOK_TICK_NS (20 * NS_PER_MS)
/* Nothing armed for so long: it will stay so. A thread that lost its CPU
 * between two calls is seen runnable, so that this is only caution. */
#define STALLED_NS (200 * NS_PER_MS)
#define LARGEST_JUMP_NS (24 * 3600 * NS_PER_S)
/* A machine that was stopped is no sign of load. */
#define LAG_MAX_NS NS_PER_S

static int64_t real_now(void)
{
  return clock_now_ns(clock_real());
}

static proc_instant_fn ask_kernel;

void coordinator_init(struct coordinator *c, struct vtime_page *page,
                      struct way *way, const struct coordinator_options *o)
{
  c->o = *o;
  if (!c->o.largest_jump_ns)
    c->o.largest_jump_ns = LARGEST_JUMP_NS;
  c->page = page;
  c->way = way;
  proc_tree_init(&c->tree, c->seats, &c->nseats);
  c->tree.opaque = way->kind->opaque;
  c->tree.held = way->kind->held;
  c->tree.arg = way;
  c->tree.at_instant = ask_kernel;
  c->tree.instant_arg = c;
  kernel_bytes_init(&c->bytes);
  jump_log_init(&c->jumps);
  c->port = o->port;
  c->idle_since_ns = NO_DEADLINE;
  c->start_ns = vtime_page_now_ns(page);
  c->start_real_ns = real_now();
  c->jumped_real_ns = c->start_real_ns;
}

void coordinator_release(struct coordinator *c)
{
  proc_tree_release(&c->tree);
  kernel_bytes_release(&c->bytes);
  jump_log_release(&c->jumps);
}

static int64_t now_ns(const struct coordinator *c)
{
  return vtime_page_now_ns(c->page);
}

static void tell(struct coordinator *c, enum coordinator_event event)
{
  int none = EVENT_NONE;
  atomic_compare_exchange_strong(&c->event, &none, (int)event);
}

/* ---- what is due ---- */

static void wake_seats(struct coordinator *c)
{
  for (size_t i = 0; i < c->nseats; i++)
    if (c->seats[i]->state == SEAT_WAITS &&
        c->seats[i]->deadline_ns <= now_ns(c))
      seat_wake(c->seats[i]);
}

static void do_due(struct coordinator *c)
{
  c->way->kind->due(c->way);
  wake_seats(c);
}

/* ---- busy stretches ---- */

/* Until the first wait ends, a client's or ours; 0: any moment. */
static int64_t wait_left_ns(struct coordinator *c)
{
  int64_t end = NO_DEADLINE;
  if (c->way->kind->ends)
    end = c->way->kind->ends(c->way);
  for (size_t i = 0; i < c->nseats; i++)
    if (c->seats[i]->state == SEAT_WAITS && c->seats[i]->deadline_ns < end)
      end = c->seats[i]->deadline_ns;
  if (end == NO_DEADLINE)
    return c->way->kind->ends ? NO_DEADLINE : 0;
  int64_t left = end - now_ns(c);
  return left > 0 ? left : 0;
}

static void creep(struct coordinator *c, int64_t real)
{
  int busy;
  if (real - c->looked_cpu_ns < LOOK_CPU_NS)
    return;
  c->looked_cpu_ns = real;
  int64_t cpu = proc_tree_cpu(&c->tree, &busy);
  c->tick_cpu_ns += cpu;
  bool may = c->creep.used_ns + cpu > RULE_CREEP_AFTER_NS;
  int64_t on =
      rule_creep(&c->creep, cpu, busy, may ? wait_left_ns(c) : NO_DEADLINE);
  vtime_page_add(c->page, on);
  c->counts.crept_ns += on;
  jump_log_add_slow(&c->jumps, SLOW_COMPUTING, now_ns(c), on);
}

static void raise_tick(struct coordinator *c, int64_t real)
{
  if (real - c->looked_tick_ns < LOOK_TICK_NS)
    return;
  int64_t ticks = c->page->ticks_ns;
  c->page->tick_ns =
      rule_tick(c->page->tick_ns, ticks - c->tick_from_ns, c->tick_cpu_ns);
  c->looked_tick_ns = real;
  c->tick_from_ns = ticks;
  c->tick_cpu_ns = 0;
}

/* On a loaded machine the next step may come as late as the last ones did. */
static int64_t lag(struct coordinator *c, int64_t real)
{
  int64_t took = c->stepped_real_ns ? real - c->stepped_real_ns : 0;
  c->stepped_real_ns = real;
  c->lag_ns -= c->lag_ns / 64; /* forgotten within some hundred steps */
  if (took > c->lag_ns)
    c->lag_ns = took < LAG_MAX_NS ? took : LAG_MAX_NS;
  return c->lag_ns;
}

static void keep_up(struct coordinator *c, int64_t real)
{
  if (!c->way->kind->floor)
    return;
  int64_t floor = c->way->kind->floor(c->way, real + lag(c, real));
  int64_t on = floor - now_ns(c);
  if (floor && on > 0) {
    vtime_page_add(c->page, on);
    c->counts.forced_ns += on;
    jump_log_add_slow(&c->jumps, SLOW_REAL_RATE, now_ns(c), on);
  }
}

/* The stretch is over. */
static void was_quiet(struct coordinator *c, int64_t real)
{
  int busy;
  c->creep.used_ns = 0;
  c->looked_cpu_ns = real;
  proc_tree_cpu(&c->tree, &busy);
  c->page->tick_ns = VTIME_TICK_NS;
  c->tick_from_ns = c->page->ticks_ns;
  c->tick_cpu_ns = 0;
  c->looked_tick_ns = real;
}

/* ---- the jump ---- */

static void offer_limit(const struct coordinator *c, struct way_next *n)
{
  int64_t end = c->start_ns + c->o.virtual_limit_ns;
  if (c->o.virtual_limit_ns && end < n->deadline_ns)
    *n = (struct way_next){.deadline_ns = end, .call = "limit"};
}

static void offer_seats(const struct coordinator *c, struct way_next *n)
{
  for (size_t i = 0; i < c->nseats; i++) {
    int64_t deadline = c->seats[i]->deadline_ns;
    if (deadline < n->deadline_ns)
      *n = (struct way_next){.deadline_ns = deadline, .call = "server"};
  }
}

static struct way_next of_clients(const struct coordinator *c)
{
  return c->way->kind->first(c->way);
}

static void offer_ours(const struct coordinator *c, struct way_next *n)
{
  offer_seats(c, n);
  if (n->deadline_ns != NO_DEADLINE)
    offer_limit(c, n);
}

/* `n`: of the clients alone. */
static void note_idle(struct coordinator *c, const struct way_next *n)
{
  if (n->deadline_ns != NO_DEADLINE)
    c->idle_since_ns = NO_DEADLINE;
  else if (c->idle_since_ns == NO_DEADLINE)
    c->idle_since_ns = now_ns(c);
}

/* What happens only in real time ends in less than a long jump. */
static bool is_long(const struct coordinator *c, const struct way_next *n)
{
  return n->deadline_ns != NO_DEADLINE &&
         n->deadline_ns - now_ns(c) >= RULE_LONG_NS;
}

static bool kernel_holds_bytes(struct coordinator *c)
{
  uint16_t port = c->port;
  if (!port)
    return false;
  if (c->own_server)
    return kernel_bytes_held_of_own(&c->bytes, port, c->tree.first.epoch);
  return kernel_bytes_held(&c->bytes, port);
}

/* Asked only when it will matter. The order matters too: asked before or
 * after a look, it was wrong. */
static void ask_kernel(void *arg)
{
  struct coordinator *c = arg;
  struct way_next n = of_clients(c);
  offer_ours(c, &n);
  c->buffers_empty = is_long(c, &n) && !kernel_holds_bytes(c);
}

static struct jump jump_of(const struct coordinator *c,
                           const struct way_next *n, int64_t length_ns)
{
  struct jump j = {.at_ns = now_ns(c),
                   .length_ns = length_ns,
                   .asked_ns = n->asked_ns ? n->asked_ns : length_ns,
                   .pid = n->pid,
                   .tid = n->tid,
                   .call = n->call};
  const struct proc *p = proc_tree_find(&c->tree, n->pid);
  const struct proc_thread *t = proc_find_thread(p, n->tid);
  snprintf(j.comm, sizeof j.comm, "%s", t ? t->comm : n->tid ? "?" : "-");
  return j;
}

static void log_jump(struct coordinator *c, const struct way_next *n,
                     int64_t length_ns)
{
  struct jump j = jump_of(c, n, length_ns);
  jump_log_add(&c->jumps, &j);
}

static void jump(struct coordinator *c, const struct way_next *n)
{
  int64_t length = n->deadline_ns - now_ns(c);
  if (c->own_server)
    kernel_bytes_note_queue(&c->bytes, c->port);
  if (length > 0)
    vtime_page_add(c->page, length);
  log_jump(c, n, length);
  if (c->o.virtual_limit_ns && now_ns(c) - c->start_ns >= c->o.virtual_limit_ns)
    tell(c, EVENT_VIRTUAL_LIMIT);
  if (c->way->kind->jumped) /* before anybody who sends signals wakes */
    c->way->kind->jumped(c->way);
  do_due(c);
  c->jumped_real_ns = real_now();
}

static bool has_lasted(struct coordinator *c, int64_t real)
{
  if (!c->nothing_real_ns)
    c->nothing_real_ns = real;
  return real - c->nothing_real_ns >= STALLED_NS;
}

static void nothing_armed(struct coordinator *c, int64_t real)
{
  if (has_lasted(c, real))
    tell(c, EVENT_STALLED);
}

/* Read by another thread once it is told, so that it is written once. */
static void too_far(struct coordinator *c, const struct way_next *n,
                    int64_t real)
{
  if (!has_lasted(c, real) || c->too_far.pid)
    return;
  c->too_far = jump_of(c, n, n->deadline_ns - now_ns(c));
  tell(c, EVENT_TOO_FAR);
}

/* What the server and the harness wait for was meant by somebody. */
static int64_t largest_ns(const struct coordinator *c, const struct way_next *n)
{
  return n->pid ? c->o.largest_jump_ns : INT64_MAX;
}

static void all_asleep(struct coordinator *c, int64_t real)
{
  struct way_next n = of_clients(c);
  note_idle(c, &n);
  offer_ours(c, &n);
  struct rule_jump j = {now_ns(c), n.deadline_ns, largest_ns(c, &n)};
  enum rule_jump_word word = rule_jump(&j);
  if (word == RULE_NONE) {
    nothing_armed(c, real);
    return;
  }
  if (word == RULE_TOO_FAR) {
    too_far(c, &n, real);
    return;
  }
  c->nothing_real_ns = 0;
  if (word == RULE_NOT_YET) { /* came due by a tick */
    do_due(c);
    return;
  }
  if (is_long(c, &n) && !c->buffers_empty) {
    c->counts.held++;
    return;
  }
  jump(c, &n);
}

/* ---- one step ---- */

/* Counts of the clients alone: our own threads do not count as theirs. */
static void watch_clients(struct coordinator *c)
{
  struct rule_pass p = {.n = 0};
  uint64_t print = 0;
  for (size_t i = 0; i < c->tree.last.n; i++) {
    p = (struct rule_pass){&c->tree.last.thread[i], 1, 0};
    if (p.thread->pid != getpid())
      print = print * 31 + rule_fingerprint(&p);
  }
  if (print != c->client_print)
    c->idle_since_ns = NO_DEADLINE;
  c->client_print = print;
}

/*
 * Real time since a tree became opaque, as long as it is: all of it, from
 * before the look that last saw it otherwise to after the one that does
 * again. So it is rather too much than too little, however late the
 * coordinator gets a CPU: a kernel's time-out must not come early. And ahead by
 * what a step takes, because whoever the kernel wakes reads the clock before
 * we have seen it.
 */
static void add_real(struct coordinator *c)
{
  int64_t real = real_now();
  int64_t ahead = PAUSE_MAX_NS + c->lag_ns;
  int64_t step = real - (c->opaque_ns ? c->opaque_ns : c->looked_ns - ahead);
  vtime_page_add(c->page, step);
  c->counts.real_rate_ns += step;
  jump_log_add_slow(&c->jumps, SLOW_REAL_RATE, now_ns(c), step);
  c->opaque_ns = real;
}

static void at_real_rate(struct coordinator *c, const struct rule_answer *a)
{
  c->way->kind->note_opaque(c->way, a->pid, a->tid);
  add_real(c);
  c->counts.opaque++;
}

static void opaque_no_more(struct coordinator *c)
{
  if (c->opaque_ns)
    add_real(c);
  c->opaque_ns = 0;
}

static void act(struct coordinator *c, struct rule_answer a, int64_t real)
{
  bool asleep = a.word == RULE_QUIET || a.word == RULE_OPAQUE;
  if (asleep && c->way->kind->settle(c->way) > 0) {
    asleep = false;
    a.why = "a call, a signal or a descriptor came";
  }
  c->why = a.why;
  c->why_pid = a.pid;
  c->why_tid = a.tid;
  if (!asleep || a.word != RULE_OPAQUE)
    opaque_no_more(c);
  c->counts.busy += a.word == RULE_BUSY;
  c->counts.changed += a.word == RULE_CHANGED;
  if (!asleep) {
    c->nothing_real_ns = 0;
    if (a.pid && a.pid != getpid()) /* it runs: it does not wait for ever */
      c->idle_since_ns = NO_DEADLINE;
    return;
  }
  watch_clients(c);
  was_quiet(c, real);
  if (a.word == RULE_OPAQUE) {
    at_real_rate(c, &a);
  } else if (c->holds == 0) {
    c->counts.quiet++;
    all_asleep(c, real);
  }
}

/* Real time in which virtual time did not go on with it. */
static int64_t wasted(const struct coordinator *c, int64_t real)
{
  return real - c->start_real_ns - c->counts.real_rate_ns - c->counts.crept_ns -
         c->counts.forced_ns;
}

/* Has a client begun to wait? All else they ask for does not bring the quiet
 * moment nearer: a program that starts asks a thousand times. */
static bool wait_began(struct coordinator *c)
{
  struct way_counts n;
  c->way->kind->count(c->way, &n);
  bool began = n.held != c->held;
  c->held = n.held;
  return began;
}

static int64_t pause_ns(const struct coordinator *c, int64_t real)
{
  int64_t half = (real - c->jumped_real_ns) / 2;
  if (half < PAUSE_MIN_NS)
    return PAUSE_MIN_NS;
  return half < PAUSE_MAX_NS ? half : PAUSE_MAX_NS;
}

/* Until there is reason to look, or the pause is over. */
static void await_news(struct coordinator *c, struct pollfd *own)
{
  int64_t real = real_now(), left = pause_ns(c, real), end = real + left;
  while (left > 0) {
    c->way->kind->poll(c->way, own, left);
    if (wait_began(c) || (own && own->revents))
      break;
    left = end - real_now();
  }
}

void coordinator_step(struct coordinator *c, struct pollfd *own)
{
  int64_t real = real_now();
  if (!c->looked_ns)
    c->looked_ns = real;
  if (c->o.real_limit_ns && wasted(c, real) > c->o.real_limit_ns)
    tell(c, EVENT_REAL_LIMIT);
  creep(c, real);
  raise_tick(c, real);
  keep_up(c, real);
  while (c->way->kind->poll(c->way, NULL, 0) > 0)
    continue;
  do_due(c);
  c->counts.looks++;
  act(c, proc_tree_look(&c->tree), real);
  c->looked_ns = real;
  await_news(c, own);
}
