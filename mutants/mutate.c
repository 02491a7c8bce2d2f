#include "mutants/mutate.h"

#include "base/words.h"
#include "mutants/command.h"
#include "mutants/outcome.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int (*run)(int argc, char **argv, struct diag *diag);
  const char *summary;
} COMMANDS[] = {
#define COMMAND(name, function, summary) {name, function, summary},
#include "mutants/commands.def"
#undef COMMAND
};

static const char *const NAMES[] = {
#define COMMAND(name, function, summary) name,
#include "mutants/commands.def"
#undef COMMAND
    NULL};

/* Words of the design that have no code yet, and what does the job. */
static const struct {
  const char *name, *instead;
} LATER[] = {
    {"record", "write the change as 'edits' with 'find' and 'with', and try "
               "it with `faultwire mutate check`"},
    {"generate", "declare mutants by hand in the plan; docs/mutants.md has a "
                 "list to start from"}};

static void print_help(void)
{
  printf("usage: faultwire mutate COMMAND ...\n\n"
         "Breaks a copy of a client on purpose and demands that the declared "
         "tests notice.\n\ncommands:\n");
  for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
    printf("  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
  printf("\nexit codes:\n"
         "  0 as declared        1 usage or plan      2 missed, weak\n"
         "  3 undecided          4 baseline, control  5 a green fell\n"
         "  6 does not apply     7 useless test       70 internal\n");
}

static int unknown(const char *name, struct diag *diag)
{
  char hint[256];
  for (size_t i = 0; i < sizeof LATER / sizeof LATER[0]; i++)
    if (strcmp(LATER[i].name, name) == 0) {
      diag_set(diag, "'%s' is not in this version; %s", name, LATER[i].instead);
      return GATE_USAGE;
    }
  words_hint(name, NAMES, hint, sizeof hint);
  diag_set(diag, "unknown command '%s'%s", name, hint);
  return GATE_USAGE;
}

static int dispatch(int argc, char **argv, struct diag *diag)
{
  if (argc < 2) {
    diag_set(diag, "which command? See faultwire mutate --help");
    return GATE_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help();
    return GATE_OK;
  }
  for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
    if (strcmp(COMMANDS[i].name, argv[1]) == 0)
      return COMMANDS[i].run(argc - 1, argv + 1, diag);
  return unknown(argv[1], diag);
}

int mutate_main(int argc, char **argv)
{
  struct diag diag = {0};
  char text[2048];
  int rc = dispatch(argc, argv, &diag);
  fflush(stdout);
  if (diag.set) {
    diag_format(&diag, text, sizeof text);
    fprintf(stderr, "faultwire mutate: %s\n", text);
  }
  return rc;
}
