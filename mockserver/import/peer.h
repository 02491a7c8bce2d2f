/*
 * peer.h - what the fault scripts of other mock servers have in common:
 * answers by status, streams that break after so many deltas, replies.
 */
#ifndef MOCKSERVER_IMPORT_PEER_H
#define MOCKSERVER_IMPORT_PEER_H

#include "mockserver/import/format.h"

/* The kind and the error that all providers know for a status; one of its
 * own for any other. `retry_after_s` < 0: no header. */
void peer_status(cJSON *step, int status, double retry_after_s);
/* The fault `stream` with the start and `deltas` deltas, more to follow in
 * the list that is returned. */
cJSON *peer_stream(cJSON *step, int deltas, const char *ending);
void peer_delta(cJSON *events, int n);
/* {"reply": "message"} with its text, when there is one. */
void peer_reply(cJSON *step, const char *text);
/* A tool call behind what the reply says; `arguments` is owned by it from
 * now on. */
void peer_tool(cJSON *step, const char *name, cJSON *arguments);
/* The words of the providers' APIs for why an answer ends. */
void peer_stop(struct draft *d, cJSON *step, const char *reason);
/* The step's `match`, made when it has none. */
cJSON *peer_match(cJSON *step);
/* "any path that ends like this" */
void peer_path(cJSON *step, const char *path);
/* True when the step takes every call for ever: none behind it is reached. */
bool peer_takes_all(const cJSON *step);

#endif
