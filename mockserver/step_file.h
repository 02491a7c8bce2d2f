/*
 * step_file.h - the file a step names with `file`: read once, when the
 * scenario is loaded.
 */
#ifndef MOCKSERVER_STEP_FILE_H
#define MOCKSERVER_STEP_FILE_H

#include "mockserver/scenario.h"

/* Fills ret->file; a path that is not absolute counts from the folder of
 * the scenario. The caller releases it. */
int step_file_read(struct step *ret, const struct jval *v, struct diag *diag);

#endif
