#include "harness/run.h"

#include "harness/run_files.h"
#include "harness/run_lane.h"
#include "mockserver/command/host.h"
#include "mockserver/engine.h"
#include "mockserver/server.h"

#include "base/file.h"

#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* After the clients: how long answers still open may take to end, and how
 * often that is looked at. A stalled answer would never end. */
#define SETTLE_NS (300 * NS_PER_MS)
#define SETTLE_STEP_NS (10 * NS_PER_MS)

struct run {
  struct run_options o;
  struct journal *journal;
  struct server *server;
  struct engine *engine;
  struct tls_ca *ca; /* of a scenario with tls; NULL: none */
  struct host *host; /* of the stand-in commands */
  struct lane *lanes;
  size_t nlanes, live;
  int64_t settle_until_ns;
  bool interrupted;
  bool cut_short; /* by one of the run's limits, at the first of them */
  struct vtime_report report;

  /* the evidence and what it points to */
  struct evidence e;
  struct client_start *starts;
  const struct attempt **calls, **all;
  uint64_t *step_uses;
  struct buf side_effects;
  struct run_files files;
};

static int64_t now(const struct run *r)
{
  return clock_now_ns(r->o.clock);
}

/* --- during the run ------------------------------------------------------ */

static void settle(void *arg)
{
  struct run *r = arg;
  bool idle = engine_open_attempts(r->engine) == 0 && host_open(r->host) == 0;
  if (idle || now(r) >= r->settle_until_ns)
    engine_stop(r->engine);
  else
    engine_at(r->engine, now(r) + SETTLE_STEP_NS, settle, r);
}

static void on_lane_done(void *arg)
{
  struct run *r = arg;
  if (--r->live > 0)
    return;
  engine_stop_accepting(r->engine);
  host_stop_listening(r->host);
  launch_end_children(NULL, 0);
  r->settle_until_ns = now(r) + SETTLE_NS;
  settle(r);
}

/* A client is only stalled when nobody is going to wake it: not the server,
 * not a signal or a start of ours. That a limit ends another client is none
 * of it. */
static bool only_limits(void *arg)
{
  const struct run *r = arg;
  size_t ours = 0;
  for (size_t i = 0; i < r->nlanes; i++) {
    const struct lane *l = &r->lanes[i];
    if (l->start_timer || l->signal_timer)
      return false;
    ours += (size_t)(l->limit_timer != 0) + (size_t)(l->kill_timer != 0);
  }
  return engine_timers(r->engine) == ours;
}

static void end_lanes(struct run *r, enum start_end why, const char *in)
{
  if (r->cut_short)
    return;
  r->cut_short = true;
  for (size_t i = 0; i < r->nlanes; i++)
    lane_end(&r->lanes[i], why, in);
}

/* In virtual time a client that never waits moves no clock: its calls end
 * it. */
static void count_attempts(struct run *r)
{
  char in[160];
  /* we are called at the end of an attempt too, so the journal counts */
  if (!r->o.vtime || (int64_t)journal_count(r->journal) <= r->o.limits.attempts)
    return;
  snprintf(in, sizeof in, "--attempt-limit %lld",
           (long long)r->o.limits.attempts);
  end_lanes(r, START_ATTEMPTS, in);
}

static void end_by_real_limit(struct run *r)
{
  char in[160];
  snprintf(in, sizeof in, "--real-limit %.10g", r->o.limits.real_s);
  end_lanes(r, START_REAL_LIMIT, in);
}

/* Whose wait it was is not to be found anywhere else: it was never done. */
static void end_by_long_wait(struct run *r)
{
  struct jump j;
  int64_t largest_ns = 0;
  char in[160];
  if (!vtime_too_far(r->o.vtime, &j, &largest_ns))
    return;
  snprintf(in, sizeof in,
           "'%s' wants to wait %.10g s in %s, --largest-jump is %.10g", j.comm,
           (double)j.asked_ns / (double)NS_PER_S, j.call,
           (double)largest_ns / (double)NS_PER_S);
  end_lanes(r, START_TOO_FAR, in);
}

static void on_attempt(void *arg, const struct attempt *a)
{
  struct run *r = arg;
  count_attempts(r);
  for (size_t i = 0; i < r->nlanes; i++)
    if (r->nlanes == 1 || strcmp(r->lanes[i].name, a->lane) == 0)
      lane_request(&r->lanes[i], a->first_byte_ns);
}

/* A deadline of ours has come, which the timers see, or the real limit. */
static void on_clock(void *arg, int fd, uint32_t events)
{
  struct run *r = arg;
  (void)fd;
  (void)events;
  enum coordinator_event event = vtime_woken(r->o.vtime);
  if (event == EVENT_REAL_LIMIT)
    end_by_real_limit(r);
  else if (event == EVENT_TOO_FAR)
    end_by_long_wait(r);
}

static void on_stop(void *arg, int fd, uint32_t events)
{
  struct run *r = arg;
  (void)events;
  engine_unwatch(r->engine, fd);
  r->interrupted = true;
  for (size_t i = 0; i < r->nlanes; i++)
    lane_abort(&r->lanes[i]);
  launch_end_children(NULL, 0);
  engine_stop(r->engine);
}

/* --- before -------------------------------------------------------------- */

/* The certificate to trust goes where the clients' files are. */
static int open_tls(struct run *r, struct diag *diag)
{
  const struct tls_config *tls = &r->o.scenario->tls;
  if (!tls->on)
    return 0;
  r->ca = tls_ca_new(clock_wall_epoch_s(r->o.clock), tls->names, diag);
  if (!r->ca)
    return -1;
  char *path = mem_format("%s/" TLS_CA_FILE, r->o.folder);
  int rc = tls_ca_write(r->ca, path, diag);
  free(path);
  return rc;
}

static int open_server(struct run *r, struct diag *diag)
{
  r->journal = journal_open(r->o.journal_path, r->o.clock, 0, diag);
  if (!r->journal)
    return -1;
  struct server_options so = {.scenario = r->o.scenario,
                              .clock = r->o.clock,
                              .journal = r->journal,
                              .no_faults = r->o.no_faults,
                              .seed = r->o.seed};
  r->server = server_new(&so);
  struct engine_options eo = {.clock = r->o.clock,
                              .tls = r->ca,
                              .tls_fault = server_tls_fault,
                              .journal = r->journal,
                              .handler = server_handle,
                              .early = server_early,
                              .ended = server_ended,
                              .handler_arg = r->server};
  r->engine = engine_new(&eo, diag);
  if (!r->engine)
    return -1;
  struct host_options ho = {.engine = r->engine,
                            .server = r->server,
                            .journal = r->journal,
                            .clock = r->o.clock,
                            .seed = r->o.seed};
  r->host = host_new(&ho);
  return 0;
}

static int make_lanes(struct run *r, struct diag *diag)
{
  const struct spec *spec = r->o.spec;
  r->lanes = mem_zalloc(spec->nlanes * sizeof *r->lanes);
  for (size_t i = 0; i < spec->nlanes; i++) {
    struct lane *l = &r->lanes[r->nlanes++];
    *l = (struct lane){.o = &r->o,
                       .engine = r->engine,
                       .name = spec->lanes[i],
                       .siblings = r->lanes,
                       .nsiblings = spec->nlanes,
                       .done = on_lane_done,
                       .alone = only_limits,
                       .done_arg = r};
    if (lane_init(l, diag) < 0 ||
        (l->shim && host_listen(r->host, l->shim, l->name, diag) < 0))
      return -1;
  }
  return 0;
}

/* From here on time may jump: nothing before takes time. */
static int start_clock(struct run *r, struct diag *diag)
{
  struct vtime *v = r->o.vtime;
  if (!v)
    return 0;
  vtime_set_port(v, engine_port(r->engine));
  if (engine_watch(r->engine, vtime_fd(v), EPOLLIN, on_clock, r) < 0)
    return diag_set(diag, "cannot watch the clock");
  return vtime_start(v, diag);
}

static int go(struct run *r, struct diag *diag)
{
  if (start_clock(r, diag) < 0)
    return -1;
  r->live = r->nlanes;
  r->e.start_ns = now(r);
  r->e.wall_offset_ns = clock_wall_ns(r->o.clock) - now(r);
  engine_on_attempt(r->engine, on_attempt, r);
  host_on_attempt(r->host, on_attempt, r);
  if (r->o.stop_fd >= 0 &&
      engine_watch(r->engine, r->o.stop_fd, EPOLLIN, on_stop, r) < 0)
    return diag_set(diag, "cannot watch for signals");
  for (size_t i = 0; i < r->nlanes; i++)
    lane_begin(&r->lanes[i]);
  return engine_run(r->engine, diag);
}

/* --- after --------------------------------------------------------------- */

static void collect_starts(struct run *r)
{
  size_t n = 0;
  for (size_t i = 0; i < r->nlanes; i++)
    n += r->lanes[i].nstarts;
  r->starts = mem_zalloc((n + 1) * sizeof *r->starts);
  for (size_t i = 0; i < r->nlanes; i++)
    for (size_t k = 0; k < r->lanes[i].nstarts; k++)
      r->starts[r->e.nstarts++] = r->lanes[i].starts[k].facts;
  r->e.starts = r->starts;
}

static void collect_attempts(struct run *r)
{
  size_t n = journal_count(r->journal);
  r->calls = mem_zalloc((n + 1) * sizeof *r->calls);
  r->all = mem_zalloc((n + 1) * sizeof *r->all);
  for (size_t i = 0; i < n; i++)
    r->all[r->e.nall++] = journal_get(r->journal, i);
  r->e.all = r->all;
  evidence_sort(&r->e, r->calls);
}

/* More than this is no list of effects; the rest is left out. */
enum { MAX_SIDE_EFFECTS = 1 << 20 };

/* All lanes share the folder. No file: nothing was done. */
static void collect_side_effects(struct run *r)
{
  struct diag none = {0};
  char *path = mem_format("%s/%s", r->lanes[0].shared, SIDE_EFFECTS_FILE);
  buf_init(&r->side_effects, MAX_SIDE_EFFECTS);
  if (file_exists(path))
    file_read(path, &r->side_effects, &none);
  r->e.side_effects = buf_bytes(&r->side_effects);
  free(path);
}

static void collect(struct run *r)
{
  size_t n = r->o.scenario->nsteps;
  r->e.scenario = r->o.scenario;
  r->e.spec = r->o.spec;
  r->e.policy = r->o.policy;
  r->e.no_faults = r->o.no_faults;
  r->e.at_unused = r->o.at_unused;
  if (r->o.vtime) {
    vtime_report(r->o.vtime, &r->report);
    r->e.vtime = &r->report;
  }
  r->e.end_ns = now(r);
  r->step_uses = mem_zalloc((n + 1) * sizeof *r->step_uses);
  for (size_t i = 0; i < n; i++)
    r->step_uses[i] = server_step_uses(r->server, i);
  r->e.step_uses = r->step_uses;
  host_free(r->host);
  r->host = NULL;
  engine_free(r->engine);
  r->engine = NULL;
  journal_freeze(r->journal);
  collect_starts(r);
  collect_attempts(r);
  collect_side_effects(r);
  run_files_init(&r->files, r->o.spec, r->lanes[0].shared);
  r->e.files = r->files.file;
  r->e.nfiles = r->files.n;
}

int run_scenario(const struct run_options *o, struct run **ret,
                 struct diag *diag)
{
  struct run *r = mem_zalloc(sizeof *r);
  r->o = *o;
  launch_become_subreaper();
  int rc = open_tls(r, diag);
  if (rc == 0)
    rc = open_server(r, diag);
  if (rc == 0)
    rc = make_lanes(r, diag);
  if (rc == 0)
    rc = go(r, diag);
  launch_end_children(NULL, 0);
  if (o->vtime)
    vtime_stop(o->vtime);
  if (rc < 0) {
    run_free(r);
    return -1;
  }
  collect(r);
  *ret = r;
  return 0;
}

const struct evidence *run_evidence(const struct run *r)
{
  return &r->e;
}

bool run_interrupted(const struct run *r)
{
  return r->interrupted;
}

void run_free(struct run *r)
{
  if (!r)
    return;
  host_free(r->host);
  if (r->engine)
    engine_free(r->engine);
  if (r->server)
    server_free(r->server);
  tls_ca_free(r->ca);
  if (r->journal)
    journal_close(r->journal);
  for (size_t i = 0; i < r->nlanes; i++)
    lane_release(&r->lanes[i]);
  free(r->lanes);
  free(r->starts);
  free(r->calls);
  free(r->all);
  free(r->step_uses);
  buf_release(&r->side_effects);
  run_files_release(&r->files);
  free(r);
}
