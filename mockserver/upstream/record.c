#include "mockserver/upstream/record.h"

#include "base/cmdline.h"
#include "base/file.h"
#include "mockserver/import/draft.h"
#include "mockserver/server.h"
#include "mockserver/upstream/privacy.h"
#include "mockserver/upstream/upstream.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_SET_UP = 3, EXIT_INTERRUPTED = 130 };
/* In memory; the journal's file has all of them. */
#define KEPT_ATTEMPTS 500
/* More than a session has; then the first ones are the incident. */
enum { MAX_TAKEN = 20000 };

struct recording {
  const char *url, *output, *journal_file, *address, *port_file, *name;
  int64_t port;
  bool any_address, keep_prompts, quiet;

  struct scenario scenario;
  struct journal *journal;
  struct server *server;
  struct upstream *upstream;
  struct engine *engine;
  struct taken *taken; /* in the order of their ends */
  size_t ntaken, left_out;
  int signal_fd;
};

/* ---- what went through ---- */

static void on_taken(void *arg, struct taken *t)
{
  struct recording *r = arg;
  if (r->ntaken == MAX_TAKEN) {
    r->left_out++;
    return;
  }
  if ((r->ntaken & (r->ntaken - 1)) == 0)
    r->taken = mem_realloc(r->taken,
                           (r->ntaken ? 2 * r->ntaken : 1) * sizeof *r->taken);
  r->taken[r->ntaken++] = *t;
  taken_init(t);
}

static int by_number(const void *a, const void *b)
{
  const struct taken *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

static int write_scenario(struct recording *r, struct diag *diag)
{
  struct draft d;
  struct buf text, skipped;
  const struct import_options o = {
      .name = r->name,
      .why = "what a real session met; recorded by faultwire record",
      .shape = true};
  draft_init(&d, &o);
  buf_init(&text, JSON_MAX_BYTES);
  buf_init(&skipped, 4096);
  if (r->ntaken)
    qsort(r->taken, r->ntaken, sizeof *r->taken, by_number);
  for (size_t i = 0; i < r->ntaken; i++)
    draft_take(&d, &r->taken[i]);
  int rc = draft_write(&d, r->output, &text, diag);
  if (rc == 0)
    rc = file_write(r->output, buf_bytes(&text), diag);
  draft_skipped(&d, &skipped);
  if (!r->quiet && rc == 0) {
    fprintf(stderr, "%s%s%sfaultwire record: %s has %zu steps\n",
            buf_str(&d.notes), buf_str(&skipped), skipped.n ? "\n" : "",
            r->output, d.nitems);
    if (r->left_out)
      fprintf(stderr, "faultwire record: %zu later calls left out\n",
              r->left_out);
  }
  buf_release(&text);
  buf_release(&skipped);
  draft_release(&d);
  return rc;
}

/* ---- what the journal may hold ---- */

static char *keep(struct recording *r, struct attempt *a, const struct buf *b)
{
  char *text = journal_text(r->journal, a, b->n + 1);
  memcpy(text, buf_str(b), b->n + 1);
  return text;
}

static void handle(void *arg, const struct request *request, struct plan *plan,
                   struct attempt *a, bool *ret_unlogged)
{
  struct recording *r = arg;
  struct buf b;
  server_handle(r->server, request, plan, a, ret_unlogged);
  buf_init(&b, JOURNAL_BODY_BYTES);
  privacy_headers(bytes_of(a->headers), &b);
  a->headers = keep(r, a, &b);
  buf_reset(&b);
  privacy_target(bytes_of(a->target), &b);
  a->target = keep(r, a, &b);
  buf_reset(&b);
  privacy_body(request->body, r->keep_prompts, &b);
  a->body = keep(r, a, &b);
  a->body_kept = b.n;
  buf_release(&b);
}

static void ended(void *arg, const struct attempt *a)
{
  struct recording *r = arg;
  server_ended(r->server, a);
  if (!r->quiet)
    fprintf(stderr, "#%llu %s %s -> %s\n", (unsigned long long)a->seq,
            a->method, a->target ? a->target : "", a->what);
}

/* ---- life ---- */

static void on_signal(void *arg, int fd, uint32_t events)
{
  (void)events;
  struct recording *r = arg;
  struct signalfd_siginfo info;
  if (read(fd, &info, sizeof info) == (ssize_t)sizeof info)
    engine_stop(r->engine);
}

static int watch_signals(struct recording *r, struct diag *diag)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (r->signal_fd < 0 ||
      engine_watch(r->engine, r->signal_fd, EPOLLIN, on_signal, r) < 0)
    return diag_set(diag, "cannot watch for signals: %s", strerror(errno));
  return 0;
}

static int open_server(struct recording *r, struct diag *diag)
{
  static const char all[] = "{\"name\":\"record\",\"why\":\"a session is "
                            "taken down\",\"steps\":[],"
                            "\"after_script\":\"pass\"}";
  struct upstream_options uo = {
      .url = r->url, .clock = clock_real(), .taken = on_taken, .taken_arg = r};
  r->upstream = upstream_new(&uo, diag);
  if (!r->upstream ||
      scenario_parse(&r->scenario, "record", bytes_of(all), diag) < 0)
    return -1;
  r->journal = journal_open(r->journal_file, clock_real(), KEPT_ATTEMPTS, diag);
  if (!r->journal)
    return -1;
  r->server = server_new(&(struct server_options){.scenario = &r->scenario,
                                                  .clock = clock_real(),
                                                  .journal = r->journal,
                                                  .upstream = r->upstream});
  struct engine_options eo = {.address = r->address,
                              .any_address = r->any_address,
                              .port = (uint16_t)r->port,
                              .clock = clock_real(),
                              .journal = r->journal,
                              .handler = handle,
                              .ended = ended,
                              .handler_arg = r};
  r->engine = engine_new(&eo, diag);
  if (!r->engine)
    return -1;
  upstream_set_engine(r->upstream, r->engine);
  return 0;
}

static int tell_port(const struct recording *r, struct diag *diag)
{
  char text[16];
  int n = snprintf(text, sizeof text, "%u\n", (unsigned)engine_port(r->engine));
  printf("faultwire record: http://%s:%.*s -> %s\n",
         r->address ? r->address : "127.0.0.1", n - 1, text, r->url);
  fflush(stdout);
  return r->port_file
             ? file_write(r->port_file, (struct bytes){text, (size_t)n}, diag)
             : 0;
}

static void release(struct recording *r)
{
  upstream_stop(r->upstream);
  engine_free(r->engine);
  upstream_free(r->upstream);
  server_free(r->server);
  if (r->journal)
    journal_close(r->journal);
  scenario_release(&r->scenario);
  if (r->signal_fd >= 0)
    close(r->signal_fd);
  r->upstream = NULL;
  r->engine = NULL;
}

/* Exit code. What was under way is a part of the recording: it ends when the
 * engine is freed. */
static int run(struct recording *r, struct diag *diag)
{
  int rc = open_server(r, diag) < 0 || watch_signals(r, diag) < 0 ||
                   tell_port(r, diag) < 0 || engine_run(r->engine, diag) < 0
               ? -1
               : 0;
  int error = 0;
  if (rc == 0) {
    journal_freeze(r->journal);
    error = journal_error(r->journal);
  }
  release(r);
  if (rc == 0)
    rc = write_scenario(r, diag);
  for (size_t i = 0; i < r->ntaken; i++)
    taken_release(&r->taken[i]);
  free(r->taken);
  if (rc == 0 && error)
    rc = diag_set(diag, "writing %s: %s", r->journal_file, strerror(error));
  return rc < 0 ? EXIT_SET_UP : 0;
}

static enum cmdline_result parse(struct recording *r, int argc, char **argv,
                                 struct diag *diag)
{
  const struct option options[] = {
      {"upstream", 'u', OPTION_STRING, &r->url, 0, 0, "URL",
       "the real API, such as https://api.anthropic.com"},
      {"output", 'o', OPTION_STRING, &r->output, 0, 0, "SCENARIO",
       "where the scenario goes when it is stopped"},
      {"journal", 'j', OPTION_STRING, &r->journal_file, 0, 0, "FILE",
       "write one JSON line per call as well"},
      {"port", 'p', OPTION_INT, &r->port, 0, 65535, "N",
       "port to listen on, 0 for any free one (default 8787)"},
      {"address", 'a', OPTION_STRING, &r->address, 0, 0, "IP",
       "address to listen on (default 127.0.0.1)"},
      {"allow-any-address", 0, OPTION_FLAG, &r->any_address, 0, 0, NULL,
       "accept an --address that others can reach"},
      {"port-file", 0, OPTION_STRING, &r->port_file, 0, 0, "FILE",
       "write the port to this file when ready"},
      {"name", 0, OPTION_STRING, &r->name, 0, 0, "NAME",
       "what the scenario is called (default: the file's name)"},
      {"keep-prompts", 0, OPTION_FLAG, &r->keep_prompts, 0, 0, NULL,
       "the journal holds prompts as they are, not their hashes"},
      {"quiet", 'q', OPTION_FLAG, &r->quiet, 0, 0, NULL,
       "no line per call on stderr"},
      {0}};
  const struct cmdline c = {
      .usage = "faultwire record --upstream URL -o SCENARIO [OPTIONS]",
      .summary = "Passes a real session through and makes a scenario of it.",
      .options = options,
      .footer = "Point the client's base URL at it; SIGINT or SIGTERM ends "
                "it. Keys, tokens,\ncookies and ids of organisations reach "
                "no file.\n"};
  int n = 0, dash = 0;
  char **words = mem_zalloc(((size_t)argc + 1) * sizeof *words);
  enum cmdline_result result = cmdline_parse(&c, argv, words, &n, &dash, diag);
  if (result == CMDLINE_OK && n > 0)
    diag_set(diag, "'%s' is no option", words[0]);
  free(words);
  return result;
}

int record_main(int argc, char **argv)
{
  struct recording r = {.port = 8787, .signal_fd = -1};
  struct diag diag = {0};
  char text[2048];
  enum cmdline_result result = parse(&r, argc, argv, &diag);
  int code = result == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (result == CMDLINE_OK && !diag.set && (!r.url || !r.output))
    diag_set(&diag, "--upstream and --output are needed");
  if (result == CMDLINE_OK && !diag.set)
    code = run(&r, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire record: %s\n", text);
  }
  return code;
}
