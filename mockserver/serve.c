#include "mockserver/serve.h"

#include "base/cmdline.h"
#include "base/file.h"
#include "mockserver/provider/provider.h"
#include "mockserver/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum exit_code {
  EXIT_USAGE = 2,
  EXIT_SET_UP = 3,
  EXIT_INTERRUPTED = 130 /* 128 + SIGINT */
};

/* Attempts a serving process keeps; the journal file has all of them. More
 * would not stay in the cache: 2000 cost 8 % of the rate, measured. */
#define KEPT_ATTEMPTS 500

struct serve_options {
  const char *scenario, *address, *journal, *provider, *port_file;
  int64_t port, seed, ready_fd;
  bool any_address, quiet;
};

struct serving {
  struct serve_options o;
  struct scenario scenario;
  bool has_scenario;
  struct journal *journal;
  struct server *server;
  struct engine *engine;
  int signal_fd;
  int signal; /* that ended it */
};

/* ---- options ---- */

static int parse(struct serve_options *o, int argc, char **argv)
{
  const struct option options[] = {
      {"port", 'p', OPTION_INT, &o->port, 0, 65535, "N",
       "port to listen on, 0 for any free one (default 8787)"},
      {"address", 'a', OPTION_STRING, &o->address, 0, 0, "IP",
       "address to listen on (default 127.0.0.1)"},
      {"allow-any-address", 0, OPTION_FLAG, &o->any_address, 0, 0, NULL,
       "accept an --address that others can reach"},
      {"journal", 'j', OPTION_STRING, &o->journal, 0, 0, "FILE",
       "write one JSON line per attempt"},
      {"provider", 0, OPTION_STRING, &o->provider, 0, 0, "NAME",
       "answer as this provider, whatever the scenario says"},
      {"quiet", 'q', OPTION_FLAG, &o->quiet, 0, 0, NULL,
       "no line per attempt on stderr"},
      {"seed", 0, OPTION_INT, &o->seed, 0, 9007199254740992.0, "N",
       "number that request ids are made from (default: the scenario's)"},
      {"ready-fd", 0, OPTION_INT, &o->ready_fd, 0, 1 << 20, "N",
       "write the port to this descriptor when ready, and close it"},
      {"port-file", 0, OPTION_STRING, &o->port_file, 0, 0, "FILE",
       "write the port to this file when ready"},
      {0}};
  const struct cmdline c = {
      .usage = "faultwire serve [OPTIONS] [SCENARIO]",
      .summary = "Answers real HTTP with the faults of a scenario.",
      .options = options,
      .footer = "Without a SCENARIO (a file) every call gets a plain reply.\n"
                "GET /__admin/health tells that it is up, GET "
                "/__admin/requests what it saw.\n"};
  char **words = mem_zalloc((size_t)argc * sizeof *words);
  int nwords = 0, dash = 0;
  struct diag diag = {0};
  enum cmdline_result r = cmdline_parse(&c, argv, words, &nwords, &dash, &diag);
  o->scenario = nwords ? words[0] : NULL;
  free(words);
  if (r == CMDLINE_OK && nwords > 1)
    r = diag_set(&diag, "one scenario at most, not %d", nwords) < 0
            ? CMDLINE_ERROR
            : r;
  if (r == CMDLINE_ERROR)
    fprintf(stderr, "faultwire serve: %s\n", diag.text);
  return r == CMDLINE_OK ? -1 : r == CMDLINE_DONE ? 0 : EXIT_USAGE;
}

/* ---- the scenario ---- */

/* Without a script, a provider still says who answers. */
static int plain_scenario(struct scenario *ret, struct diag *diag)
{
  return scenario_parse(
      ret, "(none)",
      BYTES("{\"name\":\"plain\",\"why\":\"no scenario was given\","
            "\"steps\":[],\"after_script\":\"reply\"}"),
      diag);
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
                             : plain_scenario(&s->scenario, diag);
  if (failed)
    return -1;
  s->has_scenario = true;
  if (p)
    s->scenario.provider = p;
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
  if (s->o.scenario)
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
  s->signal = (int)info.ssi_signo;
  engine_stop(s->engine);
}

static int watch_signals(struct serving *s, struct diag *diag)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  s->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (s->signal_fd < 0 ||
      engine_watch(s->engine, s->signal_fd, EPOLLIN, on_signal, s) < 0)
    return diag_set(diag, "cannot watch for signals: %s", strerror(errno));
  return 0;
}

static int open_server(struct serving *s, struct diag *diag)
{
  s->journal = journal_open(s->o.journal, clock_real(), KEPT_ATTEMPTS, diag);
  if (!s->journal)
    return -1;
  struct server_options so = {.scenario = &s->scenario,
                              .clock = clock_real(),
                              .journal = s->journal,
                              .admin = true,
                              .seed = s->o.seed >= 0 ? (uint64_t)s->o.seed
                                                     : s->scenario.seed};
  s->server = server_new(&so);
  struct engine_options eo = {.address = s->o.address,
                              .any_address = s->o.any_address,
                              .port = (uint16_t)s->o.port,
                              .clock = clock_real(),
                              .journal = s->journal,
                              .handler = server_handle,
                              .early = server_early,
                              .handler_arg = s->server};
  s->engine = engine_new(&eo, diag);
  if (!s->engine)
    return -1;
  server_set_engine(s->server, s->engine);
  return 0;
}

static int serve(struct serving *s, struct diag *diag)
{
  if (open_server(s, diag) < 0 || watch_signals(s, diag) < 0 ||
      tell_port(s, diag) < 0)
    return -1;
  if (!s->o.quiet)
    engine_on_attempt(s->engine, log_attempt, NULL);
  print_ready(s);
  if (engine_run(s->engine, diag) < 0)
    return -1;
  journal_freeze(s->journal);
  int error = journal_error(s->journal);
  return error ? diag_set(diag, "writing %s: %s", s->o.journal, strerror(error))
               : 0;
}

static void release(struct serving *s)
{
  engine_free(s->engine);
  server_free(s->server);
  journal_close(s->journal);
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
  struct serving s = {.o = {.port = 8787, .seed = -1, .ready_fd = -1},
                      .signal_fd = -1};
  struct diag diag = {0};
  int code = parse(&s.o, argc, argv);
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
