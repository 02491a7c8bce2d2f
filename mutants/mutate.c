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

static void print_help(void)
{
  printf("usage: faultwire mutate COMMAND ...\n\n"
         "Breaks a copy of a client on purpose and demands that the declared "
         "tests notice.\n\ncommands:\n");
  for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
    printf("  %-10s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
  printf("\na mutant is one or more of these, by the key in the plan:\n"
#define CHANGE(name, key, summary) "  " key ": " summary "\n"
#include "mutants/change/changes.def"
#undef CHANGE
  );
  printf("\nexit codes:\n"
         "  0 as declared        1 usage or plan      2 missed, weak\n"
         "  3 undecided          4 baseline, control  5 a green fell\n"
         "  6 does not apply     7 useless test       70 internal\n");
}

static int unknown(const char *name, struct diag *diag)
{
  char hint[256];
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
