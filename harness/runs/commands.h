/*
 * commands.h - `faultwire merge` and `faultwire compare`: what is done with
 * the JSON reports of runs that are over.
 */
#ifndef HARNESS_RUNS_COMMANDS_H
#define HARNESS_RUNS_COMMANDS_H

/* argv[0] is the command's name. Exit codes of merge are those of a test of
 * all scenarios: 0, 1, 3; of compare 0, or 1 when something got worse; of
 * both 2 for a usage error or a file that is no report. */
int merge_main(int argc, char **argv);
int compare_main(int argc, char **argv);

#endif
