/*
 * init.h - `faultwire init`: writes faultwire.json for the folder it is
 * called in.
 */
#ifndef HARNESS_INIT_H
#define HARNESS_INIT_H

/* argv[0] is "init". Exit code: 0 written, 2 usage, or a file is there and
 * --force is not given, 3 it cannot be written. */
int init_main(int argc, char **argv);

#endif
