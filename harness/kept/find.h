/*
 * find.h - the runs below a folder: `--evidence DIR` makes one folder for
 * each scenario.
 */
#ifndef HARNESS_KEPT_FIND_H
#define HARNESS_KEPT_FIND_H

#include "base/diag.h"

#include <stddef.h>

struct kept_paths {
  char **path; /* sorted by path */
  size_t n;
};

/* Adds every folder at or below `path` that holds a run; one that holds none
 * is an error. */
int kept_find(struct kept_paths *list, const char *path, struct diag *diag);
void kept_paths_release(struct kept_paths *list);

#endif
