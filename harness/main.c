/*
 * The front door of faultwire: the one file that names the commands of the
 * server, the harness and the mutation gate. It finds the command's word and
 * hands over; each command reads its own options and answers for its exit
 * code.
 */
#include "base/words.h"
#include "harness/explain.h"
#include "harness/init/init.h"
#include "harness/kept/commands.h"
#include "harness/list.h"
#include "harness/probe/command.h"
#include "harness/runs/commands.h"
#include "harness/test.h"
#include "harness/vtime/clockcheck.h"
#include "mockserver/command/shim.h"
#include "mockserver/import/import.h"
#include "mockserver/serve.h"
#include "mockserver/upstream/record.h"
#ifdef WITH_MUTANTS
#include "mutants/mutate.h"
#endif

#include <stdio.h>
#include <string.h>

/* Usage error, as every command of faultwire has it (README, "exit code"). */
enum { EXIT_USAGE = 2 };

struct command {
  const char *name;
  int (*main)(int argc, char **argv); /* argv[0] is the command's name */
  const char *usage, *summary;
};

static int list_command(int argc, char **argv);

static const struct command commands[] = {
    {"serve", serve_main, "[SCENARIO]",
     "answer real HTTP with the faults of a scenario"},
    {"test", test_main, "SCENARIO... -- CLIENT",
     "run a client against scenarios and judge what it did"},
    {"init", init_main, "[FOLDER]",
     "write faultwire.json: what `test` does in a folder"},
    {"judge", judge_main, "FOLDER...",
     "judge the evidence of a run again, without a client"},
    {"replay", replay_main, "FOLDER [-- CLIENT]",
     "run what an evidence folder holds again and compare the verdicts"},
    {"probe", probe_main, "-- CLIENT",
     "measure what a client does and write its policy"},
    {"merge", merge_main, "REPORT.json...",
     "join the JSON reports of shards and print any report of the whole"},
    {"compare", compare_main, "OLD.json NEW.json",
     "say what got worse or better between two runs"},
    {"list", list_command, "TABLE",
     "print the faults, checks, providers, reports, scenarios, ..."},
    {"explain", explain_main, "SCENARIO",
     "say in words what a scenario does and what it asks of a client"},
    {"import", import_main, "FILE...",
     "make a scenario from a HAR, curl -v, JSON Lines or a peer's script"},
    {"record", record_main, "--upstream URL",
     "pass a real session through and make a scenario of it"},
    {"shim", shim_main, "NAME...",
     "make a folder with stand-ins for commands (claude, codex ...)"},
#ifdef WITH_MUTANTS
    {"mutate", mutate_main, "run PLAN",
     "break the client on purpose and see that the tests turn red"},
#endif
};

enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

/* Mutants are entries of a plan, which only the gate can read: their table
 * is `mutate list`. */
static int list_command(int argc, char **argv)
{
#ifdef WITH_MUTANTS
  if (argc > 1 && strcmp(argv[1], "mutants") == 0) {
    char name[] = "mutate", verb[] = "list";
    argv[0] = name;
    argv[1] = verb;
    return mutate_main(argc, argv);
  }
#endif
  return list_main(argc, argv);
}

static void print_help(FILE *f)
{
  fputs("usage: faultwire COMMAND [OPTIONS] ...\n\n"
        "Proves that a client of an LLM API survives the day the API says "
        "no.\n\ncommands:\n",
        f);
  for (int i = 0; i < NCOMMANDS; i++)
    fprintf(f, "  %-8s %-22s %s\n", commands[i].name, commands[i].usage,
            commands[i].summary);
  fputs("\n  --help      print this and end\n"
        "  --version   print the version and end\n\n"
        "`faultwire COMMAND --help` prints the options of one command.\n"
        "exit codes: 0 pass, 1 a check failed, 2 usage or invalid scenario,\n"
        "3 nothing was proved, 130 interrupted\n",
        f);
}

static const struct command *find(const char *name)
{
  for (int i = 0; i < NCOMMANDS; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

static int unknown(const char *word)
{
  const char *names[NCOMMANDS + 1] = {0};
  char hint[256];
  for (int i = 0; i < NCOMMANDS; i++)
    names[i] = commands[i].name;
  words_hint(word, names, hint, sizeof hint);
  fprintf(stderr, "faultwire: unknown command '%s'%s\n", word, hint);
  return EXIT_USAGE;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    print_help(stderr);
    return EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("faultwire %s\n", FAULTWIRE_VERSION);
    return 0;
  }
  if (strcmp(argv[1], CLOCKCHECK_COMMAND) == 0) /* not for people */
    return clockcheck_main(argc - 1, argv + 1);
  const struct command *c = find(argv[1]);
  return c ? c->main(argc - 1, argv + 1) : unknown(argv[1]);
}
