#include "harness/run_lane.h"

#include "base/file.h"
#include "harness/vtime/blocked.h"
#include "mockserver/command/host.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>

/* From SIGTERM to SIGKILL: real clients end within 1 s (facts). */
#define TERM_TO_KILL_NS (2 * NS_PER_S)

static void start_next(void *arg);

static struct lane_start *current(struct lane *l)
{
  return &l->starts[l->nstarts - 1];
}

static int64_t now(const struct lane *l)
{
  return clock_now_ns(l->o->clock);
}

static void cancel(struct lane *l, uint64_t *timer)
{
  if (*timer)
    engine_cancel(l->engine, *timer);
  *timer = 0;
}

/* The business key of what the next start is for; all lanes of a run share
 * one folder, and no other run has it. */
static void name_work(const struct lane *l, char *ret, size_t size)
{
  unsigned long long run = bytes_hash(bytes_of(l->shared));
  if (l->o->spec->same_work)
    snprintf(ret, size, "work-%llx", run);
  else
    snprintf(ret, size, "work-%llx-%s-%zu", run, l->name,
             l->nstarts ? l->nstarts : 1);
}

static void fill_words(const struct lane *l, struct launch_words *w)
{
  uint16_t port = engine_port(l->engine);
  const char *first = NULL;
  memset(w, 0, sizeof *w);
  snprintf(w->base, sizeof w->base, "http%s://127.0.0.1:%u%s%s",
           l->ca ? "s" : "", (unsigned)port, l->name[0] ? "/" : "", l->name);
  w->ca = l->ca;
  w->port = port;
  snprintf(w->run, sizeof w->run, "%s", l->run_word);
  w->lane = l->name;
  w->lane_number = (size_t)(l - l->siblings);
  w->home = l->home;
  w->shared = l->shared;
  w->tmp = l->tmp;
  w->shim = l->shim;
  if (host_names(l->o->scenario, &first, 1))
    w->command = first;
  w->provider = l->o->provider;
  w->mode = l->o->spec->stream ? "stream" : "plain";
  w->scenario = l->o->address;
  name_work(l, w->work, sizeof w->work);
  w->after_cut = l->o->spec->go_on ? "continue" : "restart";
  w->seed = l->o->seed;
  w->env = l->o->env;
}

int lane_init(struct lane *l, struct diag *diag)
{
  struct launch_words w;
  const char *name = l->name[0] ? l->name : "client";
  l->home = mem_format("%s/%s/home", l->o->folder, name);
  l->tmp = mem_format("%s/%s/tmp", l->o->folder, name);
  l->shared = mem_format("%s/shared", l->o->folder);
  if (l->o->scenario->tls.on)
    l->ca = mem_format("%s/" TLS_CA_FILE, l->o->folder);
  l->starts = mem_zalloc((size_t)l->o->spec->starts * sizeof *l->starts);
  snprintf(l->run_word, sizeof l->run_word, "run-%llx",
           (unsigned long long)bytes_hash(bytes_of(l->home)));
  if (l->o->spec->channel == CHANNEL_COMMAND)
    l->shim = mem_format("%s/%s/bin", l->o->folder, name);
  fill_words(l, &w);
  if (l->shim && file_mkdirs(l->shim, diag) < 0)
    return -1;
  return launch_files(l->o->spec, &w, diag);
}

void lane_release(struct lane *l)
{
  for (size_t i = 0; i < l->nstarts; i++) {
    capture_release(&l->starts[i].out);
    capture_release(&l->starts[i].err);
  }
  free(l->starts);
  free(l->home);
  free(l->shared);
  free(l->ca);
  free(l->shim);
  free(l->tmp);
}

/* --- the end of a start ------------------------------------------------ */

static void unwatch(struct lane *l, int fd)
{
  if (fd >= 0)
    engine_unwatch(l->engine, fd);
}

/* Everything the client left behind. Orphans of another lane's client that
 * still runs can only be told apart by their HOME. */
static bool end_leavings(const struct lane *l)
{
  long keep[64];
  size_t n = 0;
  for (size_t i = 0; i < l->nsiblings && n < 64; i++)
    if (l->siblings[i].running)
      keep[n++] = l->siblings[i].client.pid;
  if (n == 0)
    return launch_end_children(NULL, 0);
  bool any = launch_end_orphans_of(l->home, keep, n);
  /* Its group, for those that emptied their environment. */
  return kill((pid_t)-l->client.pid, SIGKILL) == 0 || any;
}

static void keep_output(struct lane *l, struct lane_start *s)
{
  unwatch(l, s->out.fd);
  unwatch(l, s->err.fd);
  capture_finish(&s->out);
  capture_finish(&s->err);
  s->facts.out = buf_bytes(&s->out.kept);
  s->facts.err = buf_bytes(&s->err.kept);
  s->facts.out_bytes = s->out.total;
  s->facts.err_bytes = s->err.total;
  s->facts.out_cut = capture_cut(&s->out);
  s->facts.err_cut = capture_cut(&s->err);
}

/* The copies of a round start together: the pause counts from the end of the
 * last copy of the round before, so that they meet on the wire. */
static void start_round(struct lane *any)
{
  int64_t pause = (int64_t)(any->o->spec->pause_s * (double)NS_PER_S);
  for (size_t i = 0; i < any->nsiblings; i++)
    if (any->siblings[i].phase == LANE_BUSY)
      return;
  for (size_t i = 0; i < any->nsiblings; i++) {
    struct lane *l = &any->siblings[i];
    if (l->phase != LANE_READY)
      continue;
    l->phase = LANE_BUSY;
    l->start_timer = engine_at(l->engine, now(l) + pause, start_next, l);
  }
}

static void next_or_done(struct lane *l)
{
  bool more = l->nstarts < (size_t)l->o->spec->starts && !l->cut_short;
  l->phase = more && current(l)->facts.launched ? LANE_READY : LANE_OVER;
  start_round(l);
  if (l->phase == LANE_OVER)
    l->done(l->done_arg);
}

static void on_exit_seen(void *arg, int fd, uint32_t events)
{
  struct lane *l = arg;
  struct client_start *facts = &current(l)->facts;
  int code = 0, sig = 0;
  (void)events;
  engine_unwatch(l->engine, fd);
  if (!client_reap(&l->client, &code, &sig)) {
    engine_watch(l->engine, fd, EPOLLIN, on_exit_seen, l);
    return;
  }
  facts->exit_ns = now(l);
  facts->exit_code = code;
  facts->signal = facts->timed_out ? 0 : sig;
  l->running = false;
  cancel(l, &l->limit_timer);
  cancel(l, &l->kill_timer);
  cancel(l, &l->signal_timer);
  /* It was we who ended it, not a crash of its own. */
  if (facts->signalled_ns && sig == l->o->spec->signal)
    facts->signal = 0;
  /* What the limit ended together with its client was not left behind. */
  facts->left_children = end_leavings(l) && !facts->timed_out;
  keep_output(l, current(l));
  next_or_done(l);
}

/* --- limits ------------------------------------------------------------ */

static void on_kill(void *arg)
{
  struct lane *l = arg;
  l->kill_timer = 0;
  client_signal(&l->client, SIGKILL);
}

/* Its threads are looked at while they still wait. */
static void note_stall(struct lane *l, struct client_start *facts)
{
  struct buf where;
  int64_t idle_ns = vtime_idle_ns(l->o->vtime);
  if (idle_ns <= 0 || !l->alone(l->done_arg))
    return;
  facts->stalled_ns = idle_ns;
  buf_init(&where, 4096);
  blocked_in((int)l->client.pid, &where);
  snprintf(facts->stalled_in, sizeof facts->stalled_in, "%s", buf_str(&where));
  buf_release(&where);
}

static void note_limit(struct lane *l)
{
  struct client_start *facts = &current(l)->facts;
  facts->timed_out = true;
  if (l->o->vtime)
    note_stall(l, facts);
}

static void note_end(struct lane *l, enum start_end why, const char *in)
{
  struct client_start *facts = &current(l)->facts;
  facts->ended_by = why;
  snprintf(facts->ended_in, sizeof facts->ended_in, "%s", in);
}

/* Its next start is due, or it waits for the others' ends. */
static void end_between(struct lane *l, enum start_end why, const char *in)
{
  if (l->phase == LANE_OVER)
    return;
  if (l->nstarts)
    note_end(l, why, in);
  cancel(l, &l->start_timer);
  l->phase = LANE_OVER;
  l->done(l->done_arg);
}

void lane_end(struct lane *l, enum start_end why, const char *in)
{
  l->cut_short = true;
  cancel(l, &l->limit_timer);
  cancel(l, &l->kill_timer);
  if (!l->running) {
    end_between(l, why, in);
    return;
  }
  note_limit(l);
  note_end(l, why, in);
  client_signal(&l->client, SIGKILL);
}

static void on_limit(void *arg)
{
  struct lane *l = arg;
  l->limit_timer = 0;
  note_limit(l);
  client_signal(&l->client, SIGTERM);
  l->kill_timer = engine_at(l->engine, now(l) + TERM_TO_KILL_NS, on_kill, l);
}

/* Once, to the whole group, as a terminal or a supervisor does it. */
static void on_signal(void *arg)
{
  struct lane *l = arg;
  l->signal_timer = 0;
  current(l)->facts.signalled_ns = now(l);
  if (kill((pid_t)-l->client.pid, l->o->spec->signal) < 0)
    kill((pid_t)l->client.pid, l->o->spec->signal);
}

/* client.signal counts from the first request of the start. */
static void arm_signal(struct lane *l, int64_t from_ns)
{
  int64_t ns = (int64_t)(l->o->spec->signal_at_s * (double)NS_PER_S);
  if (l->o->spec->signal)
    l->signal_timer = engine_at(l->engine, from_ns + ns, on_signal, l);
}

static void arm_limit(struct lane *l, int64_t from_ns)
{
  double s = l->o->limit_s > 0 ? l->o->limit_s : l->o->spec->limit_s;
  if (!l->limit_from_request && l->o->start_limit_s > 0)
    s = l->o->start_limit_s;
  cancel(l, &l->limit_timer);
  l->limit_timer = engine_at(
      l->engine, from_ns + (int64_t)(s * (double)NS_PER_S), on_limit, l);
}

void lane_request(struct lane *l, int64_t ns)
{
  if (!l->running || l->limit_from_request || !l->limit_timer ||
      ns < current(l)->facts.start_ns)
    return;
  l->limit_from_request = true;
  arm_limit(l, ns);
  arm_signal(l, ns);
}

/* --- the begin of a start ---------------------------------------------- */

static void on_output(void *arg, int fd, uint32_t events)
{
  struct lane *l = arg;
  struct lane_start *s = current(l);
  struct capture *c = fd == s->out.fd ? &s->out : &s->err;
  (void)events;
  if (capture_read(c))
    return;
  engine_unwatch(l->engine, fd);
  capture_close(c);
}

static void watch_client(struct lane *l, struct lane_start *s)
{
  capture_init(&s->out, l->client.out_fd);
  capture_init(&s->err, l->client.err_fd);
  engine_watch(l->engine, s->out.fd, EPOLLIN, on_output, l);
  engine_watch(l->engine, s->err.fd, EPOLLIN, on_output, l);
  engine_watch(l->engine, l->client.pidfd, EPOLLIN, on_exit_seen, l);
}

/* Puts the stand-ins where this start finds them, or takes them away. */
static int place_commands(struct lane *l, struct launch_words *w,
                          struct diag *diag)
{
  const char *first = NULL;
  bool absent = spec_absent(l->o->spec, current(l)->facts.number);
  if (!l->shim || !host_names(l->o->scenario, &first, 1))
    return 0;
  if (!absent)
    return host_place(l->shim, l->o->scenario, diag);
  host_take(l->shim, l->o->scenario);
  w->without = first;
  return 0;
}

static int launch(struct lane *l, struct diag *diag)
{
  struct launch_words w;
  fill_words(l, &w);
  if (place_commands(l, &w, diag) < 0)
    return -1;
  char **argv = launch_argv(l->o->command, l->o->ncommand, l->o->spec, &w);
  char **env = launch_env(l->o->spec, &w);
  l->client.vtime = l->o->vtime;
  int rc = launch_client(&l->client, argv, env, diag);
  launch_free_list(argv);
  launch_free_list(env);
  return rc;
}

static void start_next(void *arg)
{
  struct lane *l = arg;
  struct lane_start *s = &l->starts[l->nstarts];
  struct diag diag = {0};
  l->start_timer = 0;
  capture_init(&s->out, -1);
  capture_init(&s->err, -1);
  s->facts.number = (int)l->nstarts++;
  snprintf(s->facts.lane, sizeof s->facts.lane, "%s", l->name);
  s->facts.start_ns = s->facts.exit_ns = now(l);
  if (launch(l, &diag) < 0) {
    snprintf(s->facts.launch_error, sizeof s->facts.launch_error, "%.255s",
             diag.text);
    next_or_done(l);
    return;
  }
  s->facts.launched = true;
  s->facts.pid = l->client.pid;
  l->running = true;
  l->limit_from_request = false;
  watch_client(l, s);
  arm_limit(l, s->facts.start_ns);
}

void lane_begin(struct lane *l)
{
  l->start_timer = engine_at(l->engine, now(l), start_next, l);
}

void lane_abort(struct lane *l)
{
  cancel(l, &l->start_timer);
  if (l->running)
    client_signal(&l->client, SIGKILL);
}
