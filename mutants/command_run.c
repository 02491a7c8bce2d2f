/*
 * check, run and record: the commands that try the mutants of a plan.
 */
#include "mutants/command.h"
#include "mutants/command_options.h"

int command_check(int argc, char **argv, struct diag *diag)
{
  struct gate_options o = command_defaults();
  const struct option options[] = {
      SHARED_OPTIONS(o), {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {
      "faultwire mutate check [OPTIONS] PLAN",
      "Applies and builds each mutant, without running the suite.", options,
      NULL};
  enum cmdline_result r = command_parse(&c, argc, argv, &o, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? GATE_OK : GATE_USAGE;
  return command_with_gate(&o, gate_check, diag);
}

int command_run(int argc, char **argv, struct diag *diag)
{
  struct gate_options o = command_defaults();
  const struct option options[] = {
      SHARED_OPTIONS(o),
      SUITE_OPTIONS(o),
      {"quick", 0, OPTION_FLAG, &o.quick, 0, 0, NULL,
       "only the tests a mutant names, and the canary"},
      {"strict-tests", 0, OPTION_FLAG, &o.strict_tests, 0, 0, NULL,
       "exit 7 when a test kills nothing"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {"faultwire mutate run [OPTIONS] PLAN",
                            "Runs the suite on each mutant and compares with "
                            "what the plan declares.",
                            options, NULL};
  enum cmdline_result r = command_parse(&c, argc, argv, &o, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? GATE_OK : GATE_USAGE;
  return command_with_gate(&o, gate_run, diag);
}

int command_record(int argc, char **argv, struct diag *diag)
{
  struct gate_options o = command_defaults();
  o.record = true;
  o.repeat = 2; /* once could be noise */
  const struct option options[] = {
      SHARED_OPTIONS(o),
      SUITE_OPTIONS(o),
      {"in-place", 0, OPTION_FLAG, &o.in_place, 0, 0, NULL,
       "write PLAN itself, not PLAN.recorded"},
      {NULL, 0, OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
  const struct cmdline c = {
      "faultwire mutate record [OPTIONS] PLAN",
      "Runs the suite on each mutant, twice, and writes the tests that fell "
      "and those that\nstayed green into a copy of the plan, for you to read "
      "and accept. A mutant needs no\n'red' for this.",
      options, NULL};
  enum cmdline_result r = command_parse(&c, argc, argv, &o, diag);
  if (r != CMDLINE_OK)
    return r == CMDLINE_DONE ? GATE_OK : GATE_USAGE;
  return command_with_gate(&o, gate_run, diag);
}
