/*
 * folder.h - the folder that is put first on PATH: a copy of the stand-in's
 * program under each name, beside the socket of the server.
 */
#ifndef MOCKSERVER_COMMAND_FOLDER_H
#define MOCKSERVER_COMMAND_FOLDER_H

#include "base/diag.h"

/* The stand-in's program: $FAULTWIRE_SHIM, else faultwire-shim beside the
 * running program. The caller frees; NULL with a sentence when it is not
 * there. */
char *folder_program(struct diag *diag);
/* Puts the stand-in into the folder under `name`, over one that is there; any
 * other file of that name is left alone and an error. */
int folder_put(const char *folder, const char *name, struct diag *diag);
/* Takes it out again; fine when it is not there. */
void folder_take(const char *folder, const char *name);

#endif
