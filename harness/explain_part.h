/*
 * explain_part.h - the two halves of an explained scenario.
 */
#ifndef HARNESS_EXPLAIN_PART_H
#define HARNESS_EXPLAIN_PART_H

#include "base/param.h"
#include "harness/policy.h"
#include "harness/spec.h"

/* What the server answers, step by step (explain_server.c). */
void explain_server(const struct scenario *s, struct buf *out);
/* How the client is run and what each check asks (explain_client.c). */
void explain_client(const struct scenario *s, const struct spec *spec,
                    const struct policy *policy, struct buf *out);
/* "key value   (summary)", a line; the value as JSON. */
void explain_key(const cJSON *node, const struct param *p, struct buf *out);
/* The key's row in the tables, NULL: none has it. */
const struct param *explain_find(const struct param *const *tables, int ntables,
                                 const char *key);

/* The buckets of `limits`; nothing when there are none. */
void explain_limits(const struct scenario *s, struct buf *out);
/* HTTPS and what goes wrong in handshakes; nothing for plain HTTP. */
void explain_tls(const struct scenario *s, struct buf *out);

#endif
