/*
 * files.h - room for descriptors in our own process. A thread that is looked
 * at is three open files, a descriptor a client waits for is a copy: the usual
 * limit of 1,024 would be a few hundred threads, and one that cannot be looked
 * at keeps the clock still.
 *
 * The rule: up to the hard limit for us, the old limit for clients.
 */
#ifndef VTIME_FILES_H
#define VTIME_FILES_H

void files_make_room(void);
/* In a child, before its program. */
void files_as_before(void);

#endif
