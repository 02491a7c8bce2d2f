/*
 * mask.h - credentials leave the server nowhere: not in the journal, not in
 * the log.
 *
 * Masked are the values of the headers authorization, proxy-authorization,
 * x-api-key, x-goog-api-key, api-key and cookie, and of the query parameters
 * key, api_key, api-key, access_token and token. What is left is "***" and a
 * suffix of at most 4 characters, never more than a quarter of the value, so
 * that two keys can still be told apart.
 */
#ifndef MOCKSERVER_MASK_H
#define MOCKSERVER_MASK_H

#include "base/buf.h"

/* True when the value of this header has to be masked. */
bool mask_is_secret(struct bytes header_name);
/* Bytes that mask_value will write for a value. */
size_t mask_length(struct bytes value);
/* Writes the masked value, mask_length bytes; returns where it ends. */
char *mask_value(char *out, struct bytes value);
/* Writes the target with its query masked; at most target.n + 3 for each
 * parameter, see mask_target_room. Returns where it ends. */
char *mask_target(char *out, struct bytes target);
/* Room that mask_target may need. */
size_t mask_target_room(struct bytes target);

#endif
