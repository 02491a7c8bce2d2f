#include "harness/kept/commands.h"

#include "harness/find_time.h"
#include "harness/keep.h"
#include "harness/kept/folder.h"
#include "harness/project/project.h"
#include "harness/suite_run.h"

#include "base/file.h"
#include "base/param.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_SETUP = 3 };

struct replaying {
  struct report_out out;
  const char *evidence, *project_path;
  char **words;
  int ncommand; /* behind "--" */
  char *folder; /* absolute: the client may need another working folder */
  struct kept kept;
  struct project project;
  struct timing timing;
  struct suite_item item;
  struct suite suite;
  char *evidence_path;
  struct worker_context context;
  struct run_report report;
};

static const char footer[] =
    "The same scenario with the same seed, policy, options and client; "
    "another\n"
    "client behind --. Says on stderr whether the verdict is the same.\n"
    "Exit code: as `test`: 0 pass, 1 a check failed, 2 usage or a folder that\n"
    "cannot be read, 3 inconclusive or set-up failed, 130 interrupted.";

static enum cmdline_result parse(struct replaying *r, char **argv, int *ret_n,
                                 int *ret_dash, struct diag *diag)
{
  const struct option options[] = {
      {"evidence", 0, OPTION_STRING, &r->evidence, 0, 0, "DIR",
       "keep this run as well"},
      {"project", 0, OPTION_STRING, &r->project_path, 0, 0, "FILE",
       "the client's environment stands there (default: where it was)"},
      {"report", 0, OPTION_STRINGS, &r->out.files, 0, 0, "KIND=FILE",
       "write a report to a file; may be given again"},
      {"format", 0, OPTION_STRING, &r->out.format, 0, 0, "KIND",
       "what goes to stdout (default: text)"},
      {.name = NULL}};
  const struct cmdline c = {
      "faultwire replay [OPTIONS] FOLDER [-- CLIENT [ARGS]]",
      "Runs a kept scenario again and compares the verdicts.", options, footer};
  return cmdline_parse(&c, argv, r->words, ret_n, ret_dash, diag);
}

static int read_words(struct replaying *r, int argc, char **argv,
                      struct diag *diag)
{
  int n = 0, dash = 0;
  r->words = mem_zalloc(((size_t)argc + 2) * sizeof *r->words);
  enum cmdline_result result = parse(r, argv, &n, &dash, diag);
  if (result != CMDLINE_OK)
    return result == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (dash != 1)
    diag_set(diag, "which folder? one of faultwire test --evidence DIR");
  else if (!kept_is_folder(r->words[0]))
    diag_set(diag, "'%s' holds no evidence of a run: no " KEPT_FACTS " in it",
             r->words[0]);
  else if (report_out_check(&r->out, diag) == 0)
    r->folder = realpath(r->words[0], NULL);
  r->ncommand = n - dash;
  return r->folder ? -1 : EXIT_USAGE;
}

/* --- the same again --------------------------------------------------------
 */

/* Only names of variables are kept: their values are in the project file. */
static int read_project(struct replaying *r, struct diag *diag)
{
  const char *path =
      r->project_path ? r->project_path : r->kept.facts.facts.project;
  if (!path)
    return 0;
  if (project_load(&r->project, path, diag) == 0)
    return 0;
  return -1;
}

static void fill_item(struct replaying *r)
{
  const struct facts *f = &r->kept.facts.facts;
  r->item =
      (struct suite_item){.path = mem_format("%s/" KEPT_SCENARIO, r->folder),
                          .address = mem_strdup(f->address),
                          .scenario = r->kept.scenario,
                          .spec = r->kept.spec,
                          .loaded = true,
                          .named = true};
  /* what was divided is in the text: the report says it again */
  const cJSON *scale =
      param_node(param_node(r->kept.report.root, "time"), "scale");
  r->item.scaled.json = cJSON_Duplicate(scale, true);
  r->suite = (struct suite){.items = &r->item, .n = 1};
}

/* The clock it ran by. */
static int read_timing(struct replaying *r, struct diag *diag)
{
  const struct facts *f = &r->kept.facts.facts;
  r->timing = (struct timing){.command = f->time ? TIME_VIRTUAL : TIME_REAL,
                              .project = TIME_UNSAID,
                              .command_at = f->at};
  return f->time ? find_time(&r->timing, NULL, NULL, 0, diag) : 0;
}

static void fill_context(struct replaying *r)
{
  const struct facts *f = &r->kept.facts.facts;
  const char *const *command = f->command;
  if (r->ncommand)
    command = (const char *const *)r->words + 1;
  size_t n = 0;
  while (command[n])
    n++;
  r->context = (struct worker_context){
      .suite = &r->suite,
      .policy = &r->kept.policy,
      .policy_path = r->kept.policy_path,
      .command = command,
      .ncommand = n,
      .provider = f->provider,
      .seed = f->seed,
      .seed_given = true,
      .no_faults = f->no_faults,
      .strict = f->strict,
      .limit_s = f->limit_s,
      .timing = r->timing,
      .time = f->time ? "virtual" : NULL,
      .limits = f->limits,
      .evidence = r->evidence_path,
      .replay = r->folder,
      .replay_project = r->project_path ? r->project.path : NULL,
      .replay_client = r->ncommand ? command : NULL,
      .env = r->project.env,
      .project = r->project.path,
      .clock = clock_real()};
}

/* The kept command counts from the folder in which it ran. */
static int go_there(const struct replaying *r, struct diag *diag)
{
  const char *folder = r->kept.facts.facts.folder;
  if (r->ncommand || !*folder || chdir(folder) == 0)
    return 0;
  return diag_set(diag,
                  "the client ran in '%s': %s; its command from here goes "
                  "behind --",
                  folder, strerror(errno));
}

static int make_absolute(struct replaying *r, struct diag *diag)
{
  char *cwd = getcwd(NULL, 0);
  if (!cwd)
    return diag_set(diag, "no working folder: %s", strerror(errno));
  if (r->evidence)
    r->evidence_path = *r->evidence == '/'
                           ? mem_strdup(r->evidence)
                           : mem_format("%s/%s", cwd, r->evidence);
  free(cwd);
  return 0;
}

static int prepare(struct replaying *r, struct diag *diag)
{
  const struct kept_changes none = {0};
  if (make_absolute(r, diag) < 0 ||
      kept_load(&r->kept, r->folder, &none, diag) < 0 ||
      read_project(r, diag) < 0 || read_timing(r, diag) < 0)
    return -1;
  fill_item(r);
  fill_context(r);
  return 0;
}

static void compare(const struct replaying *r)
{
  const char *was = "", *reason = "";
  if (r->report.n == 0)
    return;
  const struct result *now = &r->report.results[0];
  param_string(r->kept.report.root, "verdict", &was);
  param_string(r->kept.report.root, "reason", &reason);
  if (strcmp(was, verdict_name(now->verdict)) == 0)
    fprintf(stderr, "faultwire replay: the verdict is the same: %s\n", was);
  else
    fprintf(stderr,
            "faultwire replay: the verdict differs: was %s%s%s, is %s%s%s\n",
            was, *reason ? ": " : "", reason, verdict_name(now->verdict),
            *now->reason ? ": " : "", now->reason);
}

static int go(struct replaying *r, int argc, char **argv, struct diag *diag)
{
  int code = read_words(r, argc, argv, diag);
  if (code >= 0)
    return code;
  if (prepare(r, diag) < 0)
    return EXIT_USAGE;
  int back = open(".", O_PATH | O_CLOEXEC);
  if (go_there(r, diag) < 0 ||
      suite_find_client(r->context.command[0], diag) < 0) {
    close(back);
    return EXIT_SETUP;
  }
  struct suite_run run = {
      .context = &r->context, .at_once = 1, .progress = PROGRESS_OFF};
  int rc = suite_test(&run, &r->report, diag);
  /* the reports' files count from the caller's folder */
  if (fchdir(back) < 0 && rc == 0)
    rc = diag_set(diag, "cannot go back: %s", strerror(errno));
  close(back);
  if (rc < 0 || report_out_print(&r->out, &r->report, diag) < 0)
    return EXIT_SETUP;
  compare(r);
  return r->report.exit_code;
}

int replay_main(int argc, char **argv)
{
  struct replaying r = {0};
  struct diag diag = {0};
  char text[1800];
  int code = go(&r, argc, argv, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire replay: %s\n", text);
  }
  suite_report_release(&r.report);
  free(r.item.path);
  free(r.item.address);
  scaled_release(&r.item.scaled);
  kept_release(&r.kept);
  project_release(&r.project);
  free(r.evidence_path);
  free(r.folder);
  free(r.words);
  return code;
}
