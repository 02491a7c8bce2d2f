/*
 * run_files.h - the files below {SHARED} that a scenario's expectations name
 * (output, "file"), as they are when all clients have ended.
 */
#ifndef HARNESS_RUN_FILES_H
#define HARNESS_RUN_FILES_H

#include "harness/evidence.h"

struct run_files {
  struct client_file *file; /* n of them, for the evidence */
  struct buf *text;         /* what they point to */
  size_t n;
};

/* Reads each of them up to a ceiling. A file that is not there, or is none,
 * is one that nobody wrote. The caller releases. */
void run_files_init(struct run_files *f, const struct spec *spec,
                    const char *shared);
void run_files_release(struct run_files *f);

#endif
