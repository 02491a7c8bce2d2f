/*
 * load.h - a JSON report (docs/report.schema.json) back as the run it was
 * made of, so that every report can be printed from it on another machine.
 *
 * The file is of another program and maybe another version: a key that is
 * not known is kept and printed again, one that is needed and wrong is a
 * placed error.
 */
#ifndef HARNESS_REPORT_LOAD_H
#define HARNESS_REPORT_LOAD_H

#include "harness/report/report.h"

/* Ceiling of a report file: the shipped suite makes some MB. */
#define REPORT_MAX_BYTES ((size_t)256 << 20)

/* A run that owns all its texts. */
struct loaded_run {
  struct run_report run;
  char *name; /* of the file */
  char *version;
  char **client, **notes; /* NULL-terminated, as `run` shows them */
};

int run_load(struct loaded_run *ret, const char *path, struct diag *diag);
/* The same for bytes in memory; `name` is for messages. */
int run_parse(struct loaded_run *ret, const char *name, struct bytes text,
              struct diag *diag);
void run_unload(struct loaded_run *r);

#endif
