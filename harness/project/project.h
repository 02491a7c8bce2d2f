/*
 * project.h - faultwire.json, the project file: what `faultwire test` is to
 * do when its command line does not say.
 *
 * The rule (docs/project.md): the command line counts before the file, key by
 * key. Paths in the file, and the client, count from the file's folder. JSON
 * with comments; a key nobody owns is an error. `faultwire init` writes one.
 */
#ifndef HARNESS_PROJECT_H
#define HARNESS_PROJECT_H

#include "base/param.h"
#include "harness/test_options.h"

#define PROJECT_FILE "faultwire.json"
/* In `suite`: the scenarios that came with this program. */
#define PROJECT_SHIPPED "{SCENARIOS}"

/* The keys, for checking, the schema's test and `list`. */
extern const struct param project_params[];

struct project {
  struct json_doc doc;
  char *path;       /* absolute */
  bool moved;       /* project_apply() went to another folder */
  const cJSON *env; /* variables of the client, NULL: none */
  char **owned;     /* texts that options point to */
  size_t nowned;
};

/* Loads and checks. The caller releases. */
int project_load(struct project *ret, const char *path, struct diag *diag);
void project_release(struct project *p);
/* Fills in what `o` leaves open, and goes to the project's folder: what the
 * command line says about files is made absolute before. */
int project_apply(struct project *p, struct test_options *o, struct diag *diag);

/* The folder of the shipped scenarios: $FAULTWIRE_SCENARIOS, else beside this
 * program or in its tree; NULL: there is none. The caller frees. */
char *project_shipped(void);

#endif
