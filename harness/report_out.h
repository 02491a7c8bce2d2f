/*
 * report_out.h - the options --format and --report, and what they ask for:
 * one report on stdout, any number of others in files.
 */
#ifndef HARNESS_REPORT_OUT_H
#define HARNESS_REPORT_OUT_H

#include "base/cmdline.h"
#include "harness/report/report.h"

struct report_out {
  const char *format;       /* NULL: text */
  struct option_list files; /* KIND=FILE each */
};

/* Known kinds, and a file for each. */
int report_out_check(const struct report_out *o, struct diag *diag);
/* stdout first: a file that cannot be written must not lose the verdicts. The
 * other files are written all the same. */
int report_out_print(const struct report_out *o, struct run_report *run,
                     struct diag *diag);

#endif
