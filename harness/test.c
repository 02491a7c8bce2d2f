#include "harness/test.h"

#include "harness/jobs.h"
#include "harness/launch.h"
#include "harness/policy.h"
#include "harness/report/report.h"
#include "harness/test_options.h"
#include "harness/worker.h"

#include "base/file.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_FAIL = 1, EXIT_USAGE = 2, EXIT_SETUP = 3, EXIT_INTERRUPTED = 130 };

/* Ceiling of one printed report. */
#define MAX_REPORT_BYTES ((size_t)1 << 30)

/* All of one test; zeroed, then filled from top to bottom. */
struct test {
  struct test_options o;
  struct policy policy;
  struct suite suite;
  char *root;
  struct worker_context context;
  struct job_result *raw;
  struct run_report report;
};

static int count_cores(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* --- before -------------------------------------------------------------- */

static int load(struct test *t, struct diag *diag)
{
  bool any = t->o.channel && strcmp(t->o.channel, "any") == 0;
  struct suite_filter filter = {.only = &t->o.only,
                                .tags = &t->o.tags,
                                .not_tags = &t->o.not_tags,
                                .provider = t->o.provider,
                                .channel = any            ? NULL
                                           : t->o.channel ? t->o.channel
                                                          : "http",
                                .named_anyway = !t->o.channel};
  policy_none(&t->policy);
  if (t->o.policy && policy_load(&t->policy, t->o.policy, diag) < 0)
    return -1;
  if (suite_load(&t->suite, t->o.paths, t->o.npaths, &filter, diag) < 0)
    return -1;
  if (t->suite.n == 0)
    return diag_set(diag, "no scenario is left to run%s",
                    suite_others(&t->suite) ? ": they are of another --channel"
                                            : "");
  return 0;
}

/* Once, before many scenarios would all say the same. A command made of
 * words in braces is only known later. */
static int find_client(const struct test *t, struct diag *diag)
{
  if (strchr(t->o.command[0], '{'))
    return 0;
  char *path = launch_find(t->o.command[0], diag);
  free(path);
  return path ? 0 : -1;
}

static void fill_context(struct test *t)
{
  bool seeded = t->o.seed >= 0;
  t->context =
      (struct worker_context){.suite = &t->suite,
                              .policy = &t->policy,
                              .policy_path = t->o.policy,
                              .command = (const char *const *)t->o.command,
                              .ncommand = (size_t)t->o.ncommand,
                              .provider = t->o.provider,
                              .seed = seeded ? (uint64_t)t->o.seed : 1,
                              .seed_given = seeded,
                              .no_faults = t->o.no_faults,
                              .keep_home = t->o.keep_home,
                              .limit_s = t->o.limit_s,
                              .root = t->root,
                              .evidence = t->o.evidence,
                              .clock = clock_real()};
}

/* --- the run -------------------------------------------------------------- */

static void progress(void *arg, size_t i, size_t ndone)
{
  const struct worker_context *c = arg;
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K[%zu/%zu] %s", ndone, c->suite->n,
            c->suite->items[i].address);
}

static void clear_progress(void)
{
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
}

static int run_jobs(struct test *t, struct diag *diag)
{
  int64_t at_once = t->o.jobs ? t->o.jobs : count_cores();
  struct jobs jobs = {.n = t->suite.n,
                      .at_once = (int)at_once,
                      .clock = t->context.clock,
                      .work = worker_run,
                      .limit_ns = worker_limit_ns,
                      .ended = progress,
                      .arg = &t->context};
  t->raw = mem_zalloc(t->suite.n * sizeof *t->raw);
  fflush(NULL);
  int rc = jobs_run(&jobs, t->raw, diag);
  clear_progress();
  return rc;
}

static cJSON *object_of(const struct test *t, size_t i)
{
  const struct job_result *raw = &t->raw[i];
  cJSON *object = NULL;
  if (raw->done)
    object = cJSON_ParseWithLength(raw->bytes.p, raw->bytes.n);
  if (object)
    return object;
  return worker_lost(&t->context, i,
                     raw->done ? "the worker's result cannot be read"
                               : raw->why);
}

static int collect(struct test *t, struct diag *diag)
{
  t->report.results = mem_zalloc(t->suite.n * sizeof *t->report.results);
  for (size_t i = 0; i < t->suite.n; i++) {
    if (result_from_json(&t->report.results[i], object_of(t, i), diag) < 0)
      return -1;
    t->report.n++;
  }
  t->report.exit_code = run_exit_code(&t->report);
  if (t->o.strict && run_count(&t->report, VERDICT_WARN) > 0)
    t->report.exit_code = EXIT_FAIL;
  return 0;
}

/* --- after -----------------------------------------------------------------
 */

static int print_to(const struct report *kind, const struct run_report *run,
                    const char *file, struct diag *diag)
{
  struct buf out;
  int rc = 0;
  buf_init(&out, MAX_REPORT_BYTES);
  kind->print(run, &out);
  if (file)
    rc = file_write(file, buf_bytes(&out), diag);
  else if (fwrite(buf_str(&out), 1, out.n, stdout) != out.n ||
           fflush(stdout) != 0)
    rc = diag_set(diag, "cannot write to stdout: %s", strerror(errno));
  buf_release(&out);
  return rc;
}

/* stdout first: a file that cannot be written must not lose the verdicts. */
static int print_reports(struct test *t, struct diag *diag)
{
  t->report.colour = report_wants_colour(STDOUT_FILENO);
  int rc = print_to(report_find(t->o.format ? t->o.format : "text"), &t->report,
                    NULL, diag);
  t->report.colour = false;
  for (int i = 0; i < t->o.reports.n; i++) {
    const char *item = t->o.reports.item[i];
    const char *equals = strchr(item, '=');
    char *kind = bytes_dup((struct bytes){item, (size_t)(equals - item)});
    rc |= print_to(report_find(kind), &t->report, equals + 1, diag);
    free(kind);
  }
  return rc;
}

static void release(struct test *t)
{
  for (size_t i = 0; i < t->report.n; i++)
    result_release(&t->report.results[i]);
  for (size_t i = 0; t->raw && i < t->suite.n; i++)
    buf_release(&t->raw[i].bytes);
  free(t->report.results);
  free(t->raw);
  suite_release(&t->suite);
  policy_release(&t->policy);
  free(t->o.words);
  free(t->root);
}

/* Remains only when asked for. */
static void remove_root(const struct test *t)
{
  if (!t->root)
    return;
  if (t->o.keep_home)
    fprintf(stderr, "faultwire test: the clients' folders are in %s\n",
            t->root);
  else
    file_remove_tree(t->root);
}

static int run(struct test *t, struct diag *diag)
{
  int64_t begin = clock_now_ns(t->context.clock);
  int rc = run_jobs(t, diag);
  if (rc < 0)
    return EXIT_SETUP;
  if (rc > 0) {
    diag_set(diag, "interrupted by signal %d (%s)", rc, strsignal(rc));
    return EXIT_INTERRUPTED;
  }
  t->report.client = t->context.command;
  t->report.seed = t->context.seed;
  t->report.seconds =
      (double)(clock_now_ns(t->context.clock) - begin) / (double)NS_PER_S;
  if (collect(t, diag) < 0 || print_reports(t, diag) < 0)
    return EXIT_SETUP;
  return t->report.exit_code;
}

/* A scenario that does not run says why; once for all of them. */
static void note_left_out(const struct test *t)
{
  static const char *const whats[NCHANNELS] = {
      [CHANNEL_HTTP] = "a server",
      [CHANNEL_COMMAND] = "a command",
      [CHANNEL_HTTPS] = "a server over HTTPS and trust {CA}"};
  for (size_t i = 0; i < NCHANNELS; i++)
    if (t->suite.other_channel[i])
      fprintf(stderr,
              "note: %zu scenarios are for clients that call %s: --channel %s "
              "with such a client's command\n",
              t->suite.other_channel[i], whats[i], channel_words[i]);
}

static int list(const struct test *t)
{
  for (size_t i = 0; i < t->suite.n; i++)
    printf("%s\n", t->suite.items[i].address);
  return 0;
}

static int go(struct test *t, int argc, char **argv, struct diag *diag)
{
  enum cmdline_result r = test_options_parse(&t->o, argc, argv, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (load(t, diag) < 0)
    return EXIT_USAGE;
  if (t->o.list)
    return list(t);
  note_left_out(t);
  if (find_client(t, diag) < 0)
    return EXIT_SETUP;
  t->root = file_temp_folder("faultwire", diag);
  if (!t->root)
    return EXIT_SETUP;
  fill_context(t);
  int code = run(t, diag);
  remove_root(t);
  return code;
}

int test_main(int argc, char **argv)
{
  struct test t = {0};
  struct diag diag = {0};
  char text[1800];
  int code = go(&t, argc, argv, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire test: %s\n", text);
  }
  release(&t);
  return code;
}
