/*
 * import.h - the command `faultwire import`: a scenario from a log or from
 * another mock server's fault script. docs/import.md is its page.
 */
#ifndef MOCKSERVER_IMPORT_IMPORT_H
#define MOCKSERVER_IMPORT_IMPORT_H

#include "mockserver/import/draft.h"

struct format;

/* The text of one file into the draft; `format` NULL: guessed. */
int import_text(struct draft *d, const struct format *format, const char *file,
                struct bytes text, struct diag *diag);
/* argv[0] is "import"; the exit code. */
int import_main(int argc, char **argv);

#endif
