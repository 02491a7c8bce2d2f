#include "harness/test.h"

#include "harness/find_time.h"
#include "harness/policy.h"
#include "harness/project/project.h"
#include "harness/scale/apply.h"
#include "harness/shard.h"
#include "harness/suite_run.h"
#include "harness/test_options.h"

#include "base/file.h"

#include <string.h>

enum { EXIT_USAGE = 2, EXIT_SETUP = 3 };

/* All of one test; zeroed, then filled from top to bottom. */
struct test {
  struct test_options o;
  struct project project;
  struct policy policy;
  struct suite suite;
  char why_not[1024]; /* there is no virtual time */
  struct worker_context context;
  struct run_report report;
};

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
  shard_keep(&t->suite, &t->o.shard);
  if (t->suite.n == 0)
    return diag_set(diag, "no scenario is left to run%s",
                    suite_others(&t->suite) ? ": they are of another --channel"
                                            : "");
  return 0;
}

/* How many scenarios would run in virtual time if it is to be had. */
static size_t count_virtual(const struct test *t, bool possible)
{
  struct timing timing = t->o.timing;
  size_t n = 0;
  timing.possible = possible;
  for (size_t i = 0; i < t->suite.n; i++)
    n += timing_choose(&timing, t->suite.items[i].spec.time) == TIMING_VIRTUAL;
  return n;
}

static int choose_time(struct test *t, struct diag *diag)
{
  if (count_virtual(t, true) == 0)
    return 0;
  return find_time(&t->o.timing,
                   "; long waits are scaled, see `time` in the report",
                   t->why_not, sizeof t->why_not, diag);
}

static bool is_unmoved(enum timing_word word)
{
  return word == TIMING_REAL || word == TIMING_SCALED;
}

/* Said before as well as in the report: a date without effect makes another
 * test of a scenario. */
static void note_time(const struct test *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->suite.n; i++) {
    const struct spec *s = &t->suite.items[i].spec;
    n += timing_at_ns(&t->o.timing, &s->at) >= 0 &&
         is_unmoved(timing_choose(&t->o.timing, s->time));
  }
  if (n && !t->o.quiet)
    fprintf(stderr,
            "note: 'at' has no effect in %zu scenario%s: real time begins "
            "now (--time virtual)\n",
            n, n == 1 ? "" : "s");
}

/* Divides the times of those that run scaled. */
static void scale(struct test *t)
{
  struct scale_options o = {.k = t->o.scale, .policy = &t->policy};
  for (size_t i = 0; i < t->suite.n; i++) {
    const struct spec *s = &t->suite.items[i].spec;
    struct run_limits l =
        run_limits_choose(&t->o.limits, &s->limits, &t->o.project_limits);
    o.real_limit_s = l.real_s;
    if (timing_choose(&t->o.timing, s->time) == TIMING_SCALED)
      scale_item(&t->suite.items[i], &o);
  }
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
                              .timing = t->o.timing,
                              .time = t->o.time,
                              .at = t->o.at,
                              .scale = t->o.scale,
                              .limits = t->o.limits,
                              .project_limits = t->o.project_limits,
                              .evidence = t->o.evidence,
                              .strict = t->o.strict,
                              .env = t->project.env,
                              .project = t->project.path,
                              .moved = t->project.moved,
                              .clock = clock_real()};
}

/* --- the run -------------------------------------------------------------- */

static int run(struct test *t, struct diag *diag)
{
  struct suite_run r = {
      .context = &t->context, .at_once = t->o.jobs, .progress = t->o.progress};
  if (suite_test(&r, &t->report, diag) < 0)
    return EXIT_SETUP;
  struct diag writing = {0};
  if (report_out_print(&t->o.out, &t->report, &writing) == 0)
    return t->report.exit_code;
  /* A report that is lost is worse news than an interruption. */
  *diag = writing;
  return EXIT_SETUP;
}

static void release(struct test *t)
{
  suite_report_release(&t->report);
  suite_release(&t->suite);
  policy_release(&t->policy);
  free(t->o.words);
  project_release(&t->project);
}

/* A scenario that does not run says why; once for all of them. */
static void note_left_out(const struct test *t)
{
  static const char *const whats[NCHANNELS] = {
      [CHANNEL_HTTP] = "a server",
      [CHANNEL_COMMAND] = "a command",
      [CHANNEL_HTTPS] = "a server over HTTPS and trust {CA}"};
  for (size_t i = 0; i < NCHANNELS && !t->o.quiet; i++)
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

/* The project file fills in what the command line leaves open. A command
 * line that says all is not changed by a file that happens to be here. */
static int read_project(struct test *t, struct diag *diag)
{
  const struct test_options *o = &t->o;
  bool open = o->npaths == 0 || (o->ncommand == 0 && !o->list);
  const char *path = o->project ? o->project : PROJECT_FILE;
  if (!o->project && (!open || !file_exists(PROJECT_FILE)))
    return 0;
  if (project_load(&t->project, path, diag) < 0)
    return -1;
  return project_apply(&t->project, &t->o, diag);
}

static int go(struct test *t, int argc, char **argv, struct diag *diag)
{
  enum cmdline_result r = test_options_parse(&t->o, argc, argv, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (read_project(t, diag) < 0 || test_options_check(&t->o, diag) < 0 ||
      load(t, diag) < 0)
    return EXIT_USAGE;
  if (t->o.list)
    return list(t);
  note_left_out(t);
  if (suite_find_client(t->o.command[0], diag) < 0)
    return EXIT_SETUP;
  if (choose_time(t, diag) < 0)
    return EXIT_SETUP;
  note_time(t);
  scale(t);
  fill_context(t);
  return run(t, diag);
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
