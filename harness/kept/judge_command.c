#include "harness/kept/commands.h"

#include "harness/judge.h"
#include "harness/kept/find.h"
#include "harness/kept/folder.h"
#include "harness/report_out.h"
#include "harness/sweep.h"

#include "base/file.h"
#include "base/param.h"

#include <stdio.h>
#include <string.h>

enum { EXIT_FAIL = 1, EXIT_USAGE = 2, EXIT_SETUP = 3 };

struct judging {
  struct kept_changes changes;
  struct report_out out;
  bool strict, quiet;
  char **words;
  struct kept_paths paths;
  struct run_report report;
  struct facts_file *facts; /* of each: the report points into them */
  size_t nfacts, ndiffer;
};

static const char footer[] =
    "FOLDER is one that `faultwire test --evidence DIR` made, or DIR itself.\n"
    "Exit code: as `test` had it: 0 pass, 1 a check failed, 2 usage or a\n"
    "folder that cannot be read, 3 inconclusive.";

static enum cmdline_result parse(struct judging *j, char **argv, int *ret_n,
                                 struct diag *diag)
{
  int dash = 0;
  const struct option options[] = {
      {"policy", 0, OPTION_STRING, &j->changes.policy, 0, 0, "FILE",
       "judge by this policy instead of the run's"},
      {"expect", 0, OPTION_STRING, &j->changes.expect, 0, 0, "SCENARIO",
       "judge by the expectations of this scenario"},
      {"report", 0, OPTION_STRINGS, &j->out.files, 0, 0, "KIND=FILE",
       "write a report to a file; may be given again"},
      {"format", 0, OPTION_STRING, &j->out.format, 0, 0, "KIND",
       "what goes to stdout (default: text)"},
      {"strict", 0, OPTION_FLAG, &j->strict, 0, 0, NULL,
       "a warning counts as a failure (default: as in the run)"},
      {"quiet", 'q', OPTION_FLAG, &j->quiet, 0, 0, NULL,
       "do not say what differs from the run"},
      {.name = NULL}};
  const struct cmdline c = {"faultwire judge [OPTIONS] FOLDER...",
                            "Judges kept evidence again, without a client.",
                            options, footer};
  return cmdline_parse(&c, argv, j->words, ret_n, &dash, diag);
}

/* --- one folder ----------------------------------------------------------- */

/* Lines of a file that does not exist. */
static void leave_out_lines(cJSON *result)
{
  cJSON *check = NULL;
  cJSON_ArrayForEach(check, cJSON_GetObjectItemCaseSensitive(result, "checks"))
      cJSON_DeleteItemFromObjectCaseSensitive(check, "line");
}

/* How a scenario was scaled is in the report alone; a date without effect is
 * in both. */
static void take_scaled(const struct kept *k, cJSON *result)
{
  const cJSON *time = param_node(k->report.root, "time");
  const char *mode = "";
  if (!param_string(time, "mode", &mode) || strcmp(mode, "scaled") != 0)
    return;
  cJSON_DeleteItemFromObjectCaseSensitive(result, "time");
  cJSON_AddItemToObject(result, "time", cJSON_Duplicate(time, 1));
}

static cJSON *judge(const struct kept *k, const struct kept_changes *changes)
{
  const struct facts *f = &k->facts.facts;
  struct judge_names names = {.address = f->address,
                              .file = f->file,
                              .again = f->again,
                              .seed = f->seed,
                              .seconds = f->seconds};
  cJSON *o = f->error ? judge_harness_error(&names, k->scenario.why, f->error)
                      : judge_json(&k->evidence, &names);
  if (changes->expect)
    leave_out_lines(o);
  const cJSON *sweep = param_node(k->report.root, "sweep");
  if (sweep)
    cJSON_AddItemToObject(o, "sweep", cJSON_Duplicate(sweep, 1));
  take_scaled(k, o);
  cJSON_AddStringToObject(o, "evidence", k->folder);
  return o;
}

/* Says so when the verdict is another one than the run had. */
static void compare(struct judging *j, const struct kept *k,
                    const struct result *r)
{
  const char *was = "";
  param_string(k->report.root, "verdict", &was);
  if (strcmp(was, verdict_name(r->verdict)) == 0)
    return;
  j->ndiffer++;
  if (!j->quiet)
    fprintf(stderr, "faultwire judge: %s: was %s, is %s\n", r->name, was,
            verdict_name(r->verdict));
}

static void begin_report(struct judging *j, const struct facts *f)
{
  if (j->nfacts++ == 0) {
    j->report.client = f->command;
    j->report.seed = f->seed;
  }
  j->report.seconds += f->seconds;
  j->strict |= f->strict;
}

static int judge_folder(struct judging *j, const char *path, struct diag *diag)
{
  struct kept k;
  if (kept_load(&k, path, &j->changes, diag) < 0)
    return -1;
  struct result *r = &j->report.results[j->report.n];
  int rc = result_from_json(r, judge(&k, &j->changes), diag);
  if (rc == 0) {
    j->report.n++;
    compare(j, &k, r);
    j->facts[j->nfacts] = k.facts; /* taken over */
    memset(&k.facts, 0, sizeof k.facts);
    begin_report(j, &j->facts[j->nfacts].facts);
  }
  kept_release(&k);
  return rc;
}

/* --- all ------------------------------------------------------------------ */

static int judge_all(struct judging *j, struct diag *diag)
{
  size_t n = j->paths.n;
  j->report.results = mem_zalloc((n + 1) * sizeof *j->report.results);
  j->facts = mem_zalloc((n + 1) * sizeof *j->facts);
  for (size_t i = 0; i < n; i++)
    if (judge_folder(j, j->paths.path[i], diag) < 0)
      return -1;
  sweep_settle(&j->report);
  j->report.exit_code = run_exit_code(&j->report);
  if (j->strict && run_count(&j->report, VERDICT_WARN) > 0)
    j->report.exit_code = EXIT_FAIL;
  return 0;
}

static int go(struct judging *j, int argc, char **argv, struct diag *diag)
{
  int n = 0;
  j->words = mem_zalloc(((size_t)argc + 2) * sizeof *j->words);
  enum cmdline_result r = parse(j, argv, &n, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? 0 : EXIT_USAGE;
  if (n == 0) {
    diag_set(diag, "which folder? (of faultwire test --evidence DIR)");
    return EXIT_USAGE;
  }
  if (report_out_check(&j->out, diag) < 0)
    return EXIT_USAGE;
  for (int i = 0; i < n; i++)
    if (kept_find(&j->paths, j->words[i], diag) < 0)
      return EXIT_USAGE;
  if (judge_all(j, diag) < 0)
    return EXIT_USAGE;
  if (report_out_print(&j->out, &j->report, diag) < 0)
    return EXIT_SETUP;
  if (j->ndiffer && !j->quiet)
    fprintf(stderr, "faultwire judge: %zu of %zu verdicts differ\n", j->ndiffer,
            j->report.n);
  return j->report.exit_code;
}

int judge_main(int argc, char **argv)
{
  struct judging j = {0};
  struct diag diag = {0};
  char text[1800];
  int code = go(&j, argc, argv, &diag);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire judge: %s\n", text);
  }
  for (size_t i = 0; i < j.report.n; i++)
    result_release(&j.report.results[i]);
  for (size_t i = 0; i < j.nfacts; i++)
    facts_release(&j.facts[i]);
  free(j.report.results);
  free(j.facts);
  kept_paths_release(&j.paths);
  free(j.words);
  return code;
}
