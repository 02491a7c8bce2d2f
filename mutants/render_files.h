/*
 * render_files.h - reads what a report needs beside outcomes.json: the diff
 * and the log of each mutant, and the sources they change.
 */
#ifndef MUTANTS_RENDER_FILES_H
#define MUTANTS_RENDER_FILES_H

#include "mutants/record.h"

/* Fills diff and log of each record from FOLDER/diff and FOLDER/log. A file
 * that is not there leaves an empty text: a merged folder has none. */
void render_files_load(struct records *r, const char *folder);
/* Reads each changed file below `tree`; what is not there is left to the
 * diffs. */
void render_files_sources(struct records *r, const char *tree);

#endif
