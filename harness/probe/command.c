#include "harness/probe/command.h"

#include "harness/find_time.h"
#include "harness/launch.h"
#include "harness/probe/baseline.h"
#include "harness/probe/options.h"
#include "harness/probe/output.h"
#include "harness/probe/probe.h"
#include "harness/probe/rounds.h"

#include "base/file.h"
#include "mockserver/provider/provider.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

enum { EXIT_USAGE = 2, EXIT_SETUP = 3, EXIT_INTERRUPTED = 130 };
/* The search for the longest wait needs most: six rounds and what leads to
 * them. More is an experiment that never has enough. */
enum { MAX_ROUNDS = 24 };
/* Trials at one time, on each core: they mostly wait, but all of a round
 * start together, and that may take so many seconds of its time. */
enum { LEAST_JOBS = 6, MOST_JOBS = 32 };
#define STARTING_S 2.0
/* From exec to the first request: of the first start, of which nothing is
 * known, and of the others, of which many start together. */
#define FIRST_START_S 30.0
#define START_TIMES 40.0
#define LEAST_START_S 10.0
#define MOST_START_S 60.0
#define MAX_OUT ((size_t)16 << 20)

/* All of one probe; zeroed, then filled from top to bottom. */
struct session {
  struct probe_options o;
  char *root;
  struct book book;
  struct timing timing;
  char why_not[1024]; /* there is no virtual time */
  struct round_context context;
  struct findings findings;
  int64_t begin_ns;
};

static int count_cores(void)
{
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int list_experiments(void)
{
  for (size_t i = 0; probes[i]; i++)
    printf("%-13s %s\n", probes[i]->name, probes[i]->summary);
  return 0;
}

/* --- before --------------------------------------------------------------- */

/* Before a minute is spent on a result that may not be kept. */
static int check_policy_file(struct session *p, struct diag *diag)
{
  if (p->o.force || !file_exists(p->o.policy_out))
    return 0;
  if (p->o.policy_named)
    return diag_set(diag, "%s is there: --force writes over it",
                    p->o.policy_out);
  fprintf(stderr,
          "note: %s is there and stays as it is: --policy-out FILE or "
          "--force\n",
          p->o.policy_out);
  p->o.policy_out = NULL;
  return 0;
}

static int find_client(const struct session *p, struct diag *diag)
{
  if (strchr(p->o.command[0], '{'))
    return 0;
  char *path = launch_find(p->o.command[0], diag);
  free(path);
  return path ? 0 : -1;
}

static int set_up(struct session *p, struct diag *diag)
{
  p->timing = (struct timing){.command = p->o.time, .project = TIME_UNSAID};
  if (find_client(p, diag) < 0 ||
      (p->o.time != TIME_REAL &&
       find_time(&p->timing, NULL, p->why_not, sizeof p->why_not, diag) < 0))
    return -1;
  p->root = file_temp_folder("faultwire-probe", diag);
  if (!p->root)
    return -1;
  p->context =
      (struct round_context){.command = (const char *const *)p->o.command,
                             .ncommand = (size_t)p->o.ncommand,
                             .env = p->o.variables,
                             .seed = (uint64_t)p->o.seed,
                             .at_once = p->o.jobs ? (int)p->o.jobs : 1,
                             .start_limit_s = FIRST_START_S,
                             .root = p->root,
                             .timing = &p->timing,
                             .clock = clock_real()};
  p->book.limit_s = p->o.limit_s;
  p->book.face = (struct face){.provider = p->o.provider ? p->o.provider
                                                         : providers[0]->name,
                               .command = p->o.stand_in,
                               .stream = strcmp(p->o.mode, "stream") == 0};
  p->begin_ns = clock_now_ns(p->context.clock);
  return 0;
}

/* --- the run --------------------------------------------------------------
 */

/* 0, or an exit code. */
static int run_round(struct session *p, struct diag *diag)
{
  int rc = rounds_run(&p->book, &p->context, diag);
  if (rc < 0)
    return EXIT_SETUP;
  if (rc > 0) {
    diag_set(diag, "interrupted by signal %d (%s)", rc, strsignal(rc));
    return EXIT_INTERRUPTED;
  }
  return 0;
}

/* The name in the table of providers, which outlives the sight. */
static const char *provider_name(const char *name)
{
  for (size_t i = 0; providers[i]; i++)
    if (strcmp(providers[i]->name, name) == 0)
      return providers[i]->name;
  return NULL;
}

static double start_limit_for(double start_s)
{
  double s = start_s * START_TIMES;
  return s < LEAST_START_S  ? LEAST_START_S
         : s > MOST_START_S ? MOST_START_S
                            : s;
}

static int jobs_for(double start_s)
{
  double n = start_s > 0 ? STARTING_S / start_s : MOST_JOBS;
  int each = n > MOST_JOBS ? MOST_JOBS : n < LEAST_JOBS ? LEAST_JOBS : (int)n;
  return each * count_cores();
}

/* What the first call tells of the client. */
static void learn_face(struct session *p, const struct sight *s)
{
  const char *name = provider_name(s->provider);
  if (p->o.provider == NULL && name)
    p->book.face.provider = name;
  p->book.face.stream = s->calls[0].stream;
}

static int run_baseline(struct session *p, struct diag *diag)
{
  want_baseline(&p->book);
  int code = run_round(p, diag);
  if (code)
    return code;
  const struct sight *s = want_baseline(&p->book);
  enum wired w = wired_of(s);
  bool command = p->book.face.command != NULL;
  if (w != WIRED) {
    char *text = wired_text(s, w, command);
    fprintf(stderr, "faultwire probe: inconclusive: %s", text);
    free(text);
    return EXIT_SETUP;
  }
  double start_s = s->calls[0].at_s - s->starts[0].start_s;
  p->book.called = true;
  p->context.start_limit_s = start_limit_for(start_s);
  if (p->o.jobs == 0)
    p->context.at_once = jobs_for(start_s);
  if (!command)
    learn_face(p, s);
  char *seen = sight_sentence(s);
  p->findings.probe = "baseline";
  take_value(&p->findings, "baseline: a plain answer",
             mem_format("%s%s", command ? "command" : p->book.face.provider,
                        command               ? ""
                        : p->book.face.stream ? ", a stream"
                                              : ", no stream"),
             seen);
  return 0;
}

static bool is_chosen(const struct session *p, const struct probe *probe)
{
  for (int i = 0; i < p->o.only.n; i++)
    if (strcmp(p->o.only.item[i], probe->name) == 0)
      return true;
  return p->o.only.n == 0;
}

static void measure(struct session *p, struct findings *f)
{
  for (size_t i = 0; probes[i]; i++)
    if (is_chosen(p, probes[i])) {
      f->probe = probes[i]->name;
      probes[i]->measure(&p->book, f);
    }
}

/* Findings are only those of the round in which nothing was asked for. */
static int run_experiments(struct session *p, struct diag *diag)
{
  for (int i = 0; i < MAX_ROUNDS; i++) {
    struct findings f = {0};
    measure(p, &f);
    findings_release(&f);
    if (p->book.pending == 0) {
      measure(p, &p->findings);
      findings_sort(&p->findings);
      return 0;
    }
    int code = run_round(p, diag);
    if (code)
      return code;
  }
  diag_set(diag, "an experiment does not come to an end");
  return EXIT_SETUP;
}

/* --- after ----------------------------------------------------------------
 */

typedef void printer(const struct findings *, const struct output_names *,
                     struct buf *);

static int write_file(const struct session *p, printer *print,
                      const struct output_names *names, const char *file,
                      struct diag *diag)
{
  struct buf out;
  if (!file)
    return 0;
  buf_init(&out, MAX_OUT);
  print(&p->findings, names, &out);
  int rc = file_write(file, buf_bytes(&out), diag);
  buf_release(&out);
  return rc;
}

static void print_text(const struct session *p,
                       const struct output_names *names)
{
  struct buf out;
  buf_init(&out, MAX_OUT);
  output_text(&p->findings, names, &out);
  fputs(buf_str(&out), stdout);
  buf_release(&out);
}

static int report(struct session *p, struct diag *diag)
{
  struct output_names names = {
      .command = p->context.command,
      .policy = p->o.policy_out,
      .channel_command = p->book.face.command != NULL,
      .limit_s = p->o.limit_s,
      .seconds = (double)(clock_now_ns(p->context.clock) - p->begin_ns) /
                 (double)NS_PER_S,
      .face = &p->book.face};
  print_text(p, &names);
  if (write_file(p, output_policy, &names, p->o.policy_out, diag) < 0 ||
      write_file(p, output_json, &names, p->o.json_out, diag) < 0)
    return EXIT_SETUP;
  if (p->o.policy_out)
    printf("\npolicy: %s", p->o.policy_out);
  printf("\n%zu trials in %.1f s\n", p->book.n, names.seconds);
  if (fflush(stdout) != 0) {
    diag_set(diag, "cannot write to stdout: %s", strerror(errno));
    return EXIT_SETUP;
  }
  return 0;
}

static int go(struct session *p, int argc, char **argv, struct diag *diag)
{
  enum cmdline_result r = probe_options_parse(&p->o, argc, argv, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (p->o.list)
    return list_experiments();
  if (check_policy_file(p, diag) < 0)
    return EXIT_USAGE;
  if (set_up(p, diag) < 0)
    return EXIT_SETUP;
  int code = run_baseline(p, diag);
  if (code == 0)
    code = run_experiments(p, diag);
  return code ? code : report(p, diag);
}

static void release(struct session *p)
{
  if (p->root)
    file_remove_tree(p->root);
  findings_release(&p->findings);
  book_release(&p->book);
  cJSON_Delete(p->o.variables);
  free(p->o.words);
  free(p->root);
}

int probe_main(int argc, char **argv)
{
  struct session p = {0};
  struct diag diag = {0};
  char text[1800];
  int code = go(&p, argc, argv, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire probe: %s\n", text);
  }
  release(&p);
  return code;
}
