/*
 * table.h - readers of the files of /proc that tell about processes and
 * threads (proc(5)). Pure: from text to numbers, nothing is opened here.
 */
#ifndef VTIME_TABLE_H
#define VTIME_TABLE_H

#include "base/buf.h"

/* /proc/PID/task/TID/stat. The name may hold blanks and brackets: the last
 * ')' ends it. */
struct table_stat {
  char comm[17];
  char state; /* R S D T t Z X I */
};
bool table_stat(struct bytes text, struct table_stat *ret);

/* The third number of schedstat: how often the thread got a CPU. It changes
 * whenever a sleeping thread has run. */
bool table_switches(struct bytes text, int64_t *ret);

/* The first pid of *rest (the file children); *rest moves behind it. */
bool table_child(struct bytes *rest, int *ret);

/* The file syscall of a blocked thread; false for "running" and for a thread
 * blocked outside a call. */
struct table_call {
  int nr;
  uint64_t arg[6];
};
bool table_call(struct bytes text, struct table_call *ret);

/* A field such as "SigPnd:" in hexadecimal, or "Tgid:" in decimal, at the
 * beginning of a line of status or fdinfo. */
bool table_hex(struct bytes text, const char *name, uint64_t *ret);
bool table_decimal(struct bytes text, const char *name, uint64_t *ret);

/* The last decimal of such a line. */
bool table_last(struct bytes text, const char *name, uint64_t *ret);

/* The first line of *rest (the file maps); *rest moves behind it. */
struct table_map {
  uint64_t start, end, offset, inode;
  uint64_t device; /* both numbers of it */
  bool shared, vdso;
};
bool table_map(struct bytes *rest, struct table_map *ret);

#endif
