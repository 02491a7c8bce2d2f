/*
 * privacy.h - what of a real session may stand in a file.
 *
 * Rule: docs/import.md, "Secrets". Of a request's body the shape stays: its
 * keys, numbers, model, roles and types. Every other text is a hash (SHA-256,
 * cut to 16 digits), so that two of the same can still be told from two
 * others; objects of the user's own making (arguments, schemas, metadata)
 * are one hash each. Asked to keep the texts, it takes out secrets alone.
 */
#ifndef MOCKSERVER_UPSTREAM_PRIVACY_H
#define MOCKSERVER_UPSTREAM_PRIVACY_H

#include "base/buf.h"

/* Appends what of the body may be kept. */
void privacy_body(struct bytes body, bool keep_texts, struct buf *ret);
/* "name: value\n" lines, as the journal has them. */
void privacy_headers(struct bytes lines, struct buf *ret);
/* The target without the values of its secret parameters. */
void privacy_target(struct bytes target, struct buf *ret);

#endif
