/*
 * clockcheck.h - a small program that knows what time should do: started in
 * virtual time by check.h, it sleeps, polls and reads its clocks in each way
 * a program can, and says by its exit code whether all agree.
 */
#ifndef VTIME_CLOCKCHECK_H
#define VTIME_CLOCKCHECK_H

/* The hidden command's name and its main function; 0, or a code that
 * clockcheck_sentence() explains. */
#define CLOCKCHECK_COMMAND "vtime-clockcheck"
/* Its one argument. Without it, it refuses: outside virtual time it would
 * really sleep for half an hour. */
#define CLOCKCHECK_WORD "started-in-virtual-time"
int clockcheck_main(int argc, char **argv);
/* NULL: not one of the probe's. */
const char *clockcheck_sentence(int exit_code);

#endif
