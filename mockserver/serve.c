#include "mockserver/serve.h"

#include "base/file.h"
#include "mockserver/command/folder.h"
#include "mockserver/command/host.h"
#include "mockserver/preset.h"
#include "mockserver/provider/provider.h"
#include "mockserver/serve_options.h"
#include "mockserver/serve_reload.h"
#include "mockserver/serve_tls.h"
#include "mockserver/server.h"
#include "mockserver/upstream/pass.h"
#include "mockserver/upstream/upstream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Attempts a serving process keeps; the journal file has all of them. More
 * would not stay in the cache: 2000 cost 8 % of the rate, measured. */
#define KEPT_ATTEMPTS 500

struct serving {
  struct serve_options o;
  struct scenario scenario;
  bool has_scenario;
  struct journal *journal;
  struct server *server;
  struct engine *engine;
  struct upstream *upstream; /* NULL: nothing is passed on */
  struct serve_tls tls;
  struct reload reload;
  struct buf token;  /* of the admin paths */
  struct host *host; /* of the stand-in commands; NULL: none */
  int signal_fd;
  int signal; /* that ended it */
};

/* ---- the scenario ---- */

/* More than any of them has. */
enum { MAX_READY_MADE = 16384 };

/* Without a script, a provider still says who answers. */
static int ready_made(const struct serve_options *o, struct scenario *ret,
                      struct diag *diag)
{
  static const char plain[] =
      "{\"name\":\"plain\",\"why\":\"no scenario was given\","
      "\"steps\":[],\"after_script\":\"reply\"}";
  struct buf text;
  buf_init(&text, MAX_READY_MADE);
  if (o->preset)
    preset_write(o->preset, &text);
  else
    buf_adds(&text, plain);
  int rc = scenario_parse(ret, o->preset ? o->preset : "(none)",
                          buf_bytes(&text), diag);
  buf_release(&text);
  return rc;
}

static int load_scenario(struct serving *s, struct diag *diag)
{
  const struct provider *p = NULL;
  if (s->o.provider) {
    p = provider_find(s->o.provider);
    if (!p)
      return diag_set(diag, "no provider '%s' (see `faultwire list providers`)",
                      s->o.provider);
  }
  int failed = s->o.scenario ? scenario_load(&s->scenario, s->o.scenario, diag)
                             : ready_made(&s->o, &s->scenario, diag);
  if (failed)
    return -1;
  s->has_scenario = true;
  if (p)
    s->scenario.provider = p;
  if (s->o.upstream && !s->o.scenario)
    s->scenario.after = AFTER_PASS;
  else if (s->o.upstream)
    pass_adopt(&s->scenario);
  else if (pass_is_wanted(&s->scenario))
    return diag_set(diag, "the scenario passes calls on: --upstream says "
                          "where to");
  return 0;
}

/* ---- what it prints ---- */

static void log_attempt(void *arg, const struct attempt *a)
{
  (void)arg;
  if (a->end != END_OPEN)
    return; /* told when it came */
  if (a->cls == ATTEMPT_REFUSED) {
    fprintf(stderr, "#%llu refused: %s\n", (unsigned long long)a->seq, a->what);
    return;
  }
  if (a->cls == ATTEMPT_HANDSHAKE) {
    fprintf(stderr, "#%llu TLS handshake: %s [%s]\n",
            (unsigned long long)a->seq, a->what, a->rule);
    return;
  }
  fprintf(stderr, "#%llu %s %s -> %s [%s%s%s]%s%s\n",
          (unsigned long long)a->seq, a->method, a->target,
          a->what[0] ? a->what : "no answer", a->rule, a->injected ? ", " : "",
          a->injected ? a->fault : "", a->lane[0] ? " lane " : "", a->lane);
}

static void print_ready(const struct serving *s)
{
  const char *address = s->o.address ? s->o.address : "127.0.0.1";
  bool v6 = strchr(address, ':') != NULL;
  printf("faultwire serve: listening on http://%s%s%s:%u", v6 ? "[" : "",
         address, v6 ? "]" : "", (unsigned)engine_port(s->engine));
  if (s->o.scenario || s->o.preset)
    printf(" with %s (%zu steps)", s->scenario.name, s->scenario.nsteps);
  printf("\n");
  fflush(stdout);
}

static int tell_port(const struct serving *s, struct diag *diag)
{
  char text[16];
  int n = snprintf(text, sizeof text, "%u\n", (unsigned)engine_port(s->engine));
  struct bytes line = {text, (size_t)n};
  if (s->o.port_file && file_write(s->o.port_file, line, diag) < 0)
    return -1;
  if (s->o.ready_fd >= 0) {
    ssize_t written = write((int)s->o.ready_fd, text, (size_t)n);
    close((int)s->o.ready_fd);
    if (written != n)
      return diag_set(diag, "cannot write to descriptor %d",
                      (int)s->o.ready_fd);
  }
  return 0;
}

/* ---- life ---- */

static void on_signal(void *arg, int fd, uint32_t events)
{
  (void)events;
  struct serving *s = arg;
  struct signalfd_siginfo info;
  if (read(fd, &info, sizeof info) != (ssize_t)sizeof info)
    return;
  if (info.ssi_signo == SIGHUP) {
    reload_now(&s->reload);
    return;
  }
  s->signal = (int)info.ssi_signo;
  engine_stop(s->engine);
}

static int watch_signals(struct serving *s, struct diag *diag)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  sigprocmask(SIG_BLOCK, &set, NULL);
  s->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (s->signal_fd < 0 ||
      engine_watch(s->engine, s->signal_fd, EPOLLIN, on_signal, s) < 0)
    return diag_set(diag, "cannot watch for signals: %s", strerror(errno));
  return 0;
}

static int open_tls(struct serving *s, struct diag *diag)
{
  if (!s->o.tls && !s->o.tls_dir && !s->scenario.tls.on)
    return 0;
  return serve_tls_open(&s->tls, s->o.tls_dir, &s->scenario.tls,
                        clock_wall_epoch_s(clock_real()), diag);
}

/* More names than a scenario has, and none too many. */
enum { MAX_NAMES = 64 };

/* Names of commands that were not known before need their stand-ins. */
static void on_armed(void *arg, const struct scenario *scenario)
{
  struct serving *s = arg;
  const char *names[MAX_NAMES];
  size_t n = s->host ? host_names(scenario, names, MAX_NAMES) : 0;
  for (size_t i = 0; i < n; i++) {
    struct diag diag = {0};
    if (folder_put(s->o.shim_dir, names[i], &diag) < 0)
      fprintf(stderr, "faultwire serve: %s\n", diag.text);
  }
}

static struct engine_limits limits_of(const struct serve_options *o)
{
  return (struct engine_limits){
      .head_bytes = (size_t)o->max_head,
      .target_bytes = (size_t)o->max_target,
      .headers = (size_t)o->max_headers,
      .body_in_memory_bytes = o->body_in_memory,
      .connections = (size_t)o->max_connections,
      .idle_timeout_ns = (int64_t)(o->idle_timeout_s * (double)NS_PER_S),
      .lenient = o->lenient};
}

static struct server_options server_options_of(struct serving *s)
{
  bool seeded = s->o.seed >= 0;
  return (struct server_options){
      .scenario = &s->scenario,
      .clock = clock_real(),
      .journal = s->journal,
      .admin = true,
      .allow_force = s->o.allow_force,
      .seed = seeded ? (uint64_t)s->o.seed : s->scenario.seed,
      .keeps_seed = seeded,
      .provider = s->o.provider ? s->scenario.provider : NULL,
      .upstream = s->upstream,
      .admin_token = s->token.n ? buf_str(&s->token) : NULL,
      .armed = on_armed,
      .armed_arg = s};
}

static int open_server(struct serving *s, struct diag *diag)
{
  s->journal = journal_open(s->o.journal, clock_real(), KEPT_ATTEMPTS, diag);
  if (!s->journal)
    return -1;
  struct upstream_options uo = {.url = s->o.upstream, .clock = clock_real()};
  if (s->o.upstream && !(s->upstream = upstream_new(&uo, diag)))
    return -1;
  struct server_options so = server_options_of(s);
  s->server = server_new(&so);
  struct engine_options eo = {
      .address = s->o.address,
      .any_address = s->o.any_address,
      .port = (uint16_t)s->o.port,
      .clock = clock_real(),
      .journal = s->journal,
      .handler = server_handle,
      .early = server_early,
      .ended = server_ended,
      .tls = s->tls.ca,
      .tls_fault = server_tls_fault,
      .handler_arg = s->server,
      .max_body_bytes = (size_t)s->o.max_body,
      .request_timeout_ns =
          (int64_t)(s->o.request_timeout_s * (double)NS_PER_S),
      .limits = limits_of(&s->o)};
  s->engine = engine_new(&eo, diag);
  if (!s->engine)
    return -1;
  server_set_engine(s->server, s->engine);
  if (s->upstream)
    upstream_set_engine(s->upstream, s->engine);
  return 0;
}

static int open_host(struct serving *s, struct diag *diag)
{
  const char *names[MAX_NAMES];
  struct host_options ho = {.engine = s->engine,
                            .server = s->server,
                            .journal = s->journal,
                            .clock = clock_real(),
                            .seed = s->scenario.seed};
  if (!s->o.shim_dir)
    return 0;
  s->host = host_new(&ho);
  if (file_mkdirs(s->o.shim_dir, diag) < 0)
    return -1;
  size_t n = host_names(&s->scenario, names, MAX_NAMES);
  for (size_t i = 0; i < n; i++)
    if (folder_put(s->o.shim_dir, names[i], diag) < 0)
      return -1;
  return host_listen(s->host, s->o.shim_dir, "", diag);
}

/* Longer is no token anybody would send. */
enum { MAX_TOKEN = 4096 };

/* The token itself, or the first line of @FILE: other users of the machine
 * see a command line. */
static int read_token(struct serving *s, struct diag *diag)
{
  const char *text = s->o.admin_token;
  buf_init(&s->token, MAX_TOKEN);
  if (!text)
    return 0;
  if (*text != '@')
    buf_adds(&s->token, text);
  else if (file_read(text + 1, &s->token, diag) < 0)
    return -1;
  size_t n = strcspn(buf_str(&s->token), "\r\n");
  if (n < s->token.n) {
    s->token.n = n;
    s->token.p[n] = '\0';
  }
  return s->token.n ? 0 : diag_set(diag, "the admin token is empty");
}

static int open_reload(struct serving *s, struct diag *diag)
{
  s->reload.path = s->o.scenario;
  s->reload.server = s->server;
  s->reload.engine = s->engine;
  return s->o.watch ? reload_watch(&s->reload, diag) : 0;
}

static int serve(struct serving *s, struct diag *diag)
{
  if (read_token(s, diag) < 0 || open_tls(s, diag) < 0 ||
      open_server(s, diag) < 0 || open_host(s, diag) < 0 ||
      open_reload(s, diag) < 0 || watch_signals(s, diag) < 0 ||
      tell_port(s, diag) < 0)
    return -1;
  if (!s->o.quiet) {
    engine_on_attempt(s->engine, log_attempt, NULL);
    if (s->host)
      host_on_attempt(s->host, log_attempt, NULL);
  }
  print_ready(s);
  serve_tls_print(&s->tls);
  if (engine_run(s->engine, diag) < 0)
    return -1;
  journal_freeze(s->journal);
  int error = journal_error(s->journal);
  return error ? diag_set(diag, "writing %s: %s", s->o.journal, strerror(error))
               : 0;
}

static void release(struct serving *s)
{
  host_free(s->host);
  reload_close(&s->reload);
  upstream_stop(s->upstream);
  engine_free(s->engine);
  upstream_free(s->upstream);
  server_free(s->server);
  serve_tls_close(&s->tls);
  journal_close(s->journal);
  buf_release(&s->token);
  if (s->has_scenario)
    scenario_release(&s->scenario);
  if (s->signal_fd >= 0)
    close(s->signal_fd);
}

static int failed(const struct diag *diag, int code)
{
  char text[2048];
  diag_format(diag, text, sizeof text);
  fprintf(stderr, "faultwire serve: %s\n", text);
  return code;
}

int serve_main(int argc, char **argv)
{
  struct serving s = {.signal_fd = -1, .reload = {.fd = -1}};
  struct diag diag = {0};
  int code = serve_options_read(&s.o, argc, argv);
  if (code >= 0)
    return code;
  if (load_scenario(&s, &diag) < 0)
    return failed(&diag, EXIT_USAGE);
  code = serve(&s, &diag) < 0 ? failed(&diag, EXIT_SET_UP)
         : s.signal == SIGINT ? EXIT_INTERRUPTED
                              : 0;
  release(&s);
  return code;
}
