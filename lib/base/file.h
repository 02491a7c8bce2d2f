/*
 * file.h - whole files and folders, with a ceiling on what is read.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/buf.h"
#include "base/diag.h"

/* The whole file into `ret` (initialised by the caller; its ceiling is the
 * limit, and a larger file is an error that names both sizes). */
int file_read(const char *path, struct buf *ret, struct diag *diag);
/* Writes the whole file anew; on an error nothing half-written is left. A
 * device, pipe or link is written through, not replaced. */
int file_write(const char *path, struct bytes content, struct diag *diag);
/* The folder and those above it, mode 0777 & ~umask; existing is fine. */
int file_mkdirs(const char *path, struct diag *diag);
/* A fresh private folder from "PREFIX.XXXXXX" under $TMPDIR or /tmp; the
 * caller frees the name. */
char *file_temp_folder(const char *prefix, struct diag *diag);
/* The folder and all in it; symbolic links are removed, not followed. */
int file_remove_tree(const char *path);
bool file_exists(const char *path);
bool file_is_folder(const char *path);

#endif
