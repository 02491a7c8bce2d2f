#include "mockserver/metrics.h"

#include "mockserver/fault.h"
#include "mockserver/metrics_table.h"
#include "mockserver/provider/provider.h"

#include <inttypes.h>
#include <string.h>

/* The client libraries' default buckets, in milliseconds. */
static const int64_t bucket_ms[] = {5,   10,   25,   50,   100,  250,
                                    500, 1000, 2500, 5000, 10000};
enum { BUCKETS = sizeof bucket_ms / sizeof *bucket_ms, MAX_PROVIDERS = 16 };
/* Names of stand-ins, one more for what comes beyond them. */
enum { MAX_COMMANDS = 64, MAX_NAME = 32 };
/* A start that did not end by itself, and what shells add to a signal. */
enum { NO_EXIT = -1, SIGNALLED = 128 };
/* Their kind among the faults, and their label among the providers. */
#define COMMAND "command"

struct times {
  uint64_t bucket[BUCKETS], count;
  double sum_s;
};

struct metrics {
  struct table requests;                     /* provider, path, status */
  struct table faults;                       /* kind, rule */
  struct table starts;                       /* command, exit */
  char commands[MAX_COMMANDS + 1][MAX_NAME]; /* cells point into it */
  size_t ncommands;
  struct times times[MAX_PROVIDERS];
  size_t nproviders;
  uint64_t limited, refused, handshakes, loads[2];
};

static void add_requests(struct metrics *m)
{
  for (; providers[m->nproviders] && m->nproviders < MAX_PROVIDERS - 2;
       m->nproviders++) {
    const struct provider *p = providers[m->nproviders];
    for (const struct provider_path *n = p->paths; n->path; n++)
      table_cell(&m->requests, p->name, n->path, 200);
  }
}

struct metrics *metrics_new(void)
{
  struct metrics *m = mem_zalloc(sizeof *m);
  add_requests(m);
  for (const struct fault *const *f = faults; *f; f++)
    if (strcmp((*f)->name, "none") != 0)
      table_cell(&m->faults, (*f)->name, "forced", RULE_WORD);
  return m;
}

void metrics_free(struct metrics *m)
{
  free(m);
}

void metrics_clear(struct metrics *m)
{
  table_clear(&m->requests);
  table_clear(&m->faults);
  table_clear(&m->starts);
  memset(m->times, 0, sizeof m->times);
  memset(m->loads, 0, sizeof m->loads);
  m->limited = m->refused = m->handshakes = 0;
}

/* The name as it is kept here. */
static const char *command_name(struct metrics *m, const char *name)
{
  for (size_t i = 0; i < m->ncommands; i++)
    if (strcmp(m->commands[i], name) == 0)
      return m->commands[i];
  bool room = m->ncommands < MAX_COMMANDS;
  char *kept = m->commands[room ? m->ncommands++ : MAX_COMMANDS];
  snprintf(kept, MAX_NAME, "%s", room ? name : "other");
  return kept;
}

static const char *step_kind(const struct step *step)
{
  if (step->command)
    return COMMAND;
  return step->fault == fault_find("none") ? "wire" : step->fault->name;
}

void metrics_arm(struct metrics *m, const struct scenario *s)
{
  for (size_t i = 0; s && i < s->nsteps; i++) {
    const struct step *step = &s->steps[i];
    if (step->faulty)
      table_cell(&m->faults, step_kind(step), "step", step->index);
    if (step->command)
      table_cell(&m->starts, command_name(m, step->command), "", 0);
  }
}

void metrics_loaded(struct metrics *m, bool well)
{
  if (m)
    m->loads[well]++;
}

/* ---- counting ---- */

/* The places after the last are for what no provider answered, and for
 * commands. */
static size_t provider_index(const struct metrics *m, const char *name)
{
  for (size_t i = 0; i < m->nproviders; i++)
    if (strcmp(providers[i]->name, name) == 0)
      return i;
  return m->nproviders;
}

static const char *provider_label(const struct metrics *m, size_t i)
{
  if (i < m->nproviders)
    return providers[i]->name;
  return i == m->nproviders ? "none" : COMMAND;
}

static void count_time(struct times *t, int64_t ns)
{
  int64_t ms = ns / NS_PER_MS;
  for (size_t i = 0; i < BUCKETS; i++)
    if (ms < bucket_ms[i] || ns == bucket_ms[i] * NS_PER_MS)
      t->bucket[i]++;
  t->count++;
  t->sum_s += (double)ns / (double)NS_PER_S;
}

/* Rules that are no step, as the journal names them. */
static const char *static_rule(const char *rule)
{
  static const char *const words[] = {
      "after_script", "forced",     "limits", "non_stream",
      "queued",       "retry_test", NULL};
  for (const char *const *w = words; *w; w++)
    if (strcmp(*w, rule) == 0)
      return *w;
  return "other";
}

static void count_fault(struct metrics *m, const struct attempt *a)
{
  const struct fault *f = fault_find(a->fault);
  const char *kind = a->is_start                       ? COMMAND
                     : f                               ? f->name
                     : strcmp(a->fault, "wire") == 0   ? "wire"
                     : strcmp(a->fault, "limits") == 0 ? "limits"
                                                       : "other";
  bool step = a->step >= 0 && strncmp(a->rule, "step ", 5) == 0;
  struct cell *c =
      step ? table_cell(&m->faults, kind, "step", a->step)
           : table_cell(&m->faults, kind, static_rule(a->rule), RULE_WORD);
  c->n++;
}

static int exit_of(const struct attempt *a)
{
  if (a->end != END_EXIT)
    return NO_EXIT;
  return a->exit_signal ? SIGNALLED + a->exit_signal : a->exit_code;
}

static void count_start(struct metrics *m, const struct attempt *a,
                        int64_t now_ns)
{
  table_cell(&m->starts, command_name(m, a->provider), "", exit_of(a))->n++;
  count_time(&m->times[m->nproviders + 1], now_ns - a->first_byte_ns);
  if (a->delivered && a->injected)
    count_fault(m, a);
}

void metrics_ended(struct metrics *m, const struct attempt *a, int64_t now_ns)
{
  if (a->is_start) {
    count_start(m, a, now_ns);
    return;
  }
  if (a->cls == ATTEMPT_HANDSHAKE) { /* no request */
    m->handshakes++;
    return;
  }
  size_t p = provider_index(m, a->provider);
  table_cell(&m->requests, provider_label(m, p), a->route ? a->route : "other",
             a->status)
      ->n++;
  count_time(&m->times[p], now_ns - a->first_byte_ns);
  if (a->delivered && a->injected)
    count_fault(m, a);
  if (strcmp(a->rule, "limits") == 0)
    m->limited++;
  if (a->cls == ATTEMPT_REFUSED)
    m->refused++;
}

/* ---- the text ---- */

static void head(struct buf *b, const char *name, const char *type,
                 const char *help)
{
  buf_addf(b, "# HELP faultwire_%s %s\n# TYPE faultwire_%s %s\n", name, help,
           name, type);
}

static void value(struct buf *b, const char *name, const char *type,
                  const char *help, uint64_t n)
{
  head(b, name, type, help);
  buf_addf(b, "faultwire_%s %" PRIu64 "\n", name, n);
}

/* '*' of a pattern: a model behind /models/, an id elsewhere. */
static void add_path(struct buf *b, const char *path)
{
  for (const char *p = path; *p; p++) {
    if (*p != '*')
      buf_addc(b, *p);
    else
      buf_adds(b, p - path >= 8 && strncmp(p - 8, "/models/", 8) == 0
                      ? "{model}"
                      : "{id}");
  }
}

static void write_requests(const struct metrics *m, struct buf *b)
{
  head(b, "requests_total", "counter",
       "Requests that are over, by provider, path and status sent; status 0: "
       "no head was sent.");
  for (size_t i = 0; i < m->requests.n; i++) {
    const struct cell *c = &m->requests.cells[i];
    buf_addf(b, "faultwire_requests_total{provider=\"%s\",path=\"", c->a);
    add_path(b, c->b);
    buf_addf(b, "\",status=\"%d\"} %" PRIu64 "\n", c->number, c->n);
  }
}

/* A scenario's command names are plain words; a start's comes from outside. */
static void add_label(struct buf *b, const char *text)
{
  for (; *text; text++)
    buf_addc(b, *text == '"' || *text == '\\' || (unsigned char)*text < ' '
                    ? '_'
                    : *text);
}

static void write_starts(const struct metrics *m, struct buf *b)
{
  head(b, "command_starts_total", "counter",
       "Starts of stand-in commands that are over, by exit status; a signal "
       "is 128 and its number, none: it did not end by itself.");
  for (size_t i = 0; i < m->starts.n; i++) {
    const struct cell *c = &m->starts.cells[i];
    buf_adds(b, "faultwire_command_starts_total{command=\"");
    add_label(b, c->a);
    if (c->number == NO_EXIT)
      buf_adds(b, "\",exit=\"none");
    else
      buf_addf(b, "\",exit=\"%d", c->number);
    buf_addf(b, "\"} %" PRIu64 "\n", c->n);
  }
}

static void write_faults(const struct metrics *m, struct buf *b)
{
  head(b, "faults_injected_total", "counter",
       "Faults that went out, by kind and rule.");
  for (size_t i = 0; i < m->faults.n; i++) {
    const struct cell *c = &m->faults.cells[i];
    buf_addf(b, "faultwire_faults_injected_total{kind=\"%s\",rule=\"%s", c->a,
             c->b);
    if (c->number != RULE_WORD)
      buf_addf(b, " %d", c->number);
    buf_addf(b, "\"} %" PRIu64 "\n", c->n);
  }
}

static void write_times_of(const char *p, const struct times *t, struct buf *b)
{
  for (size_t i = 0; i < BUCKETS; i++)
    buf_addf(b,
             "faultwire_request_duration_seconds_bucket{provider=\"%s\","
             "le=\"%g\"} %" PRIu64 "\n",
             p, (double)bucket_ms[i] / 1000, t->bucket[i]);
  buf_addf(b,
           "faultwire_request_duration_seconds_bucket{provider=\"%s\","
           "le=\"+Inf\"} %" PRIu64 "\n",
           p, t->count);
  buf_addf(b,
           "faultwire_request_duration_seconds_sum{provider=\"%s\"} %.6f\n"
           "faultwire_request_duration_seconds_count{provider=\"%s\"} %" PRIu64
           "\n",
           p, t->sum_s, p, t->count);
}

static void write_times(const struct metrics *m, struct buf *b)
{
  head(b, "request_duration_seconds", "histogram",
       "From the first byte of a request, or a command's start, to the end of "
       "its answer.");
  for (size_t i = 0; i <= m->nproviders + 1; i++)
    write_times_of(provider_label(m, i), &m->times[i], b);
}

static void write_lateness(const struct engine *e, struct buf *b)
{
  struct engine_lateness l = engine_lateness(e);
  head(b, "lateness_seconds", "summary",
       "How late waits of answers ended, on the server's own clock.");
  buf_addf(b,
           "faultwire_lateness_seconds{quantile=\"0.5\"} %.9f\n"
           "faultwire_lateness_seconds{quantile=\"0.99\"} %.9f\n"
           "faultwire_lateness_seconds{quantile=\"1\"} %.9f\n"
           "faultwire_lateness_seconds_count %" PRIu64 "\n",
           (double)l.p50_ns / (double)NS_PER_S,
           (double)l.p99_ns / (double)NS_PER_S,
           (double)l.max_ns / (double)NS_PER_S, l.count);
}

static void write_loads(const struct metrics *m, struct buf *b)
{
  head(b, "scenario_loads_total", "counter",
       "Scenarios read while it runs; those with an error changed nothing.");
  buf_addf(b,
           "faultwire_scenario_loads_total{result=\"ok\"} %" PRIu64 "\n"
           "faultwire_scenario_loads_total{result=\"error\"} %" PRIu64 "\n",
           m->loads[true], m->loads[false]);
}

void metrics_write(const struct metrics *m, const struct metrics_now *now,
                   struct buf *ret)
{
  head(ret, "info", "gauge", "Which program this is.");
  buf_adds(ret, "faultwire_info{version=\"" FAULTWIRE_VERSION "\"} 1\n");
  write_requests(m, ret);
  write_starts(m, ret);
  write_faults(m, ret);
  write_times(m, ret);
  value(ret, "rate_limited_total", "counter", "Requests the limiter refused.",
        m->limited);
  value(ret, "refused_total", "counter",
        "Requests that are no HTTP the server takes.", m->refused);
  value(ret, "tls_handshakes_total", "counter",
        "TLS handshakes with a fault, or that failed.", m->handshakes);
  value(ret, "faults_armed", "gauge", "Steps of the scenario that are faults.",
        now->faulty_steps);
  value(ret, "scenario_number", "gauge",
        "How many scenarios were armed so far.", now->armed);
  value(ret, "journal_dropped_total", "counter",
        "Attempts the journal in memory holds no longer.",
        now->journal_dropped);
  write_loads(m, ret);
  if (!now->engine)
    return;
  value(ret, "open_connections", "gauge", "Sockets of clients that are open.",
        engine_open_connections(now->engine));
  value(ret, "open_attempts", "gauge", "Requests that are being answered.",
        engine_open_attempts(now->engine));
  write_lateness(now->engine, ret);
}
