/*
 * shim.h - `faultwire shim NAME...`: a folder with stand-ins in it, to be put
 * first on PATH; `faultwire serve --shim-dir` with the same folder answers
 * them.
 */
#ifndef MOCKSERVER_COMMAND_SHIM_H
#define MOCKSERVER_COMMAND_SHIM_H

/* argv[0] is "shim". Returns the exit code: 2 usage, 3 cannot write. */
int shim_main(int argc, char **argv);

#endif
