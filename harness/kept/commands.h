/*
 * commands.h - `faultwire judge` and `faultwire replay`: evidence folders,
 * judged again without a client, or run again with one.
 */
#ifndef HARNESS_KEPT_COMMANDS_H
#define HARNESS_KEPT_COMMANDS_H

/* argv[0] is the command's name. Exit codes as those of `test`. */
int judge_main(int argc, char **argv);
int replay_main(int argc, char **argv);

#endif
