/*
 * list, check and run: the commands that take a plan.
 */
#include "mutants/command.h"
#include "mutants/gate.h"

#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More copies than processors of the largest machines. */
enum { MAX_JOBS = 512, MAX_REPEAT = 1000, MAX_SECONDS = 86400 };

static struct gate_options defaults(void)
{
  return (struct gate_options){.jobs = 2,
                               .repeat = 1,
                               .baseline_runs = 2,
                               .out = "mutants.out",
                               .timeout_multiplier = 5,
                               .minimum_timeout_s = 20,
                               .build_timeout_s = 120};
}

static int parse_shard(struct gate_options *o, struct diag *diag)
{
  if (!o->shard)
    return 0;
  struct bytes rest = bytes_of(o->shard);
  uint64_t k, n;
  if (number_take_u64(&rest, 100000, &k) != NUMBER_OK || rest.n == 0 ||
      *rest.p != '/')
    return diag_set(diag, "--shard needs K/N, not '%s'", o->shard);
  rest.p++;
  rest.n--;
  if (number_u64(rest, 100000, &n) != NUMBER_OK || n == 0 || k >= n)
    return diag_set(diag, "--shard K/N needs K from 0 to N-1, not '%s'",
                    o->shard);
  o->shard_k = (int64_t)k;
  o->shard_n = (int64_t)n;
  return 0;
}

/* Which tests kill nothing can be said of a whole run only. */
static int check_options(const struct gate_options *o, struct diag *diag)
{
  if (o->strict_tests && (o->only.n || o->shard || o->quick))
    return diag_set(diag, "--strict-tests needs the whole plan and every "
                          "test: not with --only, --shard or --quick");
  return 0;
}

static enum cmdline_result parse(const struct cmdline *c, int argc, char **argv,
                                 struct gate_options *o, struct diag *diag)
{
  char **words = calloc((size_t)argc + 1, sizeof *words);
  int n, dash;
  enum cmdline_result r = cmdline_parse(c, argv, words, &n, &dash, diag);
  if (r == CMDLINE_OK && n != 1) {
    diag_set(diag, n ? "one plan only, please" : "which plan? usage: %s",
             c->usage);
    r = CMDLINE_ERROR;
  }
  if (r == CMDLINE_OK) {
    o->plan = words[0];
    if (parse_shard(o, diag) < 0 || check_options(o, diag) < 0)
      r = CMDLINE_ERROR;
  }
  free(words);
  return r;
}

static void print_mutant(const struct plan_mutant *m, bool as_json, int i)
{
  struct buf b;
  buf_init(&b, JSON_MAX_BYTES);
  if (as_json) {
    buf_adds(&b, i ? ",\n  {\"id\": " : "\n  {\"id\": ");
    buf_add_json(&b, bytes_of(m->id));
    buf_adds(&b, ", \"operator\": ");
    buf_add_json(&b, bytes_of(m->operator_));
    buf_adds(&b, ", \"why\": ");
    buf_add_json(&b, bytes_of(m->why));
    buf_adds(&b, ", \"red\": [");
    for (int k = 0; k < m->red.n; k++) {
      buf_adds(&b, k ? ", " : "");
      buf_add_json(&b, bytes_of(m->red.item[k]));
    }
    buf_addf(&b, "], \"equivalent\": %s}", m->equivalent ? "true" : "false");
  } else {
    buf_addf(&b, "%-30s %-16s ", m->id, m->operator_);
    for (int k = 0; k < m->red.n; k++)
      buf_addf(&b, "%s%s", k ? ", " : "", m->red.item[k]);
    buf_addf(&b, "%s\n", m->equivalent ? "(equivalent)" : "");
  }
  fputs(buf_str(&b), stdout);
  buf_release(&b);
}

int command_list(int argc, char **argv, struct diag *diag)
{
  struct gate_options o = defaults();
  bool as_json = false;
  const struct option options[] = {
      {"json", 0, OPTION_FLAG, &as_json, 0, 0, NULL, "as JSON"},
      {"only", 0, OPTION_STRINGS, &o.only, 0, 0, "GLOB", "only these ids"},
      {"shard", 0, OPTION_STRING, &o.shard, 0, 0, "K/N",
       "part K (from 0) of N"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"faultwire mutate list [OPTIONS] PLAN",
                            "Prints the mutants of a plan.", options, NULL};
  struct gate g = {.options = &o};
  enum cmdline_result r = parse(&c, argc, argv, &o, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? GATE_OK : GATE_USAGE;
  if (gate_plan_load(&g.plan, o.plan, diag) < 0)
    return GATE_USAGE;
  gate_select(&g);
  if (as_json)
    printf("[");
  for (int i = 0; i < g.nselected; i++)
    print_mutant(g.selected[i], as_json, i);
  if (as_json)
    printf("\n]\n");
  gate_release(&g);
  return GATE_OK;
}

static int with_gate(const struct gate_options *o,
                     int (*act)(struct gate *g, enum gate_exit *ret_exit,
                                struct diag *diag),
                     struct diag *diag)
{
  struct gate g;
  enum gate_exit code = GATE_INTERNAL;
  if (gate_init(&g, o, diag) < 0)
    return GATE_USAGE;
  act(&g, &code, diag);
  gate_release(&g);
  return (int)code;
}

/* The options that check and run share. */
#define SHARED_OPTIONS(o)                                                      \
  {"only",                                                                     \
   0,                                                                          \
   OPTION_STRINGS,                                                             \
   &(o).only,                                                                  \
   0,                                                                          \
   0,                                                                          \
   "GLOB",                                                                     \
   "only mutants with these ids; may be given again"},                         \
      {"shard", 0, OPTION_STRING, &(o).shard,                                  \
       0,       0, "K/N",         "part K (from 0) of N"},                     \
      {"jobs", 0,        OPTION_INT, &(o).jobs,                                \
       1,      MAX_JOBS, "N",        "copies worked on at once (2)"},          \
      {"out", 0, OPTION_STRING, &(o).out,                                      \
       0,     0, "DIR",         "results (mutants.out); copies in DIR.work"},  \
      {"tree", 0, OPTION_STRING, &(o).tree,                                    \
       0,      0, "DIR",         "the tree, instead of the plan's"},           \
      {"keep", 0, OPTION_FLAG, &(o).keep, 0, 0, NULL, "keep DIR.work"},        \
      {"build-timeout",                                                        \
       0,                                                                      \
       OPTION_NUMBER,                                                          \
       &(o).build_timeout_s,                                                   \
       0.001,                                                                  \
       MAX_SECONDS,                                                            \
       "S",                                                                    \
       "seconds for one build (120)"},                                         \
  {                                                                            \
    "verbose", 'v', OPTION_FLAG, &(o).verbose, 0, 0, NULL,                     \
        "a line for good mutants too"                                          \
  }

int command_check(int argc, char **argv, struct diag *diag)
{
  struct gate_options o = defaults();
  const struct option options[] = {
      SHARED_OPTIONS(o), {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {
      "faultwire mutate check [OPTIONS] PLAN",
      "Applies and builds each mutant, without running the suite.", options,
      NULL};
  enum cmdline_result r = parse(&c, argc, argv, &o, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? GATE_OK : GATE_USAGE;
  return with_gate(&o, gate_check, diag);
}

int command_run(int argc, char **argv, struct diag *diag)
{
  struct gate_options o = defaults();
  const struct option options[] = {
      SHARED_OPTIONS(o),
      {"repeat", 0, OPTION_INT, &o.repeat, 1, MAX_REPEAT, "N",
       "runs of the suite per mutant (1); a difference is flaky"},
      {"baseline-runs", 0, OPTION_INT, &o.baseline_runs, 1, MAX_REPEAT, "N",
       "runs of the unmutated tree (2)"},
      {"quick", 0, OPTION_FLAG, &o.quick, 0, 0, NULL,
       "only the tests a mutant names, and the canary"},
      {"strict-tests", 0, OPTION_FLAG, &o.strict_tests, 0, 0, NULL,
       "exit 7 when a test kills nothing"},
      {"no-controls", 0, OPTION_FLAG, &o.no_controls, 0, 0, NULL,
       "leave out \"no faults\" and \"dead client\""},
      {"timeout-multiplier", 0, OPTION_NUMBER, &o.timeout_multiplier, 1, 1000,
       "X", "a suite may take X times the baseline (5)"},
      {"minimum-timeout", 0, OPTION_NUMBER, &o.minimum_timeout_s, 0.001,
       MAX_SECONDS, "S", "and at least so many seconds (20)"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"faultwire mutate run [OPTIONS] PLAN",
                            "Runs the suite on each mutant and compares with "
                            "what the plan declares.",
                            options, NULL};
  enum cmdline_result r = parse(&c, argc, argv, &o, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? GATE_OK : GATE_USAGE;
  return with_gate(&o, gate_run, diag);
}
